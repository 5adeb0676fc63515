// One fixture as plain values at one instant: what every use case starts from. Views are made from published pages and
// kept per slot until the page turns, so a sweep over the slate only rebuilds what moved.

import { isoTextOrNull, toIsoText } from '../clock.ts';
import type { Event } from '../contract/event.ts';
import type { PriceAge } from '../contract/odds.ts';
import type { Score } from '../contract/values.ts';
import {
  EVENT_STATUSES,
  type EventStatus,
  SPORT_KEYS,
  type SportKey,
  STATUS_LIVE,
} from '../domain/catalogue.ts';
import { encodeId } from '../domain/ids.ts';
import { type MatchFacts, statusAt } from '../domain/match-status.ts';
import {
  type FreshnessWindows,
  isLagging,
  quoteConfirmedAtMs,
  type SignalMoment,
} from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';

export interface NamedRef {
  readonly id: string;
  readonly name: string;
}

/** What a page says, with ids and names: all that does not depend on the time of asking. */
export interface FixtureView {
  readonly eventNumber: number;
  /** The page that it was made of, and its generation then: what the page says of quotes goes with this view alone. */
  readonly page: number;
  readonly generation: number;
  /** Unique for this event since `SlateReader.epochMs`. */
  readonly version: number;
  /** The same for what every tier sees: it does not move with the sharp bookmaker. */
  readonly commonVersion: number;
  readonly id: string;
  readonly sport: SportKey;
  readonly sportIndex: number;
  readonly league: NamedRef;
  readonly homeTeam: NamedRef;
  readonly awayTeam: NamedRef;
  /** Unix ms, NaN when the feed has not said. */
  readonly scheduledAtMs: number;
  readonly scheduledAt: string | null;
  readonly score: Score | null;
  readonly cards: Score | null;
  readonly facts: MatchFacts;
  readonly lastMessageAtMs: number;
  /** The same, quotes of the sharp bookmaker aside. */
  readonly commonMessageAtMs: number;
  /** Quotes on it, those of the sharp bookmaker aside. */
  readonly commonQuoteCount: number;
}

/** A view at an instant. */
export interface FixtureNow {
  readonly view: FixtureView;
  readonly status: EventStatus;
  readonly isLive: boolean;
  /** When the feed last confirmed the fixture, quotes of the sharp bookmaker aside: every tier may know it. */
  readonly asOfMs: number;
  readonly staleFromMs: number;
  readonly stale: boolean;
  /** The instant of the view, by which its quotes are judged too. */
  readonly moment: SignalMoment;
}

/** Makes the view of a published page. Inside `SlateReader.read` only. `former` is the slot's last view, for its ids. */
export function viewOf(
  reader: SlateReader,
  refs: EntityRefs,
  page: number,
  former: FixtureView | undefined,
): FixtureView {
  const { columns } = reader;
  const eventNumber = columns.eventNumber[page]!;
  const facts = reader.matchFacts(page);
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
    scheduledAt: isoTextOrNull(facts.scheduledAtMs),
    score: countPair(columns.scoreHome[page]!, columns.scoreAway[page]!),
    cards: countPair(columns.cardsHome[page]!, columns.cardsAway[page]!),
    facts,
    lastMessageAtMs: columns.lastMessageAtMs[page]!,
    commonMessageAtMs: columns.commonMessageAtMs[page]!,
    commonQuoteCount: columns.commonQuoteCount[page]!,
  };
}

/** The view at a moment: status, `as_of` and staleness (docs/decisions.md#time-and-freshness). */
export function fixtureAt(view: FixtureView, moment: SignalMoment): FixtureNow {
  const { nowMs, windows } = moment;
  const status = statusAt(view.facts, nowMs);
  const isLive = status === STATUS_LIVE;
  const asOfMs = fixtureAsOfMs(view.commonMessageAtMs, moment.heartbeatAtMs);
  const fromMs = staleFromMs(asOfMs, isLive, windows);
  return {
    view,
    status: EVENT_STATUSES[status]!,
    isLive,
    asOfMs,
    staleFromMs: fromMs,
    stale: nowMs >= fromMs,
    moment,
  };
}

/** `as_of` and `stale` of a fixture's odds, for answers that show the sharp bookmaker or do not. */
export function freshnessOf(
  { view, isLive, asOfMs, stale, moment }: FixtureNow,
  showsSharp: boolean,
): { readonly asOfMs: number; readonly stale: boolean } {
  if (!showsSharp || view.lastMessageAtMs <= asOfMs) return { asOfMs, stale };
  const laterMs = view.lastMessageAtMs;
  return { asOfMs: laterMs, stale: moment.nowMs >= staleFromMs(laterMs, isLive, moment.windows) };
}

/** Whether two views of one thread have the same teams, league and kickoff: references are made once, so identity is equality. */
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

/** Rows of the entity table never change, so a row's id and name are made once a thread. */
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

/** A heartbeat confirms a fixture in steps of this length, so that an unchanged answer keeps its bytes and its ETag. */
const HEARTBEAT_STEP_MS = 10_000;

/** The instant that a heartbeat counts as: the start of its step. */
export function heartbeatStepMs(heartbeatAtMs: number): number {
  return Math.floor(heartbeatAtMs / HEARTBEAT_STEP_MS) * HEARTBEAT_STEP_MS;
}

/** `as_of` of a fixture: its own last message or, if later, the last heartbeat's step. Unix ms. */
export function fixtureAsOfMs(lastMessageAtMs: number, heartbeatAtMs: number): number {
  return Math.max(lastMessageAtMs, heartbeatStepMs(heartbeatAtMs));
}

/** The first instant at which an answer of this `as_of` is stale. */
export function staleFromMs(asOfMs: number, isLive: boolean, windows: FreshnessWindows): number {
  return asOfMs + (isLive ? windows.liveMs : windows.prematchMs) + 1;
}

/**
 * How old a price is, as answers say it.
 * @param atMs of its last message, on the source's clock
 * @param sharpAtMs of the sharp book's at the same line; NaN without one
 */
export function priceAge(
  price: { readonly atMs: number; readonly sharpAtMs: number; readonly isOpen: boolean },
  moment: SignalMoment,
): PriceAge {
  const { atMs, sharpAtMs, isOpen } = price;
  return {
    as_of: toIsoText(atMs),
    confirmed_at: toIsoText(quoteConfirmedAtMs(atMs, isOpen, moment)),
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
