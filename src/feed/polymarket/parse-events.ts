// Makes the matches of one league, with their contracts, from its event pages. Pure.
//
// Football has its winner markets in one event and its lines in a child, "... - More Markets"; American
// sports have one event for everything. A contract is a market seen from its first outcome: both tokens of a
// market share one book, so the second outcome is No of the first.

import { jsonOrUndefined } from '../../parse-json.ts';
import { requireMarketFields } from '../contracts/answers.ts';
import { type Contract, type ContractMeaning, EMPTY_BOOK, OVER_AFTER_MS } from '../contracts/contract.ts';
import { fullTeamName } from '../contracts/team-names.ts';
import type { FixtureFields } from '../poll/drafts.ts';
import { numberOf } from '../poll/prices.ts';
import type { AnswerCount } from '../poll/source.ts';
import { wireTimeMs } from '../wire-time.ts';
import type { PolymarketLeague } from './leagues.ts';
import {
  type GammaEvent,
  type GammaMarket,
  isGammaEvent,
  isGammaMarket,
  isTeam,
  MARKET_FIELDS,
  type PolymarketTeam,
} from './messages.ts';
import { type Play, playOf } from './play.ts';

/**
 * A match that is traded, with its contracts. Their books are empty, because the prices come from the CLOB's
 * order books.
 */
export interface PolymarketMatch {
  /** The feed's key of the match. */
  readonly event: string;
  /** The score channel's id of the match, null when unknown. */
  readonly gameId: string | null;
  readonly fixture: FixtureFields & { readonly scheduledAtMs: number };
  readonly isAwayFirst: boolean;
  readonly isOver90: boolean;
  readonly play: Play;
  readonly contracts: readonly Contract[];
  /** How many contracts make a 1x2: three in football, one in basketball. */
  readonly winnerCount: number;
}

interface ReadOptions {
  readonly league: PolymarketLeague;
  /** Whether titles name the away team first. */
  readonly isAwayFirst: boolean;
  /** The operator's fee rate, null for each market's own. */
  readonly feeRate: number | null;
  /** The league's series; an event of another one is left out. */
  readonly series?: string;
  readonly nowMs: number;
  readonly count: (what: AnswerCount) => void;
}

/** The published fee rate for sports. It is used for a market that has fees but does not state its rate. */
const FEE_RATE = 0.05;
const TYPES: ReadonlySet<string> = new Set(['moneyline', 'spreads', 'totals']);
/** The ending of a child event's title, such as " - More Markets". */
const CHILD_TITLE = / - [^-]+$/;

/**
 * The matches of a league. @throws PollFailure `source_changed` when fields that were always there are gone
 */
export function readMatches(events: readonly unknown[], options: ReadOptions): PolymarketMatch[] {
  requireMarketFields(events, MARKET_FIELDS, (market, field) => !(field in market));
  const known = new Map<string, GammaEvent>();
  for (const event of events) {
    if (!isGammaEvent(event)) options.count('bad_fixture');
    else if (!isOfSeries(event, options.series)) options.count('not_a_match');
    else if (known.has(String(event.id))) options.count('duplicate_fixture');
    else known.set(String(event.id), event);
  }
  const matches: PolymarketMatch[] = [];
  for (const event of known.values()) {
    if (isChild(event)) continue;
    const children = [...known.values()].filter((child) => isChild(child) && isOf(child, event));
    const match = matchOf(event, children, options);
    if (typeof match === 'string') options.count(match);
    else matches.push(match);
  }
  return matches;
}

/**
 * Whether an event belongs to the series. An event that names no series counts as belonging to it, because it
 * was requested by its series.
 */
function isOfSeries({ series }: GammaEvent, wanted: string | undefined): boolean {
  if (wanted === undefined || (series ?? []).length === 0) return true;
  return series!.some((one) => String((one as { id?: unknown } | null)?.id) === wanted);
}

function isChild({ parentEventId, title }: GammaEvent): boolean {
  return (parentEventId ?? null) !== null || CHILD_TITLE.test(title);
}

/**
 * Whether a child belongs to an event: by the parent's id or, for children without it, by the slug, which
 * begins with the slug of the parent.
 */
function isOf(child: GammaEvent, event: GammaEvent): boolean {
  if ((child.parentEventId ?? null) !== null) return String(child.parentEventId) === String(event.id);
  return child.slug.startsWith(`${event.slug}-`);
}

function matchOf(
  event: GammaEvent,
  children: readonly GammaEvent[],
  options: ReadOptions,
): PolymarketMatch | AnswerCount {
  const { league, isAwayFirst, nowMs, count } = options;
  const sides = sidesOf(event, league, isAwayFirst);
  if (sides === null) return 'bad_fixture';
  const scheduledAtMs = kickoffOf(event);
  if (Number.isNaN(scheduledAtMs)) return 'bad_time';
  if (event.closed === true || scheduledAtMs + OVER_AFTER_MS < nowMs) return 'over_and_listed';
  const contracts: Contract[] = [];
  for (const market of [event, ...children].flatMap(({ markets }) => markets)) {
    const contract = isGammaMarket(market) ? contractOf(market, sides, options) : 'bad_row';
    if (typeof contract === 'string') count(contract);
    else contracts.push(contract);
  }
  const { home, away } = sides;
  return {
    event: `polymarket-${event.slug}`,
    gameId: (event.gameId ?? null) === null ? null : String(event.gameId),
    fixture: {
      sport: league.sport,
      league: { key: `polymarket-${league.code}`, name: league.name },
      home: home.team,
      away: away.team,
      scheduledAtMs,
    },
    isAwayFirst,
    isOver90: league.isOver90,
    play: playOf(event, { isAwayFirst, kickoffMs: scheduledAtMs, nowMs }),
    contracts,
    winnerCount: league.sport === 'football' ? 3 : 1,
  };
}

interface Side {
  readonly team: FixtureFields['home'];
  /** Every name that a market may give the team. */
  readonly names: ReadonlySet<string>;
  /** The code with which the slugs of the team's markets end; null if it is unknown. */
  readonly code: string | null;
}
type Sides = Readonly<Record<'home' | 'away', Side>>;

/**
 * Both sides, by the two names in the title; null for any other title. A side gets its full name from the
 * event's `teams` if it is listed there.
 */
function sidesOf(
  { title, teams: listed }: GammaEvent,
  { code }: PolymarketLeague,
  isAwayFirst: boolean,
): Sides | null {
  const [, first, second] = /^(.+?) vs\.? (.+)$/.exec(title) ?? [];
  if (first === undefined || second === undefined || first === second) return null;
  const teams = (listed ?? []).filter(isTeam);
  const sideOf = (name: string): Side => {
    const team = teams.find((candidate) => candidate.name === name || candidate.alias === name);
    const full = fullTeamName(code, team?.name ?? name);
    return {
      team: { key: `polymarket-${keyOf(team, code, full)}`, name: full },
      names: new Set([name, full, team?.name ?? name, team?.alias ?? name]),
      code: team?.abbreviation?.toLowerCase() ?? null,
    };
  };
  return isAwayFirst
    ? { home: sideOf(second), away: sideOf(first) }
    : { home: sideOf(first), away: sideOf(second) };
}

function keyOf(team: PolymarketTeam | undefined, code: string, name: string): string {
  const id = team?.providerId ?? null;
  return id === null ? `${code}-${name.toLowerCase()}` : `${code}-${id}`;
}

/**
 * The kickoff of an event, Unix ms: its start time, otherwise that of its markets, which is written
 * "2026-06-29 20:30:00+00". NaN if neither can be read.
 */
function kickoffOf({ startTime, markets }: GammaEvent): number {
  const ofEvent = wireTimeMs(startTime);
  if (!Number.isNaN(ofEvent)) return ofEvent;
  const of = markets.filter(isGammaMarket).find(({ gameStartTime }) => (gameStartTime ?? '') !== '');
  return wireTimeMs(of?.gameStartTime?.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}

function contractOf(market: GammaMarket, sides: Sides, options: ReadOptions): Contract | AnswerCount {
  if (!TYPES.has(market.sportsMarketType ?? '')) return 'not_a_match';
  const isOver = market.closed || !market.active || (market.umaResolutionStatus ?? '') !== '';
  if (isOver) return 'contract_over';
  const outcomes = jsonOrUndefined(market.outcomes);
  const tokens = jsonOrUndefined(market.clobTokenIds);
  if (!isTextPair(outcomes) || !isTextPair(tokens)) return 'bad_outcomes';
  const meaning = meaningOf(market, outcomes, { sides, sport: options.league.sport });
  if (typeof meaning === 'string') return meaning;
  const volume = market.volumeNum ?? numberOf(market.volume);
  return {
    id: tokens[0],
    meaning,
    status: market.acceptingOrders === false ? 'paused' : 'open',
    book: EMPTY_BOOK,
    volume: volume >= 0 ? volume : null,
    feeRate: options.feeRate ?? (market.feesEnabled === false ? 0 : (market.feeSchedule?.rate ?? FEE_RATE)),
  };
}

/** What the first outcome of a market means. */
function meaningOf(
  market: GammaMarket,
  [first, second]: readonly [string, string],
  { sides, sport }: { readonly sides: Sides; readonly sport: FixtureFields['sport'] },
): ContractMeaning | AnswerCount {
  const { sportsMarketType } = market;
  const line = numberOf(market.line);
  if (sportsMarketType === 'totals') {
    if (first !== 'Over' || second !== 'Under') return 'bad_outcomes';
    return isHalf(line) && line > 0 ? { market: 'totals', line } : 'bad_line';
  }
  if (sportsMarketType === 'moneyline' && sport === 'football') {
    if (first !== 'Yes' || second !== 'No') return 'bad_outcomes';
    const side = winnerSideOf(market, sides);
    return side === null ? 'bad_outcomes' : { market: '1x2', side };
  }
  const side = sideNamed(first, sides);
  const other = sideNamed(second, sides);
  if (side === null || other === null || side === other) return 'bad_outcomes';
  if (sportsMarketType === 'moneyline') return { market: '1x2', side };
  // The line is negative in every recorded row, because the first outcome gives the goals. Other lines are
  // refused.
  return isHalf(line) && line < 0 ? { market: 'asian_handicap', side, line: -line } : 'bad_line';
}

const WINNER_SIDES = ['home', 'draw', 'away'] as const;
type WinnerSide = (typeof WINNER_SIDES)[number];

/**
 * The side of a Yes/No market, by its title and by the data provider's label. If both name a side, they must
 * agree; if neither does, the slug decides.
 */
function winnerSideOf(
  { groupItemTitle, marketMetadata, slug }: GammaMarket,
  sides: Sides,
): WinnerSide | null {
  const title = groupItemTitle ?? '';
  const titled = /^Draw\b/.test(title) ? 'draw' : sideNamed(title, sides);
  const line = marketMetadata?.opticOddsSelectionLine;
  const said = WINNER_SIDES.find((side) => side === line) ?? null;
  if (said !== null && titled !== null && said !== titled) return null;
  return titled ?? said ?? sideOfSlug(slug, sides);
}

/** A slug ends with the code of a team, or with `draw`. */
function sideOfSlug(slug: string, { home, away }: Sides): WinnerSide | null {
  const end = slug.slice(slug.lastIndexOf('-') + 1);
  if (end === 'draw') return 'draw';
  return home.code === away.code ? null : end === home.code ? 'home' : end === away.code ? 'away' : null;
}

function sideNamed(name: string, { home, away }: Sides): 'home' | 'away' | null {
  if (home.names.has(name)) return away.names.has(name) ? null : 'home';
  return away.names.has(name) ? 'away' : null;
}

function isHalf(line: number): boolean {
  return Math.abs(line % 1) === 0.5;
}

function isTextPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string');
}
