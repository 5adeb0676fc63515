// Compares the tape with a plain model. Whatever is published, and whatever is killed and started again, the
// files and the live part have the changes that readers of the slate saw, in order; where a change is missing
// there is a gap.

import { expect, test } from 'bun:test';
import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { beginOfFile, dayOfPath } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import type { FixtureSummary } from '../../../src/history/past/fixture-summaries.ts';
import { rowsSince } from '../../../src/history/rows-around.ts';
import { dayOf, dayStartMs } from '../../../src/history/tick.ts';
import { readTape, summariesOf, tapeCalls, tapeIn } from '../tape-folder.ts';
import {
  asModel,
  EVENT_NUMBERS,
  FIXTURES,
  KEYS,
  type ModelTick,
  modelText,
  nameOf,
  TapeWorld,
} from '../tape-world.ts';

const event = fc.integer({ min: 1, max: FIXTURES });
const key = fc.constantFrom(...KEYS);
const change = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('quote' as const),
      event,
      key,
      price: fc.integer({ min: 10_100, max: 10_104 }),
      status: fc.integer({ min: 0, max: 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('close' as const), event, key }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('put' as const), event }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('remove' as const), event }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ act: fc.constant('live' as const), event, isLive: fc.boolean() },
      ...{ goals: fc.nat(2), reds: fc.integer({ min: -1, max: 2 }) },
    }),
  },
);
const act = fc.oneof(
  { weight: 10, arbitrary: change },
  { weight: 8, arbitrary: fc.constant({ act: 'publish' as const }) },
  { weight: 6, arbitrary: fc.constant({ act: 'drain' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'thread dies' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('wait' as const), ms: fc.constantFrom(50, 2_000, 3_600_000) }),
  },
);

type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

async function play(world: TapeWorld, one: Act): Promise<void> {
  switch (one.act) {
    case 'quote':
      return world.putQuote(one.event, one.key, one.price, one.status);
    case 'close':
      return world.closeQuote(one.event, one.key);
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
    case 'thread dies':
      return await world.startTape();
    case 'drain':
      return await world.tape.step();
  }
}

const QUOTE = { act: 'quote', event: 1, key: KEYS[0]!, price: 10_100, status: 0 } as const;
const NOTED_AGAIN: Act[] = [
  ...[
    QUOTE,
    { act: 'publish' },
    { act: 'thread dies' },
    { act: 'drain' },
    { act: 'drain' },
    { act: 'drain' },
  ],
  ...[{ act: 'thread dies' }, { act: 'drain' }, { act: 'wait', ms: 3_600_000 }, QUOTE],
  { act: 'live', event: 1, isLive: false, goals: 0, reds: 0 },
  ...[{ act: 'put', event: 1 }, QUOTE, { act: 'wait', ms: 3_600_000 }, { act: 'thread dies' }],
  ...[{ act: 'publish' }, { act: 'remove', event: 1 }, { act: 'drain' }, QUOTE, { act: 'drain' }, QUOTE],
] as Act[];

/** The texts grouped by line, because a file does not keep the order between rows of different lines. */
function byLine(texts: readonly string[], names: readonly string[]): Record<string, string[]> {
  const lines: Record<string, string[]> = {};
  for (const [index, text] of texts.entries()) {
    const name = names[index]!;
    lines[name] = [...(lines[name] ?? []), text];
  }
  return lines;
}

async function expectEqual(world: TapeWorld, published: readonly ModelTick[]): Promise<void> {
  const { ticks } = await world.taped();
  expect(byLine(ticks.map(asModel), ticks.map(nameOf))).toEqual(
    byLine(published.map(modelText), published.map(nameOf)),
  );
}

test('the tape has every published change once and in order, and shows which fixtures were there, whatever dies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 120 }), async (acts) => {
      await using world = new TapeWorld({ ringRecords: 1_024, liveTicksMax: 15 });
      await world.startWith(...EVENT_NUMBERS);
      await world.tape.step(); // the tape begins with its first log
      for (const one of acts) await play(world, one);
      world.publish();
      world.settle();
      expectSummaries(world);
      await expectEqual(world, world.published);
      expect(world.tape.gaps()).toEqual([]);
      // A day without a tick so far has no file.
      const hasTick = ([atMs]: readonly [number, unknown]): boolean =>
        world.published.some(
          ({ receivedAtMs }) => receivedAtMs <= atMs && dayOf(receivedAtMs) === dayOf(atMs),
        );
      const known = [...world.listed].filter(hasTick);
      expect(await world.listedAtAll(known.map(([atMs]) => atMs))).toEqual(known.map(([, listed]) => listed));
      for (const [eventId, states] of world.states) expect(await world.statesOf(eventId)).toEqual(states);
    }),
    {
      numRuns: 40,
      // A thread dies. Its successor notes the same things again, and no tick follows before the day ends.
      examples: [[NOTED_AGAIN]],
      endOnFailure: true,
    },
  );
});

test.each(['500 ms before', 'while'])(
  'the slate is known from the first instant of the tape, if the first changes were published %s the folder was opened',
  async (when) => {
    await using world = new TapeWorld({ liveTicksMax: 6 });
    world.startSlate();
    if (when === 'while') {
      await world.startTape();
      world.nowMs -= 20; // the changes were dated before the opening, and reach the ring after it
    }
    for (const event of EVENT_NUMBERS) world.putFixture(event);
    world.publishPrice(10_100);
    world.feedIsBack();
    const listed = [...world.listed.values()].at(-1)!;
    const lines = world.shownLines().map(shownText);
    if (when !== 'while') {
      world.nowMs += 500;
      await world.startTape();
    }
    await world.tape.step();
    const fromMs = (await world.reading((tape) => tape.range('all')))!.fromMs;
    const atFrom = async () => [await world.listedAt(fromMs), await world.standingAt(fromMs)];
    expect(await atFrom()).toEqual([listed, lines]);
    world.nowMs += 20;
    for (let price = 10_101; price < 10_110; price++) world.publishPrice(price);
    world.settle();
    await world.tape.sealed();
    expect(world.tape.live.beginMs).toBeGreaterThan(fromMs);
    expect((await world.reading((tape) => tape.range('all')))!.fromMs).toBe(fromMs);
    expect(await atFrom()).toEqual([listed, lines]);
  },
);

test('an instant is answered from its file, even if the folder was listed just before the file was made', async () => {
  await using world = new TapeWorld({ liveTicksMax: 2 });
  await world.startWith(1);
  world.publishPrice(10_100);
  const instant = world.nowMs;
  world.settle();
  world.putQuote(1, KEYS[1]!, 10_100);
  world.publish();
  const listed = new LocalFolder(world.path);
  let isFirst = true;
  const early = Object.assign(new LocalFolder(world.path), {
    list: async (prefix: string) => {
      if (!isFirst) return listed.list(prefix);
      isFirst = false;
      const found = await listed.list(prefix);
      await world.tape.sealed();
      return found;
    },
  });
  const tape = tapeIn(early, world.tape);
  const slate = [...(await tape.slateAt(instant, 'all')).fixtures()];
  expect(world.textsOf(slate)).toHaveLength(1);
  expect(await tape.time.isKnownAt(instant, 'all')).toBe(true);
  tape.close();
});

test('an answer about a past instant has the id of the team that it names, even once the fixture has another team', async () => {
  await using world = new TapeWorld();
  const caller = { principal: { tier: 'enterprise', seesSharp: true, keyId: 'key' } } as const;
  /** Returns the id of the home team, and all answers. */
  const answerAt = async (instantMs: number): Promise<string[]> => {
    const at = new Date(instantMs).toISOString();
    const asked = { ...caller, nowMs: world.nowMs, words: {}, at };
    const slate = await world.reading((tape) => tapeCalls(tape).slate(asked));
    const past = await world.reading((tape) => tape.fixtureAt(encodeId('event', 1), instantMs, 'all'));
    const text = new TextDecoder().decode(slate.bytes);
    const { fixtures } = JSON.parse(text) as { fixtures: { event: { home_team: { id: string } } }[] };
    return [fixtures[0]!.event.home_team.id, slate.etag!, text, JSON.stringify(past)];
  };
  await world.startWith(1);
  world.putFixture(1, undefined, undefined, { number: 50, name: 'Winner of the first semi-final' });
  world.publishPrice(10_100);
  world.settle(60_000);
  await world.tape.step();
  const instantMs = world.nowMs - 30_000;
  const first = await answerAt(instantMs);
  expect(first[0]).toBe(encodeId('team', 50));
  world.putFixture(1, undefined, undefined, { number: 60, name: 'Arsenal' });
  world.publish();
  world.settle(60_000);
  await world.tape.step();
  const laterMs = world.nowMs - 30_000;
  const later = await answerAt(laterMs);
  expect([later[0], await answerAt(instantMs)]).toEqual([encodeId('team', 60), first]);
  world.setBack(2_000); // ends the segment
  world.settle();
  await world.tape.sealed();
  world.settle(60_000);
  expect([await answerAt(laterMs), await answerAt(instantMs)]).toEqual([later, first]);
});

test('state changes without price changes are known after their segment has ended', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  for (const reds of [0, 1, 2]) {
    world.setLive(1, true, { reds });
    world.publish();
    world.settle(5_000);
    await world.tape.step();
  }
  const [[eventId, states] = ['', []]] = world.states;
  world.setBack(2_000); // ends the segment
  world.settle();
  await world.tape.sealed();
  expect(await world.statesOf(eventId)).toEqual(states);
  const [lastMs, listed] = [...world.listed].at(-1)!;
  expect(await world.listedAt(lastMs)).toEqual(listed);
});

/**
 * Checks that what the live part counts for each fixture equals a count of its rows, for every kind of
 * caller.
 */
function expectSummaries({ tape }: TapeWorld): void {
  const rows = [...tape.live.eventIds()].flatMap((eventId) => tape.live.rowsOf(eventId));
  for (const sight of ['all', 'common'] as const) {
    const counts = (summaries: Iterable<FixtureSummary>) => {
      const byEvent = new Map<string, number[]>();
      for (const { eventId, ticks, firstAtMs, lastAtMs } of summaries) {
        const [count = 0, first = firstAtMs, last = lastAtMs] = byEvent.get(eventId) ?? [];
        byEvent.set(eventId, [count + ticks, Math.min(first, firstAtMs), Math.max(last, lastAtMs)]);
      }
      return byEvent;
    };
    expect(counts(tape.live.summaries(sight))).toEqual(counts(summariesOf(rows, sight)));
  }
}

const violent = fc.oneof(
  { weight: 24, arbitrary: act },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('killed' as const), torn: fc.integer({ min: 0, max: 300 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'feed lost' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'ingest dies' as const }) },
  { weight: 1, arbitrary: fc.constant({ act: 'stands still' as const }) },
);

test('an instant of the evening is answered, although the first change of its file comes after midnight', async () => {
  await using world = new TapeWorld({ liveTicksMax: 1 });
  await world.startWith(1);
  world.setLive(1, true, { goals: 3 });
  world.publishPrice(10_100);
  await world.tape.sealed();
  world.publish();
  const eveningMs = world.nowMs;
  world.settle(3 * 3_600_000);
  world.publishPrice(10_200);
  await world.tape.sealed();
  const [, file] = (await world.taped()).files;
  expect(file).toContain('day=2026-06-20');
  expect(beginOfFile(file!)).toBeLessThan(eveningMs);
  expect(await world.listedAt(eveningMs)).toEqual(world.listed.get(eveningMs)!);
});

test('changes of a day are in files of that day, although no price changed since the evening before', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publish();
  world.settle(3 * 3_600_000);
  const midnightMs = dayStartMs(dayOf(world.nowMs));
  for (const goals of [1, 2]) {
    world.setLive(1, true, { goals });
    world.publish();
    world.settle(5_000);
    await world.tape.step();
  }
  world.setBack(2_000); // ends the segment
  world.settle();
  await world.tape.sealed();
  const [[eventId, states] = ['', []]] = world.states;
  const range = { fromMs: midnightMs, toMs: Number.POSITIVE_INFINITY };
  const found = await world.reading((tape) => tape.statesOf(eventId, range));
  expect(found.map(({ atMs, score }) => [atMs, score])).toEqual([
    [Number.parseInt(states.at(-2)!, 10), [1, 0]],
    [Number.parseInt(states.at(-1)!, 10), [2, 0]],
  ]);
});

test('time in which the process did not run is a gap, and lines are known again after it', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  await world.tape.step();
  const fromMs = world.nowMs;
  world.standStill(4_000);
  await world.tape.step();
  expect(world.tape.gaps()).toEqual([]);
  world.standStill(30_000);
  await world.tape.step();
  expect(world.tape.gaps()).toEqual([{ fromMs: fromMs + 4_000, toMs: world.nowMs, reason: 'stopped' }]);
  expect(await world.standingAt(world.nowMs)).toEqual(world.shownLines().map(shownText));
});

test.each([false, true])(
  'a short time before the first complete snapshot leaves no gap; a feed that is lost after it leaves one (lost: %p)',
  async (isLost) => {
    await using world = new TapeWorld();
    await world.start();
    world.feedIsLost(); // the source has connected, and its snapshot is not complete
    world.putFixture(1);
    world.putQuote(1, KEYS[0]!, 10_100);
    world.snapshotIsComplete();
    for (const price of [10_101, 10_102]) {
      world.publishPrice(price);
      await world.tape.step();
    }
    expect(world.tape.gaps()).toMatchObject([{ toMs: null }]);
    if (isLost) {
      world.feedIsLost();
      world.settle();
    } else world.feedIsBack();
    await world.tape.step();
    const gap = { fromMs: world.nowMs, toMs: null, reason: 'feed_lost' } as const;
    expect(world.tape.gaps()).toEqual(isLost ? [gap] : []);
    expect(await world.standingAt(world.nowMs)).toEqual(world.shownLines().map(shownText));
  },
);

test.each([false, true])(
  'while the first slate reaches the tape in several steps, the tape has a gap and answers are stale (feed lost: %p)',
  async (isLost) => {
    await using world = new TapeWorld({ ringRecords: 16 }); // two of the four fixtures fit into a step
    await world.start();
    for (const event of EVENT_NUMBERS) {
      world.putFixture(event);
      for (const key of KEYS) world.putQuote(event, key, 10_100);
    }
    world.publish();
    world.snapshotIsComplete();
    if (isLost) world.feedIsLost();
    else world.feedReturns();
    world.settle();
    const fromMs = world.nowMs;
    await world.tape.step();
    const reason = isLost ? ('feed_lost' as const) : ('stopped' as const);
    expect(world.tape.gaps()).toEqual([{ fromMs, toMs: null, reason }]);
    world.settle(100);
    const endMs = world.nowMs;
    await world.tape.step();
    expect(world.tape.gaps()).toEqual([{ fromMs, toMs: isLost ? null : endMs, reason }]);
    const listed = [...world.listed.values()].at(-1)!;
    expect([(await world.listedAt(fromMs)).length, await world.listedAt(endMs)]).toEqual([2, listed]);
    world.settle(60_000);
    await world.tape.step();
    const caller = { principal: { tier: 'enterprise', seesSharp: true, keyId: 'key' } } as const;
    const isStaleAt = async (instantMs: number): Promise<boolean> => {
      const asked = { ...caller, nowMs: world.nowMs, words: {}, at: new Date(instantMs).toISOString() };
      const { bytes } = await world.reading((tape) => tapeCalls(tape).slate(asked));
      return (JSON.parse(new TextDecoder().decode(bytes)) as { readonly stale: boolean }).stale;
    };
    expect((await world.reading((tape) => tape.range('all')))!.fromMs).toBe(fromMs);
    expect([await isStaleAt(fromMs), await isStaleAt(endMs)]).toEqual([true, isLost]);
  },
);

test('changes that are missing after a kill, an overrun or a lost feed lie in a gap; after the gap, the tape is right again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(violent, { minLength: 20, maxLength: 120 }), async (acts) => {
      await using world = new TapeWorld({ ringRecords: 64, liveTicksMax: 15 });
      await world.start();
      world.feedIsBack();
      await world.tape.step(); // the tape begins with its first log
      for (const one of acts) {
        if (one.act === 'killed') {
          await world.killed(one.torn);
          world.publish();
          world.feedIsBack();
        } else if (one.act === 'feed lost') {
          world.feedIsLost();
          world.settle(3_000);
          world.feedIsBack();
        } else if (one.act === 'ingest dies') {
          world.startIngest();
          world.feedIsBack();
        } else if (one.act === 'stands still') world.standStill(30_000);
        else await play(world, one);
      }
      // The recorder gets time to send again what was dropped.
      for (let round = 0; round < 6; round++) {
        world.publish();
        await world.tape.step();
        world.settle();
      }
      await expectGapsExplain(world);
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

/**
 * Checks that outside of gaps the tape and the model agree, and that each line's last tick is what the slate
 * shows.
 */
async function expectGapsExplain(world: TapeWorld): Promise<void> {
  const { ticks } = await world.taped();
  expect(await world.listedAt(world.nowMs)).toEqual([...world.listed.values()].at(-1)!);
  const gaps = world.tape.gaps();
  expect(gaps.every(({ toMs }) => toMs !== null)).toBe(true);
  const isKnown = ({ receivedAtMs }: { readonly receivedAtMs: number }) =>
    !gaps.some(({ fromMs, toMs }) => receivedAtMs >= fromMs && receivedAtMs <= (toMs ?? receivedAtMs));
  const known = ticks.filter(isKnown);
  const published = world.published.filter(isKnown);
  expect(byLine(known.map(asModel), known.map(nameOf))).toEqual(
    byLine(published.map(modelText), published.map(nameOf)),
  );
  const last = new Map(ticks.map((tick) => [nameOf(tick), tick]));
  const standing = [...last.values()].filter(({ status }) => status !== 'withdrawn');
  expect(
    standing
      .map((tick) => `${nameOf(tick)} ${tick.status} ${tick.pricesE4.home ?? tick.pricesE4.over}`)
      .sort(),
  ).toEqual(
    world
      .shownLines()
      .map((line) => `${nameOf(line)} ${line.status} ${line.prices.split(',')[0]}`)
      .sort(),
  );
}

const clockwise = fc.oneof(
  { weight: 14, arbitrary: change },
  { weight: 10, arbitrary: fc.constant({ act: 'publish' as const }) },
  { weight: 8, arbitrary: fc.constant({ act: 'drain' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('set back' as const),
      ms: fc.constantFrom(3, 900, 5_000, 7_200_000),
    }),
  },
);

test('after the clock was set back, the times that occurred twice are a gap, and answers about later instants stay the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(clockwise, { minLength: 20, maxLength: 100 }), async (acts) => {
      await using world = new TapeWorld({ ringRecords: 1_024, liveTicksMax: 15 });
      await world.startWith(...EVENT_NUMBERS);
      await world.tape.step();
      let latestMs = world.nowMs;
      for (const one of acts) {
        if (one.act === 'set back') world.setBack(one.ms);
        else await play(world, one);
        latestMs = Math.max(latestMs, world.nowMs);
      }
      world.publish();
      world.settle();
      await world.tape.step();
      const shown = world.shownLines().map(shownText).sort();
      // The tape must show the lines of the slate now, unless now is in a gap, and even once the clock has
      // passed all earlier times.
      const isInGap = world.tape.gaps().some(({ toMs }) => toMs !== null && world.nowMs < toMs);
      expect(isInGap).toBe(world.nowMs < latestMs - 1_000);
      await world.tape.sealed();
      if (!isInGap) expect(await world.standingAt(Math.max(world.nowMs, latestMs))).toEqual(shown);
      world.nowMs = latestMs + 1_000;
      world.publishPrice(10_200);
      world.settle();
      await world.tape.sealed();
      expect(await world.standingAt(latestMs + 500)).toEqual(shown);
      expect(await world.standingAt(world.nowMs)).toEqual(world.shownLines().map(shownText).sort());
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

test.each([false, true])(
  'instants after a repeated time have the same answer before and after they are in a file; another thread took over: %p',
  async (isReplaced) => {
    await using world = new TapeWorld({ liveTicksMax: 4 });
    await world.startWith(1);
    const instants: number[] = [];
    const answers: (readonly string[])[] = [];
    const quote = async (price: number, afterMs: number): Promise<void> => {
      world.nowMs += afterMs;
      world.publishPrice(price);
      world.settle();
      await world.tape.sealed();
      instants.push(world.nowMs);
      answers.push(await world.standingAt(world.nowMs));
    };
    for (let index = 0; index < 9; index++) await quote(10_100 + index, 600); // the last file begins late
    world.setBack(3_000);
    await quote(10_200, 1_500);
    const everything = { fromMs: 0, toMs: world.nowMs + 10_000 };
    const exported = await world.reading((tape) => Array.fromAsync(tape.everyTick(everything, 'all')));
    expect(exported.flat()).toHaveLength(10);
    // The rows in which a closing price is searched.
    const of = { eventId: encodeId('event', 1), fromMs: instants[0]! - 1, toMs: world.nowMs };
    const around = await rowsSince(world.tape, new LocalFolder(world.path), of);
    expect(around.filter(({ standing }) => !standing)).toHaveLength(10);
    if (isReplaced) await world.startTape();
    for (let index = 1; index < 12; index++) await quote(10_200 + index, 1_500);
    const gaps = world.tape.gaps();
    const isKnown = (atMs: number) => !gaps.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs!);
    expect(gaps).toHaveLength(1);
    expect(instants.map(isKnown).filter((known) => !known)).toHaveLength(4);
    for (const [index, answer] of (await world.standingsAt(instants)).entries()) {
      if (isKnown(instants[index]!)) expect(answer).toEqual(answers[index]!);
    }
  },
);

test.each([false, true])(
  'instants after a repeated time have the same answer once they are in a file, although nothing changed by then; after a kill: %p',
  async (isKilled) => {
    await using world = new TapeWorld({ liveTicksMax: 1, mayApplyLate: isKilled });
    await world.startWith(1);
    const quote = async (price: number): Promise<void> => {
      world.publishPrice(price);
      world.settle();
      await world.tape.sealed();
    };
    await quote(10_100);
    await quote(10_101); // its file begins later than the repeated time
    world.setBack(5_000);
    await quote(10_200);
    world.settle(10_000);
    await world.tape.step();
    const answer = await world.standingAt(world.nowMs);
    expect(answer).toEqual(world.shownTexts());
    const afterMs = world.nowMs;
    world.settle(10_000);
    await world.tape.step();
    if (isKilled) await world.killed(0);
    else world.setBack(2_000);
    world.settle();
    await world.tape.sealed();
    expect(world.tape.live.beginMs).toBeGreaterThan(afterMs);
    expect(await world.standingAt(afterMs)).toEqual(answer);
  },
);

test('a first change of the day that comes after the ingest thread stood still is no clock that was set back', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  const midnightMs = dayStartMs(dayOf(world.nowMs)) + DAY_MS;
  world.putFixture(1, midnightMs + DAY_MS / 2);
  world.publishPrice(10_100);
  world.settle(midnightMs - 1_000 - world.nowMs);
  await world.atRest();
  // A change of the sharp bookmaker alone does not move the ring's own time.
  world.nowMs = midnightMs + 2_000;
  world.isStandingStill = true;
  world.putQuote(1, KEYS[1]!, 10_100);
  world.publish();
  await world.atRest();
  world.isStandingStill = false;
  world.settle();
  await world.atRest();
  expect(world.tape.gaps()).toEqual([]);
});

test('if the clock is set back over midnight, the files of both nights are kept', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  const midnightMs = dayStartMs(dayOf(world.nowMs)) + DAY_MS;
  const quote = async (price: number, atMs: number): Promise<void> => {
    world.nowMs = atMs;
    world.publishPrice(price);
    await world.tape.sealed();
  };
  await quote(10_100, midnightMs - 1_500);
  await quote(10_101, midnightMs + 500);
  world.setBack(3_000);
  world.settle();
  await world.tape.sealed();
  await quote(10_102, midnightMs - 1_000);
  await quote(10_103, midnightMs + 300);
  await quote(10_104, midnightMs + DAY_MS);
  const { ticks } = await world.taped();
  expect(ticks.map(({ pricesE4 }) => pricesE4.home).sort()).toEqual([10_100, 10_101, 10_102, 10_103, 10_104]);
});

test('a kill just after the file of a day was written loses no time before it', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle();
  await world.tape.step();
  world.nowMs += DAY_MS / 2;
  world.settle();
  await world.tape.sealed(); // the log of the day is removed
  const settledMs = world.nowMs;
  await world.killed(0);
  expect(world.tape.gaps()).toEqual([{ fromMs: settledMs, toMs: null, reason: 'stopped' }]);
});

test('a thread that replaces another one after a repeated time records no gap of its own', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle();
  await world.tape.sealed();
  world.setBack(5_000);
  world.settle();
  await world.tape.sealed();
  world.stuckAt = 'file'; // the log of the repeated time stays
  await world.startTape();
  world.settle(10_000);
  await world.atRest();
  const gaps = world.tape.gaps();
  expect(gaps.map(({ reason }) => reason)).toEqual(['overrun']);
  world.stuckAt = null;
  await world.startTape();
  expect(world.tape.gaps()).toEqual(gaps);
});

test.each([false, true])(
  'the first change after a repeated time counts although it is of the next day; after a kill: %p',
  async (isKilled) => {
    await using world = new TapeWorld();
    await world.startWith(1);
    world.publishPrice(10_100);
    world.settle();
    await world.tape.sealed();
    world.setBack(5_000);
    world.settle();
    await world.tape.sealed();
    world.nowMs += DAY_MS / 2; // the tape reads nothing until the next day
    world.publishPrice(10_200);
    world.settle();
    const changedMs = world.nowMs;
    await world.tape.sealed();
    if (isKilled) await world.killed(0);
    await world.tape.sealed();
    expect(await world.standingAt(changedMs)).toEqual(world.shownTexts());
    const gaps = world.tape
      .gaps()
      .map(({ reason, fromMs }) => ({ reason, isLater: fromMs > changedMs - 1_000 }));
    const stopped = { reason: 'stopped', isLater: true } as const;
    expect(gaps).toEqual([{ reason: 'overrun', isLater: false }, ...(isKilled ? [stopped] : [])]);
  },
);

test('an instant of a repeated hour has the same answer in memory, after a restart, and in its file', async () => {
  await using world = new TapeWorld({ liveTicksMax: 100 });
  world.stuckAt = 'file'; // the segment from before the clock was set back stays in memory
  await world.start();
  const instants: number[] = [];
  const quote = async (price: number): Promise<void> => {
    world.nowMs += 60_000;
    world.publishPrice(price);
    world.settle();
    instants.push(world.nowMs);
    await world.atRest();
  };
  world.putFixture(1);
  world.feedIsBack();
  for (let index = 0; index < 5; index++) await quote(10_100 + index);
  world.setBack(3_600_000);
  instants.length = 0;
  for (let index = 0; index < 5; index++) await quote(10_200 + index);
  const repeated = [...instants];
  const answers = await world.standingsAt(repeated);
  expect(answers.map((lines) => lines.length)).toEqual([1, 1, 1, 1, 1]);
  world.stuckAt = null;
  await world.killed(0);
  expect(await world.standingsAt(repeated)).toEqual(answers);
  world.putFixture(1);
  world.feedIsBack();
  await quote(10_300);
  expect(await world.standingsAt(repeated)).toEqual(answers);
  world.nowMs += 3_600_000; // all of it becomes a file
  await quote(10_400);
  await world.tape.sealed();
  expect(world.tape.live.beginMs).toBeGreaterThan(repeated.at(-1)!);
  expect(await world.standingsAt(repeated)).toEqual(answers);
  for (const atMs of repeated)
    expect(await world.reading((tape) => tape.time.isKnownAt(atMs, 'all'))).toBe(false);
  expect(await world.standingAt(world.nowMs)).toEqual(world.shownLines().map(shownText));
});

test.each([false, true])(
  'a file whose log is still there keeps its rows if the end of that log is lost; another log was begun: %p',
  async (isFollowed) => {
    await using world = new TapeWorld({ liveTicksMax: 8 });
    world.stuckAt = 'log removal';
    await world.startWith(1);
    const instants: number[] = [];
    const quote = async (price: number): Promise<void> => {
      world.nowMs += 1_000;
      world.publishPrice(price);
      world.settle();
      instants.push(world.nowMs);
      await world.tape.step();
    };
    for (let index = 0; index < 10; index++) await quote(10_100 + index);
    await world.atRest();
    const answers = await world.standingsAt(instants);
    const [first, second] = (await new LocalFolder(world.path).logs()).map((path) => join(world.path, path));
    world.stuckAt = null;
    await world.killed(0, () => {
      truncateSync(first!, Math.floor(readFileSync(first!).length / 2));
      if (!isFollowed) rmSync(second!);
    });
    await world.tape.sealed();
    expect(await new LocalFolder(world.path).logs()).not.toContain(first!.slice(world.path.length + 1));
    // A file does not record for how long nothing changed after its last tick, so later instants are not
    // known.
    const knownCount = isFollowed ? 9 : 7;
    for (const [index, atMs] of instants.entries()) {
      const isKnown = await world.reading((tape) => tape.time.isKnownAt(atMs, 'all'));
      expect([index, isKnown]).toEqual([index, index < knownCount]);
      if (isKnown) expect(await world.standingAt(atMs)).toEqual(answers[index]!);
    }
    const { ticks } = await world.taped();
    expect(ticks).toHaveLength(isFollowed ? 10 : 8);
  },
);

function shownText(line: ModelTick): string {
  return `${nameOf(line)} ${line.status} ${line.prices.split(',')[0]}`;
}

test('if the clock is years ahead, no day is removed; days that are old by the times of the source are removed', async () => {
  await using world = new TapeWorld({ days: 3, liveTicksMax: 1 });
  await world.start();
  let price = 10_100;
  /** @returns the days that have files */
  const quoted = async (sourceMs: number): Promise<string[]> => {
    world.putFixture(1);
    world.feedIsBack();
    world.putQuote(1, KEYS[0]!, price++, 0, sourceMs);
    world.publish();
    world.settle(120_000);
    const { files } = await world.taped();
    await world.tape.step();
    const left = await new LocalFolder(world.path).list('prices/');
    expect(left.length).toBeLessThanOrEqual(files.length);
    return [...new Set(left.map(({ path }) => dayOfPath(path)!))];
  };
  const startMs = world.nowMs;
  await quoted(startMs);
  world.nowMs += DAY_MS;
  const kept = await quoted(startMs + DAY_MS);
  expect(kept).toHaveLength(2);
  await world.tape.close();
  // The server starts again with a wrong clock: before the first price, at the first price, and when fixtures
  // leave.
  world.nowMs += 1_500 * DAY_MS;
  await world.start();
  await world.tape.step();
  expect(await quoted(startMs + DAY_MS + 1)).toEqual(expect.arrayContaining(kept));
  world.remove(1);
  world.publish();
  expect(await quoted(startMs + DAY_MS + 2)).toEqual(expect.arrayContaining(kept));
  expect(await quoted(world.nowMs)).not.toContain(kept[0]!);
});

test('for callers who do not see the sharp bookmaker, the time until which the tape is final does not depend on that bookmaker', async () => {
  const [common, sharp] = [KEYS[0]!, KEYS[1]!];
  const step = fc.record({
    restMs: fc.integer({ min: 0, max: 700 }),
    quoted: fc.constantFrom(null, null, 'sharp', 'common'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const settledAt: number[][] = [];
      for (const hasSharp of [false, true]) {
        await using world = new TapeWorld({ liveTicksMax: 1_000 });
        await world.startWith(1);
        const settled: number[] = [];
        for (const [index, { restMs, quoted }] of steps.entries()) {
          if (quoted === 'common') world.putQuote(1, common, 10_200 + index);
          if (quoted === 'sharp' && hasSharp) world.putQuote(1, sharp, 10_200 + index);
          world.publish();
          world.settle(restMs);
          settled.push(await world.reading((tape) => tape.catchUp('common')));
        }
        settledAt.push(settled);
      }
      expect(settledAt[1]!).toEqual(settledAt[0]!);
    }),
    { numRuns: 30, endOnFailure: true },
  );
});

test('for callers who do not see the sharp bookmaker, the gap after a kill begins at the same time, whichever bookmaker had the last tick', async () => {
  const common: unknown[] = [];
  const all: unknown[] = [];
  for (const hasSharp of [false, true]) {
    await using world = new TapeWorld();
    await world.startWith(1);
    world.publish();
    await world.tape.step();
    world.settle(300);
    if (hasSharp) world.putQuote(1, KEYS[1]!, 10_200);
    world.publish();
    await world.tape.step();
    await world.killed(0);
    world.feedIsBack();
    await world.tape.step();
    await world.reading(async (tape) => {
      common.push(tape.time.gaps('common'));
      all.push(tape.time.gaps('all'));
    });
  }
  expect(common[1]).toEqual(common[0]);
  expect(all[1]).not.toEqual(all[0]);
});

test('a gap that ended is recorded once, although the process was killed before the log said so', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.feedIsLost();
  world.settle(MINUTE_MS);
  await world.tape.step();
  for (const _ of [1, 2]) {
    world.settle(MINUTE_MS);
    world.putFixture(1);
    world.feedIsBack();
    // The list of gaps is written before the log.
    world.onAppend = () => {
      throw Object.assign(new Error('no disk'), { code: 'EIO' });
    };
    await world.tape.step();
    world.onAppend = () => {};
    await world.killed(0);
  }
  world.putFixture(1);
  world.feedIsBack();
  await world.tape.step();
  const { gaps } = await readTape(world.path);
  expect(gaps.map(({ reason }) => reason)).toEqual(['feed_lost', 'stopped']);
});
