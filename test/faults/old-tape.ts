// A price history of the last day in one file, as a server that ran then would have left it.

import { HOUR_MS } from '../../src/clock.ts';
import { encodeId } from '../../src/domain/ids.ts';
import { dayPrefix } from '../../src/history/files/folder.ts';
import { LocalFolder } from '../../src/history/files/local-folder.ts';
import { ROW_GROUP_ROWS, TickFileWriter } from '../../src/history/files/parquet-file.ts';
import { compareTickLines, dayStartMs, NO_PRICES, type Tick } from '../../src/history/tick.ts';
import { OLD_DAY, OLD_TAPE } from './old-day.ts';

const BOOKS = ['crown', 'sbobet', 'macau', 'm8bet', 'pinnacle'];
const LINES = 75;
const TICKS_PER_LINE = 6;

/** Writes the history of some fixtures into a folder. */
export async function writeOldTape(path: string, fixtures: number): Promise<void> {
  const writer = new TickFileWriter();
  const events = Array.from({ length: fixtures }, (_, index) => encodeId('event', 3e6 + index * 7_919));
  const rows = events.sort().flatMap((eventId) => ticksOf(eventId).sort(compareTickLines));
  for (let first = 0; first < rows.length; first += ROW_GROUP_ROWS) {
    writer.addGroup(rows.slice(first, first + ROW_GROUP_ROWS));
  }
  const name = `${dayPrefix(OLD_DAY)}${dayStartMs(OLD_DAY)}-1.parquet`;
  await new LocalFolder(path).write(name, writer.finish(new Map()));
}

function ticksOf(eventId: string): Tick[] {
  const fromMs = dayStartMs(OLD_DAY);
  return Array.from({ length: LINES * TICKS_PER_LINE }, (_, index): Tick => {
    const line = Math.floor(index / TICKS_PER_LINE);
    const nth = index % TICKS_PER_LINE;
    const receivedAtMs = fromMs + Math.floor((nth * (OLD_TAPE.toMs - fromMs)) / TICKS_PER_LINE) + line;
    const over = 15_000 + 50 * nth + line;
    return {
      ...{ eventId, sport: 'football', league: 'League', home: `Home ${eventId}`, away: `Away ${eventId}` },
      ...{ kickoffMs: OLD_TAPE.toMs + 24 * HOUR_MS, bookmaker: BOOKS[line % BOOKS.length]! },
      ...{ marketType: 'totals', period: 'full_time', line: 1 + Math.floor(line / BOOKS.length) / 2 },
      ...{
        status: 'open',
        pricesE4: { ...NO_PRICES, over, under: 19_000 },
        atMs: receivedAtMs,
        receivedAtMs,
      },
      ...{ inPlay: false, scoreHome: null, scoreAway: null, standing: nth === 0 },
    };
  });
}
