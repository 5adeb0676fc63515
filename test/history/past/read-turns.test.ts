// Answers about the past are made in turns: keys before callers without one, keys alternating with each
// other, only a few answers at the same time, and every answer in the end.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { KEYLESS, type TierKey } from '../../../src/domain/tiers.ts';
import { ReadTurns } from '../../../src/history/past/read-turns.ts';
import { eventLoopTurn } from '../../../src/pause.ts';

const UNTIMED = { monotonicMs: () => 0, sleep: async () => undefined };

/** The questions: for each, the caller's key, and how many turns of the event loop its answer takes. */
const asked = fc.array(
  fc.record({ key: fc.constantFrom(null, 'one' as const, 'two' as const), length: fc.nat(3) }),
  {
    minLength: 1,
    maxLength: 40,
  },
);

test('every answer is made, at most two for one key, three for keys and one for callers without a key at the same time; the latter in the order of their requests', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (questions) => {
      const turns = new ReadTurns(UNTIMED);
      const running = { one: 0, two: 0, strangers: 0 };
      const done: number[] = [];
      const answers = questions.map(({ key, length }, index) =>
        turns.run({ principal: { keyId: key, tier: 'standard' } }, async () => {
          const lane = key ?? 'strangers';
          running[lane]++;
          expect(running.strangers).toBeLessThanOrEqual(1);
          expect(Math.max(running.one, running.two)).toBeLessThanOrEqual(2);
          expect(running.one + running.two).toBeLessThanOrEqual(3);
          for (let turn = 0; turn < length; turn++) await eventLoopTurn();
          running[lane]--;
          done.push(index);
          return index;
        }),
      );
      expect(await Promise.all(answers)).toEqual(questions.map((_, index) => index));
      const strangers = done.filter((index) => questions[index]!.key === null);
      expect(strangers).toEqual(strangers.toSorted((left, right) => left - right));
    }),
    { numRuns: 100 },
  );
});

test('a key waits for few other answers, however many questions another key and strangers have', async () => {
  const turns = new ReadTurns(UNTIMED);
  const done: string[] = [];
  const ask = (keyId: string | null) =>
    turns.run({ principal: { keyId, tier: 'standard' } }, async () => {
      await eventLoopTurn();
      done.push(keyId ?? 'stranger');
    });
  const crowd = [...Array(50).fill(null), ...Array(50).fill('greedy')].map(ask);
  await ask('customer');
  expect(done.filter((who) => who === 'greedy').length).toBeLessThanOrEqual(4);
  expect(done.filter((who) => who === 'stranger').length).toBeLessThanOrEqual(4);
  await Promise.all(crowd);
  expect(done.length).toBe(101);
});

test('an account with a paid plan that has no answer under way waits for none of an account that has many, nor for free keys', async () => {
  const turns = new ReadTurns(UNTIMED);
  const end = Promise.withResolvers<void>();
  const started: string[] = [];
  const ask = (ownerId: string, index: number, tier: TierKey = 'standard') =>
    turns.run({ principal: { keyId: `key ${index}`, tier, ownerId } }, async () => {
      started.push(ownerId);
      await end.promise;
    });
  const indexes = [...Array(10).keys()];
  const greedy = indexes.map((index) => ask('greedy', index));
  const free = indexes.map((index) => ask('free', index, 'free'));
  const customer = indexes.slice(0, 2).map((index) => ask('customer', index));
  for (let turn = 0; turn < 5; turn++) await eventLoopTurn();
  expect(started).toEqual(['greedy', 'greedy', 'customer']);
  end.resolve();
  await Promise.all([...greedy, ...free, ...customer]);
  expect(started).toHaveLength(22);
});

test('when an answer ends, all work that may start now starts', async () => {
  const turns = new ReadTurns(UNTIMED);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (ownerId: string, name: string) =>
    turns.run({ principal: { keyId: name, tier: 'standard', ownerId } }, async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = [ask('one', 'one 1'), ask('two', 'two 1'), ask('one', 'one 2'), ask('two', 'two 2')];
  for (let turn = 0; turn < 5; turn++) await eventLoopTurn();
  expect(started).toEqual(['one 1', 'two 1']);
  ends.get('two 1')!();
  for (let turn = 0; turn < 5; turn++) await eventLoopTurn();
  // The first account gets the place that is free, and the second one, which now has none, the kept place.
  expect(started).toEqual(['one 1', 'two 1', 'one 2', 'two 2']);
  for (const end of ends.values()) end();
  await Promise.all(all);
});

test('a free key gets turns while many accounts with paid plans always have questions waiting', async () => {
  const turns = new ReadTurns(UNTIMED);
  const done: string[] = [];
  const ask = (keyId: string, tier: TierKey) =>
    turns.run({ principal: { keyId, tier } }, async () => {
      await eventLoopTurn();
      done.push(tier);
    });
  const paid = Array.from({ length: 60 }, (_, index) => ask(`customer ${index % 6}`, 'standard'));
  const free = Array.from({ length: 5 }, () => ask('free', 'free'));
  await Promise.all([...paid, ...free]);
  expect(done.slice(0, 30).filter((tier) => tier === 'free').length).toBeGreaterThanOrEqual(4);
});

test('keys of paid plans wait for few answers to free keys, which are made one at a time; free keys still get turns', async () => {
  const turns = new ReadTurns(UNTIMED);
  const done: string[] = [];
  let running = 0;
  const ask = (tier: TierKey, keyId: string, ownerId = keyId) =>
    turns.run({ principal: { keyId, tier, ownerId } }, async () => {
      if (tier === 'free') running++;
      expect(running).toBeLessThanOrEqual(1);
      await eventLoopTurn();
      if (tier === 'free') running--;
      done.push(ownerId);
    });
  const crowd = Array.from({ length: 100 }, (_, index) => ask('free', `key ${index}`, 'greedy'));
  const customers = Array.from({ length: 20 }, (_, index) =>
    ask('standard', `customer ${index}`, 'customer'),
  );
  const other = ask('free', 'other');
  await Promise.all(customers);
  expect(done.filter((who) => who === 'greedy').length).toBeLessThanOrEqual(10);
  expect(done).toContain('other');
  await Promise.all([...crowd, other]);
  expect(done.length).toBe(121);
});

test('an answer that nobody waits for any more is not made, and after a read that throws, the next one is made', async () => {
  const turns = new ReadTurns(UNTIMED);
  const stranger = { principal: KEYLESS };
  const failing = turns.run(stranger, () => Promise.reject(new Error('broken')));
  const left = turns.run({ ...stranger, signal: AbortSignal.abort() }, async () => 'made');
  expect(await Promise.allSettled([failing, left])).toMatchObject([
    { status: 'rejected', reason: { message: 'broken' } },
    { status: 'rejected', reason: { code: 'upstream_unavailable' } },
  ]);
  expect(await turns.run(stranger, async () => 'next')).toBe('next');
});

test('answers for callers without a key take at most a third of the time; answers for keys do not wait for the rest of it', async () => {
  let nowMs = 0;
  const rested: (() => void)[] = [];
  const turns = new ReadTurns({
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      await new Promise<void>((resolve) => rested.push(resolve));
      nowMs += ms;
    },
  });
  const workMs = 30;
  const ask = (keyId: string | null) =>
    turns.run({ principal: { keyId, tier: 'standard' } }, async () => {
      nowMs += workMs;
      return nowMs;
    });
  const first = await ask(null);
  const second = ask(null);
  expect(await ask('customer')).toBe(first + workMs);
  while (rested.length === 0) await eventLoopTurn();
  rested[0]!();
  expect(await second).toBeGreaterThanOrEqual(first + 3 * workMs);
});

test('after an answer that waited long for a disk, the pause for callers without a key is at most two seconds', async () => {
  let nowMs = 0;
  const rests: number[] = [];
  const turns = new ReadTurns({
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      rests.push(ms);
    },
  });
  const ask = (tookMs: number) =>
    turns.run({ principal: KEYLESS }, async () => {
      nowMs += tookMs;
    });
  for (const tookMs of [300, 15_000]) await ask(tookMs);
  await ask(0);
  expect(rests.slice(0, 2)).toEqual([600, 2_000]);
});
