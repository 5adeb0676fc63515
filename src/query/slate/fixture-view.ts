// One fixture as plain values at one instant: the starting point of every use case. Views are built from
// published pages and cached per slot until the page is replaced, so going over the slate rebuilds only what
// changed.

import { isoTextOrNull, toIsoText } from '../../clock.ts';
import type { Event } from '../../contract/event.ts';
import type { PriceAge } from '../../contract/odds.ts';
import type { Score } from '../../contract/values.ts';
import {
  EVENT_STATUSES,
  type EventStatus,
  SHARP_BOOKMAKERS_MASK,
  SPORT_KEYS,
  type SportKey,
  STATUS_LIVE,
} from '../../domain/catalogue.ts';
import { encodeId } from '../../domain/ids.ts';
import { type MatchFacts, statusAt } from '../../domain/match-status.ts';
import {
  ANY_BOOKMAKER,
  type Confirmations,
  type FreshnessWindows,
  isLagging,
  latestConfirmationMs,
  quoteConfirmedAtMs,
  type SignalMoment,
} from '../../domain/signal-gate.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { OddsFilter } from '../odds/odds-filter.ts';

export interface NamedRef {
  readonly id: string;
  readonly name: string;
}

/** The contents of a page, with ids and names: everything that does not depend on the time of the request. */
export interface FixtureView {
  readonly eventNumber: number;
  /**
   * The page that it was built from, and its generation then. The quotes of that page and generation belong
   * to this view.
   */
  readonly page: number;
  readonly generation: number;
  /** Identifies one state of the event within the epoch `SlateReader.epochMs`. */
  readonly version: number;
  /** The version of what every tier sees: changes of the sharp bookmaker do not raise it. */
  readonly commonVersion: number;
  readonly id: string;
  readonly sport: SportKey;
  readonly sportIndex: number;
  readonly league: NamedRef;
  readonly homeTeam: NamedRef;
  readonly awayTeam: NamedRef;
  /** Unix ms, NaN when the feed has not sent it. */
  readonly scheduledAtMs: number;
  readonly scheduledAt: string | null;
  readonly score: Score | null;
  readonly cards: Score | null;
  readonly facts: MatchFacts;
  readonly lastMessageAtMs: number;
  /** Source time of the last message that was not a quote of the sharp bookmaker. */
  readonly commonMessageAtMs: number;
  /**
   * For each bookmaker, the source time of the latest message about one of its quotes here; -Infinity when it
   * has none.
   */
  readonly quotedAtMs: Confirmations;
  /** For each bookmaker, when its quotes of this one fixture were confirmed; null when none ever were. */
  readonly ownConfirmations: Confirmations | null;
  /** The bookmakers with a quote on the fixture, and the bookmakers with an open quote, as masks. */
  readonly quotedMask: number;
  readonly openMask: number;
  /** The bookmakers of the sources that have the fixture. */
  readonly confirmerMask: number;
  /** How many quotes the fixture has, without those of the sharp bookmaker. */
  readonly commonQuoteCount: number;
}

/** A view at an instant. */
export interface FixtureNow {
  readonly view: FixtureView;
  readonly status: EventStatus;
  readonly isLive: boolean;
  /**
   * When the feed last confirmed the fixture, not counting quotes of the sharp bookmaker, so that every tier
   * may know it.
   */
  readonly asOfMs: number;
  readonly stale: boolean;
  /** The instant of the view; its quotes are judged at that instant too. */
  readonly moment: SignalMoment;
}

/**
 * Builds the view of a published page. Inside `SlateReader.read` only. `former` is the slot's previous view;
 * its ids and texts are reused.
 */
export function viewOf(
  reader: SlateReader,
  refs: EntityRefs,
  page: number,
  former: FixtureView | undefined,
): FixtureView {
  const { columns } = reader;
  const eventNumber = columns.eventNumber[page]!;
  const facts = reader.matchFacts(page);
  const { atMs: quotedAtMs, openMask } = reader.quotedOn(page);
  return {
    eventNumber,
    page,
    generation: reader.generationOf(page),
    version: columns.version[page]!,
    commonVersion: columns.commonVersion[page]!,
    id: former?.eventNumber === eventNumber ? former.id : encodeId('event', eventNumber),
    sport: SPORT_KEYS[facts.sport]!,
    sportIndex: facts.sport,
    league: refs.of('league', columns.leagueEntity[page]!),
    homeTeam: refs.of('team', columns.homeEntity[page]!),
    awayTeam: refs.of('team', columns.awayEntity[page]!),
    scheduledAtMs: facts.scheduledAtMs,
    scheduledAt:
      former !== undefined && Object.is(former.scheduledAtMs, facts.scheduledAtMs)
        ? former.scheduledAt
        : isoTextOrNull(facts.scheduledAtMs),
    score: countPair(columns.scoreHome[page]!, columns.scoreAway[page]!),
    cards: countPair(columns.cardsHome[page]!, columns.cardsAway[page]!),
    facts,
    lastMessageAtMs: columns.lastMessageAtMs[page]!,
    commonMessageAtMs: columns.commonMessageAtMs[page]!,
    quotedAtMs,
    ownConfirmations: reader.ownConfirmationsOf(page),
    quotedMask: quotedAtMs.reduce(
      (mask, atMs, bookmaker) => (atMs > Number.NEGATIVE_INFINITY ? mask | (1 << bookmaker) : mask),
      0,
    ),
    openMask,
    confirmerMask: columns.confirmerMask[page]!,
    commonQuoteCount: columns.commonQuoteCount[page]!,
  };
}

/** The view at a moment: status, `as_of` and staleness (docs/reference/decisions.md#time-and-freshness). */
export function fixtureAt(view: FixtureView, moment: SignalMoment): FixtureNow {
  const { nowMs, windows } = moment;
  const status = statusAt(view.facts, nowMs);
  const isLive = status === STATUS_LIVE;
  const asOfMs = fixtureAsOfMs(view, ALL_COMMON, moment.confirmedAtMs);
  return {
    view,
    status: EVENT_STATUSES[status]!,
    isLive,
    asOfMs,
    stale: nowMs >= staleFromMs(asOfMs, isLive, windows),
    moment,
  };
}

/** `as_of` and `stale` of a fixture's odds, as an answer shows them. */
export function freshnessOf(
  { view, isLive, moment }: FixtureNow,
  shown: ShownBookmakers,
): { readonly asOfMs: number; readonly stale: boolean } {
  const asOfMs = fixtureAsOfMs(view, shown, moment.confirmedAtMs);
  return { asOfMs, stale: moment.nowMs >= staleFromMs(asOfMs, isLive, moment.windows) };
}

/**
 * Whether two views have the same teams, league and kickoff. Both must be made with the same EntityRefs,
 * which builds one object for each row, so that the same object means equal.
 */
export function isSamePairing(left: FixtureView, right: FixtureView): boolean {
  return (
    left === right ||
    (left.eventNumber === right.eventNumber &&
      left.homeTeam === right.homeTeam &&
      left.awayTeam === right.awayTeam &&
      left.league === right.league &&
      Object.is(left.scheduledAtMs, right.scheduledAtMs))
  );
}

/** Ids and names of rows of the entity table. Rows never change, so each is built once. */
export class EntityRefs {
  readonly #reader: SlateReader;
  readonly #refs: NamedRef[] = [];

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** The id and name of a row of the entity table. */
  of(kind: 'league' | 'team', entityRow: number): NamedRef {
    const known = this.#refs[entityRow];
    if (known !== undefined) return known;
    const id = encodeId(kind, this.#reader.columns.entityNumber[entityRow]!);
    const ref = { id, name: this.#reader.name(entityRow) };
    this.#refs[entityRow] = ref;
    return ref;
  }
}

function countPair(home: number, away: number): Score | null {
  return home < 0 ? null : { home, away };
}

/**
 * A heartbeat confirms a fixture in steps of this length, so that an unchanged answer keeps its bytes and its
 * ETag.
 */
export const HEARTBEAT_STEP_MS = 10_000;

/** Heartbeats by bookmaker, each rounded down to the start of its step. */
export class ConfirmationSteps {
  readonly #reader: SlateReader;
  #confirmations: Confirmations = new Float64Array();
  #steps: Confirmations = new Float64Array();

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** The heartbeats, rounded to steps. The same array is returned until a bookmaker reaches a new step. */
  now(): Confirmations {
    const confirmations = this.#reader.confirmations();
    if (confirmations === this.#confirmations) return this.#steps;
    this.#confirmations = confirmations;
    const steps = confirmations.map((atMs) => Math.floor(atMs / HEARTBEAT_STEP_MS) * HEARTBEAT_STEP_MS);
    if (!Bun.deepEquals(steps, this.#steps)) this.#steps = steps;
    return this.#steps;
  }
}

/** Which bookmakers an answer shows. */
export type ShownBookmakers = Pick<OddsFilter, 'bookmakerMask' | 'showsSharp'>;

/** The bookmakers that every tier sees. */
const ALL_COMMON: ShownBookmakers = { bookmakerMask: ~SHARP_BOOKMAKERS_MASK, showsSharp: false };

/**
 * `as_of` of a fixture. With one source: its own last message or, if later, the last heartbeat. Where several
 * sources are joined, every bookmaker with an open price that is shown was confirmed at this time or later.
 * The prices of a source that is lost do not count once they are suspended. While nothing shown is open, the
 * latest message or heartbeat counts. Unix ms.
 * @param confirmedAtMs heartbeats, as the start of their step
 */
export function fixtureAsOfMs(
  view: FixtureView,
  { bookmakerMask, showsSharp }: ShownBookmakers,
  confirmedAtMs: Confirmations,
): number {
  const visibleMask = showsSharp ? -1 : ~SHARP_BOOKMAKERS_MASK;
  const quotedMask = view.quotedMask & visibleMask;
  const shownMask = quotedMask & bookmakerMask;
  const isOfOneSource = view.confirmerMask === ANY_BOOKMAKER;
  const openMask = view.openMask & shownMask;
  if (!isOfOneSource && openMask !== 0) return earliestHeardMs(view, openMask, confirmedAtMs);
  if (isOfOneSource || shownMask === quotedMask || shownMask === 0) {
    const messageAtMs = showsSharp ? view.lastMessageAtMs : view.commonMessageAtMs;
    const confirmerMask = quotedMask === 0 ? view.confirmerMask : quotedMask;
    return Math.max(messageAtMs, latestConfirmationMs(confirmedAtMs, confirmerMask));
  }
  const own = view.ownConfirmations;
  return Math.max(
    latestConfirmationMs(confirmedAtMs, shownMask),
    latestConfirmationMs(view.quotedAtMs, shownMask),
    own === null ? 0 : latestConfirmationMs(own, shownMask),
  );
}

/** The earliest of the times at which the sources of these bookmakers were last heard from. */
function earliestHeardMs(view: FixtureView, bookmakerMask: number, confirmedAtMs: Confirmations): number {
  const { quotedAtMs, ownConfirmations: own } = view;
  let earliestMs = Number.POSITIVE_INFINITY;
  for (let rest = bookmakerMask; rest !== 0; rest &= rest - 1) {
    const bookmaker = 31 - Math.clz32(rest & -rest);
    const confirmedMs = Math.max(confirmedAtMs[bookmaker]!, own === null ? 0 : own[bookmaker]!);
    earliestMs = Math.min(earliestMs, Math.max(confirmedMs, quotedAtMs[bookmaker]!));
  }
  return earliestMs;
}

/** The first instant at which an answer of this `as_of` is stale. */
export function staleFromMs(asOfMs: number, isLive: boolean, windows: FreshnessWindows): number {
  return asOfMs + (isLive ? windows.liveMs : windows.prematchMs) + 1;
}

/**
 * How old a price is, as answers show it.
 * @param atMs time of its last message, on the source's clock
 * @param sharpAtMs the same for the sharp book's price of the same line; NaN without one
 */
export function priceAge(
  price: {
    readonly atMs: number;
    readonly sharpAtMs: number;
    readonly isOpen: boolean;
    readonly bookmaker: number;
  },
  moment: SignalMoment,
  ownConfirmations: Confirmations | null,
): PriceAge {
  const { atMs, sharpAtMs } = price;
  return {
    as_of: toIsoText(atMs),
    confirmed_at: toIsoText(quoteConfirmedAtMs(price, moment, ownConfirmations)),
    age_s: Math.max(0, Math.floor((moment.nowMs - atMs) / 1_000)),
    lagging: isLagging(atMs, sharpAtMs),
  };
}

/** A fixture as the Event resource. */
export function toEvent({ view, status }: Pick<FixtureNow, 'view' | 'status'>): Event {
  return {
    id: view.id,
    sport: view.sport,
    league: view.league,
    home_team: view.homeTeam,
    away_team: view.awayTeam,
    scheduled_at: view.scheduledAt,
    status,
  };
}
