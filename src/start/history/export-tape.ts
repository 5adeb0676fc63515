// `history`, `history export` and `history replay`: what the history holds, a copy of a part
// of it for other programs, and a recording of it to play again.

import { type FileHandle, open } from 'node:fs/promises';
import { MINUTE_MS, toIsoText } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import { HISTORY_EXPORT_COLUMNS, rowOf } from '../../history/files/export-row.ts';
import type { HistoryFolder } from '../../history/files/folder.ts';
import { TickFileWriter } from '../../history/files/parquet-file.ts';
import { TapeFollower } from '../../history/live/tape-follower.ts';
import { leagueIdOf, leagueIdOnTape } from '../../history/past/league-on-tape.ts';
import type { Sight } from '../../history/past/past-fixture.ts';
import { TapeReader } from '../../history/past/tape-reader.ts';
import { tapeBatches } from '../../history/replay/tape-replay.ts';
import type { Gap, TapeRange, Tick } from '../../history/tick.ts';

const EXPORT_FORMATS = ['parquet', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface TapeExport {
  readonly folder: HistoryFolder;
  readonly range: TapeRange;
  /** Only this fixture, by its id; null for all. */
  readonly event: string | null;
  /** Only fixtures of the league with this id or name, as the API reads it; null for all. */
  readonly league: string | null;
  readonly format: ExportFormat;
  readonly path: string;
}

const EVERYTHING: Sight = 'all';
const ALWAYS: TapeRange = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
/** Gaps that `overround history` prints one by one. */
const NEWEST_GAPS_MAX = 5;

/** Writes ticks to a file. @returns how many @throws ServiceError for an unknown or ambiguous league */
export async function exportTape(options: TapeExport): Promise<number> {
  const { folder, range, event, league, format, path } = options;
  const tape = await openTape(folder);
  const inLeague = league === null ? null : await eventsOf(tape, league);
  const isWanted = ({ eventId }: Tick): boolean =>
    (event === null || eventId === event) && (inLeague === null || inLeague.has(eventId));
  // Open the file for writing, which empties it. A `Bun.FileSink` would keep the end of a longer file behind
  // the new content.
  await using file = format === 'parquet' ? null : await open(path, 'w');
  const output = file === null ? parquetOutput(path) : textOutput(file, format);
  let count = 0;
  for await (const rows of tape.everyTick(range, EVERYTHING)) {
    const some = event === null && league === null ? rows : rows.filter(isWanted);
    await output.add(some);
    count += some.length;
  }
  await output.end();
  return count;
}

/** Event ids of the fixtures of a league. */
async function eventsOf(tape: TapeReader, league: string): Promise<ReadonlySet<string>> {
  const fixtures = [...(await tape.fixtures(EVERYTHING, null)).values()];
  const leagueId = await leagueIdOnTape(
    league,
    undefined,
    fixtures.map((fixture) => ({ fixture, ids: fixture.ids })),
  );
  const found = fixtures.filter((fixture) => leagueIdOf(fixture, fixture.ids) === leagueId);
  return new Set(found.map(({ eventId }) => eventId));
}

/** The fixtures, ticks and bytes of each day, and the gaps, as lines of text. */
export async function tapeCoverage(folder: HistoryFolder): Promise<string[]> {
  const tape = await openTape(folder);
  const days = await tape.days(EVERYTHING);
  const range = await tape.range(EVERYTHING);
  if (range === null) {
    return [
      (await hasTicks(tape))
        ? `${folder.name} has only bookmakers that are not on the roster. Set BOOKMAKERS to a roster that has them`
        : `Nothing is kept in ${folder.name}`,
    ];
  }
  const rows = days.map(({ day, fixtures, ticks, bytes }) => [
    day,
    `${fixtures}`,
    `${ticks}`,
    `${bytes ?? 0}`,
  ]);
  const all = [['day', 'fixtures', 'ticks', 'bytes'], ...rows];
  const widths = [0, 1, 2, 3].map((index) => Math.max(...all.map((row) => row[index]!.length)));
  const total = days.reduce((sum, { ticks }) => sum + ticks, 0);
  return [
    `From ${toIsoText(range.fromMs)} to ${toIsoText(range.toMs)}: ${total} ticks in ${folder.name}`,
    ...all.map((row) => row.map((cell, index) => cell.padStart(widths[index]!)).join('  ')),
    ...gapLines(tape.time.gaps(EVERYTHING).filter(({ toMs }) => toMs === null || toMs > range.fromMs)),
  ];
}

/** Whether the tape has a tick, also of a bookmaker that is not on the roster. */
async function hasTicks(tape: TapeReader): Promise<boolean> {
  for await (const _ of tape.everyTick(ALWAYS, EVERYTHING)) return true;
  return false;
}

/** The number of gaps, the total length of those that have ended, and the newest NEWEST_GAPS_MAX gaps. */
function gapLines(gaps: readonly Gap[]): string[] {
  if (gaps.length === 0) return ['No gaps'];
  const totalMs = gaps.reduce((sum, { fromMs, toMs }) => sum + ((toMs ?? fromMs) - fromMs), 0);
  const newest = gaps.slice(-NEWEST_GAPS_MAX);
  const named = newest.length === gaps.length ? '' : `; the newest ${newest.length}`;
  return [
    `Gaps: ${gaps.length}, together ${Math.ceil(totalMs / MINUTE_MS)} min${named}:`,
    ...newest.map(({ fromMs, toMs, reason }) => {
      const end = toMs === null ? 'that lasts' : `to ${toIsoText(toMs)}`;
      return `  from ${toIsoText(fromMs)} ${end}: ${reason}`;
    }),
  ];
}

/**
 * The lines of a recording of a range: what was on the slate at its start, then every change.
 * @param asked begins at -Infinity to start with the first tick
 */
export async function* replayTape(folder: HistoryFolder, asked: TapeRange): AsyncGenerator<string> {
  const tape = await openTape(folder);
  const range = Number.isFinite(asked.fromMs) ? asked : { ...asked, fromMs: await firstMsOf(tape, asked) };
  const results = await tape.results(range);
  for await (const { messages } of tapeBatches({ tape, range, stamps: 'published', results })) {
    for (const message of messages) yield `${JSON.stringify(message)}\n`;
  }
}

/** When a replay from the first tick on begins. */
async function firstMsOf(tape: TapeReader, { toMs }: TapeRange): Promise<number> {
  const range = await tape.range(EVERYTHING);
  // `range` ignores bookmakers that are not on the roster. If the tape has only such bookmakers, begin with
  // its first tick.
  return range?.fromMs ?? ((await tape.beginMs('')) ?? toMs) - 1;
}

/** The files of a history and its log as they are now, read without a server or beside one. */
export async function openTape(folder: HistoryFolder): Promise<TapeReader> {
  const source = new TapeFollower(folder);
  // 0 if there is no log.
  const ownUntilMs = (await source.catchUp()) || Number.POSITIVE_INFINITY;
  return new TapeReader({
    ...{ folder, source, ownUntilMs, monotonicMs: () => 0 },
    onBroken: (path, error) => {
      throw new Error(
        `Cannot read ${path} of ${folder.name}: ${messageOf(error)}. A server that runs on the folder moves damaged files aside`,
      );
    },
  });
}

interface Output {
  add(rows: readonly Tick[]): Promise<void>;
  end(): Promise<void>;
}

function parquetOutput(path: string): Output {
  const writer = new TickFileWriter();
  return {
    add: async (rows) => writer.addGroup(rows),
    end: async () => {
      await Bun.write(path, writer.finish(new Map()));
    },
  };
}

function textOutput(file: FileHandle, format: ExportFormat): Output {
  /** Text that comes before the next rows. */
  let head = format === 'csv' ? `${HISTORY_EXPORT_COLUMNS.join(',')}\n` : '';
  const write = async (text: string): Promise<void> => {
    await file.appendFile(head + text);
    head = '';
  };
  return {
    add: async (rows) => {
      const lines = rows.map((tick) => {
        const row = rowOf(tick);
        return format === 'csv' ? Object.values(row).map(csvCell).join(',') : JSON.stringify(row);
      });
      await write(lines.map((line) => `${line}\n`).join(''));
    },
    // A CSV without rows has its header too.
    end: () => write(''),
  };
}

/** Texts that spreadsheets read as a formula, also after leading spaces. */
const FORMULA = /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A cell of a CSV file: quoted where RFC 4180 requires it; empty for a missing value. A feed chooses its
 * names, so a text that a spreadsheet would run as a formula gets an apostrophe before it, which makes it a
 * text (OWASP).
 */
function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  const isFormula = typeof value === 'string' && FORMULA.test(value);
  const text = isFormula ? `'${value}` : String(value);
  return isFormula || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
