// Makes the matches of one league, with their contracts, from its event pages. Pure.
//
// A match is a GAME event with a contract for each team, and for the draw in football. Spread and total
// events are found by their teams and date: the part of the ticker after the series is meant to be the same,
// and was seen to differ. A market has no start time, but a winner contract is expected to settle three or
// four hours after the kickoff.

import { DAY_MS, HOUR_MS } from '../../clock.ts';
import { requireMarketFields } from '../contracts/answers.ts';
import { type Contract, type ContractMeaning, levelOf, OVER_AFTER_MS } from '../contracts/contract.ts';
import { fullTeamName } from '../contracts/team-names.ts';
import type { FixtureFields } from '../poll/drafts.ts';
import { numberOf } from '../poll/prices.ts';
import type { AnswerCount } from '../poll/source.ts';
import { wireTimeMs } from '../wire-time.ts';
import { type KalshiLeague, type Kind, seriesOf } from './leagues.ts';
import {
  isKalshiEvent,
  isKalshiMarket,
  type KalshiEvent,
  type KalshiMarket,
  MARKET_FIELDS,
} from './messages.ts';
import { isTie, spreadSide, type Teams, teamId, teamsOf } from './teams.ts';
import { easternDate, tickerDate, tickerMatch, titleTeams } from './ticker.ts';

/** A match that is traded, with its contracts. */
export interface KalshiMatch {
  /** The ticker of the match's GAME event, which is the feed's key of the match. */
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
  /** The taker's fee of the published schedule, as a share of price x (1 - price). */
  readonly feeRate: number;
  /** The factor of each series on that fee; 1 where unknown. */
  readonly multipliers?: Readonly<Partial<Record<Kind, number>>>;
  readonly nowMs: number;
  readonly count: (what: AnswerCount) => void;
}

/** Statuses of a market that is still to be decided. Anything else is over, or not open yet. */
const STATUSES: Readonly<Record<string, Contract['status']>> = { active: 'open', inactive: 'paused' };

/**
 * The matches of a league. @throws PollFailure `source_changed` when fields that were always there are gone
 */
export function readMatches(events: LeagueEvents, options: ReadOptions): KalshiMatch[] {
  const all = [...events.GAME, ...events.SPREAD, ...events.TOTAL];
  requireMarketFields(all, MARKET_FIELDS, (market, field) => {
    return ((market as Record<string, unknown>)[field] ?? null) === null;
  });
  const matches = new Map<string, OpenMatch>();
  for (const event of readable(events.GAME, 'GAME', options)) {
    const match = matchOf(event, options);
    if (match !== null) matches.set(event.event_ticker, match);
  }
  for (const kind of ['SPREAD', 'TOTAL'] as const) {
    for (const event of readable(events[kind], kind, options)) {
      const match = ofSameGame(event, [...matches.values()]);
      if (match === null) options.count('unknown_fixture');
      else match.contracts.push(...lineContracts(event, { ...options, match, kind }));
    }
  }
  return [...matches.values()];
}

interface OpenMatch extends KalshiMatch {
  readonly contracts: Contract[];
  /** Both teams in the order of the title. */
  readonly titled: readonly [string, string];
  readonly teams: Teams;
}

/** The readable events of a series, each once, because a page may be sent twice. */
function* readable(
  events: readonly unknown[],
  kind: Kind,
  { league, count }: ReadOptions,
): Generator<KalshiEvent> {
  const seen = new Set<string>();
  for (const event of events) {
    if (!isKalshiEvent(event)) count('bad_fixture');
    else if (!event.event_ticker.startsWith(`${seriesOf(league, kind)}-`)) count('not_a_match');
    else if (seen.has(event.event_ticker)) count('duplicate_fixture');
    else {
      seen.add(event.event_ticker);
      yield event;
    }
  }
}

function matchOf(event: KalshiEvent, options: ReadOptions): OpenMatch | null {
  const { league, nowMs, count } = options;
  const markets = event.markets.filter(isMarketOf(event, count));
  const teams = teamsOf(event, markets, league.sport);
  const titled = titleTeams(event.title);
  if (teams === null || titled === null) {
    count('bad_fixture');
    return null;
  }
  const [home, away] = teams.winners;
  const scheduledAtMs = kickoffOf((home ?? away)!, event.event_ticker);
  if (Number.isNaN(scheduledAtMs)) {
    count('bad_time');
    return null;
  }
  if (scheduledAtMs + OVER_AFTER_MS < nowMs) {
    count('over_and_listed');
    return null;
  }
  return {
    event: event.event_ticker,
    fixture: {
      sport: league.sport,
      league: { key: `kalshi-${league.code}`, name: league.name },
      home: teamOf(home, teams.names[0], league),
      away: teamOf(away, teams.names[1], league),
      scheduledAtMs,
    },
    contracts: winnerContracts(markets, teams, { count, feeRate: feeOf(event, 'GAME', options) }),
    winnerCount: league.sport === 'football' ? 3 : 2,
    titled,
    teams,
  };
}

interface ContractOptions {
  readonly feeRate: number;
  readonly count: ReadOptions['count'];
}

function winnerContracts(
  markets: readonly KalshiMarket[],
  { winners: [home, away] }: Teams,
  options: ContractOptions,
): Contract[] {
  return markets.flatMap((market) => {
    const side = isTie(market) ? 'draw' : market === home ? 'home' : market === away ? 'away' : null;
    return counted(side === null ? 'bad_outcomes' : { market: '1x2', side }, market, options);
  });
}

/** A team, by Kalshi's own id if the market has one, because names have changed. */
function teamOf(market: KalshiMarket | null, name: string, { code }: KalshiLeague): FixtureFields['home'] {
  const key = (market === null ? null : teamId(market)) ?? `${code}-${name.toLowerCase()}`;
  return { key: `kalshi-${key}`, name: fullTeamName(code, name) };
}

/**
 * The match of a spread or total event: the match with the same ticker, otherwise the one match with the same
 * teams within a day. Null if there is none, or several.
 */
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
  options: ReadOptions & { readonly match: OpenMatch; readonly kind: Kind },
): Contract[] {
  const { match, kind, count } = options;
  const feeRate = feeOf(event, kind, options);
  return event.markets.filter(isMarketOf(event, count)).flatMap((market) =>
    counted((kind === 'SPREAD' ? spreadOf(market, match.teams) : totalOf(market)) ?? 'bad_line', market, {
      feeRate,
      count,
    }),
  );
}

/**
 * The meaning of a spread contract, such as "Indiana wins by over 6.5 points". The number at the end of its
 * ticker is rounded, so it is not used as the line.
 */
function spreadOf(market: KalshiMarket, teams: Teams): ContractMeaning | null {
  const line = halfLineOf(market);
  const side = spreadSide(market, teams);
  return line === null || side === null ? null : { market: 'asian_handicap', side, line };
}

function totalOf(market: KalshiMarket): ContractMeaning | null {
  const line = halfLineOf(market);
  return line === null || !/^(?:Will )?over /i.test(market.yes_sub_title) ? null : { market: 'totals', line };
}

function halfLineOf({ floor_strike, strike_type }: KalshiMarket): number | null {
  const line = numberOf(floor_strike);
  return strike_type === 'greater' && line > 0 && line % 1 === 0.5 ? line : null;
}

/** The fee of an event's contracts, with the multiplier of the event or of its series. */
function feeOf(
  { fee_multiplier_override: own }: KalshiEvent,
  kind: Kind,
  { feeRate, multipliers }: ReadOptions,
): number {
  return feeRate * (own ?? multipliers?.[kind] ?? 1);
}

/** A list with the contract. If the market is left out, the list is empty and the reason is counted. */
function counted(
  meaning: ContractMeaning | AnswerCount,
  market: KalshiMarket,
  { feeRate, count }: ContractOptions,
): Contract[] {
  const contract = typeof meaning === 'string' ? meaning : contractOf(market, meaning, feeRate);
  if (typeof contract !== 'string') return [contract];
  count(contract);
  return [];
}

function contractOf(market: KalshiMarket, meaning: ContractMeaning, feeRate: number): Contract | AnswerCount {
  const status = STATUSES[market.status];
  if (status === undefined) return 'contract_over';
  const [bid, ask] = [amountOf(market.yes_bid_dollars), amountOf(market.yes_ask_dollars)];
  const [bidSize, askSize] = [amountOf(market.yes_bid_size_fp), amountOf(market.yes_ask_size_fp)];
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

/** A price or size; 0, which means none, if Kalshi sends nothing. */
function amountOf(value: KalshiMarket['volume_fp']): number {
  return (value ?? '') === '' ? 0 : numberOf(value);
}

/** Whether a market can be read and belongs to its event. Generated parlays do not. */
function isMarketOf({ event_ticker }: KalshiEvent, count: ReadOptions['count']) {
  return (market: unknown): market is KalshiMarket => {
    if (!isKalshiMarket(market)) count('bad_row');
    else if ((market.mve_collection_ticker ?? '') !== '') count('not_a_match');
    else if (market.ticker.startsWith(`${event_ticker}-`)) return true;
    else count('bad_row');
    return false;
  };
}

/**
 * How long after the kickoff a winner contract is expected to settle: three hours; in September 2026 also
 * four.
 */
const EXPECTED_AFTER_H = [3, 4];
/**
 * How long after the kickoff a winner contract expires at the latest: 14 days until July 2026, then 48 or 54
 * hours.
 */
const LATEST_AFTER_H = [48, 54, 14 * 24];

/**
 * Unix ms of the kickoff, computed from the times of a winner contract. Kalshi's markets have no start time:
 * only when they are expected to settle, and when they expire at the latest. Both times together decide which
 * distances apply.
 * @returns NaN when the times cannot be read, or contradict the Eastern date of the event's ticker
 */
export function kickoffOf(market: KalshiMarket, eventTicker: string): number {
  const expectedMs = wireTimeMs(market.expected_expiration_time ?? market.occurrence_datetime);
  const latestMs = wireTimeMs(market.latest_expiration_time ?? market.expiration_time);
  if (Number.isNaN(expectedMs)) return Number.NaN;
  const hours = EXPECTED_AFTER_H.find((expected) =>
    LATEST_AFTER_H.includes((latestMs - expectedMs) / HOUR_MS + expected),
  );
  const kickoffMs = expectedMs - (hours ?? EXPECTED_AFTER_H[0]!) * HOUR_MS;
  return easternDate(kickoffMs) === tickerDate(eventTicker) ? kickoffMs : Number.NaN;
}
