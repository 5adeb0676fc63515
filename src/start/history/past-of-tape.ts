// For `backtest --history`, which plays the recorded past again: the batches of the tape, and the results of
// its matches from imports and from the server's archive.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../../clock.ts';
import { encodeId } from '../../domain/ids.ts';
import type { HistoryFolder } from '../../history/files/folder.ts';
import { type TapeBatch, tapeBatches } from '../../history/replay/tape-replay.ts';
import type { Gap, PastResult, TapeRange } from '../../history/tick.ts';
import type { Config } from '../../settings/config.ts';
import { DATABASE_NAME } from '../../storage/database.ts';
import { openArchive } from '../data/archive.ts';
import { openTape } from './export-tape.ts';

/**
 * Maximum number of results that are read from the archive. If there are more, the matches that ended first
 * stay without a result.
 */
const RESULTS_MAX = 200_000;
const NOT_EARLIER_MS = -8.64e15;

export interface PastOfTape {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  readonly folder: HistoryFolder;
  readonly range: TapeRange;
}

/**
 * Every change of a range, at the instants at which it was published, with the results before its end, and
 * the gaps of the tape in that range.
 */
export async function pastOfTape({
  config,
  folder,
  range,
}: PastOfTape): Promise<{ readonly batches: AsyncIterable<TapeBatch>; readonly gaps: readonly Gap[] }> {
  const tape = await openTape(folder);
  const results = new Map([...(await archivedResults(config, range)), ...(await tape.results(range))]);
  const gaps = tape.time
    .gaps('all')
    .filter(({ fromMs, toMs }) => fromMs < range.toMs && (toMs ?? fromMs) >= range.fromMs);
  return { batches: tapeBatches({ tape, range, stamps: 'source', results }), gaps };
}

/** The results in the archive, by event id. Empty if there is no database. */
async function archivedResults(
  config: PastOfTape['config'],
  { fromMs, toMs }: TapeRange,
): Promise<Map<string, PastResult>> {
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, DATABASE_NAME))) return new Map();
  const archive = openArchive(config);
  try {
    const found = await archive.calls.results({
      fromMs: Math.max(NOT_EARLIER_MS, fromMs - DAY_MS),
      toMs,
      limit: RESULTS_MAX,
    });
    return new Map(
      found.flatMap(({ eventNumber, score, redCards: cards, finishedAtMs }) =>
        score === null ? [] : [[encodeId('event', eventNumber), { score, cards, finishedAtMs }] as const],
      ),
    );
  } finally {
    await archive.close();
  }
}
