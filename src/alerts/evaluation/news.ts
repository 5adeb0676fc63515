// Shared by all evaluations: what they report, which matches a rule covers, and what a rule has already
// reported.

import { HOUR_MS } from '../../clock.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ALERT_AGAIN_S_DEFAULT } from '../../limits.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import type { AlertedEvent, AlertItem } from '../delivery/payload.ts';
import type { AccountShares, ShareHolder } from '../outbox/account-shares.ts';
import type { OwnedRule } from '../outbox/outbox-store.ts';

/** A rule that is being evaluated. */
export interface WatchedRule extends OwnedRule {
  readonly principal: Principal;
  readonly lives: RuleLives;
}

export interface AlertNews {
  readonly watched: WatchedRule;
  readonly item: AlertItem;
}

/** Evaluates the rules of some kinds. */
export interface Evaluation {
  /**
   * Replaces the rules to evaluate; rules of other kinds are ignored. @returns why rules cannot be watched,
   * by rule id
   */
  setRules(
    rules: readonly WatchedRule[],
    nowMs: number,
  ): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>;
  /**
   * What happened since the last step. @throws ServiceError when the server is busy; the next step then
   * reports it
   */
  step(nowMs: number): readonly AlertNews[] | Promise<readonly AlertNews[]>;
  close(): void;
}

/** How many rules are prepared before the thread does its other work. */
export const RULES_PER_TURN = 100;

/**
 * Maximum number of ended signals and prices that one rule remembers. For a new one, the one that ended
 * longest ago is forgotten.
 */
const ENDED_MAX = 5_000;
/**
 * Maximum number of signals and prices, open or ended, that the rules of all accounts remember;
 * `account-shares.ts` divides them. When it is reached, a rule with a new one forgets its oldest ended one;
 * if it has none, the new one is not reported.
 */
export const REMEMBERED_MAX = 200_000;

/** For how long the note of a rule says that signals or prices were left out. */
export const LEFT_OUT_MS = HOUR_MS;

/** The counter of remembered signals and prices, and the account for which a rule counts them. */
export interface LifePlaces {
  readonly shares: AccountShares;
  readonly holder: ShareHolder;
}

interface OpenedOptions {
  /** The match, which may have left the slate when the signal or price ends. */
  readonly event: AlertedEvent;
  readonly againAfterS?: number | undefined;
}

/**
 * The signals and prices that a rule remembers, so that one that ends and soon returns is not reported again.
 */
export class RuleLives {
  readonly #places: LifePlaces | null;
  /** The open signals and prices by id, each with its match if the rule reported it, else with null. */
  readonly #open = new Map<string, AlertedEvent | null>();
  /** Ids of the ended signals and prices, and when each was last reported, Unix ms. */
  readonly #ended = new Map<string, number>();
  readonly #reportedAtMs = new Map<string, number>();
  #leftOutAtMs = Number.NEGATIVE_INFINITY;

  /** @param places null for a rule that may remember any number */
  constructor(places: LifePlaces | null) {
    this.#places = places;
  }

  /** Whether a signal or price was left out in the last `withinMs` because the account's share was full. */
  hasLeftOut(nowMs: number, withinMs: number): boolean {
    const agoMs = nowMs - this.#leftOutAtMs;
    return agoMs >= 0 && agoMs <= withinMs;
  }

  /** Whether the signal or price is open, or has ended and is still remembered. */
  knows(id: string): boolean {
    return this.#open.has(id) || this.#ended.has(id);
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /**
   * Notes a signal or price that the rule does not report, because it was open before the rule began or
   * before there was room for it.
   */
  openSilently(id: string, nowMs: number): void {
    if (this.#open.has(id) || !this.#takePlace(nowMs)) return;
    this.#open.set(id, null);
  }

  /**
   * Notes that a signal or price opened; if it is open already, notes its match as it is now.
   * @returns whether to report it
   */
  opened(id: string, nowMs: number, { event, againAfterS = ALERT_AGAIN_S_DEFAULT }: OpenedOptions): boolean {
    if (this.#open.has(id)) {
      if (this.#open.get(id) !== null) this.#open.set(id, event);
      return false;
    }
    const lastMs = this.#ended.get(id);
    if (lastMs !== undefined) this.#ended.delete(id);
    else if (!this.#takePlace(nowMs)) return false;
    // If `lastMs` is in the future, the clock was set back meanwhile. Then report the signal or price.
    const isReported = lastMs === undefined || nowMs < lastMs || nowMs - lastMs >= againAfterS * 1_000;
    this.#open.set(id, isReported ? event : null);
    this.#reportedAtMs.set(id, isReported ? nowMs : lastMs!);
    return isReported;
  }

  /**
   * Notes that a signal or price ended. @returns its match, as it was last noted; null if the rule had not
   * reported the signal or price
   */
  closed(id: string): AlertedEvent | null {
    const event = this.#open.get(id) ?? null;
    const wasOpen = this.#open.delete(id);
    const atMs = this.#reportedAtMs.get(id);
    this.#reportedAtMs.delete(id);
    if (atMs === undefined) {
      if (wasOpen) this.#givePlace();
      return null;
    }
    this.#ended.set(id, atMs);
    if (this.#ended.size > ENDED_MAX) this.#forgetOldest();
    return event;
  }

  /** Frees the rule's places, because the rule is no longer watched. */
  release(): void {
    for (let held = this.#open.size + this.#ended.size; held > 0; held--) this.#givePlace();
    this.#open.clear();
    this.#ended.clear();
    this.#reportedAtMs.clear();
  }

  #takePlace(nowMs: number): boolean {
    if (this.#places === null) return true;
    const { shares, holder } = this.#places;
    if (!shares.hasRoomFor(holder)) {
      if (this.#ended.size === 0) {
        this.#leftOutAtMs = nowMs;
        return false;
      }
      this.#forgetOldest();
    }
    shares.add(holder);
    return true;
  }

  #forgetOldest(): void {
    this.#ended.delete(this.#ended.keys().next().value!);
    this.#givePlace();
  }

  #givePlace(): void {
    this.#places?.shares.remove(this.#places.holder);
  }
}

/** Whether something that happens at an interval is due; a clock that was set back makes it due too. */
export function isDue(dueAtMs: number, everyMs: number, nowMs: number): boolean {
  return nowMs >= dueAtMs || dueAtMs - nowMs > everyMs;
}

/**
 * Whether a match meets those conditions of a rule's `where` that are about the match: event, sport, league,
 * team and `in_play`.
 */
export function isWhere({ rule: { where } }: WatchedRule, { view, isLive }: FixtureNow): boolean {
  return (
    (where.event_id === undefined || where.event_id === view.id) &&
    (where.sport === undefined || where.sport === view.sport) &&
    (where.league === undefined || where.league === view.league.id) &&
    (where.team === undefined || where.team === view.homeTeam.id || where.team === view.awayTeam.id) &&
    (where.in_play === undefined || where.in_play === isLive)
  );
}

export function toAlertedEvent({ view, status }: FixtureNow): AlertedEvent {
  return {
    id: view.id,
    sport: view.sport,
    league: view.league.name,
    home: view.homeTeam.name,
    away: view.awayTeam.name,
    scheduled_at: view.scheduledAt,
    status,
  };
}

export function matchNameOf({ home, away }: Pick<AlertedEvent, 'home' | 'away'>): string {
  return `${home} – ${away}`;
}
