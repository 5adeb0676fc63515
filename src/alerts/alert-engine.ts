// Evaluates alert rules and sends their alerts, on one node at a time. Each step evaluates the slate, writes
// new alerts into the outbox and sends the deliveries that are due.

import type { Clock } from '../clock.ts';
import { principalOf } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import { eventLoopTurn } from '../pause.ts';
import { bodyOf } from './delivery/payload.ts';
import type { AlertNews, Evaluation, WatchedRule } from './evaluation/news.ts';
import { LEFT_OUT_MS, REMEMBERED_MAX, RULES_PER_TURN, RuleLives } from './evaluation/news.ts';
import { AccountShares } from './outbox/account-shares.ts';
import type { Dispatcher } from './outbox/dispatcher.ts';
import type { OutboxLease } from './outbox/lease.ts';
import { type NewDelivery, OUTBOX_MAX, type OutboxStore, type OwnedRule } from './outbox/outbox-store.ts';

/** How often the lease is extended. */
const LEASE_EVERY_MS = 1_000;
/** How often to check whether owners changed rules or requested deliveries. */
const EPOCH_EVERY_MS = 250;
/**
 * How often all rules are read again even if the epoch did not rise. A change of an account's plan, for
 * example, does not raise it.
 */
const RELOAD_EVERY_MS = 10_000;

const LEFT_OUT_NOTE =
  'In the last hour so many signals or prices fitted the rules of the account that some were not reported. Narrow the rules.';

export interface AlertEngineParts {
  readonly store: OutboxStore;
  readonly lease: OutboxLease;
  readonly dispatcher: Dispatcher;
  /** Creates the evaluations when this node begins to evaluate rules. */
  readonly openEvaluations: () => readonly Evaluation[];
  /** The clock of rules and deliveries. */
  readonly clock: Clock;
  /** The clock of the slate. With FEED_NOW it stands still. */
  readonly slateClock: Pick<Clock, 'wallMs'>;
  /** Whether this node may evaluate its slate: the node leads, and the slate is complete. */
  readonly mayWatch: () => boolean;
  /** Whether this node may hold the lease. */
  readonly mayLead: () => boolean;
  readonly nextId: () => string;
  /**
   * Called for each alert that is dropped because its rule or its account has no place left in the outbox.
   */
  readonly onFull: (ruleId: string) => void;
}

export class AlertEngine {
  readonly #parts: AlertEngineParts;
  #evaluations: readonly Evaluation[] | null = null;
  #watched: ReadonlyMap<string, WatchedRule> = new Map();
  #notes = new Map<string, string | null>();
  /** Counts, for each account, the signals and prices that its rules remember. */
  readonly #remembered = new AccountShares(REMEMBERED_MAX);
  /** Whether the slate was evaluated since the evaluations were opened. */
  #isWatching = false;
  /** All rules, oldest first. */
  #rules = new Map<string, OwnedRule>();
  /** The epoch up to which changes were read; null makes the next step read everything. */
  #epoch: number | null = null;
  /** Whether the last read of all waiting deliveries stopped at OUTBOX_MAX, so that more may wait. */
  #hasUnread = false;
  #leaseAtMs = 0;
  #epochAtMs = 0;
  #reloadAtMs = 0;
  /** New alerts that are not in the outbox yet. They stay here while the database fails. */
  #unwritten: NewDelivery[] = [];

  constructor(parts: AlertEngineParts) {
    this.#parts = parts;
  }

  /** How many rules are watched. */
  get ruleCount(): number {
    return this.#watched.size;
  }

  /** Whether there is nothing to watch and nothing to send. */
  get isIdle(): boolean {
    return this.#watched.size === 0 && this.#parts.dispatcher.size === 0;
  }

  /** Makes the next step check whether rules were changed. */
  checkSoon(): void {
    this.#epochAtMs = 0;
  }

  /** Does one step. @throws StorageError when the database fails; the next step tries again */
  async step(): Promise<void> {
    const { lease, dispatcher } = this.#parts;
    await this.#stepLease();
    if (!lease.isHeld) return this.#standBy();
    await this.#write();
    await this.#stepRules();
    await this.#evaluate();
    await this.#write();
    await dispatcher.flush();
    dispatcher.pump();
  }

  /**
   * Forgets all it has read and found, so that the next step reads it again. Call it after a step that failed
   * unexpectedly: what made it fail may be in memory. Alerts that are not in the outbox yet are lost, and
   * deliveries whose results are not stored are sent again.
   */
  beginAgain(): void {
    this.#unwritten = [];
    this.#epoch = null;
    this.#rules = new Map();
    this.#forgetWatched();
    this.#parts.dispatcher.clear();
    this.#endWatch();
  }

  /** Stops, and lets another node take over. That node repeats requests that are under way here. */
  async close(): Promise<void> {
    const { lease, dispatcher } = this.#parts;
    const held = lease.isHeld;
    this.#endWatch();
    if (!held) return;
    await dispatcher.flush();
    await lease.release();
  }

  async #stepLease(): Promise<void> {
    const { clock, lease, mayLead } = this.#parts;
    const nowMs = clock.monotonicMs();
    if (nowMs < this.#leaseAtMs) return;
    this.#leaseAtMs = nowMs + LEASE_EVERY_MS;
    if (mayLead()) await lease.step();
    else if (lease.isHeld) await lease.release();
  }

  /**
   * Without the lease this node may not send alerts, so it forgets its rules and deliveries. It reads them
   * again when it gets the lease.
   */
  #standBy(): void {
    if (this.#epoch === null && this.#evaluations === null) return;
    this.beginAgain();
  }

  async #stepRules(): Promise<void> {
    const { clock, store, dispatcher } = this.#parts;
    const nowMs = clock.monotonicMs();
    if (this.#epoch !== null && nowMs < this.#epochAtMs) return;
    this.#epochAtMs = nowMs + EPOCH_EVERY_MS;
    const { epoch, ruleCount } = await store.epoch();
    const former = this.#epoch;
    const isChanged = former !== null && former !== epoch;
    if (isChanged) {
      for (const [id, owned] of await store.changedRules(former)) {
        if (owned === null) this.#rules.delete(id);
        else this.#rules.set(id, owned);
      }
    }
    const readsAll = former === null || nowMs >= this.#reloadAtMs || this.#rules.size !== ruleCount;
    if (!readsAll && !isChanged) return;
    if (readsAll) {
      this.#reloadAtMs = nowMs + RELOAD_EVERY_MS;
      for (const ruleId of await store.failOverdue(clock.wallMs())) dispatcher.noteFinished(ruleId);
      await store.deleteOld(clock.wallMs());
      this.#rules = new Map((await store.rules()).map((owned) => [owned.rule.id, owned]));
    }
    const rules = [...this.#rules.values()];
    dispatcher.setRules(rules);
    if (former === null || (readsAll && this.#hasUnread)) {
      const rows = await store.waiting();
      this.#hasUnread = rows.length >= OUTBOX_MAX;
      dispatcher.load(rows);
    } else if (isChanged) dispatcher.load(await store.changedWaiting(former));
    await this.#watch(rules);
    this.#epoch = epoch;
    if (readsAll) await store.forgetChanges(epoch);
  }

  async #watch(rules: readonly OwnedRule[]): Promise<void> {
    const { store, openEvaluations, slateClock } = this.#parts;
    const former = this.#watched;
    const active = new Map<string, WatchedRule>();
    for (const owned of rules) {
      const { id, status } = owned.rule;
      if (status !== 'active') continue;
      active.set(id, this.#watchedOf(owned, former.get(id)));
      if (active.size % RULES_PER_TURN === 0) await eventLoopTurn();
    }
    this.#watched = active;
    const kept = new Set([...active.values()].map(({ lives }) => lives));
    for (const { lives } of former.values()) if (!kept.has(lives)) lives.release();
    if (this.#watched.size > 0) this.#evaluations ??= openEvaluations();
    const notes = new Map<string, string>();
    const watched = [...this.#watched.values()];
    for (const evaluation of this.#evaluations ?? []) {
      const found = await evaluation.setRules(watched, slateClock.wallMs());
      for (const [id, note] of found) notes.set(id, note);
    }
    for (const { rule, lives } of watched) {
      const note =
        notes.get(rule.id) ?? (lives.hasLeftOut(slateClock.wallMs(), LEFT_OUT_MS) ? LEFT_OUT_NOTE : null);
      const shown = this.#notes.has(rule.id) ? this.#notes.get(rule.id)! : rule.note;
      if (note !== shown) await store.note(rule.id, note);
      this.#notes.set(rule.id, note);
    }
    for (const id of [...this.#notes.keys()]) if (!this.#watched.has(id)) this.#notes.delete(id);
  }

  async #evaluate(): Promise<void> {
    const { mayWatch, slateClock, clock, dispatcher, nextId, onFull } = this.#parts;
    if (this.#evaluations === null) return;
    if (!mayWatch()) return this.#pauseWatch();
    this.#isWatching = true;
    for (const evaluation of this.#evaluations) {
      let news: readonly AlertNews[];
      try {
        news = await evaluation.step(slateClock.wallMs());
      } catch (error) {
        // The scoring pool is full or has lost its workers: a later step finds what changed.
        if (!(error instanceof ServiceError)) throw error;
        continue;
      }
      const atMs = clock.wallMs();
      for (const { watched, item } of news) {
        const { rule } = watched;
        const messageId = nextId();
        if (!dispatcher.reserve({ messageId, ruleId: rule.id })) {
          onFull(rule.id);
          continue;
        }
        const body = bodyOf(rule, [item], atMs);
        this.#unwritten.push({ messageId, ruleId: rule.id, life: item.id, body, atMs });
      }
    }
  }

  /**
   * Writes new alerts into the outbox and then queues them: no alert is sent before it is in the database.
   */
  async #write(): Promise<void> {
    const { store, dispatcher } = this.#parts;
    if (this.#unwritten.length === 0) return;
    const deliveries = this.#unwritten;
    await store.add(deliveries);
    this.#unwritten = [];
    for (const { atMs, ...delivery } of deliveries) {
      dispatcher.add({ ...delivery, merged: 1, tries: 0, dueAtMs: atMs });
    }
  }

  /**
   * Stops evaluating while there is no complete slate, for instance because the feed is lost. Signals that
   * are open when the slate is complete again are not reported, because they would all be reported together.
   */
  #pauseWatch(): void {
    if (!this.#isWatching) return;
    this.#endWatch();
    this.#forgetWatched();
    this.#reloadAtMs = 0;
    this.#epochAtMs = 0;
  }

  #forgetWatched(): void {
    this.#watched = new Map();
    this.#remembered.clear();
  }

  #endWatch(): void {
    this.#isWatching = false;
    const evaluations = this.#evaluations ?? [];
    this.#evaluations = null;
    for (const evaluation of evaluations) evaluation.close();
  }

  /** A rule forgets what it has reported only if its `when`, its `where` or its account's plan changed. */
  #watchedOf(owned: OwnedRule, former: WatchedRule | undefined): WatchedRule {
    const { rule, plan } = owned;
    const isSame =
      former !== undefined &&
      former.plan === plan &&
      Bun.deepEquals([former.rule.when, former.rule.where], [rule.when, rule.where]);
    const holder = { accountId: rule.accountId, isPaid: plan !== 'free' };
    const lives = isSame ? former.lives : new RuleLives({ shares: this.#remembered, holder });
    return { ...owned, principal: principalOf(plan), lives };
  }
}
