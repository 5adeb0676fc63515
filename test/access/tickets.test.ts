// A ticket can be used once in place of its key, on any thread, during its lifetime.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  FREE_TICKETS_MAX,
  LINK_TICKET_LIVES_MS,
  TICKET_LIVES_MS,
  TICKETS_MAX,
  TICKETS_PER_ACCOUNT_MAX,
  TICKETS_PER_FREE_ACCOUNT_MAX,
  TICKETS_PER_KEY_MAX,
} from '../../src/access/limits.ts';
import { createTicketMemory, type TicketKey, Tickets } from '../../src/access/tickets.ts';
import { hashText } from '../../src/accounts/credentials/secrets.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { refusalOf } from '../support/failure.ts';

const CAPACITY = 4;
/** Keys of one account, which never take each other's tickets. */
const OF_ONE_ACCOUNT = ['a', 'b', 'c'].map((text) => keyOf(text, 'account'));
/** Keys of paid plans, each of a different account. */
const KEYS = ['a', 'b', 'c'].map((text) => keyOf(text, text));

function keyOf(text: string, ownerId: string, isFree = false): TicketKey {
  return { keyHash: hashText(text), ownerId, isFree };
}

function threadsOn(memory: SharedArrayBuffer): readonly [Tickets, Tickets] {
  return [new Tickets(memory, { thread: 0, fillRandom }), new Tickets(memory, { thread: 1, fillRandom })];
}

type Act =
  | {
      readonly kind: 'issue';
      readonly thread: 0 | 1;
      readonly key: number;
      readonly livesMs: number;
    }
  | { readonly kind: 'redeem'; readonly thread: 0 | 1; readonly ticket: number }
  | { readonly kind: 'wait'; readonly ms: number };
const thread = fc.constantFrom(0 as const, 1 as const);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('issue' as const),
    thread,
    key: fc.nat(2),
    livesMs: fc.constantFrom(TICKET_LIVES_MS, LINK_TICKET_LIVES_MS),
  }),
  fc.record({ kind: fc.constant('redeem' as const), thread, ticket: fc.nat(12) }),
  fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.constantFrom(1, TICKET_LIVES_MS / 2, TICKET_LIVES_MS, LINK_TICKET_LIVES_MS),
  }),
);

describe('Tickets', () => {
  test('tickets behave like entries of a plain map on every thread, even when the clock wraps', () => {
    const seen = { taken: 0, over: 0, full: 0 };
    fc.assert(
      fc.property(
        fc.array(act, { minLength: 20, maxLength: 80, size: 'max' }),
        fc.boolean(),
        (acts, wraps) => {
          const threads = threadsOn(createTicketMemory(CAPACITY));
          let nowMs = wraps ? 2 ** 31 - TICKET_LIVES_MS : 0;
          const issued: string[] = [];
          const live = new Map<string, { readonly key: string; readonly untilMs: number }>();
          for (const act of acts) {
            if (act.kind === 'wait') {
              nowMs += act.ms;
              for (const [text, { untilMs }] of live) if (untilMs <= nowMs) live.delete(text);
            } else if (act.kind === 'redeem') {
              const text = issued[act.ticket] ?? 'tkt_none';
              const expected = live.get(text)?.key ?? null;
              expect(threads[act.thread].redeem(text, nowMs | 0)).toBe(expected);
              live.delete(text);
              seen[expected === null ? 'over' : 'taken']++;
            } else if (live.size >= CAPACITY) {
              const refusal = refusalOf(() => threads[act.thread].issue(OF_ONE_ACCOUNT[act.key]!, nowMs | 0));
              expect(refusal.status).toBe(503);
              seen.full++;
            } else {
              const text = threads[act.thread].issue(OF_ONE_ACCOUNT[act.key]!, nowMs | 0, act.livesMs);
              issued.push(text);
              live.set(text, { key: OF_ONE_ACCOUNT[act.key]!.keyHash, untilMs: nowMs + act.livesMs });
            }
          }
        },
      ),
      { numRuns: 300 },
    );
    for (const [what, times] of Object.entries(seen)) expect(`${what} ${times > 20}`).toBe(`${what} true`);
  });

  test('a key with too many unused tickets gets no more, but other keys do', () => {
    const [tickets] = threadsOn(createTicketMemory(TICKETS_PER_KEY_MAX + 1));
    for (let made = 0; made < TICKETS_PER_KEY_MAX; made++) tickets.issue(KEYS[0]!, 0);
    const refusal = refusalOf(() => tickets.issue(KEYS[0]!, 0));
    expect([refusal.status, refusal.headers]).toEqual([429, { 'x-ratelimit-scope': 'tickets' }]);
    const other = tickets.issue(KEYS[1]!, 0);
    expect(tickets.redeem(other, 0)).toBe(KEYS[1]!.keyHash);
  });

  test('free keys together get at most a quarter of the tickets, paid keys get the rest, and expired tickets free their places', () => {
    const [tickets, other] = threadsOn(createTicketMemory());
    for (let made = 0; made < FREE_TICKETS_MAX; made++) {
      tickets.issue(keyOf(`key ${made}`, `account ${made}`, true), 0, LINK_TICKET_LIVES_MS);
    }
    const late = keyOf('late', 'late', true);
    for (const thread of [tickets, other]) expect(refusalOf(() => thread.issue(late, 1)).status).toBe(503);
    for (let made = FREE_TICKETS_MAX; made < TICKETS_MAX; made++) {
      tickets.issue(keyOf(`paid ${made}`, `paid ${made}`), 1);
    }
    expect(refusalOf(() => tickets.issue(KEYS[0]!, 1)).status).toBe(503);
    expect(tickets.redeem(tickets.issue(late, LINK_TICKET_LIVES_MS), LINK_TICKET_LIVES_MS)).toBe(
      late.keyHash,
    );
  });

  test('when accounts hold all tickets for a long time, those with the most lose some, beginning with the tickets that expire first', () => {
    const [tickets, other] = threadsOn(createTicketMemory());
    const greedy: string[] = [];
    const issue = (account: number, made: number, isFree: boolean) =>
      tickets.issue(keyOf(`key ${made}`, `account ${account}`, isFree), made, LINK_TICKET_LIVES_MS);
    const max = TICKETS_PER_FREE_ACCOUNT_MAX;
    for (let made = 0; made < FREE_TICKETS_MAX; made++)
      greedy.push(issue(Math.floor(made / max), made, true));
    const free = keyOf('free', 'free', true);
    const nowMs = FREE_TICKETS_MAX;
    const own = Array.from({ length: 15 }, (_, index) =>
      (index % 2 === 0 ? tickets : other).issue(free, nowMs),
    );
    for (const text of own) expect(other.redeem(text, nowMs)).toBe(free.keyHash);
    // No account has lost more than one, each its first.
    for (const [made, text] of greedy.entries()) {
      const isLost = made % max === 0 && made / max < own.length;
      expect(tickets.redeem(text, nowMs) === null).toBe(isLost);
    }
  });

  test('four customers with all the tickets that they may have leave one to another customer, not to free keys', () => {
    const [tickets] = threadsOn(createTicketMemory());
    for (let made = 0; made < TICKETS_MAX; made++) {
      const account = Math.floor(made / TICKETS_PER_ACCOUNT_MAX);
      tickets.issue(
        keyOf(`key ${Math.floor(made / TICKETS_PER_KEY_MAX)} ${account}`, `account ${account}`),
        0,
      );
    }
    expect(refusalOf(() => tickets.issue(keyOf('free', 'free', true), 0)).status).toBe(503);
    expect(tickets.redeem(tickets.issue(KEYS[0]!, 0), 0)).toBe(KEYS[0]!.keyHash);
  });

  test('all keys and sessions of a free account together get a few tickets', () => {
    const [tickets] = threadsOn(createTicketMemory());
    const issue = (made: number) => tickets.issue(keyOf(`key ${made}`, 'account', true), 0);
    for (let made = 0; made < TICKETS_PER_FREE_ACCOUNT_MAX; made++) issue(made);
    expect(refusalOf(() => issue(TICKETS_PER_FREE_ACCOUNT_MAX)).status).toBe(429);
    expect(tickets.issue(keyOf('other', 'other', true), 0)).toStartWith('tkt_');
  });

  test('each key of a paid account has its own tickets, but all of them together get at most a quarter of the tickets', () => {
    const [tickets] = threadsOn(createTicketMemory());
    const issue = (made: number) =>
      tickets.issue(keyOf(`key ${Math.floor(made / TICKETS_PER_KEY_MAX)}`, 'account'), 0);
    for (let made = 0; made < TICKETS_PER_ACCOUNT_MAX; made++) issue(made);
    const refusal = refusalOf(() => issue(TICKETS_PER_ACCOUNT_MAX));
    expect([refusal.status, refusal.headers]).toEqual([429, { 'x-ratelimit-scope': 'tickets' }]);
    expect(tickets.issue(KEYS[0]!, 0)).toStartWith('tkt_');
  });

  test('the memory of tickets holds neither a ticket nor its random bytes', () => {
    const memory = createTicketMemory(CAPACITY);
    const [tickets] = threadsOn(memory);
    const text = tickets.issue(KEYS[0]!, 0);
    const bytes = Buffer.from(new Uint8Array(memory));
    expect(bytes.includes(text.slice(4))).toBe(false);
    expect(bytes.includes(Buffer.from(text.slice(4), 'base64url'))).toBe(false);
    for (const wrong of ['', 'tkt_', `${text}A`, text.slice(0, -1), text.replace('tkt_', 'isk_')]) {
      expect(tickets.redeem(wrong, 0)).toBeNull();
    }
    expect(tickets.redeem(text, 0)).toBe(KEYS[0]!.keyHash);
  });
});
