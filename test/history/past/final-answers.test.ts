// Which answers about the past may be cached for ever, and what an import may still change: nothing that the
// tape itself knows.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS, toIsoText } from '../../../src/clock.ts';
import type { EventHistory } from '../../../src/contract/history.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { tapeBatches } from '../../../src/history/replay/tape-replay.ts';
import { compareTickLines, dayOf, dayStartMs, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { importSeasons } from '../../../src/start/history/import-to-tape.ts';
import { tapeCalls } from '../tape-folder.ts';
import { TapeWorld } from '../tape-world.ts';

const SEASON = `Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,B365H,B365D,B365A,PSH,PSD,PSA
E0,19/06/2026,23:59,Man United,Fulham,1,0,H,1.63,4.38,5.30,1.65,4.23,5.28
`;
const ALL = { tier: 'enterprise', seesSharp: true, keyId: 'key' } as const;
const FREE = { tier: 'free', seesSharp: false, keyId: 'key' } as const;
const EVERYTHING = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };

interface Asked {
  readonly principal?: typeof ALL | typeof FREE;
  /** Default: ten minutes before the instant. */
  readonly fromMs?: number;
  /** Default: a fixture of the world. */
  readonly eventId?: string;
}

/** What a tape answers about an instant, and about the time before it from `fromMs` on. */
async function answersOf(
  world: TapeWorld,
  atMs: number,
  { principal = ALL, fromMs = atMs - 10 * MINUTE_MS, eventId = encodeId('event', 1) }: Asked = {},
) {
  const caller = { principal, nowMs: world.nowMs };
  const at = toIsoText(atMs);
  const range = { from: toIsoText(fromMs), to: at };
  return await world.reading(async (tape) => {
    const calls = tapeCalls(tape);
    const odds = await calls.odds({ ...caller, eventId, words: {}, at });
    const batch = await calls.batch({ ...caller, eventIds: [eventId], words: {}, at });
    const slate = await calls.slate({ ...caller, words: {}, at });
    const words = { ...range, resolution: 'tick', limit: 10 } as const;
    const ticks = await calls.ticks({ ...caller, eventId, words });
    const answers = [odds, batch, slate, ticks];
    return { finals: answers.map(({ isFinal }) => isFinal), tags: answers.map(({ etag }) => etag) };
  });
}

/** What a tape lists: its days, its fixtures, and every tick in the form of an export and of a replay. */
async function listsOf(world: TapeWorld) {
  const caller = { principal: ALL, nowMs: world.nowMs };
  return await world.reading(async (tape) => {
    const calls = tapeCalls(tape);
    const words = { limit: 10 } as const;
    const bodies = [await calls.coverage(caller), await calls.events({ ...caller, words })];
    const replayed: Tick[] = [];
    for await (const ticks of tape.ticksInOrder(EVERYTHING, 'all', () => false)) replayed.push(...ticks);
    return {
      bodies: bodies.map(({ bytes }) => new TextDecoder().decode(bytes).replace(/"bytes":\d+/, '')),
      exported: (await Array.fromAsync(tape.everyTick(EVERYTHING, 'all'))).flat(),
      replayed,
    };
  });
}

async function importSeason(world: TapeWorld, bookmaker: readonly [string, string]): Promise<void> {
  const path = join(world.path, 'E0.csv');
  await Bun.write(path, SEASON);
  await importSeasons(new LocalFolder(world.path), { paths: [path], bookmakers: [bookmaker] });
}

test('an import changes nothing that the tape itself knows: those answers were and stay final', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(20 * MINUTE_MS);
  world.publishPrice(10_200);
  // The season file has a match of this evening: its closing prices are from 22:44 UTC.
  world.settle(HOUR_MS);
  await world.tape.step();
  const instants = [30, 10, 2].map((minutes) => world.nowMs - minutes * MINUTE_MS);
  const own = await Promise.all(instants.map((atMs) => answersOf(world, atMs)));
  for (const { finals } of own) expect(finals).toEqual([true, true, true, true]);
  const seenByFree = await answersOf(world, instants[0]!, { principal: FREE });
  const { exported } = await listsOf(world);
  const beginMs = Math.min(...exported.map(({ receivedAtMs }) => receivedAtMs));
  for (const bookmaker of [['PS', 'pinnacle'] as const, ['B365', 'crown'] as const]) {
    await importSeason(world, bookmaker);
    expect(await Promise.all(instants.map((atMs) => answersOf(world, atMs)))).toEqual(own);
    expect(await answersOf(world, instants[0]!, { principal: FREE })).toEqual(seenByFree);
    const after = await listsOf(world);
    // Only the first imported price is listed. It is dated two days before the kickoff.
    const imported = (ticks: readonly Tick[]) => ticks.filter(({ home }) => home === 'Man United');
    expect(imported(after.exported).length).toBeGreaterThan(0);
    expect(imported(after.exported).filter(({ receivedAtMs }) => receivedAtMs >= beginMs)).toEqual([]);
    expect(after.exported.length - exported.length).toBe(imported(after.exported).length);
    expect(new Set(after.replayed)).toEqual(new Set(after.exported));
    expect(after.bodies[0]).toContain(`{"day":"2026-06-19","fixtures":1,"ticks":${exported.length},`);
    expect(after.bodies[1]).toContain(`"last_at":"2026-06-17T22:59:00.000Z"`);
  }
});

test('an answer about an imported instant is final, although a later import may add to it', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.settle(MINUTE_MS);
  await world.tape.step();
  await importSeason(world, ['PS', 'pinnacle']);
  const atMs = Date.UTC(2026, 5, 18, 12);
  const [eventId = ''] = await world.reading(async (tape) => [...(await tape.slateAt(atMs, 'all')).eventIds]);
  const first = await answersOf(world, atMs, { eventId });
  expect(first.finals).toEqual([true, true, true, true]);
  await importSeason(world, ['B365', 'crown']);
  const second = await answersOf(world, atMs, { eventId });
  expect(second.finals).toEqual([true, true, true, true]);
  expect(second.tags[0]).not.toBe(first.tags[0]);
  expect(second.tags[2]).not.toBe(first.tags[2]);
  // A range that begins where nothing is known may still get more.
  const early = await answersOf(world, atMs, { eventId, fromMs: atMs - 3 * DAY_MS });
  expect(early.finals).toEqual([true, true, true, false]);
});

test('an answer about a gap is not final, because an import may fill it', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(MINUTE_MS);
  await world.tape.step();
  const beforeMs = world.nowMs - MINUTE_MS / 2;
  world.feedIsLost();
  world.settle();
  world.settle(30 * MINUTE_MS);
  world.feedIsBack();
  await world.tape.step();
  const backAtMs = world.nowMs;
  world.settle(30 * MINUTE_MS);
  await world.tape.step();
  expect((await answersOf(world, backAtMs - MINUTE_MS)).finals).toEqual([false, false, false, false]);
  const laterMs = backAtMs + 20 * MINUTE_MS;
  expect((await answersOf(world, laterMs)).finals).toEqual([true, true, true, true]);
  // The gap lies inside the range.
  expect((await answersOf(world, laterMs, { fromMs: beforeMs })).finals).toEqual([true, true, true, false]);
});

test('an import fills a gap, and adds nothing before and after it, not even to the closing prices', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  const kickoffMs = world.nowMs + HOUR_MS;
  world.putFixture(1, kickoffMs);
  world.publishPrice(10_100);
  world.settle(5 * MINUTE_MS);
  world.feedIsLost();
  world.settle();
  const gapMs = world.nowMs;
  world.settle(10 * MINUTE_MS);
  world.feedIsBack();
  const backMs = world.nowMs;
  world.settle(kickoffMs - world.nowMs);
  world.setLive(1, true);
  world.publish();
  world.settle(10 * MINUTE_MS);
  await world.tape.step();
  const [own] = await world.reading((tape) =>
    tape.ticksOf(encodeId('event', 1), EVERYTHING, { sight: 'all' }),
  );
  const times = [own!.receivedAtMs - HOUR_MS, gapMs - MINUTE_MS, gapMs + MINUTE_MS, backMs + MINUTE_MS];
  const imported = times.map((receivedAtMs, index): Tick => {
    const pricesE4 = { ...own!.pricesE4, home: 20_000 + index };
    return { ...own!, bookmaker: 'hkjc', pricesE4, atMs: receivedAtMs, receivedAtMs, standing: false };
  });
  const path = `${dayPrefix(dayOf(gapMs))}import-0123456789ab.parquet`;
  await new LocalFolder(world.path).write(path, encodeTickFile(imported, new Map()));
  await world.reading(async (tape) => {
    const priceAt = async (atMs: number): Promise<number | null | undefined> => {
      const { standing = [] } = (await tape.fixtureAt(own!.eventId, atMs, 'all')) ?? {};
      return standing.find(({ bookmaker }) => bookmaker === 'hkjc')?.pricesE4.home;
    };
    expect(await Promise.all(times.map(priceAt))).toEqual([20_000, undefined, 20_002, undefined]);
    const ticks = await tape.ticksOf(own!.eventId, EVERYTHING, { sight: 'all' });
    const shown = ticks.filter(({ bookmaker }) => bookmaker === 'hkjc');
    expect(shown.map(({ pricesE4 }) => pricesE4.home)).toEqual([20_000, 20_002]);
    const asked = { eventId: own!.eventId, words: {}, principal: ALL, nowMs: world.nowMs };
    const { closing } = JSON.parse(new TextDecoder().decode((await tapeCalls(tape).closing(asked)).bytes));
    expect(closing.map(({ bookmaker }: { bookmaker: string }) => bookmaker)).toEqual([own!.bookmaker]);
  });
});

test('an import fills a time that was recorded twice because the clock was set back, for every caller', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(20 * MINUTE_MS);
  await world.tape.sealed();
  world.setBack(10 * MINUTE_MS);
  world.publishPrice(10_200);
  world.settle();
  await world.tape.sealed();
  const { fromMs, reason } = world.tape.gaps().at(-1)!;
  expect(reason).toBe('overrun');
  const [own] = await world.reading((tape) =>
    tape.ticksOf(encodeId('event', 1), EVERYTHING, { sight: 'all' }),
  );
  const receivedAtMs = fromMs + MINUTE_MS;
  const path = `${dayPrefix(dayOf(receivedAtMs))}import-0123456789ab.parquet`;
  const linesWith = async (bookmaker: string | null, sight: 'all' | 'common') => {
    const tick = { ...own!, atMs: receivedAtMs, receivedAtMs, standing: false };
    const file = bookmaker === null ? null : encodeTickFile([{ ...tick, bookmaker }], new Map());
    if (file !== null) await new LocalFolder(world.path).write(path, file);
    return await world.reading(async (tape) => {
      const askedMs = receivedAtMs + MINUTE_MS;
      const { standing = [] } = (await tape.fixtureAt(own!.eventId, askedMs, sight)) ?? {};
      const onSlate = (await tape.slateAt(askedMs, sight)).fixture(own!.eventId)?.standing;
      expect(onSlate).toEqual(standing);
      return standing.map((line) => `${line.bookmaker} ${line.pricesE4.home}`);
    });
  };
  const without = await linesWith(null, 'common');
  expect(without).toHaveLength(1);
  expect(await linesWith('hkjc', 'common')).toEqual([...without, `hkjc ${own!.pricesE4.home}`]);
  expect(await linesWith('hkjc', 'all')).toContain(`hkjc ${own!.pricesE4.home}`);
  // An import that only has the sharp bookmaker changes nothing for those who do not see it.
  expect(await linesWith('pinnacle', 'common')).toEqual(without);
});

test('the loss of the file of an import leaves a gap only before the time that the tape itself knows', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(20 * MINUTE_MS);
  await world.tape.step();
  const knownMs = world.nowMs - 10 * MINUTE_MS;
  const known = await answersOf(world, knownMs);
  expect(known.finals).toEqual([true, true, true, true]);
  const { beginMs } = await world.reading((tape) => tape.time.own('all'));
  const day = dayOf(beginMs);
  for (const [index, name] of ['import-0123456789ab', `import-2-${'a'.repeat(12)}`].entries()) {
    const path = `${dayPrefix(index === 0 ? day : dayOf(beginMs + DAY_MS))}${name}.parquet`;
    await new LocalFolder(world.path).write(path, new Uint8Array(40));
    await world.tape.setAside(path, new Error('not a Parquet file'));
  }
  expect(world.tape.gaps()).toEqual([
    { fromMs: dayStartMs(day), toMs: Math.trunc(beginMs), reason: 'stopped' },
  ]);
  expect(await answersOf(world, knownMs)).toEqual(known);
});

test('where an import begins or ceases to count, the series of a line says what an answer about the instant says', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  const { own } = await withGap(world, 5 * MINUTE_MS);
  const { fromMs: gapMs, toMs: backMs } = world.tape.gaps().at(-1)!;
  const [beforeMs, inGapMs] = [gapMs - MINUTE_MS, gapMs + 2 * MINUTE_MS];
  const imported = (bookmaker: string, receivedAtMs: number, home: number | null): Tick => ({
    ...{ ...own, bookmaker, atMs: receivedAtMs, receivedAtMs, standing: false },
    ...(home === null
      ? { status: 'withdrawn', pricesE4: NO_PRICES }
      : { pricesE4: { ...own.pricesE4, home } }),
  });
  const rows = [
    // Changes while the server recorded, which later answers of the import repeat.
    imported(own.bookmaker, beforeMs, 30_000),
    imported('hkjc', beforeMs, 31_000),
    imported('hkjc', inGapMs, null),
    // A line that only the import has leaves the slate before the import counts.
    imported('pinnacle', beforeMs - MINUTE_MS, 32_000),
    imported('pinnacle', beforeMs, null),
  ];
  const path = `${dayPrefix(dayOf(gapMs))}import-0123456789ab.parquet`;
  const file = encodeTickFile(rows.sort(compareTickLines), new Map());
  await new LocalFolder(world.path).write(path, file);
  await world.reading(async (tape) => {
    const caller = { eventId: own.eventId, principal: ALL, nowMs: world.nowMs };
    const words = { from: toIsoText(own.receivedAtMs), to: toIsoText(world.nowMs), limit: 10 } as const;
    const { bytes } = await tapeCalls(tape).ticks({ ...caller, words: { ...words, resolution: 'tick' } });
    const { series } = JSON.parse(new TextDecoder().decode(bytes)) as EventHistory;
    const ticksOf = (name: string) =>
      series
        .find(({ bookmaker }) => bookmaker === name)
        ?.ticks.map(({ at, prices }) => [Date.parse(at), prices?.home ?? null]);
    expect(ticksOf(own.bookmaker)).toEqual([
      [own.atMs, 1.01],
      [gapMs, 3],
      [backMs, 1.01],
    ]);
    expect(ticksOf('hkjc')).toEqual([
      [gapMs, 3.1],
      [inGapMs, null],
    ]);
    expect(ticksOf('pinnacle')).toBeUndefined();
    const priceAt = async (atMs: number): Promise<(number | null)[]> => {
      const { standing = [] } = (await tape.fixtureAt(own.eventId, atMs, 'all')) ?? {};
      return standing.map(({ pricesE4 }) => pricesE4.home);
    };
    expect(await Promise.all([gapMs - 1, gapMs, inGapMs, backMs!].map(priceAt))).toEqual([
      ...[[10_100], [30_000, 31_000], [30_000], [10_100]],
    ]);
  });
});

/** Publishes a price, then loses the feed for ten minutes. @returns the tick, and when the gap begins */
async function withGap(world: TapeWorld, knownMs: number) {
  world.publishPrice(10_100);
  world.settle(knownMs);
  world.feedIsLost();
  world.settle();
  const gapMs = world.nowMs;
  world.settle(10 * MINUTE_MS);
  world.feedIsBack();
  world.settle(MINUTE_MS);
  await world.tape.step();
  const [own] = await world.reading((tape) =>
    tape.ticksOf(encodeId('event', 1), EVERYTHING, { sight: 'all' }),
  );
  return { own: own!, gapMs };
}

test('a replay for callers who do not see the sharp bookmaker has imports in the whole periods of a gap', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  const { own, gapMs } = await withGap(world, MINUTE_MS + 600);
  // The same period of the log as the beginning of the gap.
  const receivedAtMs = gapMs - 100;
  const tick: Tick = { ...own, bookmaker: 'hkjc', atMs: receivedAtMs, receivedAtMs, standing: false };
  const path = `${dayPrefix(dayOf(gapMs))}import-0123456789ab.parquet`;
  await new LocalFolder(world.path).write(path, encodeTickFile([tick], new Map()));
  const timesFor = (sight: 'all' | 'common') =>
    world.reading(async (tape) => {
      const replayed: Tick[] = [];
      for await (const ticks of tape.ticksInOrder(EVERYTHING, sight, () => false)) replayed.push(...ticks);
      const shown = await tape.ticksOf(own.eventId, EVERYTHING, { sight });
      const times = (some: readonly Tick[]) =>
        some.filter(({ bookmaker }) => bookmaker === 'hkjc').map((each) => each.receivedAtMs);
      expect(times(replayed)).toEqual(times(shown));
      return times(replayed);
    });
  expect(await timesFor('common')).toEqual([receivedAtMs]);
  expect(await timesFor('all')).toEqual([]);
});

test('a replay shows what an import has on the slate when a gap begins, and closes it when the time begins that the tape itself knows', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  const { own, gapMs } = await withGap(world, 5 * MINUTE_MS);
  const importedAt = (
    receivedAtMs: number,
    bookmaker: string,
    status: Tick['status'],
    home: number,
  ): Tick => {
    const pricesE4 = { ...own.pricesE4, home };
    return { ...own, bookmaker, status, pricesE4, atMs: receivedAtMs, receivedAtMs, standing: false };
  };
  const early = own.receivedAtMs - HOUR_MS;
  const imported = [
    // It is on the slate before the tape begins, and withdrawn when the tape itself knows.
    importedAt(early, 'hkjc', 'open', 20_000),
    importedAt(own.receivedAtMs + MINUTE_MS, 'hkjc', 'withdrawn', 20_000),
    // It changes while the tape itself knows, and stands in the gap.
    importedAt(gapMs - MINUTE_MS, 'macau', 'open', 20_003),
    // In the gap, one line is new and the line of the server has another price.
    importedAt(gapMs + MINUTE_MS, 'sbobet', 'open', 20_001),
    importedAt(gapMs + MINUTE_MS, own.bookmaker, 'open', 20_002),
  ].sort(compareTickLines);
  const path = `${dayPrefix(dayOf(gapMs))}import-0123456789ab.parquet`;
  await new LocalFolder(world.path).write(path, encodeTickFile(imported, new Map()));
  await world.reading(async (tape) => {
    const range = { fromMs: early - 1, toMs: world.nowMs };
    const standing = new Map<unknown, unknown>();
    const inGap = [gapMs + 1_000, gapMs + 2 * MINUTE_MS];
    const instants = [early + 1, own.receivedAtMs + 1, ...inGap, world.nowMs - 1];
    const replayed: Record<string, unknown>[] = [];
    const note = (): void => void replayed.push(Object.fromEntries(standing));
    for await (const { atMs, messages } of tapeBatches({
      tape,
      range,
      stamps: 'source',
      results: new Map(),
    })) {
      while (atMs > instants[replayed.length]!) note();
      for (const { type, bookmaker, prices } of messages) {
        if (type === 'quote') standing.set(bookmaker, Math.round((prices as number[])[0]! * 10_000));
        else if (type === 'close') standing.delete(bookmaker);
      }
    }
    while (replayed.length < instants.length) note();
    const slates = instants.map(async (atMs) => {
      const fixtures = [...(await tape.slateAt(atMs, 'all')).fixtures()];
      const lines = fixtures.flatMap((fixture) => fixture.standing);
      return Object.fromEntries(lines.map(({ bookmaker, pricesE4: { home } }) => [bookmaker, home]));
    });
    expect(replayed).toEqual(await Promise.all(slates));
    expect(replayed.map((lines) => Object.keys(lines).length)).toEqual([1, 1, 2, 3, 1]);
  });
});

test('a replay closes what an import had on the slate days before, also if the tape begins with a gap', async () => {
  await using world = new TapeWorld();
  await world.start();
  world.settle(HOUR_MS);
  await world.tape.step();
  world.putFixture(1);
  world.feedIsBack();
  world.publishPrice(10_100);
  world.settle(MINUTE_MS);
  await world.tape.step();
  const [own] = await world.reading((tape) =>
    tape.ticksOf(encodeId('event', 1), EVERYTHING, { sight: 'all' }),
  );
  const receivedAtMs = own!.receivedAtMs - 3 * DAY_MS;
  const imported = { ...own!, bookmaker: 'hkjc', atMs: receivedAtMs, receivedAtMs, standing: false };
  const path = `${dayPrefix(dayOf(receivedAtMs))}import-0123456789ab.parquet`;
  await new LocalFolder(world.path).write(path, encodeTickFile([imported], new Map()));
  await world.reading(async (tape) => {
    const range = { fromMs: receivedAtMs - 1, toMs: world.nowMs };
    const sent: string[] = [];
    for await (const { messages } of tapeBatches({ tape, range, stamps: 'source', results: new Map() }))
      for (const { type, bookmaker } of messages) if (bookmaker === 'hkjc') sent.push(String(type));
    expect(sent).toEqual(['quote', 'close']);
  });
});
