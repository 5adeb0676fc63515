// Makes a recording from season files of football-data.co.uk: real opening and closing prices, and results.
// The files have no times except the kickoff, so the other times are assigned: openings two days before
// kickoff, closing prices five minutes before it, the final whistle 110 minutes after it. The match leaves
// three hours after the whistle. Pure.

import { DAY_MS, MINUTE_MS, toIsoText } from '../../clock.ts';
import type { NamedKey } from '../protocol.ts';
import type { Wire } from '../wire-values.ts';
import type { CsvRow } from './csv.ts';

export interface ImportOptions {
  /**
   * Our bookmaker by the provider's prefix: `PS` (Pinnacle), `B365`, `BW`, ... Other prefixes are left out.
   */
  readonly bookmakers: ReadonlyMap<string, string>;
  /**
   * The instant that a replay maps to the present, Unix ms; null means noon, UTC, of the last day with a
   * match.
   */
  readonly helloAtMs: number | null;
}

export interface ImportedSeason {
  /** The recording's messages in order: the hello and the numbered messages after it. */
  readonly messages: readonly Wire[];
  readonly matches: number;
  readonly quotes: number;
  /** Rows without a readable date, teams or hour. */
  readonly refused: number;
  /** Prefixes of bookmakers in the files that are not mapped, with the number of matches that they quote. */
  readonly unmapped: ReadonlyMap<string, number>;
}

/**
 * Only Pinnacle is read unless the operator names bookmakers. Its prefix is `PS`, and `P` outside the 1x2.
 */
export const DEFAULT_BOOKMAKERS: ReadonlyMap<string, string> = new Map([['PS', 'pinnacle']]);

const OPENED_BEFORE_MS = 48 * 60 * MINUTE_MS;
const CLOSED_BEFORE_MS = 5 * MINUTE_MS;
const MATCH_MS = 110 * MINUTE_MS;
const KEPT_MS = 180 * MINUTE_MS;
/** Best and average of the market, which are not bookmakers. */
const NO_BOOKS: readonly string[] = ['Max', 'Avg'];

/** Leagues by the provider's division. Any other division keeps its own name. */
const LEAGUES: Readonly<Record<string, string>> = {
  E0: 'England Premier League',
  E1: 'England Championship',
  E2: 'England League One',
  E3: 'England League Two',
  SC0: 'Scotland Premiership',
  D1: 'Germany Bundesliga',
  D2: 'Germany 2. Bundesliga',
  I1: 'Italy Serie A',
  I2: 'Italy Serie B',
  SP1: 'Spain La Liga',
  SP2: 'Spain Segunda Division',
  F1: 'France Ligue 1',
  F2: 'France Ligue 2',
  N1: 'Netherlands Eredivisie',
  B1: 'Belgium First Division A',
  P1: 'Portugal Primeira Liga',
  T1: 'Turkey Super Lig',
  G1: 'Greece Super League',
};

interface Timed {
  readonly atMs: number;
  readonly wire: Wire;
}

/** Makes one recording from all rows. */
export function recordingOf(rows: readonly CsvRow[], options: ImportOptions): ImportedSeason {
  const timed: Timed[] = [];
  const unmapped = new Map<string, number>();
  let refused = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const match = matchOf(row);
    if (match === null) {
      refused++;
      continue;
    }
    lastMs = Math.max(lastMs, match.kickoffMs);
    timed.push(...messagesOf(row, match, options.bookmakers));
    for (const prefix of unmappedOf(row, options.bookmakers)) {
      unmapped.set(prefix, (unmapped.get(prefix) ?? 0) + 1);
    }
  }
  for (const prefix of [...unmapped.keys()]) {
    // A prefix with a C at its end marks closing columns; it belongs to the bookmaker whose prefix lacks the
    // C.
    const book = prefix.endsWith('C') ? prefix.slice(0, -1) : '';
    if (unmapped.has(book) || options.bookmakers.has(book) || NO_BOOKS.includes(book))
      unmapped.delete(prefix);
  }
  // The sort is stable, so messages of one match at one instant keep their order.
  timed.sort((a, b) => a.atMs - b.atMs);
  const noonMs = Number.isFinite(lastMs) ? Math.floor(lastMs / DAY_MS) * DAY_MS + DAY_MS / 2 : 0;
  const at = toIsoText(options.helloAtMs ?? noonMs);
  return {
    messages: [
      { type: 'hello', protocol: 1, source: 'football-data', at },
      ...timed.map(({ wire }, index) => ({ ...wire, seq: index + 1 })),
    ],
    matches: rows.length - refused,
    quotes: timed.filter(({ wire }) => wire.type === 'quote').length,
    refused,
    unmapped,
  };
}

interface Match {
  readonly event: string;
  readonly league: NamedKey;
  readonly homeTeam: NamedKey;
  readonly awayTeam: NamedKey;
  readonly kickoffMs: number;
}

/** The match of a row; null without a date, teams or an hour that can be read. */
export function matchOf(row: CsvRow): Match | null {
  const [division, home, away] = [row.get('Div'), row.get('HomeTeam'), row.get('AwayTeam')];
  const kickoffMs = kickoffOf(row.get('Date') ?? '', row.get('Time') ?? '15:00');
  if (division === undefined || home === undefined || away === undefined) return null;
  if (home === away || Number.isNaN(kickoffMs)) return null;
  // A pair of teams meets once a season at each ground, so the day in the key distinguishes the seasons.
  const day = toIsoText(kickoffMs).slice(0, 10);
  return {
    event: `${division}-${day}-${keyOf(home)}-${keyOf(away)}`,
    league: { key: division, name: LEAGUES[division] ?? division },
    homeTeam: { key: `${division}-${keyOf(home)}`, name: home },
    awayTeam: { key: `${division}-${keyOf(away)}`, name: away },
    kickoffMs,
  };
}

/**
 * The kickoff, Unix ms. Dates are dd/mm/yyyy, or dd/mm/yy in older files; hours are those of the United
 * Kingdom. NaN when it cannot be read.
 */
function kickoffOf(date: string, time: string): number {
  const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d\d)$/.exec(date) ?? [];
  const [, hour, minute] = /^(\d{1,2}):(\d\d)$/.exec(time) ?? [];
  if (day === undefined || hour === undefined) return Number.NaN;
  const fields = {
    year: Number(year) + (year!.length === 2 ? 2_000 : 0),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    timeZone: 'Europe/London',
  };
  try {
    return Temporal.ZonedDateTime.from(fields, { overflow: 'reject' }).epochMilliseconds;
  } catch {
    return Number.NaN; // a day or an hour that does not exist
  }
}

function messagesOf(row: CsvRow, match: Match, bookmakers: ReadonlyMap<string, string>): Timed[] {
  const { event, kickoffMs } = match;
  const openedMs = kickoffMs - OPENED_BEFORE_MS;
  const closedMs = kickoffMs - CLOSED_BEFORE_MS;
  const timed: Timed[] = [];
  const add = (atMs: number, wire: Wire) =>
    void timed.push({ atMs, wire: { at: toIsoText(atMs), event, ...wire } });
  add(openedMs, {
    type: 'event',
    sport: 'football',
    league: { ...match.league },
    home: { ...match.homeTeam },
    away: { ...match.awayTeam },
    scheduled_at: toIsoText(kickoffMs),
  });
  for (const [prefix, bookmaker] of bookmakers) {
    const opening = linesOf(row, prefix, '');
    const closing = linesOf(row, prefix, 'C');
    for (const line of opening) add(openedMs, { ...quoteOf(bookmaker, line), status: 'open' });
    for (const line of opening) {
      // A line that moved is closed, because its opening prices do not belong to the new line.
      const isKept = closing.length === 0 || closing.some((other) => isSameLine(other, line));
      if (!isKept) add(closedMs, { ...keyFieldsOf(bookmaker, line), type: 'close' });
    }
    for (const line of closing) add(closedMs, { ...quoteOf(bookmaker, line), status: 'open' });
    for (const line of closing.length > 0 ? closing : opening) {
      add(kickoffMs, { ...quoteOf(bookmaker, line), status: 'suspended' });
    }
  }
  const finish = finishOf(row, kickoffMs);
  if (finish === null) return timed; // the match is not played yet
  const { score, cards, finishedAtMs } = finish;
  add(kickoffMs, { type: 'state', status: 'live', score: [0, 0] });
  add(finishedAtMs, { type: 'result', score, red_cards: cards, finished_at: toIsoText(finishedAtMs) });
  add(finishedAtMs + KEPT_MS, { type: 'remove' });
  return timed;
}

/** The score after ninety minutes, the red cards, and when the match is over; null before it is played. */
export function finishOf(
  row: CsvRow,
  kickoffMs: number,
): {
  readonly score: [number, number];
  readonly cards: [number, number] | null;
  readonly finishedAtMs: number;
} | null {
  const score = pairOf(row, ['FTHG', 'FTAG']);
  if (score === null) return null;
  return { score, cards: pairOf(row, ['HR', 'AR']), finishedAtMs: kickoffMs + MATCH_MS };
}

export interface BookLine {
  readonly market: '1x2' | 'asian_handicap' | 'totals';
  readonly line: number | null;
  readonly prices: readonly number[];
}

/**
 * The quotes of one bookmaker in a row.
 * @param mark `C` for closing prices, empty for those collected first
 */
export function linesOf(row: CsvRow, prefix: string, mark: '' | 'C'): BookLine[] {
  const lines: BookLine[] = [];
  const short = prefix === 'PS' ? 'P' : prefix;
  const add = (market: BookLine['market'], line: number | null, columns: readonly string[]) => {
    const prices = columns.map((column) => Number(row.get(column)));
    if (prices.every((price) => price > 1)) lines.push({ market, line, prices });
  };
  add('1x2', null, [`${prefix}${mark}H`, `${prefix}${mark}D`, `${prefix}${mark}A`]);
  add('totals', 2.5, [`${short}${mark}>2.5`, `${short}${mark}<2.5`]);
  // The home side's handicap, negative when home gives goals: as in the protocol. Openings use the column
  // AHh, closings AHCh.
  const handicap = row.get(mark === 'C' ? 'AHCh' : 'AHh');
  const line = Number(handicap);
  if (handicap !== undefined && Number.isInteger(line * 4)) {
    add('asian_handicap', line === 0 ? 0 : line, [`${short}${mark}AHH`, `${short}${mark}AHA`]);
  }
  return lines;
}

function keyFieldsOf(bookmaker: string, { market, line }: BookLine): Wire {
  return { bookmaker, market_type: market, period: 'full_time', line };
}

function quoteOf(bookmaker: string, line: BookLine): Wire {
  return { type: 'quote', ...keyFieldsOf(bookmaker, line), prices: line.prices };
}

function isSameLine(a: BookLine, b: BookLine): boolean {
  return a.market === b.market && a.line === b.line;
}

/** Prefixes that have a 1x2 price in this row and are not mapped. */
export function unmappedOf(row: CsvRow, bookmakers: ReadonlyMap<string, string>): string[] {
  return [...row.keys()].flatMap((column) => {
    if (!column.endsWith('H') || !row.has(`${column.slice(0, -1)}D`) || !row.has(`${column.slice(0, -1)}A`))
      return [];
    const prefix = column.slice(0, -1);
    return bookmakers.has(prefix) || NO_BOOKS.includes(prefix) ? [] : [prefix];
  });
}

function pairOf(row: CsvRow, columns: readonly [string, string]): [number, number] | null {
  const [home, away] = columns.map((column) => row.get(column));
  const isCount = (text: string | undefined): text is string => text !== undefined && /^\d{1,3}$/.test(text);
  return isCount(home) && isCount(away) ? [Number(home), Number(away)] : null;
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}
