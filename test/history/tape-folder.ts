// Reads a folder of the history as another program would: every file and every log, whole.

import {
  dayOfPath,
  GAPS_PATH,
  type HistoryFolder,
  LOG_PREFIX,
  PRICES_PREFIX,
} from '../../src/history/files/folder.ts';
import { decodeGaps } from '../../src/history/files/gap-file.ts';
import { LocalFolder } from '../../src/history/files/local-folder.ts';
import { openTickFile } from '../../src/history/files/parquet-file.ts';
import { rowsOf } from '../../src/history/imports/imported-days.ts';
import { readLog } from '../../src/history/live/recover-logs.ts';
import { countRow, emptyOf, type FixtureSummary } from '../../src/history/past/fixture-summaries.ts';
import { historyAnswers, type TapeCalls } from '../../src/history/past/history-answers.ts';
import { isSeen, type Sight } from '../../src/history/past/past-fixture.ts';
import { ReadTurns } from '../../src/history/past/read-turns.ts';
import { TapeReader } from '../../src/history/past/tape-reader.ts';
import type { TapeSource } from '../../src/history/tape-source.ts';
import type { Gap, Tick } from '../../src/history/tick.ts';

export interface TapeInFolder {
  /**
   * Ticks, without the rows that only repeat the lines at the beginning of a file: first those in files, by
   * the begin of the file, then those in logs.
   */
  readonly ticks: readonly Tick[];
  readonly gaps: readonly Gap[];
  readonly files: readonly string[];
}

/** @throws if a file cannot be read, because no file may ever be torn */
export async function readTape(path: string): Promise<TapeInFolder> {
  const folder = new LocalFolder(path);
  const ticks: Tick[] = [];
  const files = (await folder.list(PRICES_PREFIX)).map((file) => file.path);
  for (const file of files) {
    if (dayOfPath(file) === null) throw new Error(`Not a file of prices: ${file}`);
    const opened = await openTickFile(await folder.open(file));
    ticks.push(...(await rowsOf(opened)));
  }
  const sealed = new Set(files.map((file) => nameOf(file)));
  const logs = (await folder.logs()).filter((log) => !sealed.has(nameOf(log)));
  for (const log of logs) {
    const bytes = await folder.readLog(log, 0);
    if (bytes === null || bytes.length === 0) continue;
    const { segment } = readLog(log, bytes);
    for (let at = 0; at < segment.rowCount; at++) ticks.push(segment.tick(at));
  }
  const gaps = await folder.read(GAPS_PATH);
  return {
    ticks: ticks.filter(({ standing }) => !standing),
    gaps: gaps === null ? [] : await decodeGaps(gaps),
    files,
  };
}

function nameOf(path: string): string {
  const name = path.startsWith(LOG_PREFIX)
    ? path.slice(LOG_PREFIX.length)
    : path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/\.(?:log|parquet)$/, '');
}

/**
 * A reader of a folder; throws if a file is unreadable.
 * @param source the part of the tape that is not in files yet
 */
export function tapeIn(folder: HistoryFolder, source: TapeSource | null = null): TapeReader {
  const onBroken = (_path: string, error: unknown): never => {
    throw error;
  };
  return new TapeReader({ folder, source, monotonicMs: () => 0, onBroken });
}

/** Turns whose cooldowns take no time. */
export function untimedTurns(): ReadTurns {
  return new ReadTurns({ monotonicMs: () => 0, sleep: async () => undefined });
}

/**
 * The calls about the past over a reader.
 * @param scores the result that every match has
 */
export function tapeCalls(
  tape: TapeReader,
  scores: Awaited<ReturnType<Parameters<typeof historyAnswers>[0]['scores']>> = null,
): TapeCalls {
  const times = { monotonicMs: () => 0, sleep: async () => undefined };
  const closings = { frozen: async () => null, scores: async () => scores };
  return historyAnswers({ tape, ...times, ...closings }, untimedTurns());
}

/** The summary of each fixture that a live part would have if these ticks, all of one day, were its rows. */
export function summariesOf(ticks: readonly Tick[], sight: Sight): FixtureSummary[] {
  const seen = ticks.filter((tick) => !tick.standing && isSeen(tick, sight));
  return Array.from(Map.groupBy(seen, ({ eventId }) => eventId).values(), (own) => {
    const summary = emptyOf(own[0]!, own[0]!.inPlay, undefined);
    for (const tick of own) countRow(summary, tick, tick);
    return summary;
  });
}
