// Compares the record of signals of a server that is fed with a recording with the backtest of the same
// recording. By hand: `bun test/faults/replayed-record.ts day.ndjson --from 2026-01-01T12:00:00Z --hours 6
// --faster 60`.
//
// Freshness windows, the ten minutes of a close and the resumption of signals count real time, so a faster
// replay with FEED_SPEED would not give the same record. Instead the recording is shortened, with all of its
// times, and replayed at speed 1; the backtest reads the shortened recording too. The server compares the
// slate with its open signals four times a second, so instants have to stay at least a second apart for it to
// see each of them.

import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { SignalRow } from '../../src/archive/signal-record.ts';
import type { RecordRow } from '../../src/contract/record/signal-record.ts';
import { checkedMessages } from '../../src/feed/replay/recording.ts';
import type { GradedSignal } from '../../src/record/recorded-signal.ts';
import { gradedOf } from '../../src/record/signal-row.ts';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { createKeys } from '../support/callers.ts';
import { runCommand } from '../support/command-line.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface ReplayedOptions {
  readonly path: string;
  /** Everything older than this is replayed at once, at the beginning. Unix ms. */
  readonly fromMs: number;
  readonly hours: number;
  /** The factor by which the recorded hours are shortened. */
  readonly faster: number;
}

export interface ReplayedReport {
  readonly signals: number;
  readonly withClose: number;
  readonly settled: number;
  /** The shortest time between two instants of the shortened recording. */
  readonly shortestInstantMs: number;
  /** Signals that only one side has, or that differ in price, edge, close or result. */
  readonly differing: readonly string[];
  /** Rows of `overround signals --json`, without life times. */
  readonly rows: number;
  /** Rows that `overround backtest` lacks or shows otherwise, and rows that only it has. */
  readonly differingRows: readonly string[];
  readonly missingRows: readonly string[];
  /** How much later than in the backtest the server saw a signal open or close, at most. */
  readonly latestMs: number;
}

const REFERENCES = ['sharp', 'consensus'] as const;
const GROUPS = ['none', 'bookmaker', 'league', 'market_type', 'edge'] as const;
/** Time between the hello and the first instant, so that the server is serving by then. */
const BEFORE_FIRST_MS = 5_000;
/** The server writes every second and grades every five. */
const GRADED_WITHIN_MS = 40_000;
const TIMES = ['at', 'scheduled_at', 'opened_at', 'finished_at'] as const;

export async function compareRecord(options: ReplayedOptions): Promise<ReplayedReport> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'day.ndjson');
  const shortestInstantMs = await writeShortened(options, path);
  const [key = ''] = await createKeys(folder.path, 'enterprise', 1);
  const settings = {
    ...{ FEED: `replay:${path}`, DATA_DIR: folder.path, HISTORY_DAYS: '30' },
    ...{ LOG_LEVEL: 'info', NODE_ENV: 'test' },
  };
  await using server = new ServerProcess(settings);
  const url = await server.listening();
  await server.logged(/recording_ended/);
  const expected = await expectedOf(path);
  let rows: string[] = [];
  const endMs = performance.now() + GRADED_WITHIN_MS;
  do {
    await Bun.sleep(1_000);
    rows = await rowsOf('signals', { OVERROUND_URL: url, OVERROUND_API_KEY: key });
  } while (performance.now() < endMs && !Bun.deepEquals(rows, expected.rows));
  const live = signalsOf(folder.path);
  return {
    signals: live.length,
    withClose: live.filter(({ clv_pct }) => clv_pct !== null).length,
    settled: live.filter(({ unit_return }) => unit_return !== null).length,
    rows: rows.length,
    shortestInstantMs,
    ...differences(expected.signals, live),
    differingRows: rows.filter((row) => !expected.rows.includes(row)),
    missingRows: expected.rows.filter((row) => !rows.includes(row)),
  };
}

/** Writes the part of a recording, shortened. @returns the shortest time between two of its instants */
async function writeShortened(options: ReplayedOptions, path: string): Promise<number> {
  const { fromMs, hours, faster } = options;
  const untilMs = fromMs + hours * 3_600_000;
  const short = (ms: number): number => fromMs + BEFORE_FIRST_MS + Math.round((ms - fromMs) / faster);
  const lines: string[] = [];
  const instants = new Set<number>();
  for await (const part of checkedMessages(options.path)) {
    for (const message of part) {
      const wire: Record<string, unknown> = { ...(message as Readonly<Record<string, unknown>>) };
      const atMs = Date.parse(String(wire.at));
      if (wire.type === 'hello') {
        lines.push(JSON.stringify({ ...wire, at: new Date(fromMs).toISOString() }));
        continue;
      }
      if (atMs >= untilMs) continue;
      for (const field of TIMES) {
        if (typeof wire[field] !== 'string') continue;
        const ms = field === 'at' ? Math.max(Date.parse(wire[field]), fromMs) : Date.parse(wire[field]);
        wire[field] = new Date(short(ms)).toISOString();
      }
      instants.add(Date.parse(String(wire.at)));
      lines.push(JSON.stringify({ ...wire, seq: lines.length }));
    }
  }
  await Bun.write(path, `${lines.join('\n')}\n`);
  const sorted = [...instants].sort((one, other) => one - other);
  return Math.min(...sorted.slice(1).map((ms, index) => ms - sorted[index]!));
}

async function expectedOf(path: string): Promise<{ rows: string[]; signals: GradedSignal[] }> {
  const signals: GradedSignal[] = [];
  for (const reference of REFERENCES) {
    const words = ['backtest', path, '--min-edge', '1', '--reference', reference, '--json'];
    signals.push(...(JSON.parse(await printed(words)) as { signals: GradedSignal[] }).signals);
  }
  return { rows: await rowsOf(`backtest ${path}`, {}), signals };
}

/** Every row of the record as text, without life times, which depend on when the server checked. */
async function rowsOf(command: string, environment: Readonly<Record<string, string>>): Promise<string[]> {
  const rows: string[] = [];
  for (const reference of REFERENCES) {
    for (const group of GROUPS) {
      const words = [...command.split(' '), '--min-edge', '1', '--reference', reference, '--json'];
      if (group !== 'none') words.push('--group-by', group);
      const { data } = JSON.parse(await printed(words, environment)) as { data: RecordRow[] };
      for (const { median_life_s: _life, ...row } of data)
        rows.push(`${reference} ${group} ${JSON.stringify(row)}`);
    }
  }
  return rows;
}

async function printed(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, output, errors } = await runCommand(words, environment);
  if (code !== 0) throw new Error(`overround ${words.join(' ')} ended with ${code}: ${errors.join('\n')}`);
  return output.join('\n');
}

/** The value signals on record, as a caller who sees the sharp bookmaker gets them. */
function signalsOf(dataDir: string): GradedSignal[] {
  using database = new Database(join(dataDir, DATABASE_NAME), { readonly: true, strict: true });
  return database
    .query<SignalRow, []>(`SELECT * FROM signal_record WHERE sees_sharp = 1 AND kind = 'value'`)
    .all()
    .map(gradedOf);
}

function differences(expected: readonly GradedSignal[], live: readonly GradedSignal[]) {
  const grouped = [expected, live].map((signals) => Map.groupBy(inOrder(signals), nameOf));
  const differing: string[] = [];
  const openingsMs: number[] = [];
  const closingsMs: number[] = [];
  for (const name of new Set(grouped.flatMap((group) => [...group.keys()]))) {
    const [wanted = [], found = []] = grouped.map((group) => group.get(name) ?? []);
    if (wanted.length !== found.length) {
      differing.push(`${name}: ${wanted.length} in the backtest, ${found.length} on the record`);
      continue;
    }
    for (const [index, one] of wanted.entries()) {
      const other = found[index]!;
      const [want, have] = [one, other].map(factsOf);
      if (want !== have) differing.push(`${name}: ${want} in the backtest, ${have} on the record`);
      openingsMs.push(Date.parse(other.opened_at) - Date.parse(one.opened_at));
      if (one.closed_at === null) continue;
      closingsMs.push(Date.parse(other.closed_at ?? '9999-01-01') - Date.parse(one.closed_at));
    }
  }
  // The earliest row shows when the server began; lags are measured from there.
  const beganMs = openingsMs.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const latestMs = [...openingsMs, ...closingsMs].reduce((most, ms) => Math.max(most, ms - beganMs), 0);
  return { differing, latestMs };
}

function inOrder(signals: readonly GradedSignal[]): GradedSignal[] {
  return signals.toSorted((one, other) => (one.opened_at < other.opened_at ? -1 : 1));
}

/** The id without the time of its opening. */
function nameOf({ id }: GradedSignal): string {
  return id.slice(0, id.lastIndexOf('@'));
}

/** Everything that does not depend on when the server checked, and for how long after the recording's end. */
function factsOf({ id: _id, opened_at: _opened, closed_at: _closed, ...facts }: GradedSignal): string {
  return JSON.stringify(Object.entries(facts).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function flag(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}

if (import.meta.main) {
  const report = await compareRecord({
    path: process.argv[2] ?? '',
    fromMs: Date.parse(flag('from') ?? ''),
    hours: Number(flag('hours') ?? 6),
    faster: Number(flag('faster') ?? 60),
  });
  console.log(JSON.stringify(report, null, 2));
  if (report.differing.length + report.differingRows.length + report.missingRows.length > 0)
    process.exitCode = 1;
}
