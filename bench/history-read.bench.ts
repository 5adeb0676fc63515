// What questions about the past cost on a tape of one day with two million ticks: the ticks of one line on
// that day, one fixture at an instant, the slate of 1,000 fixtures at an instant, and an export. Answers are
// checked before anything is measured.

import { join } from 'node:path';
import { parquetMetadataAsync } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { bench, do_not_optimize, group } from 'mitata';
import { encodeId } from '../src/domain/ids.ts';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { dayPrefix } from '../src/history/files/folder.ts';
import { LocalFolder } from '../src/history/files/local-folder.ts';
import { ROW_GROUP_ROWS, TickFileWriter } from '../src/history/files/parquet-file.ts';
import { historyAnswers } from '../src/history/past/history-answers.ts';
import { ReadTurns } from '../src/history/past/read-turns.ts';
import { TapeReader } from '../src/history/past/tape-reader.ts';
import { compareTickLines, NO_PRICES, type Tick } from '../src/history/tick.ts';
import { exportTape } from '../src/start/history/export-tape.ts';
import { benchFolder } from './bench-folder.ts';
import { type Figure, median, quantile } from './figures.ts';

const DAY = '2026-06-19';
const DAY_START_MS = Date.parse(`${DAY}T00:00:00Z`);
const LINES = 75;
const BOOKS = ['crown', 'sbobet', 'macau', 'm8bet', 'pinnacle'];
const CALLER = {
  principal: { tier: 'enterprise', seesSharp: true, keyId: 'key' },
  nowMs: DAY_START_MS + 2 * 86_400_000,
} as const;

/**
 * How many questions of each kind a p99 is measured over. With only 100, the p99 would be the first question
 * alone, during which the engine still compiles.
 */
const QUESTIONS = { "a line's day": 500, 'a fixture at an instant': 500, 'a slate at an instant': 250 };
const FLOOR_ROUNDS = 20;
const AIMS_NS = { "a line's day": 10e6, 'a fixture at an instant': 20e6, 'a slate at an instant': 500e6 };

/**
 * The p99 of each kind of question; and one export of half the day, a million ticks, measured once because it
 * takes seconds.
 */
export async function costs(size: 'smoke' | 'full'): Promise<Figure[]> {
  const { root, folder, events } = await tapeOf(size);
  const { line, fixture, slate } = questionsOf(folder, events);
  const figures: Figure[] = [];
  const asks = { "a line's day": line, 'a fixture at an instant': fixture, 'a slate at an instant': slate };
  for (const [kind, ask] of Object.entries(asks) as [keyof typeof asks, () => Promise<unknown>][]) {
    const timesMs: number[] = [];
    for (let count = 0; count < (size === 'smoke' ? 2 : QUESTIONS[kind]); count++) {
      const startMs = performance.now();
      await ask();
      timesMs.push(performance.now() - startMs);
    }
    const value = quantile(timesMs, 0.99) * 1e6;
    const aim = { of: 'value', atMost: AIMS_NS[kind] } as const;
    figures.push({ name: `history: read, p99: ${kind}`, value, unit: 'ns', baseline: null, aim });
    if (kind === 'a slate at an instant') {
      const p50 = median(timesMs) * 1e6;
      const name = `history: read, p50: ${kind}, and its pages only decompressed`;
      const baseline = await unpackedNs(folder, size);
      figures.push({ name, value: p50, unit: 'ns', baseline, aim: null });
    }
  }
  const range = { fromMs: DAY_START_MS, toMs: DAY_START_MS + 43_200_000 };
  const path = join(root, 'half.ndjson');
  const startMs = performance.now();
  const count = await exportTape({ folder, range, event: null, league: null, path, format: 'ndjson' });
  const value = (performance.now() - startMs) * 1e6;
  const name = `history: export of ${count} ticks as NDJSON`;
  figures.push({ name, value, unit: 'ns', baseline: null, aim: { of: 'value', atMost: 8e9 } });
  return figures;
}

/** The least that a slate at an instant takes: every page of the day is read and decompressed, no more. */
async function unpackedNs(folder: LocalFolder, size: 'smoke' | 'full'): Promise<number> {
  const [entry] = await folder.list(dayPrefix(DAY));
  const file = await folder.open(entry!.path);
  const { row_groups: groups } = await parquetMetadataAsync(file);
  const timesMs: number[] = [];
  for (let count = 0; count < (size === 'smoke' ? 1 : FLOOR_ROUNDS); count++) {
    const startMs = performance.now();
    for (const { columns } of groups) {
      const parts = columns.map(({ meta_data }) => {
        const start = Number(meta_data!.dictionary_page_offset ?? meta_data!.data_page_offset);
        return { start, end: start + Number(meta_data!.total_compressed_size) };
      });
      const [from, to] = [
        Math.min(...parts.map(({ start }) => start)),
        Math.max(...parts.map(({ end }) => end)),
      ];
      unpackPages(new Uint8Array(await file.slice(from, to)));
    }
    timesMs.push(performance.now() - startMs);
  }
  return median(timesMs) * 1e6;
}

/** Decompresses pages that follow each other. */
function unpackPages(bytes: Uint8Array): void {
  const reader = { view: new DataView(bytes.buffer), offset: 0 };
  while (reader.offset < bytes.length) {
    const { compressed_page_size: length } = parquetHeader(reader);
    do_not_optimize(Bun.zstdDecompressSync(bytes.subarray(reader.offset, reader.offset + length)));
    reader.offset += length;
  }
}

/** A tape of one day: two million ticks of 1,000 fixtures. */
async function tapeOf(size: 'smoke' | 'full') {
  const fixtures = size === 'smoke' ? 20 : 1_000;
  const ticksPerLine = size === 'smoke' ? 4 : 27;
  const root = benchFolder();
  const folder = new LocalFolder(root);
  const events = Array.from({ length: fixtures }, (_, index) =>
    encodeId('event', 1e6 + index * 7_919),
  ).sort();
  await folder.write(`${dayPrefix(DAY)}000001.parquet`, fileOf(events, ticksPerLine));
  return { root, folder, events };
}

/** Questions about the day; each is about another fixture and instant than the one before. */
function questionsOf(folder: LocalFolder, events: readonly string[]) {
  const tape = new TapeReader({
    ...{ folder, source: null, monotonicMs: () => performance.now() },
    onBroken: (_path, error) => {
      throw error;
    },
  });
  const times = { monotonicMs: () => performance.now(), sleep: Bun.sleep };
  const closings = { frozen: async () => null, scores: async () => null };
  const calls = historyAnswers({ tape, ...times, ...closings }, new ReadTurns(times));
  let asked = 0;
  const next = (): string => {
    asked += 7;
    return events[asked % events.length]!;
  };
  // From seven o'clock on: in the size smoke, the first change of the day is at six.
  const at = (): string =>
    new Date(DAY_START_MS + 7 * 3_600_000 + ((asked * 7_907) % 60_000) * 1_000).toISOString();
  const line = () => {
    const words = {
      markets: ['totals'] as const,
      line: 2.5,
      bookmakers: ['crown'],
      resolution: 'tick',
      limit: 10_000,
    } as const;
    return calls.ticks({ ...CALLER, eventId: next(), words });
  };
  const fixture = () => calls.odds({ ...CALLER, eventId: next(), words: {}, at: at() });
  const slate = () => calls.slate({ ...CALLER, words: {}, at: at() });
  return { line, fixture, slate };
}

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const { root, folder, events } = await tapeOf(size);
  const fixtures = events.length;
  const { line, fixture, slate } = questionsOf(folder, events);
  assert(new TextDecoder().decode((await line()).bytes).includes('"at"'), 'a line has ticks');
  const odds = JSON.parse(new TextDecoder().decode((await fixture()).bytes)) as { odds: unknown[] };
  assert(odds.odds.length === LINES, 'every line of a fixture is there');
  const whole = JSON.parse(new TextDecoder().decode((await slate()).bytes)) as { fixtures: unknown[] };
  assert(whole.fixtures.length === fixtures, 'every fixture stands');
  const path = join(root, 'export.ndjson');
  const rangeOf = (hours: number) => ({ fromMs: DAY_START_MS, toMs: DAY_START_MS + hours * 3_600_000 });
  group('history: read', () => {
    bench("a line's day", async () => do_not_optimize(await line()));
    bench('a fixture at an instant', async () => do_not_optimize(await fixture()));
    bench(`a slate of ${fixtures} fixtures at an instant`, async () => do_not_optimize(await slate()));
    bench('an export of one hour as NDJSON', async () => {
      const all = { folder, event: null, league: null, path } as const;
      do_not_optimize(await exportTape({ ...all, range: rangeOf(1), format: 'ndjson' }));
    });
  });
}

function fileOf(events: readonly string[], ticksPerLine: number): Uint8Array {
  const random = new Random(26);
  const writer = new TickFileWriter();
  let rows: Tick[] = [];
  for (const eventId of events) {
    const own: Tick[] = [];
    for (let line = 0; line < LINES; line++) {
      own.push(...lineOf(eventId, line, { count: ticksPerLine, random }));
    }
    for (const tick of own.sort(compareTickLines)) {
      rows.push(tick);
      if (rows.length < ROW_GROUP_ROWS) continue;
      writer.addGroup(rows);
      rows = [];
    }
  }
  writer.addGroup(rows);
  return writer.finish(new Map());
}

/** The ticks of one line. The first repeats the price that was on the slate when the day began. */
function lineOf(
  eventId: string,
  line: number,
  { count, random }: { readonly count: number; readonly random: Random },
): Tick[] {
  const step = Math.floor(line / BOOKS.length);
  const marketType = step < 1 ? '1x2' : step < 8 ? 'asian_handicap' : 'totals';
  const ticks: Tick[] = [];
  for (let tick = 0; tick < count; tick++) {
    const receivedAtMs =
      tick === 0
        ? DAY_START_MS - 1_000
        : DAY_START_MS + Math.floor((tick * 86_399_000) / count) + random.index(1_000);
    const price = 18_000 + 50 * random.index(60);
    const prices =
      marketType === 'totals'
        ? { over: price, under: 19_000 }
        : marketType === '1x2'
          ? { home: price, draw: 34_000, away: 41_000 }
          : { home: price, away: 19_000 };
    ticks.push({
      ...{ eventId, sport: 'football', league: 'League', home: `Home ${eventId}`, away: `Away ${eventId}` },
      ...{ kickoffMs: DAY_START_MS + 43_200_000, bookmaker: BOOKS[line % BOOKS.length]!, marketType },
      period: 'full_time',
      line: marketType === '1x2' ? null : marketType === 'totals' ? (step - 8) / 2 + 1 : (step - 4) / 4,
      ...{ status: 'open', pricesE4: { ...NO_PRICES, ...prices }, atMs: receivedAtMs - 300, receivedAtMs },
      ...{ inPlay: false, scoreHome: null, scoreAway: null, standing: tick === 0 },
    });
  }
  return ticks;
}
