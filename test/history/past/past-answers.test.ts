// Callers that may not see the sharp bookmaker read the same bytes from two tapes that differ only in its
// ticks: series, counts, days, sizes, tags, gaps, neighbours, ranges and errors. Part of each tape is in
// files, part in memory.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../../../src/clock.ts';
import { STATUS_LIVE, STATUS_SCHEDULED } from '../../../src/domain/catalogue.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { MARK_LEFT, packMark, type TapeMark } from '../../../src/history/mark.ts';
import type { TapeCalls } from '../../../src/history/past/history-answers.ts';
import type { LiveRows, TapeSource } from '../../../src/history/tape-source.ts';
import {
  compareTickLines,
  dayOf,
  dayStartMs,
  type Gap,
  NO_PRICES,
  type Tick,
} from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { summariesOf, tapeCalls, tapeIn } from '../tape-folder.ts';
import { surface } from './surface.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 18);
/** The live part begins here; ticks before it are in files. */
const LIVE_FROM_MS = NOW_MS - 4 * HOUR_MS;
const EVENTS = [11, 22, 33, 44].map((number) => encodeId('event', number));
/**
 * The number of fixtures that have lines of other bookmakers. One more fixture has only lines of the sharp
 * bookmaker.
 */
const COMMON_EVENTS = EVENTS.length - 1;
const GAPS: readonly Gap[] = [
  { fromMs: NOW_MS - 20 * HOUR_MS, toMs: NOW_MS - 19 * HOUR_MS, reason: 'stopped' },
];

interface Drawn {
  readonly event: number;
  readonly book: number;
  readonly minute: number;
  readonly priceE4: number;
  readonly status: Tick['status'];
  readonly isTotal: boolean;
}

function drawn(books: number, events = EVENTS.length): fc.Arbitrary<Drawn[]> {
  return fc.array(
    fc.record({
      event: fc.nat(events - 1),
      book: fc.nat(books - 1),
      minute: fc.integer({ min: 1, max: 3 * 24 * 60 }),
      priceE4: fc.integer({ min: 10_500, max: 90_000 }),
      status: fc.constantFrom('open', 'open', 'open', 'suspended', 'withdrawn'),
      isTotal: fc.boolean(),
    }),
    { maxLength: 40 },
  );
}

function tickOf({ event, book, minute, priceE4, status, isTotal }: Drawn, books: readonly string[]): Tick {
  const receivedAtMs = NOW_MS - minute * 60_000;
  const prices = isTotal ? { over: priceE4, under: 19_000 } : { home: priceE4, draw: 34_000, away: 41_000 };
  const kickoffMs = NOW_MS - 6 * HOUR_MS + event * HOUR_MS;
  return {
    ...{ eventId: EVENTS[event]!, sport: 'football', league: `League ${event % 2}` },
    ...{ home: `Home ${event}`, away: `Away ${event}`, kickoffMs },
    ...{ bookmaker: books[book]!, marketType: isTotal ? 'totals' : '1x2', period: 'full_time' },
    ...{ line: isTotal ? 2.5 : null, status },
    pricesE4: status === 'withdrawn' ? NO_PRICES : { ...NO_PRICES, ...prices },
    ...{ atMs: receivedAtMs - 500, receivedAtMs, inPlay: receivedAtMs >= kickoffMs },
    ...{ scoreHome: null, scoreAway: null, standing: false },
  };
}

/**
 * What the feed reported about each fixture, even while it had no line: listed, in play, gone.
 * @param fromMs where the returned marks begin; the first of them is the mark in force at that time
 */
function marksFrom(fromMs: number, toMs: number): TapeMark[] {
  return EVENTS.flatMap((_, event) => {
    const { eventId, sport, league, home, away, kickoffMs } = tickOf({ ...MARKED, event }, COMMON);
    const fixture = { eventId, sport, league, home, away, kickoffMs };
    const steps = [
      [NOW_MS - (70 - event) * HOUR_MS, STATUS_SCHEDULED],
      [kickoffMs ?? 0, STATUS_LIVE],
      ...(event % 2 === 1 ? [[NOW_MS - HOUR_MS, MARK_LEFT] as const] : []),
    ] as const;
    const marks = steps.map(([atMs, status]): TapeMark => {
      const isLive = status === STATUS_LIVE;
      return { fixture, atMs, status, score: isLive ? [0, 0] : null, cards: isLive ? [event, 0] : null };
    });
    const held = marks.findLast(({ atMs }) => atMs < fromMs);
    const later = marks.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    return [...(held === undefined ? [] : [held]), ...later];
  });
}

const MARKED = { book: 0, minute: 1, priceE4: 15_000, status: 'open', isTotal: false } as const;

/** The part in memory: the lines on the slate when that part began, and the later ticks. */
function liveOf(ticks: readonly Tick[]): TapeSource {
  const standing = new Map<string, Tick>();
  for (const tick of ticks) {
    if (tick.receivedAtMs >= LIVE_FROM_MS) continue;
    const key = `${tick.eventId} ${tick.bookmaker} ${tick.marketType}`;
    if (tick.status === 'withdrawn') standing.delete(key);
    else standing.set(key, { ...tick, standing: true });
  }
  const rows = [...standing.values(), ...ticks.filter(({ receivedAtMs }) => receivedAtMs >= LIVE_FROM_MS)];
  const byEvent = Map.groupBy(rows, ({ eventId }) => eventId);
  const live: LiveRows = {
    beginMs: LIVE_FROM_MS,
    has: (beginMs) => beginMs >= LIVE_FROM_MS,
    summaries: (sight) => summariesOf(rows, sight),
    eventIds: () => EVENTS,
    rowsOf: (eventId) => byEvent.get(eventId) ?? [],
    changesIn: () => [],
    lastRowsAt: (eventId, atMs) => (byEvent.get(eventId) ?? []).filter((tick) => tick.receivedAtMs <= atMs),
    at: () => live,
    idsOf: () => undefined,
    marksOf: (eventId) =>
      marksFrom(LIVE_FROM_MS, NOW_MS).filter(({ fixture }) => fixture.eventId === eventId),
  };
  return {
    catchUp: async () => NOW_MS + 1,
    live,
    size: () => ({ ticks: rows.length, bytes: 50 * rows.length }),
    gaps: () => GAPS,
    onFilesChanged: () => () => undefined,
  };
}

async function tapeOf(ticks: readonly Tick[]): Promise<TapeCalls> {
  const ordered = ticks.toSorted((left, right) => left.receivedAtMs - right.receivedAtMs);
  const folder = new MemoryFolder();
  const byDay = Map.groupBy(
    ordered.filter(({ receivedAtMs }) => receivedAtMs < LIVE_FROM_MS),
    ({ receivedAtMs }) => dayOf(receivedAtMs),
  );
  const standing = new Map<string, Tick>();
  // Days without a tick get a file too. On a real tape, such a day is inside a longer segment, and that
  // segment has the day's marks.
  for (let fromMs = dayStartMs(dayOf(NOW_MS - 72 * HOUR_MS)); fromMs < LIVE_FROM_MS; fromMs += DAY_MS) {
    const day = dayOf(fromMs);
    const some = byDay.get(day) ?? [];
    const rows = [...[...standing.values()].map((tick) => ({ ...tick, standing: true })), ...some];
    const marks = marksFrom(fromMs, Math.min(LIVE_FROM_MS, fromMs + DAY_MS));
    const bytes = encodeTickFile(rows.sort(compareTickLines), new Map(), {
      fixtures: marks.map(({ fixture }) => fixture),
      marks: marks.map((mark, fixtureIndex) => packMark({ ...mark, fixtureIndex })),
    });
    await folder.write(`${dayPrefix(day)}000001.parquet`, bytes);
    for (const tick of some) {
      const key = `${tick.eventId} ${tick.bookmaker} ${tick.marketType}`;
      if (tick.status === 'withdrawn') standing.delete(key);
      else standing.set(key, tick);
    }
  }
  const tape = tapeIn(folder, liveOf(ordered));
  return tapeCalls(tape, SCORES);
}

/** The result of every match. */
const SCORES = { score: { home: 2, away: 1 }, halfTimeScore: { home: 1, away: 0 } };

const FREE = { principal: { tier: 'free', seesSharp: false, keyId: 'key' }, nowMs: NOW_MS } as const;
const PAID = { principal: { tier: 'standard', seesSharp: true, keyId: 'key' }, nowMs: NOW_MS } as const;
const QUESTIONS = {
  instants: [71, 50, 30, 19.5, 12, 5, 3, 1, 0].map((hours) => NOW_MS - hours * HOUR_MS),
  events: EVENTS,
};

const COMMON = ['crown', 'sbobet', 'hkjc'];

test('two tapes that differ only in the sharp ticks give the free tier the same bytes, but not other tiers', async () => {
  let differed = 0;
  /** The number of answers about the fixture of which these callers see no line. */
  let listed = 0;
  await fc.assert(
    fc.asyncProperty(drawn(COMMON.length, COMMON_EVENTS), drawn(1), drawn(1), async (common, one, other) => {
      const shared = common.map((each) => tickOf(each, COMMON));
      const tapes = await Promise.all([
        tapeOf([...shared, ...one.map((each) => tickOf(each, ['pinnacle']))]),
        tapeOf([...shared, ...other.map((each) => tickOf(each, ['pinnacle']))]),
      ]);
      const [left, right] = [
        await surface(tapes[0], FREE, QUESTIONS),
        await surface(tapes[1], FREE, QUESTIONS),
      ];
      expect(left).toEqual(right);
      listed += left.filter((text) => text.startsWith('odds') && text.includes(`"${EVENTS.at(-1)}"`)).length;
      if (differed > 0) return;
      const paid = [await surface(tapes[0], PAID, QUESTIONS), await surface(tapes[1], PAID, QUESTIONS)];
      if (!Bun.deepEquals(paid[0], paid[1])) differed += 1;
    }),
    { numRuns: 8, endOnFailure: true },
  );
  expect(differed).toBeGreaterThan(0);
  expect(listed).toBeGreaterThan(0);
});
