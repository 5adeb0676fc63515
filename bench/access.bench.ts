// Access control: one token bucket, and the whole admission of a request (key check, bucket, values for the
// headers). Compared with a Map of plain objects in private memory, which is what a single thread would use,
// and with one SQL read per request.

import { join } from 'node:path';
import { bench, do_not_optimize, group } from 'mitata';
import { CountStore } from '../src/access/counts/count-store.ts';
import { DAILY_COUNTS_SCHEMA } from '../src/access/counts/daily-counts.ts';
import { AccessKeeper } from '../src/access/counts/keeper.ts';
import type { Gate } from '../src/access/gate.ts';
import { SharedGate } from '../src/access/gate.ts';
import { dayOf, paceOf } from '../src/access/quotas/bucket.ts';
import { Budget } from '../src/access/quotas/limiter.ts';
import { attachAccessMemory, createAccessMemory } from '../src/access/quotas/memory.ts';
import { SubjectTable } from '../src/access/quotas/subject-table.ts';
import { hashText, mintKey } from '../src/accounts/credentials/secrets.ts';
import { KeyRepository } from '../src/accounts/keys/key-repository.ts';
import { createOperatorKey } from '../src/accounts/keys/key-service.ts';
import { SqliteKeyDirectory } from '../src/accounts/keys/sqlite-key-directory.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../src/accounts/schema.ts';
import { type Clock, systemClock } from '../src/clock.ts';
import { Random } from '../src/domain/random.ts';
import { TIERS } from '../src/domain/tiers.ts';
import { assert } from '../src/errors.ts';
import { openDatabase } from '../src/storage/database.ts';
import { sqliteSql } from '../src/storage/sqlite-sql.ts';
import { benchFolder } from './bench-folder.ts';

const SEED = 20_260_304;
const ENTERPRISE = TIERS[3];

/** A token bucket as a single thread would keep it. */
interface PlainBucket {
  tokens: number;
  lastMs: number;
}

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const keyCount = size === 'full' ? 1_000 : 20;
  const scene = await createScene(keyCount);
  checkAnswers(scene);
  defineBuckets();
  defineClaims();
  defineAdmissions(scene);
}

interface Scene {
  readonly gate: Gate;
  readonly directory: SqliteKeyDirectory;
  readonly keeper: AccessKeeper;
  /** Authorization headers, shuffled. */
  readonly headers: string[];
  readonly addresses: string[];
}

/**
 * A clock whose monotonic time advances a millisecond at each read, so that buckets refill as fast as a hot
 * loop empties them.
 */
function runningClock(): Clock {
  let nowMs = 0;
  return { wallMs: () => systemClock.wallMs(), monotonicMs: () => nowMs++ };
}

async function createScene(keyCount: number): Promise<Scene> {
  const folder = benchFolder();
  const database = openDatabase({
    path: join(folder, 'bench.sqlite'),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA, DAILY_COUNTS_SCHEMA],
    create: true,
  });
  const directory = new SqliteKeyDirectory(database);
  const memory = createAccessMemory({ seed: SEED, startedAtMs: systemClock.wallMs() });
  const random = new Random(SEED);
  const fillRandom = (bytes: Uint8Array): void => {
    for (let index = 0; index < bytes.length; index++) bytes[index] = random.index(256);
  };
  const options = { keys: new KeyRepository(sqliteSql(database)), clock: systemClock, fillRandom };
  const headers: string[] = [];
  for (let index = 0; index < keyCount; index++) {
    const { text } = await createOperatorKey(options, { tier: 'enterprise', label: '' });
    headers.push(`Bearer ${text}`);
  }
  const addresses = headers.map((_, index) => `198.51.${index >> 8}.${index & 255}`);
  const clock = runningClock();
  const onError = (error: unknown): never => {
    throw error;
  };
  const store = await CountStore.open({ sql: sqliteSql(database), onError }, dayOf(clock.wallMs()));
  const keeper = new AccessKeeper({ memory, store, directory, clock, onError });
  return { gate: new SharedGate({ memory, directory, clock }), directory, keeper, headers, addresses };
}

/** Checks that the shared bucket and the plain one admit the same requests of a random walk. */
function checkAnswers({ gate, headers, addresses }: Scene): void {
  const random = new Random(SEED);
  const { take } = sharedBucket();
  const plain: PlainBucket = { tokens: ENTERPRISE.burst, lastMs: 1_000 };
  let admitted = 0;
  let nowMs = 1_000;
  for (let index = 0; index < 20_000; index++) {
    if (random.unit() < 0.4) nowMs += 1;
    if (random.unit() < 0.0005) nowMs += random.index(3_000);
    const isAdmitted = take(nowMs);
    assert(isAdmitted === takePlain(plain, nowMs), `both buckets agree about request ${index}`);
    if (isAdmitted) admitted++;
  }
  assert(admitted > ENTERPRISE.burst && admitted < 20_000, 'the walk has admitted and refused requests');
  for (const header of headers) {
    const admission = gate.charge(gate.identify(header), '198.51.100.1', 1);
    assert(admission.refusal === null && admission.principal.tier === 'enterprise', 'every key is admitted');
  }
  for (const address of addresses) {
    assert(
      gate.charge(gate.identify(null), address, 1).remaining === 29,
      'every address has a bucket of its own',
    );
  }
}

function defineBuckets(): void {
  const { take } = sharedBucket();
  const plain: PlainBucket = { tokens: ENTERPRISE.burst, lastMs: 0 };
  let sharedMs = 1_000;
  let plainMs = 1_000;
  group('limiter: take one token', () => {
    bench('shared memory, compare-and-swap', () => do_not_optimize(take(sharedMs++)));
    bench('plain object, one thread', () => do_not_optimize(takePlain(plain, plainMs++))).baseline(true);
  });
}

/** Claims a slot for a new subject and releases it: the extra cost of the first request of an address. */
function defineClaims(): void {
  const memory = attachAccessMemory(createAccessMemory({ seed: SEED, startedAtMs: 0 }));
  const table = new SubjectTable(memory.addresses, memory.seed);
  let low = 0;
  group('limiter: slots', () => {
    bench('claim and release one, under the lock', () => {
      const subject = { high: 1, low: low++ | 0 };
      table.release(table.claim(subject), subject);
    });
  });
}

function defineAdmissions({ gate, directory, keeper, headers, addresses }: Scene): void {
  const plain = new Map(
    headers.map((header) => [header, { tier: ENTERPRISE, tokens: ENTERPRISE.burst, lastMs: 0 }]),
  );
  const count = headers.length;
  const unknown = `Bearer ${mintKey((bytes) => crypto.getRandomValues(bytes)).text}`;
  const known = gate.charge(gate.identify(headers[0] ?? ''), '', 0).principal;
  let turn = 0;
  let nowMs = 0;
  group(`key check and bucket, ${count} keys in turn`, () => {
    bench('identify and charge, known key', () =>
      do_not_optimize(gate.charge(gate.identify(headers[turn++ % count] ?? ''), '198.51.100.1', 1)),
    );
    bench('Map of plain objects, one thread', () => {
      const entry = plain.get(headers[turn++ % count] ?? '');
      return do_not_optimize(entry !== undefined && takePlain(entry, nowMs++));
    }).baseline(true);
    bench('SHA-256 and one SQL read, no bucket', () =>
      do_not_optimize(directory.findLive(hashText((headers[turn++ % count] ?? '').slice(7)))),
    );
  });
  group('other callers', () => {
    bench(`identify and charge, keyless, ${count} addresses in turn`, () =>
      do_not_optimize(gate.charge(gate.identify(null), addresses[turn++ % count] ?? '', 0)),
    );
    bench('identify and charge, unknown key, seen before (401)', () =>
      do_not_optimize(gate.charge(gate.identify(unknown), '198.51.100.1', 1)),
    );
    bench('gate.record', () => gate.record({ principal: known, status: 200, latencyMs: 1.5 }));
  });
  group('keeper, off the request path', () => {
    bench('flush of an unchanged memory of 262,144 addresses', () => keeper.flush());
  });
}

function sharedBucket(): { take: (nowMs: number) => boolean } {
  const memory = attachAccessMemory(createAccessMemory({ seed: SEED, startedAtMs: 0 }));
  const budget = new Budget(new SubjectTable(memory.keys, memory.seed), {
    subject: { high: 1, low: 1 },
    pace: paceOf(ENTERPRISE),
    perDay: null,
    spare: 0,
  });
  const now = { sharedMs: 0, day: 1 };
  return {
    take: (nowMs) => {
      now.sharedMs = nowMs | 0;
      return budget.take(now) === 'admitted';
    },
  };
}

function takePlain(bucket: PlainBucket, nowMs: number): boolean {
  const refill = ((nowMs - bucket.lastMs) * ENTERPRISE.perMinute) / 60_000;
  bucket.tokens = Math.min(ENTERPRISE.burst, bucket.tokens + refill);
  bucket.lastMs = nowMs;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
