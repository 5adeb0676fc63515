// From the event pages of one league to its matches with their contracts. Pure.
//
// A match is a GAME event with a contract for each team, and for the draw in football. Spread and total
// events are found by their teams and date: the part of the ticker after the series is meant to be the same,
// and was seen to differ. A market has no start time; a winner is expected to settle three hours after the
// kickoff.

import { type Contract, type ContractMeaning, levelOf } from '../contracts/contract.ts';
import { fullTeamName } from '../contracts/team-names.ts';
import type { FixtureFields } from '../poll/drafts.ts';
import { PollFailure } from '../poll/failure.ts';
import { numberOf } from '../poll/prices.ts';
import type { AnswerCount } from '../poll/source.ts';
import { wireTimeMs } from '../wire-time.ts';
import type { KalshiLeague, Kind } from './leagues.ts';
import {
  isKalshiEvent,
  isKalshiMarket,
  type KalshiEvent,
  type KalshiMarket,
  MARKET_FIELDS,
} from './messages.ts';
import { easternDate, tickerDate, tickerMatch, titleTeams } from './ticker.ts';

/** A match that is traded, with its contracts. */
export interface KalshiMatch {
  /** The ticker of its GAME event: the feed's key of the match. */
  readonly event: string;
  readonly fixture: FixtureFields & { readonly scheduledAtMs: number };
  readonly contracts: readonly Contract[];
  /** How many contracts make a 1x2: three in football, two in basketball. */
  readonly winnerCount: number;
}

/** Events of one league, by the kind of their series. */
export type LeagueEvents = Readonly<Record<Kind, readonly unknown[]>>;

interface ReadOptions {
  readonly league: KalshiLeague;
  readonly feeRate: number;
  readonly nowMs: number;
  readonly count: (what: AnswerCount) => void;
}

const EXPECTED_AFTER_MS = 3 * 3_600_000;
/** Markets may stay open for months after a match. This long after its kickoff a match is over. */
const OVER_AFTER_MS = 8 * 3_600_000;
const DAY_MS = 86_400_000;
/** The tie's contract has this suffix and no team. */
const TIE = /-TIE$/;
/** Statuses of a market that is still to be decided. Anything else is over, or not open yet. */
const STATUSES: Readonly<Record<string, Contract['status']>> = { active: 'open', inactive: 'paused' };

/**
 * The matches of a league. @throws PollFailure `source_changed` when fields that were always there are gone
 */
export function readMatches(events: LeagueEvents, options: ReadOptions): KalshiMatch[] {
  requireFields([...events.GAME, ...events.SPREAD, ...events.TOTAL]);
  const matches = new Map<string, OpenMatch>();
  for (const event of readable(events.GAME, options.count)) {
    if (matches.has(event.event_ticker)) {
      options.count('duplicate_fixture');
      continue;
    }
    const match = matchOf(event, options);
    if (match !== null) matches.set(event.event_ticker, match);
  }
  for (const kind of ['SPREAD', 'TOTAL'] as const) {
    const seen = new Set<string>();
    for (const event of readable(events[kind], options.count)) {
      const isNew = !seen.has(event.event_ticker);
      seen.add(event.event_ticker);
      const match = isNew ? ofSameGame(event, [...matches.values()]) : null;
      if (!isNew) options.count('duplicate_fixture');
      else if (match === null) options.count('unknown_fixture');
      else match.contracts.push(...lineContracts(event, { ...options, match, kind }));
    }
  }
  return [...matches.values()];
}

interface OpenMatch extends KalshiMatch {
  readonly contracts: Contract[];
  /** As the title has them. */
  readonly titled: readonly [string, string];
  readonly homeShort: string;
  readonly awayShort: string;
}

function* readable(events: readonly unknown[], count: ReadOptions['count']): Generator<KalshiEvent> {
  for (const event of events) {
    if (isKalshiEvent(event)) yield event;
    else count('bad_fixture');
  }
}

function matchOf(event: KalshiEvent, { league, feeRate, nowMs, count }: ReadOptions): OpenMatch | null {
  const titled = titleTeams(event.title);
  const markets = event.markets.filter(isMarketOf(event, count));
  const teams = markets.filter(({ ticker }) => !TIE.test(ticker));
  // Football names the home team first, American sports the away team.
  const [homeShort, awayShort] = league.sport === 'football' ? (titled ?? []) : (titled?.toReversed() ?? []);
  const [home, away] = [homeShort, awayShort].map((name) =>
    teams.find((market) => market.yes_sub_title === name),
  );
  if (titled === null || homeShort === undefined || awayShort === undefined || (home ?? away) === undefined) {
    count('bad_fixture');
    return null;
  }
  const scheduledAtMs = wireTimeMs((home ?? away)!.expected_expiration_time) - EXPECTED_AFTER_MS;
  if (Number.isNaN(scheduledAtMs) || easternDate(scheduledAtMs) !== tickerDate(event.event_ticker)) {
    count('bad_time');
    return null;
  }
  if (scheduledAtMs + OVER_AFTER_MS < nowMs) {
    count('over_and_listed');
    return null;
  }
  const contracts: Contract[] = [];
  for (const market of markets) {
    const side = TIE.test(market.ticker)
      ? 'draw'
      : market === home
        ? 'home'
        : market === away
          ? 'away'
          : null;
    const contract = side === null ? 'bad_outcomes' : contractOf(market, { market: '1x2', side }, feeRate);
    if (typeof contract === 'string') count(contract);
    else contracts.push(contract);
  }
  return {
    event: event.event_ticker,
    fixture: {
      sport: league.sport,
      league: { key: `kalshi-${league.code}`, name: league.name },
      home: teamOf(home, homeShort, league),
      away: teamOf(away, awayShort, league),
      scheduledAtMs,
    },
    contracts,
    winnerCount: league.sport === 'football' ? 3 : 2,
    titled,
    homeShort,
    awayShort,
  };
}

/** A team by Kalshi's own id of it where the market has one: names have changed. */
function teamOf(
  market: KalshiMarket | undefined,
  name: string,
  { code }: KalshiLeague,
): FixtureFields['home'] {
  const id = Object.entries(market?.custom_strike ?? {}).find(([key]) => key.endsWith('_team'))?.[1];
  const key = typeof id === 'string' && id.length <= 64 ? id : `${code}-${name.toLowerCase()}`;
  return { key: `kalshi-${key}`, name: fullTeamName(code, name) };
}

/** The match of a spread or total event: the same ticker, or the same teams within a day. */
function ofSameGame(event: KalshiEvent, matches: readonly OpenMatch[]): OpenMatch | null {
  const same = matches.find((match) => tickerMatch(match.event) === tickerMatch(event.event_ticker));
  if (same !== undefined) return same;
  const teams = titleTeams(event.title);
  const at = Date.parse(tickerDate(event.event_ticker) ?? '');
  const near = matches.filter(
    ({ titled, event: ticker }) =>
      teams !== null &&
      titled.every((name, index) => name === teams[index]) &&
      Math.abs(Date.parse(tickerDate(ticker) ?? '') - at) <= DAY_MS,
  );
  return near.length === 1 ? near[0]! : null;
}

function lineContracts(
  event: KalshiEvent,
  { match, kind, feeRate, count }: ReadOptions & { readonly match: OpenMatch; readonly kind: Kind },
): Contract[] {
  const contracts: Contract[] = [];
  for (const market of event.markets.filter(isMarketOf(event, count))) {
    const meaning = kind === 'SPREAD' ? spreadOf(market, match) : totalOf(market);
    const contract = meaning === null ? 'bad_line' : contractOf(market, meaning, feeRate);
    if (typeof contract === 'string') count(contract);
    else contracts.push(contract);
  }
  return contracts;
}

/** "Indiana wins by over 6.5 points": the number at the end of a ticker is rounded and not the line. */
function spreadOf(market: KalshiMarket, { homeShort, awayShort }: OpenMatch): ContractMeaning | null {
  const line = halfLineOf(market);
  const name = / wins by (?:over|more than) /.exec(market.yes_sub_title);
  const team = name === null ? null : market.yes_sub_title.slice(0, name.index);
  if (line === null || (team !== homeShort && team !== awayShort)) return null;
  return { market: 'asian_handicap', side: team === homeShort ? 'home' : 'away', line };
}

function totalOf(market: KalshiMarket): ContractMeaning | null {
  const line = halfLineOf(market);
  return line === null || !/^Over /.test(market.yes_sub_title) ? null : { market: 'totals', line };
}

function halfLineOf({ floor_strike: line, strike_type }: KalshiMarket): number | null {
  return typeof line === 'number' && strike_type === 'greater' && line > 0 && line % 1 === 0.5 ? line : null;
}

function contractOf(market: KalshiMarket, meaning: ContractMeaning, feeRate: number): Contract | AnswerCount {
  const status = STATUSES[market.status];
  if (status === undefined) return 'contract_over';
  const [bid, ask] = [numberOf(market.yes_bid_dollars), numberOf(market.yes_ask_dollars)];
  const [bidSize, askSize] = [numberOf(market.yes_bid_size_fp), numberOf(market.yes_ask_size_fp)];
  if (!(bid >= 0 && bid <= 1 && ask >= 0 && ask <= 1) || !(bidSize >= 0 && askSize >= 0)) return 'bad_price';
  const volume = numberOf(market.volume_fp);
  return {
    id: market.ticker,
    meaning,
    status,
    book: { bid: levelOf(bid, bidSize), ask: levelOf(ask, askSize) },
    volume: volume >= 0 ? volume : null,
    feeRate,
  };
}

/** Markets of an event that can be read and belong to it. Generated parlays do not. */
function isMarketOf({ event_ticker }: KalshiEvent, count: ReadOptions['count']) {
  return (market: unknown): market is KalshiMarket => {
    if (!isKalshiMarket(market)) count('bad_row');
    else if (market.mve_collection_ticker !== undefined) count('not_a_match');
    else if (market.ticker.startsWith(`${event_ticker}-`)) return true;
    else count('bad_row');
    return false;
  };
}

/** @throws PollFailure when at least half of the markets lack a field that each has */
function requireFields(events: readonly unknown[]): void {
  const markets = events.flatMap((event) => marketsOf(event));
  for (const field of MARKET_FIELDS) {
    const lacking = markets.filter((market) => !(field in market)).length;
    if (lacking > 0 && lacking * 2 >= markets.length) throw new PollFailure('source_changed', { field });
  }
}

function marketsOf(event: unknown): object[] {
  const markets = typeof event === 'object' && event !== null && 'markets' in event ? event.markets : null;
  if (!Array.isArray(markets)) throw new PollFailure('source_changed', { field: 'markets' });
  return (markets as unknown[]).filter((market) => typeof market === 'object' && market !== null);
}
