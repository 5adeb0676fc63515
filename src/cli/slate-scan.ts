// scan_slate over a whole slate. One call scores at most a hundred fixtures, so a larger slate is scanned in
// parts: by kickoff day and, if one day has more, by league.

import { DAY_MS } from '../clock.ts';
import type { Event } from '../contract/event.ts';
import type { ArbOpportunity, ValueBet } from '../contract/signals/found.ts';
import { LIST_EVENTS_DAYS_MAX, SCAN_SLATE_FIXTURES_MAX } from '../limits.ts';
import type { Server } from '../terminal/server.ts';

const PATH = '/v1/mcp/scan_slate';
/**
 * Maximum number of parts of a slate, by day or league, that are scanned. The remaining fixtures are counted
 * as not scored.
 */
const PARTS_MAX = 40;
/**
 * Maximum number of pages of 200 fixtures that are read for their days and leagues. The remaining fixtures
 * are counted as not scored.
 */
const PAGES_MAX = 25;
/** Entries in an answer when no limit is requested; the tool's own default. */
const LIMIT_DEFAULT = 20;

/** A fixture in an answer. */
export interface Entry {
  readonly event_id: string;
  readonly home_team: string;
  readonly away_team: string;
  readonly scheduled_at: string | null;
  readonly status: string;
  readonly score: { readonly home: number; readonly away: number } | null;
  readonly clock: string | null;
}

type ScanEntry = Entry & {
  readonly hits: {
    readonly value_bets: readonly ValueBet[];
    readonly opportunities: readonly ArbOpportunity[];
  } | null;
};

/** An answer of scan_slate. */
export interface ScanAnswer {
  readonly date: string;
  readonly count: number;
  readonly with_signal: number;
  readonly returned: number;
  readonly truncated: boolean;
  readonly not_scored: number;
  readonly excluded: Readonly<Record<string, number>>;
  readonly note: string | null;
  readonly summary: string;
  readonly entries: readonly ScanEntry[];
}

/**
 * The request, with the tool's argument names; a null field is no filter. All hits of each fixture are
 * requested.
 */
export interface ScanArguments {
  readonly signal: 'value' | 'arbitrage';
  readonly sport: string | null;
  readonly league: string | null;
  readonly date: string | null;
  readonly status: string | null;
  readonly bookmakers: readonly string[] | null;
  readonly limit: number | null;
}

/** A part of the slate, as filters of the tool. */
type Part = { readonly date: string; readonly date_to?: string; readonly league?: string };

/** Scans what one call can score; costs one unit. @throws CommandFailure */
export function scanOnce(server: Server, request: ScanArguments): Promise<ScanAnswer> {
  return server.post<ScanAnswer>(PATH, inputOf(request));
}

/**
 * Scans the slate, in several calls if one cannot score all of it. Each call costs one unit, and so does each
 * page of fixtures.
 * @throws CommandFailure
 */
export async function scanSlate(server: Server, request: ScanArguments): Promise<ScanAnswer> {
  const input = inputOf(request);
  const first = await scanOnce(server, request);
  // Only the tool understands days in words; the list of fixtures takes dates.
  if (first.not_scored === 0 || !/^(?:\d{4}-\d\d-\d\d)?$/.test(request.date ?? '')) return first;
  const parts = partsOf(await eventsOf(server, request)).slice(0, PARTS_MAX);
  if (parts.length < 2) return first;
  const scans: ScanAnswer[] = [];
  for (const part of parts) {
    scans.push(await server.post<ScanAnswer>(PATH, { ...input, ...part, limit: SCAN_SLATE_FIXTURES_MAX }));
  }
  return merged(first, scans, request);
}

function inputOf(request: ScanArguments) {
  return { ...request, only_signal: true, hits: 'all' };
}

async function eventsOf(server: Server, { sport, league, date, status }: ScanArguments): Promise<Event[]> {
  const filters = { sport, league, date, status };
  const given = Object.entries(filters).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const events: Event[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await server.get<{ data: Event[]; page: { next_cursor: string | null } }>('/v1/events', {
      ...Object.fromEntries(given),
      limit: '200',
      cursor,
    });
    events.push(...answer.data);
    if (answer.page.next_cursor === null) break;
    cursor = answer.page.next_cursor;
  }
  return events;
}

/**
 * Groups of consecutive days that one call can score, and leagues for days that have more. A fixture without
 * a kickoff is in no group.
 */
function partsOf(events: readonly Event[]): Part[] {
  const dated = events.filter(({ scheduled_at }) => scheduled_at !== null);
  const byDay = [...Map.groupBy(dated, ({ scheduled_at }) => scheduled_at!.slice(0, 10))].sort();
  const parts: Part[] = [];
  let open: { date: string; date_to: string; count: number } | null = null;
  for (const [day, ofDay] of byDay) {
    if (ofDay.length > SCAN_SLATE_FIXTURES_MAX) {
      const leagues = new Set(ofDay.map(({ league }) => league.id));
      for (const league of leagues) parts.push({ date: day, league });
      open = null;
      continue;
    }
    const fits =
      open !== null &&
      open.count + ofDay.length <= SCAN_SLATE_FIXTURES_MAX &&
      Date.parse(day) - Date.parse(open.date) <= LIST_EVENTS_DAYS_MAX * DAY_MS;
    if (fits) {
      open!.date_to = day;
      open!.count += ofDay.length;
    } else {
      open = { date: day, date_to: day, count: ofDay.length };
      parts.push(open);
    }
  }
  return parts.map(({ date, date_to, league }) =>
    league === undefined ? { date, date_to: date_to ?? date } : { date, league },
  );
}

/** Merges the answers into the one that a single call would have given. */
function merged(
  { date, count }: ScanAnswer,
  scans: readonly ScanAnswer[],
  { signal, limit }: ScanArguments,
): ScanAnswer {
  const found = new Map(scans.flatMap(({ entries }) => entries).map((entry) => [entry.event_id, entry]));
  const all = [...found.values()].sort((one, other) => strengthOf(other) - strengthOf(one));
  const entries = all.slice(0, limit ?? LIMIT_DEFAULT);
  const notScored = Math.max(0, count - sumOf(scans, (scan) => scan.count - scan.not_scored));
  const reasons = Object.keys(scans[0]!.excluded);
  const excluded = Object.fromEntries(
    reasons.map((reason) => [reason, sumOf(scans, (scan) => scan.excluded[reason] ?? 0)]),
  );
  const leftOut = Object.entries(excluded).flatMap(([reason, times]) =>
    times === 0 ? [] : [`${reason.replaceAll('_', ' ')} ${times}`],
  );
  const shown = entries.length < all.length ? `; the strongest ${entries.length} are shown` : '';
  return {
    date,
    count,
    with_signal: all.length,
    returned: entries.length,
    truncated: entries.length < all.length,
    not_scored: notScored,
    excluded,
    note: leftOut.length === 0 ? null : `Left out: ${leftOut.join(', ')}.`,
    summary: `Scored ${count - notScored} of ${count} fixtures in ${scans.length} scans, ${all.length} of them with ${signal}${shown}.`,
    entries,
  };
}

function sumOf(scans: readonly ScanAnswer[], of: (scan: ScanAnswer) => number): number {
  return scans.reduce((sum, scan) => sum + of(scan), 0);
}

function strengthOf({ hits }: ScanEntry): number {
  const edges = hits?.value_bets.map(({ edge_pct }) => edge_pct) ?? [];
  const margins = hits?.opportunities.map(({ margin_pct }) => margin_pct) ?? [];
  return Math.max(0, ...edges, ...margins);
}
