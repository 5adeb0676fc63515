// Turns season files of football-data.co.uk into ticks: for each match, the price collected first and the
// closing price. The only time in the files is the kickoff, so the first price is dated two days before it
// and the closing price a quarter of an hour before it. A line without a closing price is withdrawn at the
// time of the closing prices, and every line is withdrawn at the kickoff.

import { MINUTE_MS } from '../../clock.ts';
import { SPORT_FOOTBALL } from '../../domain/catalogue.ts';
import type { CsvRow } from '../../feed/football-data/csv.ts';
import { type BookLine, finishOf, linesOf, matchOf, unmappedOf } from '../../feed/football-data/recording.ts';
import { lineKeyOf } from '../tick.ts';
import type { ImportedTape } from './imported-tape.ts';
import { absurdity, namedPrices } from './prices.ts';
import { ImportRecorder } from './tape-recorder.ts';

const OPENED_BEFORE_MS = 48 * 60 * MINUTE_MS;
/**
 * The source gives closing prices no time; we import them at this time before kickoff. A line without a
 * closing price is withdrawn then. That is more than ten minutes before kickoff, so the history also gives it
 * no closing price.
 */
const CLOSED_BEFORE_MS = 15 * MINUTE_MS;

/** @param bookmakers our bookmaker by the provider's prefix: `PS` (Pinnacle), `B365`, ... */
export function footballDataTape(
  rows: readonly CsvRow[],
  bookmakers: ReadonlyMap<string, string>,
): ImportedTape {
  const recorder = new ImportRecorder();
  for (const row of rows) {
    const match = matchOf(row);
    if (match === null) {
      recorder.leaveOut('bad_fixture');
      continue;
    }
    const { event, kickoffMs } = match;
    recorder.fixture(
      {
        ...{ key: event, sport: SPORT_FOOTBALL, kickoffMs },
        ...{ league: match.league, home: match.homeTeam, away: match.awayTeam },
        result: finishOf(row, kickoffMs) ?? undefined,
      },
      kickoffMs,
    );
    for (const prefix of unmappedOf(row, bookmakers)) {
      if (!prefix.endsWith('C')) recorder.leaveOut(`unmapped_bookmaker ${prefix}`);
    }
    const put = (mark: '' | 'C', atMs: number): void => {
      const kept = new Set<string>();
      for (const [prefix, bookmaker] of bookmakers) {
        for (const line of linesOf(row, prefix, mark)) {
          const lineKey = putLine(recorder, event, { bookmaker, line, atMs });
          if (lineKey !== null) kept.add(lineKey);
        }
      }
      recorder.withdrawOthers(event, kept, atMs);
    };
    put('', kickoffMs - OPENED_BEFORE_MS);
    put('C', kickoffMs - CLOSED_BEFORE_MS);
    recorder.withdrawOthers(event, new Set(), kickoffMs);
  }
  return recorder.finish();
}

/** @returns the key of the line, or null when it was left out */
function putLine(
  recorder: ImportRecorder,
  event: string,
  { bookmaker, line, atMs }: { readonly bookmaker: string; readonly line: BookLine; readonly atMs: number },
): string | null {
  const e4 = line.prices.map((price) => Math.round(price * 10_000));
  const absurd = absurdity(e4);
  if (absurd !== null) {
    recorder.leaveOut(absurd);
    return null;
  }
  const tickLine = { bookmaker, marketType: line.market, period: 'full_time', line: line.line } as const;
  const pricesE4 = namedPrices(line.market, e4);
  recorder.put(event, { ...tickLine, status: 'open', pricesE4, atMs }, atMs);
  return lineKeyOf(tickLine);
}
