// Rules about signals. Rules with the same threshold, bookmakers, reference and `in_play` share one follower,
// as streams with the same view do. Their other conditions are tested when a signal opens or changes. All
// followers that compare prices in the same way share the comparison (stream/signals/live-signals.ts).

import type { AlertKind, AlertWhen } from '../../contract/alerts/alert-rules.ts';
import type { StreamKind } from '../../contract/signals/kinds.ts';
import type { StreamSignal } from '../../contract/stream/stream-signals.ts';
import { decodeId } from '../../domain/ids.ts';
import { STREAM_KINDS } from '../../domain/signal-gate.ts';
import { assert, ServiceError } from '../../errors.ts';
import { eventLoopTurn } from '../../pause.ts';
import { NO_LEAGUES, oddsView } from '../../query/odds/odds-view.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import type { Slate } from '../../query/slate/slate.ts';
import type { LiveSignals } from '../../stream/signals/live-signals.ts';
import type { SignalFollower } from '../../stream/signals/signal-follower.ts';
import type { SignalView, SignalWords } from '../../stream/signals/signal-view.ts';
import type { SignalWatch } from '../../stream/signals/signal-watch.ts';
import type { AlertedEvent } from '../delivery/payload.ts';
import type { ShareHolder } from '../outbox/account-shares.ts';
import { AccountClaims } from './account-claims.ts';
import {
  type AlertNews,
  type Evaluation,
  isWhere,
  LEFT_OUT_MS,
  RULES_PER_TURN,
  toAlertedEvent,
  type WatchedRule,
} from './news.ts';
import { signalText } from './signal-text.ts';

/**
 * Maximum number of views of signals that rules may follow. Rules of accounts that do not see the sharp
 * bookmaker may fill half of them. An account with a paid plan may fill one third of the views, an account
 * without one 1/32. Both may fill more while others leave room. A rule that needs a further view is not
 * watched, and its note says so.
 */
export const ALERT_VIEWS_MAX = 256;
/**
 * Maximum number of combinations of bookmakers, markets and period that the rules may follow at the same
 * time, divided like ALERT_VIEWS_MAX. A rule with a further combination is not watched.
 */
export const ALERT_WATCHES_MAX = 64;
/** Open signals that are compared with new rules before the thread does other work. */
export const SIGNALS_PER_TURN = 64;

function isSignalKind(kind: AlertKind): kind is StreamKind {
  return (STREAM_KINDS as readonly string[]).includes(kind);
}

export interface SignalEvaluationParts {
  readonly live: LiveSignals;
  readonly slate: Slate;
  /** Called when the scoring pool could not compare the prices of a view. A later step tries again. */
  readonly onFailed: (error: ServiceError) => void;
}

interface Group {
  readonly follower: SignalFollower;
  readonly seesSharp: boolean;
  rules: WatchedRule[];
}

/** What an account may claim: only its share, or also what other accounts leave. */
type Bound = 'share' | 'left';

/** The views and watches that the rules claim while they are set. */
interface Claims {
  readonly views: AccountClaims<string>;
  readonly watches: AccountClaims<SignalWatch>;
}

export class SignalEvaluation implements Evaluation {
  readonly #parts: SignalEvaluationParts;
  readonly #groups = new Map<string, Group>();

  constructor(parts: SignalEvaluationParts) {
    this.#parts = parts;
  }

  async setRules(rules: readonly WatchedRule[], nowMs: number): Promise<ReadonlyMap<string, string>> {
    const notes = new Map<string, string>();
    const former = new Map(
      [...this.#groups].map(([id, group]) => [id, new Set(group.rules.map(({ lives }) => lives))]),
    );
    const begins = new Map<Group, WatchedRule[]>();
    for (const group of this.#groups.values()) group.rules = [];
    const claims: Claims = {
      views: new AccountClaims(ALERT_VIEWS_MAX),
      watches: new AccountClaims(this.#parts.live.watchesMax),
    };
    /** Watches the rules that there is room for. @returns the others */
    const watchAll = async (all: readonly WatchedRule[], bound: Bound): Promise<WatchedRule[]> => {
      const refused: WatchedRule[] = [];
      for (const [index, watched] of all.entries()) {
        if (index % RULES_PER_TURN === RULES_PER_TURN - 1) await eventLoopTurn();
        notes.delete(watched.rule.id);
        try {
          const view = this.#viewOf(watched, nowMs);
          const group = this.#groupOf(view, holderOf(watched), claims, bound);
          group.rules.push(watched);
          if (view.inEffect.note !== null) notes.set(watched.rule.id, view.inEffect.note);
          // A new rule does not report signals that are already open.
          if (former.get(view.id)?.has(watched.lives) !== true && group.follower.hasBegun)
            begins.set(group, [...(begins.get(group) ?? []), watched]);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          notes.set(watched.rule.id, `Not watched: ${error.message}.`);
          refused.push(watched);
        }
      }
      return refused;
    };
    const ofSignals = paidFirst(rules).filter(({ rule }) => isSignalKind(rule.when.kind));
    const refused = await watchAll(await watchAll(ofSignals, 'share'), 'left');
    // Groups without a rule are stopped only now, so until now they may have used views and watches that new
    // rules needed. If any were stopped, try the refused rules again.
    if (this.#stopUnused()) await watchAll(await watchAll(refused, 'share'), 'left');
    for (const { follower, rules: watched } of [...this.#groups.values()]) {
      follower.followOnly(eventsOf(watched), nowMs);
      await eventLoopTurn();
    }
    for (const [group, begun] of begins) await this.#beginSilently(group, begun, nowMs);
    return notes;
  }

  /** Stops following views that no rule asks for. @returns whether there were any */
  #stopUnused(): boolean {
    const before = this.#groups.size;
    for (const [id, { rules, follower }] of this.#groups) {
      if (rules.length > 0) continue;
      follower.stop();
      this.#groups.delete(id);
    }
    return this.#groups.size < before;
  }

  /**
   * What changed in each view. If the scoring pool fails for one view, this step ends, because every failure
   * may take seconds; the next one begins with the other views.
   */
  async step(nowMs: number): Promise<readonly AlertNews[]> {
    const news: AlertNews[] = [];
    for (const [id, group] of this.#groups) {
      const hadBegun = group.follower.hasBegun;
      let signals: readonly StreamSignal[];
      try {
        signals = await group.follower.step(nowMs, false);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        this.#parts.onFailed(error);
        this.#groups.delete(id);
        this.#groups.set(id, group);
        break;
      }
      if (!hadBegun) {
        await this.#beginSilently(group, group.rules, nowMs);
        await eventLoopTurn();
      }
      for (const signal of signals) this.#report(group, signal, nowMs, news);
    }
    return news;
  }

  /**
   * The next time at which a signal may change although no price changes, Unix ms; Infinity if time alone
   * changes no signal.
   */
  get nextExpiryMs(): number {
    const times = [...this.#groups.values()].map(({ follower }) => follower.nextExpiryMs);
    return Math.min(Number.POSITIVE_INFINITY, ...times);
  }

  close(): void {
    for (const { follower } of this.#groups.values()) follower.stop();
    this.#groups.clear();
  }

  #viewOf({ rule, principal }: WatchedRule, nowMs: number): SignalView {
    const { live, slate } = this.#parts;
    const { when, where } = rule;
    const status =
      where.in_play === undefined ? undefined : where.in_play ? ('live' as const) : ('scheduled' as const);
    const words = {
      ...(where.bookmakers === undefined ? {} : { bookmakers: where.bookmakers }),
      ...(status === undefined ? {} : { status }),
    };
    const odds = oddsView({ slate, leagues: NO_LEAGUES }, words, { principal, nowMs });
    const view = live.view({ ...words, ...signalWords(when) }, odds, principal);
    assert(view !== null, 'a rule about signals has a view');
    return view;
  }

  /** The group of a view, made if there is none. @throws ServiceError without room for the account */
  #groupOf(view: SignalView, holder: ShareHolder, { views, watches }: Claims, bound: Bound): Group {
    const known = this.#groups.get(view.id);
    const watch = known?.follower.watch ?? this.#parts.live.watchOf(view);
    const hasRoom =
      bound === 'share'
        ? views.hasRoomFor(view.id, holder) && watches.hasRoomFor(watch, holder)
        : views.hasRoomLeftFor(view.id, holder) && watches.hasRoomLeftFor(watch, holder);
    if (!hasRoom) {
      throw new ServiceError(
        'upstream_unavailable',
        'Cannot watch the rule: too many different rules of the account are watched',
      );
    }
    const group = known ?? this.#newGroup(view);
    views.claim(view.id, holder);
    watches.claim(group.follower.watch, holder);
    return group;
  }

  #newGroup(view: SignalView): Group {
    const { live } = this.#parts;
    const { seesSharp } = view.criteria;
    const taken = [...this.#groups.values()].map((group) => group.seesSharp);
    if (!live.hasRoom(taken, seesSharp, ALERT_VIEWS_MAX)) {
      throw new ServiceError(
        'upstream_unavailable',
        'Cannot watch the rule: too many different rules are watched',
      );
    }
    const group: Group = { follower: live.follow(view), seesSharp, rules: [] };
    this.#groups.set(view.id, group);
    return group;
  }

  /**
   * Makes new rules remember the signals that are open now, which they do not report. Computing the signals
   * of a whole slate is slow, so it is done once for all the new rules, with pauses for other work. The
   * engine begins the next step only afterwards, so no signal is reported meanwhile.
   */
  async #beginSilently({ follower }: Group, begun: readonly WatchedRule[], nowMs: number): Promise<void> {
    const { count, at } = follower.openSignals(nowMs);
    for (let index = 0; index < count; index++) {
      if (index % SIGNALS_PER_TURN === SIGNALS_PER_TURN - 1) await eventLoopTurn();
      const signal = at(index);
      const fixture = this.#fixtureOf(signal, nowMs);
      for (const watched of begun)
        if (fits(watched, signal, fixture)) watched.lives.openSilently(signal.id, nowMs);
    }
  }

  #report({ rules }: Group, signal: StreamSignal, nowMs: number, news: AlertNews[]): void {
    const fixture = signal.change === 'closed' ? null : this.#fixtureOf(signal, nowMs);
    const event = fixture === null ? null : toAlertedEvent(fixture);
    for (const watched of rules) {
      const { lives, rule } = watched;
      if (event !== null && fits(watched, signal, fixture)) {
        if (signal.change !== 'opened' && !lives.knows(signal.id) && lives.hasLeftOut(nowMs, LEFT_OUT_MS)) {
          // The signal may have opened when there was no room for it, so it is not reported as new.
          lives.openSilently(signal.id, nowMs);
          continue;
        }
        if (!lives.opened(signal.id, nowMs, { event, againAfterS: rule.when.again_after_s })) continue;
        news.push({ watched, item: itemOf(signal, 'opened', event) });
      } else if (lives.isOpen(signal.id)) {
        const known = lives.closed(signal.id);
        if (known === null || rule.when.closed !== true) continue;
        news.push({ watched, item: itemOf(signal, 'closed', event ?? known) });
      }
    }
  }

  #fixtureOf(signal: StreamSignal, nowMs: number): FixtureNow | null {
    return this.#parts.slate.fixture(decodeId('event', signal.event_id), nowMs);
  }
}

function holderOf({ rule, plan }: WatchedRule): ShareHolder {
  return { accountId: rule.accountId, isPaid: plan !== 'free' };
}

/** The rules, those of paid plans before the others. */
function paidFirst(rules: readonly WatchedRule[]): WatchedRule[] {
  const isPaid = (watched: WatchedRule): boolean => holderOf(watched).isPaid;
  return [...rules.filter(isPaid), ...rules.filter((watched) => !isPaid(watched))];
}

/** The events that the rules name; null when a rule names none. */
function eventsOf(rules: readonly WatchedRule[]): ReadonlySet<number> | null {
  const events = new Set<number>();
  for (const { rule } of rules) {
    if (rule.where.event_id === undefined) return null;
    events.add(decodeId('event', rule.where.event_id));
  }
  return events;
}

/** Whether a rule asks for this signal. @param fixture the match of the signal; false if it is null */
function fits(watched: WatchedRule, signal: StreamSignal, fixture: FixtureNow | null): boolean {
  const { where, when } = watched.rule;
  const { market_type, period } = lineOf(signal);
  if (where.markets !== undefined && !where.markets.includes(market_type)) return false;
  if (where.period !== undefined && where.period !== period) return false;
  if (signal.value_bet !== null && when.min_ev_pct !== undefined) {
    const { ev_pct } = signal.value_bet;
    if (ev_pct === null || ev_pct < when.min_ev_pct) return false;
  }
  return fixture !== null && isWhere(watched, fixture);
}

/**
 * A rule as the parameters of a stream. The lowest expected return of a value rule is not among them; it is
 * tested on each signal.
 */
function signalWords(when: AlertWhen): SignalWords {
  const { kind, min_edge_pct, reference, min_margin_pct, max_hold_pct, pct, of, owners, within_s } = when;
  assert(isSignalKind(kind), 'a rule about signals has one of their kinds');
  return {
    ...{ signals: [kind], min_edge_pct, reference, min_margin_pct, max_hold_pct, owners, within_s },
    ...(kind === 'middle' ? { min_ev_pct: when.min_ev_pct } : {}),
    ...(kind === 'move' ? { move_pct: pct, move_of: of } : {}),
    ...(kind === 'steam' ? { steam_pct: pct } : {}),
  };
}

/** The market and period of a signal of any kind. */
function lineOf({ value_bet, opportunity, middle, low_hold, move, steam }: StreamSignal) {
  return (value_bet ?? opportunity ?? middle ?? low_hold ?? move ?? steam)!;
}

function itemOf(signal: StreamSignal, change: 'opened' | 'closed', event: AlertedEvent): AlertNews['item'] {
  return {
    kind: signal.kind,
    change,
    id: signal.id,
    text: signalText(signal, change, event),
    event,
    details: { ...signal, change },
  };
}
