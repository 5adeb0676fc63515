// Sends the deliveries of the outbox. Each endpoint of each account has its own queue, so a slow or dead
// endpoint delays no other. Queues take turns, and accounts have shares of what waits and what is under way.
// Results are stored in batches; after a crash, a delivery whose result was not stored is sent again with the
// same id.

import type { Clock } from '../../clock.ts';
import { mergedBody, parseBody } from '../delivery/payload.ts';
import type { PostOutcome } from '../delivery/post.ts';
import type { AlertRule } from '../rules/alert-rule.ts';
import { AccountShares, type ShareHolder } from './account-shares.ts';
import { type DeliveryRow, keptAnswer } from './delivery.ts';
import { FAILURES_MAX, longestPauseMs, type QueuedDelivery, resultOf } from './endpoint-queue.ts';
import type { DeliveryOutcome, Endpoint, OutboxStore, OwnedRule } from './outbox-store.ts';
import { type AlertRoute, Routes, routeKey } from './routes.ts';
import { WaitingDeliveries } from './waiting-deliveries.ts';

/** Maximum number of requests under way to all endpoints together. The others wait their turn. */
const SENDING_MAX = 256;
/**
 * How many of the SENDING_MAX requests may go to slow or failing endpoints, so that places are left for the
 * others.
 */
const SLOW_SENDING_MAX = 128;
/**
 * How long all endpoints of an account without a paid plan count as slow after one attempt took long. If only
 * the one endpoint counted as slow, the account could always use new endpoints, or several that hang in turn.
 */
const SLOW_ACCOUNT_MS = 60_000;
/**
 * Each time the rules of an account have finished this many deliveries, its old finished ones are deleted.
 */
const PRUNE_EVERY = 50;

export interface DispatcherParts {
  readonly store: OutboxStore;
  readonly clock: Clock;
  /** A random number from 0 to 1, for jitter. */
  readonly random: () => number;
  /** Sends one delivery. Never rejects. */
  readonly post: (rule: AlertRule, delivery: QueuedDelivery) => Promise<PostOutcome>;
  /** Whether this node may send now. */
  readonly maySend: () => boolean;
  /**
   * Called with rules that were stopped because their endpoint answered 410 or, with `isFailing`, failed too
   * often.
   */
  readonly onStopped: (rules: readonly OwnedRule[], isFailing: boolean) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Numbers for the metrics. */
export interface DispatcherCounts {
  taken: number;
  failed: number;
  dropped: number;
  merged: number;
}

export class Dispatcher {
  readonly counts: DispatcherCounts = { taken: 0, failed: 0, dropped: 0, merged: 0 };
  readonly #parts: DispatcherParts;
  readonly #routes = new Routes();
  /** Accounts without a paid plan whose endpoints count as slow, and until when. */
  readonly #slowUntilMs = new Map<string, number>();
  readonly #rules = new Map<string, OwnedRule>();
  readonly #paidAccounts = new Set<string>();
  readonly #waiting = new WaitingDeliveries();
  readonly #sending = new AccountShares(SENDING_MAX);
  readonly #slowSending = new AccountShares(SLOW_SENDING_MAX);
  /**
   * The number of deliveries of an account that have finished since its old ones were last deleted, by
   * account.
   */
  readonly #finishedOfAccount = new Map<string, number>();
  #outcomes: DeliveryOutcome[] = [];
  /** Message ids of deliveries that became part of others since the last `flush`. */
  readonly #mergedIds = new Set<string>();
  /** Whether the last `pump` had to leave out an endpoint, because no place was free. */
  #lacksPlaces = false;
  #pumpsSoon = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Deliveries that wait or are being sent. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Replaces the rules. Deliveries that wait for a deleted or stopped rule are no longer sent, except tests
   * of a stopped rule.
   */
  setRules(rules: readonly OwnedRule[]): void {
    const former = new Map(this.#rules);
    this.#rules.clear();
    this.#paidAccounts.clear();
    for (const owned of rules) {
      this.#rules.set(owned.rule.id, owned);
      if (owned.plan !== 'free') this.#paidAccounts.add(owned.rule.accountId);
    }
    for (const [id, { rule }] of former) {
      const now = this.#rules.get(id)?.rule;
      // If a rule has a new URL, its waiting deliveries are loaded again from the database, for that URL. If
      // a rule was stopped, only its tests are loaded again.
      const keeps = now !== undefined && now.to.url === rule.to.url && (!isStopped(now) || isStopped(rule));
      if (!keeps) this.#forgetWaiting(endpointOf(rule), id);
    }
    const accounts = new Set(rules.map(({ rule }) => rule.accountId));
    for (const accountId of this.#finishedOfAccount.keys())
      if (!accounts.has(accountId)) this.#finishedOfAccount.delete(accountId);
    const nowMs = this.#parts.clock.monotonicMs();
    const keys = new Set(rules.map(({ rule }) => routeKey(endpointOf(rule))));
    for (const [, routes] of this.#routes.inTurn()) {
      for (const route of routes) {
        if (route.queue.size === 0 && !keys.has(route.key)) this.#routes.delete(route);
      }
    }
    this.#routes.forgetPaces(nowMs);
    for (const [id, untilMs] of this.#slowUntilMs) if (nowMs >= untilMs) this.#slowUntilMs.delete(id);
  }

  /** Queues the deliveries from the database that are not queued yet. @param rows in order */
  load(rows: readonly DeliveryRow[]): void {
    // Finished and merged deliveries may still wait in `rows`: their results were not stored when `rows` was
    // read.
    const finished = this.#outcomes.filter(({ state }) => state !== 'waiting');
    const doneIds = new Set([...this.#mergedIds, ...finished.map(({ messageId }) => messageId)]);
    for (const row of rows) {
      if (this.#waiting.has(row.message_id) || doneIds.has(row.message_id)) continue;
      this.add({
        messageId: row.message_id,
        ruleId: row.rule_id,
        life: row.life,
        body: row.body,
        merged: row.merged,
        tries: row.tries,
        dueAtMs: row.due_at_ms,
        isLoaded: true,
      });
    }
  }

  /**
   * Takes a place in the outbox for a new alert; `add` it once it is in the database.
   * @returns false when the rule or its account has no place left: the alert is dropped and counted
   */
  reserve(alert: Pick<QueuedDelivery, 'messageId' | 'ruleId'>): boolean {
    const owned = this.#rules.get(alert.ruleId);
    if (owned === undefined) return true;
    const hasPlace = this.#waiting.reserve(alert, this.#holderOf(owned.rule.accountId));
    if (!hasPlace) this.counts.dropped += 1;
    return hasPlace;
  }

  /**
   * Queues a delivery that is in the database. Its `dueAtMs` is by the wall clock, but the queue waits by the
   * monotonic clock, so that setting the wall clock delays nothing.
   * @param isFirst whether it is older than all deliveries that wait for its endpoint
   */
  add(delivery: QueuedDelivery, isFirst = false): void {
    const { messageId, ruleId } = delivery;
    this.#waiting.endReservation(delivery);
    const owned = this.#rules.get(ruleId);
    if (owned === undefined || this.#waiting.has(messageId) || !isSendable(owned, delivery)) return;
    const { queue } = this.#routes.open(endpointOf(owned.rule));
    const { clock } = this.#parts;
    const waitMs = Math.min(delivery.dueAtMs - clock.wallMs(), longestPauseMs(delivery.tries));
    queue.add({ ...delivery, dueAtMs: clock.monotonicMs() + Math.max(0, waitMs) }, isFirst);
    this.#waiting.add(delivery, this.#holderOf(owned.rule.accountId));
  }

  /** Forgets all deliveries and queues, because this node may no longer send. */
  clear(): void {
    this.#routes.clear();
    this.#slowUntilMs.clear();
    this.#waiting.clear();
    this.#finishedOfAccount.clear();
    this.#outcomes = [];
    this.#mergedIds.clear();
  }

  /** Sends the deliveries that are due: one of each account, then a second one of each, and so on. */
  pump(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    this.#lacksPlaces = false;
    let accounts = this.#routes.inTurn();
    while (accounts.length > 0) {
      if (!this.#parts.maySend()) return;
      const again: typeof accounts = [];
      for (const [accountId, routes] of accounts) {
        const left = this.#pumpAccount(accountId, routes, nowMs);
        if (left.length > 0) again.push([accountId, left]);
      }
      accounts = again;
    }
  }

  /** Sends from the first route that has something due. @returns the routes that come after it */
  #pumpAccount(accountId: string, routes: readonly AlertRoute[], nowMs: number): readonly AlertRoute[] {
    const holder = this.#holderOf(accountId);
    const isSlow = !holder.isPaid && nowMs < (this.#slowUntilMs.get(accountId) ?? 0);
    for (const [index, route] of routes.entries()) {
      const { queue } = route;
      const places = isSlow || queue.isSlow ? [this.#sending, this.#slowSending] : [this.#sending];
      if (!places.every((shares) => shares.hasRoomFor(holder))) {
        this.#lacksPlaces = true;
        continue;
      }
      const deliveries = queue.take(nowMs, holder.isPaid ? route.paidPaces : route.freePaces);
      if (deliveries !== null) {
        this.#routes.tookTurn(route);
        for (const shares of places) shares.add(holder);
        void this.#send(route, deliveries)
          .catch(this.#parts.onError)
          .finally(() => {
            for (const shares of places) shares.remove(holder);
            this.#pumpSoon();
          });
        return routes.slice(index + 1);
      }
      if (queue.isIdle(nowMs)) this.#routes.delete(route);
    }
    return [];
  }

  /**
   * Pumps again if endpoints lacked a place: once for all places that become free in this turn of the event
   * loop.
   */
  #pumpSoon(): void {
    if (!this.#lacksPlaces || this.#pumpsSoon) return;
    this.#pumpsSoon = true;
    setImmediate(() => {
      this.#pumpsSoon = false;
      this.pump();
    });
  }

  /**
   * Stores the results of finished attempts. Resolves immediately when there are none. Call it only after all
   * rows that were read before were passed to `load`, which would otherwise queue finished deliveries again.
   * @throws StorageError
   */
  async flush(): Promise<void> {
    this.#mergedIds.clear();
    await this.#storeOutcomes();
    for (const [accountId, count] of this.#finishedOfAccount) {
      if (count < PRUNE_EVERY) continue;
      this.#finishedOfAccount.delete(accountId);
      await this.#parts.store.prune(this.#holderOf(accountId));
    }
  }

  async #storeOutcomes(): Promise<void> {
    if (this.#outcomes.length === 0) return;
    const outcomes = this.#outcomes;
    this.#outcomes = [];
    try {
      await this.#parts.store.settle(outcomes);
    } catch (error) {
      this.#outcomes = [...outcomes, ...this.#outcomes];
      throw error;
    }
  }

  /** Counts deliveries that finished unsent, so that `flush` deletes old ones of their account. */
  noteFinished(ruleId: string, count = 1): void {
    const accountId = this.#rules.get(ruleId)?.rule.accountId;
    if (accountId === undefined) return;
    this.#finishedOfAccount.set(accountId, (this.#finishedOfAccount.get(accountId) ?? 0) + count);
  }

  async #send(route: AlertRoute, deliveries: readonly QueuedDelivery[]): Promise<void> {
    const { queue } = route;
    const owned = this.#rules.get(deliveries[0]!.ruleId);
    if (owned === undefined) {
      queue.putBack([]);
      for (const delivery of deliveries) this.#waiting.remove(delivery);
      return;
    }
    let delivery: QueuedDelivery;
    try {
      delivery = deliveries.length === 1 ? deliveries[0]! : await this.#merge(deliveries);
    } catch (error) {
      queue.putBack(deliveries);
      throw error;
    }
    const outcome = await this.#parts.post(owned.rule, delivery);
    // If the answer was slow, another node may have taken over and have the delivery in its own queue. Then
    // this result is ignored.
    if (this.#routes.get(route) !== route) return;
    await this.#settle({ route, delivery, owned, outcome });
  }

  async #settle(sent: {
    readonly route: AlertRoute;
    readonly delivery: QueuedDelivery;
    readonly owned: OwnedRule;
    readonly outcome: PostOutcome;
  }): Promise<void> {
    const { route, delivery, owned, outcome } = sent;
    const { queue, url, accountId } = route;
    const { clock, random } = this.#parts;
    const [nowMs, sentAtMs] = [clock.monotonicMs(), clock.wallMs()];
    const result = resultOf(owned.rule, outcome);
    if (outcome.retryAfterMs !== undefined) queue.hold(outcome.retryAfterMs, nowMs);
    const verdict = queue.settle(delivery, result, nowMs, random());
    const { state, isPaused, tookLong } = verdict;
    if (tookLong && !this.#paidAccounts.has(accountId)) {
      this.#slowUntilMs.set(accountId, nowMs + SLOW_ACCOUNT_MS);
    }
    const dueAtMs = Math.round(sentAtMs + verdict.dueAtMs - nowMs);
    const { status, error, answer } = outcome;
    const tries = delivery.tries + 1;
    this.#outcomes.push({
      messageId: delivery.messageId,
      ...{ tries, sentAtMs, state, dueAtMs },
      ...{ status, error, answer: keptAnswer(answer) },
    });
    if (state !== 'waiting') this.#finished(delivery, state);
    else if (this.#rules.get(delivery.ruleId)?.rule.to.url !== url) {
      // The rule was deleted or got a new URL while the delivery was being sent. Take the delivery off this
      // route, and queue it for the rule as it is now.
      this.#forgetWaiting(route, delivery.ruleId);
      this.add({ ...delivery, tries, dueAtMs }, true);
    }
    if (result === 'gone') await this.#end(route, owned);
    else if (isPaused) await this.#pause(route);
  }

  #finished(delivery: QueuedDelivery, state: 'taken' | 'failed'): void {
    const { ruleId } = delivery;
    this.counts[state] += 1;
    this.#waiting.remove(delivery);
    this.noteFinished(ruleId);
  }

  async #end(route: AlertRoute, owned: OwnedRule): Promise<void> {
    this.#forgetWaiting(route, owned.rule.id);
    const failed = await this.#parts.store.endRule(owned.rule.id, 'Its endpoint answered 410.');
    this.noteFinished(owned.rule.id, failed);
    await this.#parts.onStopped([owned], false);
  }

  async #pause(route: AlertRoute): Promise<void> {
    this.#forgetWaiting(route);
    const rules = [...this.#rules.values()].filter(
      ({ rule }) => routeKey(endpointOf(rule)) === route.key && rule.status === 'active',
    );
    const note = `Its endpoint failed ${FAILURES_MAX} times in a row. Set the rule to active to resume.`;
    await this.#parts.store.stopEndpoint(route, note);
    await this.#parts.onStopped(rules, true);
  }

  async #merge(deliveries: readonly QueuedDelivery[]): Promise<QueuedDelivery> {
    const [first, ...others] = deliveries as [QueuedDelivery, ...QueuedDelivery[]];
    const body = mergedBody(deliveries.map((delivery) => delivery.body));
    const lives = new Set(deliveries.flatMap(({ life }) => life.split('\n')));
    const merged = { ...first, body, life: [...lives].join('\n'), merged: parseBody(body).data.merged };
    await this.#parts.store.merge(
      merged,
      others.map(({ messageId }) => messageId),
    );
    for (const other of others) {
      this.#waiting.remove(other);
      this.#mergedIds.add(other.messageId);
    }
    this.counts.merged += others.length;
    return merged;
  }

  #holderOf(accountId: string): ShareHolder {
    return { accountId, isPaid: this.#paidAccounts.has(accountId) };
  }

  /** Forgets a route's waiting deliveries, of one rule or of all rules. They stay in the database. */
  #forgetWaiting(endpoint: Endpoint, only?: string): void {
    for (const delivery of this.#routes.get(endpoint)?.queue.drop(only) ?? []) this.#waiting.remove(delivery);
  }
}

function endpointOf({ accountId, to }: AlertRule): Endpoint {
  return { accountId, url: to.url };
}

/**
 * A rule that was stopped because of its endpoint sends only tests, which show its owner whether the endpoint
 * works again.
 */
function isSendable({ rule }: OwnedRule, { life }: QueuedDelivery): boolean {
  return !isStopped(rule) || life.startsWith('test:');
}

function isStopped({ status }: AlertRule): boolean {
  return status === 'failing' || status === 'ended';
}
