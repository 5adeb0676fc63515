// A backtest of a simulated recording, from reading the file to the finished record; the baseline reads the
// same messages and keeps the last price of each line. Also the whole command with a million quotes, and the
// answers from a full signal record of a server, in SQLite.

import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { bench, do_not_optimize, group } from 'mitata';
import { SIGNAL_RECORD_SCHEMA, SignalRecord, type WrittenSignal } from '../src/archive/signal-record.ts';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { ReadTurns } from '../src/history/past/read-turns.ts';
import { RECORD_SIGNALS_MAX } from '../src/limits.ts';
import { backtest, recordedBatches } from '../src/record/backtest.ts';
import { recordAnswers } from '../src/record/record-answers.ts';
import { sqliteSql } from '../src/storage/sqlite-sql.ts';
import { benchFolder } from './bench-folder.ts';
import type { Figure } from './figures.ts';
import { writeRecording } from './simulated-recording.ts';

const SETTINGS = {
  windows: { liveMs: 60_000, prematchMs: 300_000 },
  kinds: ['value'],
  ...{ minEdgePct: 2, maxEdgePct: 10, groupBy: null },
} as const;

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const quotes = size === 'smoke' ? 1_000 : 20_000;
  const root = benchFolder();
  const path = join(root, 'recording.ndjson');
  await writeRecording(path, { quotes, fixtures: 12 });
  const { signals } = await backtest(recordedBatches(path), SETTINGS);
  assert(size === 'smoke' || signals.length > 50, 'the recording has signals');
  group(`backtest of ${quotes} quotes`, () => {
    bench('the record', async () => do_not_optimize(await backtest(recordedBatches(path), SETTINGS)));
    bench('plain: read, split, JSON.parse, last prices in a map', async () => {
      const last = new Map<string, unknown>();
      for (const line of (await Bun.file(path).text()).split('\n').filter(Boolean)) {
        const wire = JSON.parse(line) as Record<string, unknown>;
        last.set(`${wire.event}|${wire.bookmaker}|${wire.market_type}|${wire.line}`, wire.prices);
      }
      do_not_optimize(last.size);
    }).baseline(true);
  });
}

const BEGIN_MS = Date.UTC(2026, 0, 1);
const MATCH_SIGNALS = 40;
const OWNER = { tier: 'enterprise', seesSharp: true, keyId: 'key' } as const;

/**
 * The processor time of `overround backtest` as a user runs it, and the cost of answers from a full record in
 * the database: the rows, the series, and the longest time for which other work of the thread had to wait.
 */
export async function costs(size: 'smoke' | 'full'): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const fixtures of [12, 100]) {
    const quotes = size === 'smoke' ? 2_000 : 1_000_000;
    const name = `overround backtest, ${quotes} quotes of ${fixtures} fixtures, processor`;
    const aim = { of: 'value', atMost: 15e9 } as const;
    const value = await commandNs(quotes, fixtures);
    figures.push({ name, value, unit: 'ns', baseline: null, aim });
  }
  const count = size === 'smoke' ? 2_000 : RECORD_SIGNALS_MAX;
  const record = await recordOf(count);
  const name = `record of ${count} signals`;
  let longestNs = 0;
  for (const [what, words, atMost] of ASKED) {
    const answer = await answered(record, words);
    longestNs = Math.max(longestNs, answer.longestNs);
    const aim = { of: 'value', atMost } as const;
    figures.push({
      name: `${name}: ${what}, processor`,
      value: answer.processorNs,
      unit: 'ns',
      baseline: null,
      aim,
    });
    if ('series' in words)
      figures.push({
        name: `${name}: ${what}, answer`,
        value: answer.bytes,
        unit: 'bytes',
        baseline: null,
        aim: null,
      });
  }
  const aim = { of: 'value', atMost: 0.3e9 } as const;
  figures.push({
    name: `${name}: longest wait of other work`,
    value: longestNs,
    unit: 'ns',
    baseline: null,
    aim,
  });
  return figures;
}

async function commandNs(quotes: number, fixtures: number): Promise<number> {
  const path = join(benchFolder(), 'recording.ndjson');
  await writeRecording(path, { quotes, fixtures });
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'backtest', path, '--json'], {
    ...{ cwd: join(import.meta.dir, '..'), stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  });
  const { signals } = (await new Response(child.stdout).json()) as { readonly signals: readonly unknown[] };
  assert((await child.exited) === 0 && (quotes < 50_000 || signals.length > 0), 'the recording has signals');
  return Number(child.resourceUsage()!.cpuTime.total) * 1e3;
}

const ASKED = [
  ['one row', {}, 2e9],
  ['rows by bookmaker', { group_by: 'bookmaker' }, 6e9],
  ['one row and series', { series: true }, 4e9],
] as const;

/** A full record: signals of several bookmakers, graded and settled. */
async function recordOf(count: number): Promise<SignalRecord> {
  const database = new Database(':memory:', { strict: true });
  database.run(SIGNAL_RECORD_SCHEMA);
  const record = new SignalRecord(sqliteSql(database));
  await record.begin('bench');
  const random = new Random(20_261_123);
  const signals = Array.from({ length: count }, (_, index) => signalOf(index, random));
  await record.write('bench', { signals, halfTimes: [], seenAtMs: BEGIN_MS });
  // Sets the columns that grading sets, without storing the 5,000 closing prices that grading reads.
  database.run(
    `UPDATE signal_record SET score_home = event_number % 4, score_away = event_number % 3,
      clv_pct = CAST((event_number * 7 + opened_at_ms / 1000) % 120 / 10.0 - 5 AS TEXT)`,
  );
  return record;
}

function signalOf(index: number, random: Random): WrittenSignal {
  const openedAtMs = BEGIN_MS + index * 60_000;
  const price = random.between(1.7, 2.3);
  return {
    ...{ id: `value:${index}:sharp@${openedAtMs}`, sees_sharp: 1, kind: 'value', league: 'League', sport: 0 },
    event_number: 1 + Math.floor(index / MATCH_SIGNALS),
    ...{ market_type: 'totals', period: 'full_time', line_quarters: 10, outcome: 'over', reference: 'sharp' },
    bookmaker: `bookmaker-${random.index(10)}`,
    ...{ price_e4: Math.round(price * 10_000), fair_price_e4: Math.round(price * 9_700) },
    ...{ edge_e2: 100 + random.index(500), ev_e2: null, in_play: 0, from_home: 0, from_away: 0 },
    ...{ opened_at_ms: openedAtMs, closed_at_ms: openedAtMs + 1_000 * random.index(3_600) },
    longest_gap_ms: 0,
  };
}

async function answered(record: SignalRecord, words: { group_by?: 'bookmaker'; series?: boolean }) {
  let longestNs = 0;
  let sinceMs = performance.now();
  let isOver = false;
  // Represents other work of the thread: asks for a turn of the event loop again and again.
  const wait = (): void => {
    const nowMs = performance.now();
    longestNs = Math.max(longestNs, (nowMs - sinceMs) * 1e6);
    sinceMs = nowMs;
    if (!isOver) setImmediate(wait);
  };
  wait();
  const before = process.cpuUsage();
  const asked = {
    words: { kind: 'value', min_edge_pct: 1, ...words },
    principal: OWNER,
    nowMs: BEGIN_MS,
  } as const;
  const turns = new ReadTurns({ monotonicMs: () => 0, sleep: async () => undefined });
  const { bytes } = await recordAnswers({ store: record, turns }).record(asked);
  const { user, system } = process.cpuUsage(before);
  isOver = true;
  wait();
  assert(new TextDecoder().decode(bytes).includes('"signals":'), 'the record has rows');
  return { processorNs: (user + system) * 1_000, longestNs, bytes: bytes.length };
}
