// Two servers get the same messages, except that one also gets prices of the sharp bookmaker. Callers that
// may not see that bookmaker read the same from both tapes: while a log becomes a file because it is full,
// after a kill, after the history thread died, after the feed was lost, and after the clock was set back.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { KEYLESS } from '../../../src/domain/tiers.ts';
import { runs } from '../../support/runs.ts';
import { tapeCalls } from '../tape-folder.ts';
import { EVENT_NUMBERS, FIXTURES, KEYS, TapeWorld } from '../tape-world.ts';
import { surface } from './surface.ts';

const event = fc.integer({ min: 1, max: FIXTURES });
const price = fc.integer({ min: 10_100, max: 10_104 });
/** How long a source stamps its message before the message arrives. */
const lateMs = fc.constantFrom(0, 0, 3, 700);

const common = fc.record({
  act: fc.constant('quote' as const),
  ...{ event, price, lateMs, key: fc.constantFrom(KEYS[0]!, KEYS[2]!), status: fc.nat(1) },
});
const sharp = fc.record({
  act: fc.constant('sharp' as const),
  ...{ event, price, lateMs, key: fc.constantFrom(KEYS[1]!, KEYS[3]!), isClosed: fc.boolean() },
});
const act = fc.oneof(
  { weight: 8, arbitrary: common },
  { weight: 8, arbitrary: sharp },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('close' as const), event, lateMs, key: fc.constant(KEYS[0]!) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('put' as const), event }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('remove' as const), event }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('live' as const),
      event,
      isLive: fc.boolean(),
      goals: fc.nat(2),
    }),
  },
  { weight: 8, arbitrary: fc.constant({ act: 'publish' as const }) },
  { weight: 6, arbitrary: fc.constant({ act: 'drain' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('wait' as const), ms: fc.constantFrom(50, 2_000, 3_600_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'sealed' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'killed' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'thread dies' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'feed lost' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('set back' as const), ms: fc.constantFrom(500, 5_000, 600_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'day' as const }) },
);

type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

async function play(world: TapeWorld, one: Act, hasSharp: boolean): Promise<void> {
  switch (one.act) {
    case 'quote':
      return world.putQuote(one.event, one.key, one.price, one.status, world.nowMs - one.lateMs);
    case 'sharp':
      if (!hasSharp) return;
      if (one.isClosed) return world.closeQuote(one.event, one.key, world.nowMs - one.lateMs);
      return world.putQuote(one.event, one.key, one.price, 0, world.nowMs - one.lateMs);
    case 'close':
      return world.closeQuote(one.event, one.key, world.nowMs - one.lateMs);
    case 'put':
      return world.putFixture(one.event);
    case 'remove':
      return world.remove(one.event);
    case 'live':
      return world.setLive(one.event, one.isLive, one);
    case 'publish':
      return world.publish();
    case 'wait':
      return world.settle(one.ms);
    case 'drain':
      // If changes stayed in the ring, a kill would lose them. Prices of the sharp bookmaker may decide
      // whether they stay.
      return await world.drained();
    case 'sealed':
      return await world.tape.sealed();
    case 'killed':
      await world.killed(0);
      return await begin(world);
    case 'thread dies':
      await world.startTape();
      return await world.drained();
    case 'feed lost':
      world.feedIsLost();
      await world.drained();
      world.settle(1_500);
      world.feedIsBack();
      return await world.drained();
    case 'set back':
      world.settle();
      await world.tape.sealed(); // otherwise the tape would not notice that the clock was set back
      world.setBack(one.ms);
      world.settle();
      return await world.tape.sealed();
    case 'day':
      world.nowMs += DAY_MS / 2;
      return world.settle();
  }
}

async function begin(world: TapeWorld): Promise<void> {
  for (const event of EVENT_NUMBERS) world.putFixture(event);
  world.feedIsBack();
  await world.drained();
}

const SHARP = { act: 'sharp', event: 1, price: 10_100, lateMs: 0, key: KEYS[3]!, isClosed: false } as const;
const PRICE = { act: 'quote', event: 1, price: 10_100, lateMs: 0, key: KEYS[0]!, status: 0 } as const;

/** The sharp bookmaker quotes after another bookmaker has withdrawn its line. */
const WITHDRAWN: Act[] = [
  ...[PRICE, { act: 'publish' }, { act: 'close', event: 1, lateMs: 0, key: KEYS[0]! }],
  ...[{ act: 'wait', ms: 50 }, SHARP, { act: 'publish' }],
] as Act[];
/** After the clock was set back, the last chunk of the log has a change of the sharp bookmaker. */
const SET_BACK: Act[] = [
  ...[{ act: 'set back', ms: 600_000 }, { act: 'publish' }, { act: 'drain' }, SHARP, { act: 'drain' }],
  ...[{ act: 'publish' }, { act: 'drain' }, { act: 'publish' }, { act: 'killed' }],
] as Act[];
/** A gap is on a day with only prices of the sharp bookmaker, and other prices follow on the next day. */
const OLD_GAP: Act[] = [
  ...[SHARP, { act: 'publish' }, { act: 'drain' }, { act: 'feed lost' }, { act: 'day' }, { act: 'day' }],
  ...[PRICE, { act: 'publish' }, { act: 'drain' }, { act: 'day' }, { act: 'day' }, { act: 'sealed' }],
  ...[{ act: 'wait', ms: 3_600_000 }, { act: 'sealed' }],
] as Act[];
/**
 * A file that was begun in the evening has only changes of the next day: the states of all fixtures, and a
 * price of the sharp bookmaker.
 */
const NEXT_DAY: Act[] = [
  ...[{ act: 'day' }, SHARP, { act: 'publish' }, { act: 'set back', ms: 5_000 }],
  ...[{ act: 'live', event: 1, isLive: false, goals: 1 }, PRICE, { act: 'publish' }],
  ...[{ act: 'wait', ms: 3_600_000 }],
] as Act[];
/** A fixture leaves at its kickoff, and afterwards only the sharp bookmaker changes a price. */
const LEFT: Act[] = [
  ...[{ act: 'publish' }, { act: 'day' }, { act: 'day' }, { act: 'remove', event: 1 }, { act: 'publish' }],
  ...[{ act: 'wait', ms: 3_600_000 }, { ...SHARP, event: 2 }, { act: 'publish' }, { act: 'day' }],
  ...[{ act: 'sealed' }, { act: 'day' }, { act: 'day' }],
] as Act[];
/** A change of the sharp bookmaker decides which file is begun last before the clock is set back. */
const REPEATED: Act[] = [
  ...[PRICE, { act: 'publish' }, { act: 'drain' }, { act: 'day' }, SHARP, { act: 'publish' }],
  ...[{ act: 'day' }, { act: 'drain' }, { ...PRICE, price: 10_103 }, { act: 'publish' }],
  ...[{ act: 'set back', ms: 5_000 }, { act: 'day' }],
] as Act[];
/** After a repeated time, only the sharp bookmaker changes a price before the next repeated time. */
const AFTER_REPEATED: Act[] = [
  ...[PRICE, { act: 'publish' }, { act: 'drain' }, { act: 'day' }, { act: 'day' }, { act: 'drain' }],
  ...[{ ...PRICE, price: 10_101 }, { act: 'publish' }, { act: 'set back', ms: 5_000 }],
  ...[{ ...PRICE, price: 10_102 }, { act: 'publish' }, { act: 'wait', ms: 3_600_000 }, { act: 'drain' }],
  ...[SHARP, { act: 'publish' }, { act: 'wait', ms: 3_600_000 }, { act: 'set back', ms: 5_000 }],
] as Act[];
/** A price of the sharp bookmaker is the first change after a repeated time, on the next day. */
const NEXT_DAY_AFTER_REPEATED: Act[] = [
  ...[{ act: 'publish' }, { act: 'set back', ms: 5_000 }, SHARP, { act: 'day' }, { act: 'publish' }],
  ...[{ act: 'set back', ms: 500 }, { act: 'killed' }],
] as Act[];
/** A second history thread dies after it has read only the whole slate and a price of the sharp bookmaker. */
const TWO_THREADS_DIE: Act[] = [
  ...[{ ...PRICE, event: 2 }, { act: 'publish' }, { act: 'thread dies' }, { act: 'put', event: 3 }],
  ...[{ ...SHARP, event: 3 }, { act: 'publish' }, { act: 'drain' }, { act: 'thread dies' }],
] as Act[];

const EVENTS = EVENT_NUMBERS.map((number) => encodeId('event', number));

/**
 * The answers that a free caller and a caller without a key read after these acts, and those that another
 * tier reads.
 */
async function readings(acts: readonly Act[], hasSharp: boolean) {
  await using world = new TapeWorld({ ringRecords: 1_024, liveTicksMax: 12 });
  await world.start();
  await begin(world);
  const instants = new Set<number>();
  for (const one of acts) {
    await play(world, one, hasSharp);
    instants.add(world.nowMs);
  }
  world.publish();
  world.settle(1_500);
  await world.tape.sealed(); // while two segments wait to become files, changes wait in the ring
  return await world.reading(async (tape) => {
    const calls = tapeCalls(tape);
    const read = (principal: typeof KEYLESS): Promise<string[]> =>
      surface(calls, { principal, nowMs: world.nowMs }, { instants: [...instants], events: EVENTS });
    return {
      free: await read({ tier: 'free', seesSharp: false, keyId: 'key' }),
      keyless: await read(KEYLESS),
      paid: await read({ tier: 'standard', seesSharp: true, keyId: 'key' }),
    };
  });
}

test('callers who may not see the sharp bookmaker read the same, whether or not the tape has its prices', async () => {
  let differed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 80 }), async (acts) => {
      const [with_, without] = [await readings(acts, true), await readings(acts, false)];
      expect(with_.free).toEqual(without.free);
      expect(with_.keyless).toEqual(without.keyless);
      if (!Bun.deepEquals(with_.paid, without.paid)) differed += 1;
    }),
    {
      numRuns: runs(15),
      examples: [
        ...[[WITHDRAWN], [SET_BACK], [OLD_GAP], [NEXT_DAY], [LEFT]],
        ...[[REPEATED], [AFTER_REPEATED], [NEXT_DAY_AFTER_REPEATED], [TWO_THREADS_DIE]],
      ] as [Act[]][],
      endOnFailure: true, // shrinking takes longer than the test may
    },
  );
  expect(differed).toBeGreaterThan(0);
}, 120_000);

test('the times of a lost feed do not depend on when the sharp bookmaker changed a price', async () => {
  const gapsSeen = async (hasSharp: boolean) => {
    await using world = new TapeWorld();
    await world.start();
    await begin(world);
    await play(world, PRICE, hasSharp);
    world.publish();
    const sharpIsPublished = async (): Promise<void> => {
      await play(world, { ...SHARP, price: SHARP.price + (world.nowMs % 100) }, hasSharp);
      world.publish();
    };
    // The feed is lost, and comes back just before a price of the sharp bookmaker.
    world.settle(60);
    world.feedIsLost();
    world.settle(2_000);
    world.feedReturns();
    await sharpIsPublished();
    world.settle(60);
    // The ingest thread dies just after such a price.
    world.settle(2_000);
    await sharpIsPublished();
    world.startIngest();
    world.feedIsBack();
    world.settle(2_000);
    await world.atRest();
    return await world.reading(async (tape) => tape.time.gaps('all'));
  };
  const gaps = await gapsSeen(true);
  expect(gaps.filter(({ reason }) => reason === 'feed_lost')).toHaveLength(2);
  expect(gaps).toEqual(await gapsSeen(false));
});

test('the time of a kill does not show that the sharp bookmaker changed a price in a new second', async () => {
  const gapsSeen = async (hasSharp: boolean) => {
    await using world = new TapeWorld();
    await world.start();
    await begin(world);
    await play(world, PRICE, hasSharp);
    world.publish();
    world.settle(1_000 - (world.nowMs % 1_000) - 1);
    await play(world, SHARP, hasSharp);
    world.publish();
    expect(world.nowMs % 1_000).toBe(0);
    await world.tape.sealed();
    await world.killed(0);
    await world.tape.sealed();
    return await world.reading(async (tape) => tape.time.gaps('common'));
  };
  const gaps = await gapsSeen(true);
  expect(gaps.map(({ reason }) => reason)).toEqual(['stopped']);
  expect(gaps).toEqual(await gapsSeen(false));
});
