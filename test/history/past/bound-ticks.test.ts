// The series of a fixture where imports begin or cease to count. A model that reads the tape at each bound
// finds the same ticks on random tapes with gaps, imports, lost changes and a clock that was set back.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../src/clock.ts';
import { type OwnBound, withBoundTicks } from '../../../src/history/bound-ticks.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { shownAgain } from '../../../src/history/imports/confirmations.ts';
import { isSamePrice } from '../../../src/history/imports/prices.ts';
import { OwnTime, type TapeAndSource } from '../../../src/history/own-time.ts';
import { partsAt, rowsIn } from '../../../src/history/parts-at.ts';
import { lastOfLines, type Sight } from '../../../src/history/past/past-fixture.ts';
import { TapeFiles, type TapeFilesOptions } from '../../../src/history/past/tape-files.ts';
import { TapeReader } from '../../../src/history/past/tape-reader.ts';
import type { LiveRows, TapeSource } from '../../../src/history/tape-source.ts';
import {
  compareTickLines,
  dayOf,
  GAP_REASONS,
  type Gap,
  lineKeyOf,
  NO_PRICES,
  type Tick,
} from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { runs } from '../../support/runs.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const EVENT_ID = 'evt_aaaaaaaa';
const MIDNIGHT_MS = Date.UTC(2026, 5, 20);
/** Times of a drawn tape are steps of half a second, from a minute before midnight on. */
const FROM_MS = MIDNIGHT_MS - 60_000;
const STEPS = 240;
const BOOKMAKERS = ['crown', 'hkjc', 'pinnacle'];

function msOf(step: number): number {
  return FROM_MS + 500 * step;
}

/** A change of a line; without a price, its withdrawal. */
interface Change {
  readonly step: number;
  readonly bookmaker: string;
  readonly price: number | null;
  /** Whether the tape missed it, so that only the parts that begin later show it. */
  readonly isLost: boolean;
}

interface Drawn {
  readonly own: readonly Change[];
  readonly imported: readonly Change[];
  /** When the parts of the tape begin; the last `liveCount` of them are in memory. */
  readonly begins: readonly number[];
  readonly liveCount: number;
  readonly gaps: readonly {
    readonly from: number;
    readonly length: number;
    readonly reason: Gap['reason'];
  }[];
  readonly range: readonly [number, number];
}

/** Few, so that changes, gaps and parts often begin at the same time. */
const step = fc.nat(STEPS / 6).map((sixth) => 6 * sixth);
const changes = fc.array(
  fc.record({
    step,
    bookmaker: fc.constantFrom(...BOOKMAKERS),
    price: fc.constantFrom(null, 20_000, 20_000, 21_000),
    isLost: fc.constantFrom(false, false, true),
  }),
  { maxLength: 14 },
);
const drawnTape: fc.Arbitrary<Drawn> = fc.record({
  own: changes,
  imported: changes,
  begins: fc.array(step, { minLength: 1, maxLength: 6 }),
  liveCount: fc.nat(2),
  gaps: fc.array(
    fc.record({
      from: step,
      length: fc.constantFrom(1, 6, 12, 18, 30),
      reason: fc.constantFrom(...GAP_REASONS),
    }),
    { maxLength: 8 },
  ),
  range: fc.tuple(fc.constantFrom(0, 0, 60), fc.constantFrom(STEPS + 1, 200)),
});

function tickOf({ step: at, bookmaker, price }: Change, standing = false): Tick {
  return {
    ...{ eventId: EVENT_ID, sport: 'football', league: 'League', home: 'Home', away: 'Away' },
    ...{ kickoffMs: MIDNIGHT_MS + 10_000, bookmaker, marketType: '1x2', period: 'full_time', line: null },
    status: price === null ? 'withdrawn' : 'open',
    pricesE4: price === null ? NO_PRICES : { ...NO_PRICES, home: price },
    ...{ atMs: msOf(at), receivedAtMs: msOf(at), inPlay: false, scoreHome: null, scoreAway: null, standing },
  };
}

/** The rows of a part: the lines that stand as it begins, then the changes until it ends. */
function rowsOfPart(inOrder: readonly Change[], from: number, to: number): Tick[] {
  const standing = new Map<string, Change>();
  for (const change of inOrder) {
    const isBefore = change.step < from || (change.step === from && change.isLost);
    if (isBefore) standing.set(change.bookmaker, change);
  }
  const stood = [...standing.values()].filter(({ price }) => price !== null);
  const changed = inOrder.filter((change) => change.step >= from && change.step < to && !change.isLost);
  return [...stood.map((change) => tickOf(change, true)), ...changed.map((change) => tickOf(change))];
}

interface Segment {
  readonly beginMs: number;
  readonly rows: readonly Tick[];
}

/** The live part with these segments, as far as the series of a fixture needs it. */
function liveOf(segments: readonly Segment[]): LiveRows {
  const rowsOf = (): readonly Tick[] =>
    segments.flatMap(({ rows }, index) => rows.filter(({ standing }) => index === 0 || !standing));
  const live: Partial<LiveRows> = {
    beginMs: segments[0]?.beginMs ?? Number.POSITIVE_INFINITY,
    rowsOf,
    at: (atMs) => liveOf(segments.filter(({ beginMs }) => beginMs <= atMs).slice(-1)),
    lastRowsAt: (_, atMs) =>
      Array.from(
        Map.groupBy(
          rowsOf().filter(({ receivedAtMs }) => receivedAtMs <= atMs),
          lineKeyOf,
        ).values(),
        (rows) => rows.at(-1)!,
      ),
  };
  return live as LiveRows;
}

/** Parts of a tape, with what a reader of them needs. */
type Parts = TapeAndSource & Pick<TapeFilesOptions, 'folder' | 'onBroken' | 'monotonicMs'>;

async function tapeOf({ own, imported, begins, liveCount, gaps }: Drawn): Promise<Parts> {
  const folder = new MemoryFolder();
  const write = async (path: string, rows: Tick[]): Promise<void> => {
    if (rows.length === 0) return;
    await folder.write(path, encodeTickFile(rows.toSorted(compareTickLines), new Map()));
  };
  const byStep = (left: Change, right: Change): number => left.step - right.step;
  const segments: Segment[] = [];
  const sorted = [...new Set(begins)].sort((left, right) => left - right);
  for (const [index, begin] of sorted.entries()) {
    const rows = rowsOfPart(own.toSorted(byStep), begin, sorted[index + 1] ?? STEPS + 1);
    const beginMs = msOf(begin);
    if (index >= sorted.length - liveCount) segments.push({ beginMs, rows });
    else await write(`${dayPrefix(dayOf(beginMs))}${beginMs}-a.parquet`, rows);
  }
  for (const fromMs of [MIDNIGHT_MS - DAY_MS, MIDNIGHT_MS]) {
    const from = (fromMs - FROM_MS) / 500;
    const rows = rowsOfPart(imported.toSorted(byStep), from, from + DAY_MS / 500);
    await write(`${dayPrefix(dayOf(fromMs))}import-1-0123456789ab.parquet`, rows);
  }
  const source: Partial<TapeSource> = {
    live: liveOf(segments),
    gaps: () =>
      gaps.map(({ from, length, reason }) => ({ fromMs: msOf(from), toMs: msOf(from + length), reason })),
    onFilesChanged: () => () => undefined,
  };
  const options = {
    ...{ folder, monotonicMs: () => 0 },
    onBroken: (path: string, error: unknown): never => {
      throw new Error(path, { cause: error });
    },
  };
  return { ...options, files: new TapeFiles(options), source: source as TapeSource };
}

/** The ticks that the model adds to those of the tape: it reads the whole tape before and at each bound. */
async function boundTicksOf(
  parts: TapeAndSource,
  ticks: readonly Tick[],
  bounds: readonly OwnBound[],
  sight: Sight,
): Promise<Tick[]> {
  const added: Tick[] = [];
  for (const { atMs, isOwn } of bounds) {
    const rowsAt = async (instantMs: number): Promise<readonly Tick[]> => {
      const partsThen = await partsAt(parts, instantMs, sight);
      return lastOfLines(await rowsIn(partsThen, parts.files, { eventId: EVENT_ID, sight }));
    };
    const before = new Map((await rowsAt(atMs - 1)).map((tick) => [lineKeyOf(tick), tick]));
    for (const tick of await rowsAt(atMs)) {
      const isOfLine = (other: Tick): boolean => lineKeyOf(other) === lineKeyOf(tick);
      // If the tape has a tick in the same millisecond as a bound, the tick of the bound is said first.
      const said = [...added, ...ticks].filter((other) => isOfLine(other) && other.receivedAtMs < atMs);
      const last = said.toSorted((left, right) => left.receivedAtMs - right.receivedAtMs).at(-1);
      const held = last ?? before.get(lineKeyOf(tick)) ?? { status: 'withdrawn', pricesE4: NO_PRICES };
      const isSame = held.status === tick.status && isSamePrice(held.pricesE4, tick.pricesE4);
      if (isSame || tick.receivedAtMs === atMs) continue;
      if (isOwn && tick.status === 'withdrawn') continue;
      const times = { atMs, receivedAtMs: atMs };
      added.push(isOwn ? { ...tick, ...times, standing: false } : shownAgain(tick, times));
    }
  }
  return [...ticks, ...added];
}

function textsOf(ticks: readonly Tick[]): string[] {
  return ticks.map((tick) => JSON.stringify(tick)).sort();
}

test('the series has the ticks at bounds that a model finds which reads the tape at each bound', async () => {
  let added = 0;
  await fc.assert(
    fc.asyncProperty(drawnTape, fc.constantFrom<Sight[]>('all', 'common'), async (drawn, sight) => {
      const parts = await tapeOf(drawn);
      const own = await OwnTime.read(parts, sight);
      const range = { fromMs: msOf(drawn.range[0]), toMs: msOf(drawn.range[1]) };
      const tape = new TapeReader(parts);
      const ticks = await tape.ticksOf(EVENT_ID, range, { sight });
      const bounds = await tape.time.ownBounds(range, own);
      const found = await withBoundTicks(parts, ticks, { eventId: EVENT_ID, sight, bounds, ownTime: own });
      expect(textsOf(found)).toEqual(textsOf(await boundTicksOf(parts, ticks, bounds, sight)));
      expect(found).toEqual(found.toSorted((left, right) => left.receivedAtMs - right.receivedAtMs));
      added += found.length - ticks.length;
    }),
    { numRuns: runs(200) },
  );
  expect(added).toBeGreaterThan(100);
});

test('a series with thousands of gaps leaves the thread to others, and stops when nobody waits for it', async () => {
  const gaps = Array.from({ length: 5_000 }, (_, index) => {
    const fromMs = MIDNIGHT_MS + 10_000 * index;
    return { fromMs, toMs: fromMs + 5_000, reason: 'feed_lost' } as const;
  });
  const change = { step: 0, bookmaker: 'crown', price: 20_000, isLost: false };
  const drawn: Drawn = {
    ...{ own: [change], imported: [{ ...change, bookmaker: 'hkjc' }] },
    ...{ begins: [0], liveCount: 0, gaps: [], range: [0, STEPS] },
  };
  const parts = await tapeOf(drawn);
  const tape = new TapeReader({ ...parts, source: { ...parts.source!, gaps: () => gaps } });
  const range = { fromMs: MIDNIGHT_MS, toMs: MIDNIGHT_MS + DAY_MS };
  const asked = { sight: 'all', hasBounds: true } as const;
  let count = 0;
  const turns = await turnsDuring(async () => {
    count = (await tape.ticksOf(EVENT_ID, range, asked)).length;
  });
  expect(turns).toBeGreaterThan(5);
  expect(count).toBe(1);
  const aborted = { ...asked, signal: AbortSignal.abort() };
  await expect(tape.ticksOf(EVENT_ID, range, aborted)).rejects.toThrow('nobody waits');
});
