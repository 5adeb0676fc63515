import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Admission, Gate } from '../../src/access/gate.ts';
import { SharedGate } from '../../src/access/gate.ts';
import { sessionCredential } from '../../src/access/key-cache.ts';
import { TICKETS_PER_FREE_ACCOUNT_MAX, TICKETS_PER_KEY_MAX } from '../../src/access/limits.ts';
import { createTicketMemory, Tickets } from '../../src/access/tickets.ts';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { createSessionToken, hashText, mintKey } from '../../src/accounts/credentials/secrets.ts';
import type { KeyDirectory, LiveKey } from '../../src/accounts/keys/key-directory.ts';
import { ServiceError } from '../../src/errors.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { codePoint } from '../support/code-point.ts';
import { admit } from './admit.ts';
import { AccessBench, START_MS } from './support.ts';

const ADDRESS = '198.51.100.7';
const MIDNIGHT_S = Date.UTC(2026, 2, 5) / 1000;

/** A directory that counts how often it is read. */
class CountingDirectory implements KeyDirectory {
  finds = 0;
  readonly #inner: KeyDirectory;

  constructor(inner: KeyDirectory) {
    this.#inner = inner;
  }

  findLive(hash: string): LiveKey | null {
    this.finds++;
    return this.#inner.findLive(hash);
  }

  epoch(): number {
    return this.#inner.epoch();
  }
}

function gateOf(bench: AccessBench, directory: KeyDirectory = bench.directory): Gate {
  return new SharedGate({ memory: bench.memory, directory, clock: bench.clock });
}

/** A free account, acc_1. @returns the credentials of its key and of its session */
async function freeAccount(bench: AccessBench): Promise<readonly [key: string, session: string]> {
  const accounts = new AccountRepository(sqliteSql(bench.database));
  await accounts.createAccount({
    ...{ id: 'acc_1', email: 'a@example.com', passwordHash: 'h', plan: 'free' },
    ...{ verifiedAtMs: 1, createdAtMs: 1 },
  });
  const { text, ...secret } = mintKey(fillRandom);
  await bench.keys.createKey({
    ...{ ...secret, keyId: 'key_1', accountId: 'acc_1', label: '', tier: 'free' },
    ...{ createdAtMs: 1, expiresAtMs: null, allowedAddresses: [] },
  });
  const token = createSessionToken(fillRandom);
  await accounts.sessions.createSession({
    ...{ tokenHash: hashText(token), accountId: 'acc_1', createdAtMs: 1, expiresAtMs: START_MS + 60_000 },
  });
  return [`Bearer ${text}`, sessionCredential(token)];
}

function refusalOf(admission: Admission): ServiceError {
  expect(admission.refusal).toBeInstanceOf(ServiceError);
  return admission.refusal as ServiceError;
}

describe('gate with keys', () => {
  test('seenTier: gives the tier of a credential once it was found live, until it is found ended; it looks up no key', async () => {
    using bench = new AccessBench();
    const directory = new CountingDirectory(bench.directory);
    const gate = gateOf(bench, directory);
    const credential = `Bearer ${(await bench.createKey('standard', { expiresAtMs: START_MS + 1_000 })).text}`;
    expect(gate.seenTier(credential)).toBeNull();
    expect(directory.finds).toBe(0);
    gate.identify(credential);
    expect(gate.seenTier(credential)).toBe('standard');
    expect(gate.seenTier(`${credential} `)).toBeNull();
    bench.clock.advance(2_000);
    gate.identify(credential);
    expect(gate.seenTier(credential)).toBeNull();
    expect(directory.finds).toBe(1);
  });

  test('seenTier: a session that one gate has found live is known to every gate, until one of them finds it ended', async () => {
    using bench = new AccessBench();
    const directory = new CountingDirectory(bench.directory);
    const [, session] = await freeAccount(bench);
    const [first, other] = [gateOf(bench), gateOf(bench, directory)];
    expect(other.seenTier(session)).toBeNull();
    first.identify(session);
    expect(other.seenTier(session)).toBe('free');
    expect(other.seenTier(sessionCredential(createSessionToken(fillRandom)))).toBeNull();
    expect(other.seenTier(session.slice(1))).toBeNull();
    await new AccountRepository(sqliteSql(bench.database)).setPlan('acc_1', 'standard');
    bench.clock.advance(500);
    const third = gateOf(bench);
    third.identify(session);
    expect(other.seenTier(session)).toBe('standard');
    bench.clock.advance(60_000);
    third.identify(session);
    expect(other.seenTier(session)).toBeNull();
    expect(directory.finds).toBe(0);
  });

  test('admit: each tier has its limit and its burst; only free keys do not see the sharp book', async () => {
    using bench = new AccessBench();
    const gate = gateOf(bench);
    const seen = [];
    for (const tier of ['free', 'standard', 'realtime', 'enterprise'] as const) {
      const key = await bench.createKey(tier);
      const { principal, limit, remaining, resetAtS, refusal } = admit(
        gate,
        `Bearer ${key.text}`,
        ADDRESS,
        1,
      );
      expect(refusal).toBeNull();
      expect(principal.keyId).toBe(key.keyId);
      seen.push([principal.tier, principal.seesSharp, limit, remaining, resetAtS - START_MS / 1000]);
    }
    expect(seen).toEqual([
      ['free', false, 60, 29, 1],
      ['standard', true, 600, 119, 1],
      ['realtime', true, 6_000, 599, 1],
      ['enterprise', true, 60_000, 1_999, 1],
    ]);
  });

  test('admit: many requests with one key read the directory once, whether the key exists or not', async () => {
    using bench = new AccessBench();
    const directory = new CountingDirectory(bench.directory);
    const gate = gateOf(bench, directory);
    const { text } = await bench.createKey('standard');
    for (let request = 0; request < 50; request++) admit(gate, `Bearer ${text}`, ADDRESS, 1);
    expect(directory.finds).toBe(1);
    const unknown = mintKey(fillRandom).text;
    for (let request = 0; request < 50; request++) admit(gate, `Bearer ${unknown}`, ADDRESS, 1);
    expect(directory.finds).toBe(2);
    for (const bad of ['Bearer isk_', `Bearer ${text.slice(0, -1)}!`, `Basic ${text}`])
      admit(gate, bad, ADDRESS, 1);
    expect(directory.finds).toBe(2);
  });

  test('admit: a header that is not a live key gets 401, costs nothing and shows the budget of callers without a key', async () => {
    using bench = new AccessBench();
    const gate = gateOf(bench);
    const { text } = await bench.createKey('enterprise');
    const headers = ['', 'Bearer', 'Bearer ', text, `Basic ${text}`, `Bearer ${text} x`, `Bearer ${text}x`];
    headers.push(`Bearer ${mintKey(fillRandom).text}`, `Bearer ${'x'.repeat(100_000)}`);
    for (const header of headers) {
      const admission = admit(gate, header, ADDRESS, 1);
      expect(refusalOf(admission).code).toBe('unauthorized');
      expect([admission.principal.keyId, admission.limit, admission.remaining]).toEqual([null, 60, 30]);
    }
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint }),
        (header) => admit(gate, header, ADDRESS, 1).refusal !== null,
      ),
    );
    expect(admit(gate, null, ADDRESS, 0).remaining).toBe(30);
    expect(admit(gate, `bEARER   ${text}`, ADDRESS, 1).refusal).toBeNull();
  });

  test('admit: a free key has 5,000 requests a UTC day; a refusal shows the daily limit and costs no token', async () => {
    using bench = new AccessBench();
    const gate = gateOf(bench);
    const { text } = await bench.createKey('free');
    const header = `Bearer ${text}`;
    for (let request = 0; request < 5_000; request++) {
      expect(admit(gate, header, ADDRESS, 1).refusal).toBeNull();
      bench.clock.advance(1_000);
    }
    for (let request = 0; request < 3; request++) {
      const admission = admit(gate, header, ADDRESS, 1);
      const refusal = refusalOf(admission);
      expect([refusal.code, refusal.status]).toEqual(['rate_limit_exceeded', 429]);
      expect(admission.daily).toEqual({ limit: 5_000, remaining: 0, resetAtS: MIDNIGHT_S });
      expect(refusal.retryAfterSeconds).toBe(MIDNIGHT_S - bench.clock.wallMs() / 1000);
      expect(admission.remaining).toBe(30);
    }
    bench.clock.advance(MIDNIGHT_S * 1000 - bench.clock.wallMs());
    expect(admit(gate, header, ADDRESS, 1).refusal).toBeNull();
  });

  test('identify: the owner of a key or session is its account; the owner of a key of the operator is the key itself', async () => {
    using bench = new AccessBench();
    const operators = await bench.createKey('free');
    const gate = gateOf(bench);
    const credentials = [...(await freeAccount(bench)), `Bearer ${operators.text}`];
    const owners = credentials.map((credential) => gate.identify(credential).principal.ownerId);
    expect(owners).toEqual(['acc_1', 'acc_1', operators.keyId]);
  });

  test('issueTicket: the key and the sessions of a free account share its tickets; a paid key has tickets of its own', async () => {
    using bench = new AccessBench();
    const tickets = new Tickets(createTicketMemory(), { thread: 0, fillRandom });
    const { memory, directory, clock } = bench;
    const gate = new SharedGate({ memory, directory, clock, tickets });
    const principals = (await freeAccount(bench)).map((credential) => gate.identify(credential).principal);
    const max = TICKETS_PER_FREE_ACCOUNT_MAX;
    for (let made = 0; made < max; made++) gate.issueTicket(principals[made % 2]!);
    for (const principal of principals) {
      expect(() => gate.issueTicket(principal)).toThrow('the account has 20 that are not used yet');
    }
    const paid = gate.identify(`Bearer ${(await bench.createKey('standard')).text}`).principal;
    for (let made = 0; made < TICKETS_PER_KEY_MAX; made++) gate.issueTicket(paid);
  });

  test('record and usage: counts per key and in total, errors from status 400, latency in milliseconds', async () => {
    using bench = new AccessBench();
    const [gate, other] = [gateOf(bench), gateOf(bench)];
    const { text, keyId } = await bench.createKey('standard');
    const { principal } = admit(gate, `Bearer ${text}`, ADDRESS, 1);
    gate.record({ principal, status: 200, latencyMs: 1 });
    gate.record({ principal, status: 399, latencyMs: 2.5 });
    gate.record({ principal, status: 400, latencyMs: 4 });
    const keyless = admit(gate, null, ADDRESS, 1).principal;
    gate.record({ principal: keyless, status: 500, latencyMs: 9 });
    const same = admit(other, `Bearer ${text}`, ADDRESS, 1).principal;
    expect(same.keyId).toBe(keyId);
    bench.clock.advance(12_000);
    expect(other.usage(same)).toEqual({
      started_at: '2026-03-04T10:00:00.000Z',
      uptime_s: 12,
      key: `isk_…${text.slice(-4)}`,
      tier: 'standard',
      usage: { requests: 3, errors: 1, error_rate: 0.3333, avg_latency_ms: 2.5, max_latency_ms: 4 },
      total_requests: 4,
      total_errors: 2,
    });
    expect(gate.usage(keyless)).toBeNull();
  });
});

describe('gate without keys', () => {
  test('admit: an address has 200 requests a UTC day; addresses of one IPv6 /64 share them', () => {
    using bench = new AccessBench();
    const gates = [gateOf(bench), gateOf(bench)];
    for (let request = 0; request < 200; request++) {
      const gate = gates[request % 2] as Gate;
      expect(admit(gate, null, `2001:db8::${request.toString(16)}`, 1).refusal).toBeNull();
      bench.clock.advance(1_000);
    }
    for (const gate of gates) {
      expect(admit(gate, null, '2001:db8::abcd', 1).daily).toEqual({
        limit: 200,
        remaining: 0,
        resetAtS: MIDNIGHT_S,
      });
      expect(admit(gate, null, '2001:db8:0:1::1', 1).refusal).toBeNull();
    }
  });

  test('admit: the next request is admitted after Retry-After, and not a second earlier', () => {
    fc.assert(
      fc.property(fc.nat(40_000), (waitMs) => {
        using bench = new AccessBench();
        const gate = gateOf(bench);
        for (let request = 0; request < 30; request++) admit(gate, null, ADDRESS, 1);
        bench.clock.advance(waitMs);
        let admission = admit(gate, null, ADDRESS, 1);
        while (admission.refusal === null) admission = admit(gate, null, ADDRESS, 1);
        expect(admission.daily).toBeNull();
        expect(admission.remaining).toBe(0);
        const waitS = refusalOf(admission).retryAfterSeconds ?? 0;
        expect(waitS).toBe(1);
        bench.clock.advance(waitS * 1000);
        expect(admit(gate, null, ADDRESS, 1).refusal).toBeNull();
        expect(admit(gate, null, ADDRESS, 1).refusal).not.toBeNull();
      }),
      { numRuns: 12 },
    );
  });

  test('check: refuses exactly when a charge at that instant would, shows the budget before that charge, and takes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_500), { minLength: 1, maxLength: 30 }), (waitsMs) => {
        using bench = new AccessBench();
        const gate = gateOf(bench);
        const caller = gate.identify(null);
        for (let request = 0; request < 28; request++) gate.charge(caller, ADDRESS, 1);
        for (const waitMs of waitsMs) {
          const { remaining, resetAtS } = gate.charge(caller, ADDRESS, 0);
          const checked = gate.check(caller, ADDRESS);
          expect(gate.check(caller, ADDRESS)).toMatchObject({ remaining, resetAtS });
          const charged = gate.charge(caller, ADDRESS, 1);
          expect(checked.refusal).toEqual(charged.refusal);
          expect(charged.remaining).toBe(Math.max(0, remaining - 1));
          bench.clock.advance(waitMs);
        }
      }),
      { numRuns: 12 },
    );
  });

  test('admit: the bucket is full at resetAtS, and setting the wall clock does not fill it', () => {
    using bench = new AccessBench();
    const gate = gateOf(bench);
    for (let request = 0; request < 10; request++) admit(gate, null, ADDRESS, 1);
    expect(admit(gate, null, ADDRESS, 0).resetAtS).toBe(START_MS / 1000 + 10);
    bench.clock.setWall(START_MS - 3_600_000);
    expect(admit(gate, null, ADDRESS, 0).remaining).toBe(20);
    bench.clock.setWall(START_MS + 3_600_000);
    expect(admit(gate, null, ADDRESS, 0).remaining).toBe(20);
    bench.clock.advance(9_999);
    expect(admit(gate, null, ADDRESS, 0).remaining).toBe(29);
    bench.clock.advance(1);
    expect(admit(gate, null, ADDRESS, 0).remaining).toBe(30);
  });

  test('admit: 0 units charge nothing and claim no slot', () => {
    using bench = new AccessBench({ keys: 1, addresses: 1 });
    const gate = gateOf(bench);
    for (let request = 0; request < 500; request++) {
      expect(admit(gate, null, `192.0.2.${request % 250}`, 0)).toMatchObject({
        remaining: 30,
        refusal: null,
      });
    }
    expect(admit(gate, null, ADDRESS, 1).remaining).toBe(29);
  });

  test('admit: if the table of addresses is full, all new addresses share one keyless bucket', () => {
    using bench = new AccessBench({ keys: 1, addresses: 4 });
    const gate = gateOf(bench);
    for (let index = 0; index < 4; index++) admit(gate, null, `192.0.2.${index}`, 1);
    let admitted = 0;
    for (let index = 4; index < 250; index++) {
      const admission = admit(gate, null, `192.0.2.${index}`, 1);
      if (admission.refusal === null) admitted++;
      else expect([admission.daily, admission.remaining]).toEqual([null, 0]);
    }
    expect(admitted).toBe(30);
    expect(admit(gate, null, '192.0.2.0', 1).remaining).toBe(28);
  });
});
