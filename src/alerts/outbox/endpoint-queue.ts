// The deliveries of one account that wait for one endpoint, and the choice of the next one. One request is
// sent at a time, and alerts about the same signal stay in order. While rate limits hold deliveries back,
// alerts of the same rule are merged.

import { HOUR_MS, SECOND_MS } from '../../clock.ts';
import type { PostOutcome } from '../delivery/post.ts';
import type { AlertRule } from '../rules/alert-rule.ts';

/** Maximum number of deliveries merged into one. The rest goes into the next. */
export const MERGED_MAX = 100;
/** Pauses before the second and each further attempt. After the last attempt, the delivery has failed. */
export const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000, HOUR_MS, 6 * HOUR_MS] as const;
/**
 * A pause is randomly up to this share shorter or longer, so that deliveries that failed together are spread.
 */
const JITTER = 0.2;
/** Failures in a row after which an endpoint is paused and the account gets a mail. */
export const FAILURES_MAX = 50;
/**
 * The longest pause an endpoint may ask for. If it asks for more, the next attempt is made after this time
 * anyway.
 */
export const HOLD_MAX_MS = HOUR_MS;
/**
 * An endpoint is slow if its last attempt failed or took longer than this: see `SLOW_SENDING_MAX` of the
 * dispatcher.
 */
const SLOW_MS = 1_000;
/** Statuses between 400 and 499 after which another attempt may still succeed. */
const RETRIED_STATUSES: readonly number[] = [408, 425, 429];

export interface QueuedDelivery {
  readonly messageId: string;
  readonly ruleId: string;
  /**
   * Ids of the delivery's subjects, such as signals, one per line. Deliveries of one rule about the same
   * subject are sent in order.
   */
  readonly life: string;
  readonly body: string;
  readonly merged: number;
  readonly tries: number;
  /**
   * When the delivery is due: in a queue by the clock that `take` and `settle` are given, elsewhere by the
   * wall clock.
   */
  readonly dueAtMs: number;
  /**
   * Whether the delivery was read from the database. A killed process may have sent it without storing the
   * result, so it keeps its id and body and is not merged.
   */
  readonly isLoaded?: boolean;
}

/**
 * The result of an attempt. `taken`: accepted. `failed`: to be tried again. `refused`: the service will never
 * accept this delivery. `gone`: the endpoint answered 410 and wants no more deliveries.
 */
export type TryResult = 'taken' | 'failed' | 'refused' | 'gone';

export interface TryVerdict {
  readonly state: 'waiting' | 'taken' | 'failed';
  /** When the next attempt is due, if the delivery waits. */
  readonly dueAtMs: number;
  /** Whether the endpoint has now failed FAILURES_MAX times in a row. */
  readonly isPaused: boolean;
  /** Whether the attempt took longer than SLOW_MS. */
  readonly tookLong: boolean;
}

/** A rate limit that several queues may share: at most `perSecond` deliveries within any second. */
export class EndpointPace {
  readonly #perSecond: number;
  /** When the deliveries of the last second were sent, oldest first. */
  #sentAtMs: number[] = [];
  /** When the limit was last reached. */
  #fullAtMs = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Whether one more delivery may be sent now. */
  hasRoom(nowMs: number): boolean {
    if (nowMs - (this.#sentAtMs[0] ?? nowMs) >= SECOND_MS)
      this.#sentAtMs = this.#sentAtMs.filter((atMs) => nowMs - atMs < SECOND_MS);
    return this.#sentAtMs.length < this.#perSecond;
  }

  /** Counts a delivery that is sent now. */
  count(nowMs: number): void {
    this.#sentAtMs.push(nowMs);
    if (!this.hasRoom(nowMs)) this.#fullAtMs = nowMs;
  }

  /** Whether the limit was reached within the last second. */
  isPressed(nowMs: number): boolean {
    return nowMs - this.#fullAtMs < SECOND_MS;
  }

  isIdle(nowMs: number): boolean {
    return nowMs - (this.#sentAtMs.at(-1) ?? Number.NEGATIVE_INFINITY) >= SECOND_MS;
  }
}

export class EndpointQueue {
  #waiting: QueuedDelivery[] = [];
  #sending: QueuedDelivery | null = null;
  #failuresInARow = 0;
  /** The endpoint asked to receive nothing before this time. */
  #heldUntilMs = 0;
  #startedAtMs = 0;
  #isSlow = false;
  /** No delivery is due before this time, so the queue is not searched until then. */
  #readyAtMs = 0;

  /** Deliveries that wait or are being sent. */
  get size(): number {
    return this.#waiting.length + (this.#sending === null ? 0 : 1);
  }

  /** Whether the last attempt failed or took long. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** @param isFirst whether it is older than all waiting deliveries */
  add(delivery: QueuedDelivery, isFirst = false): void {
    this.#readyAtMs = 0;
    if (isFirst) this.#waiting.unshift(delivery);
    else this.#waiting.push(delivery);
  }

  /** Sends nothing for a while, as the endpoint asked. Call it before `settle`. */
  hold(forMs: number, nowMs: number): void {
    this.#heldUntilMs = nowMs + Math.min(forMs, HOLD_MAX_MS);
  }

  /** Whether the queue can be dropped: nothing waits, no pause runs, and its endpoint was quick. */
  isIdle(nowMs: number): boolean {
    return this.size === 0 && this.#failuresInARow === 0 && !this.#isSlow && nowMs >= this.#heldUntilMs;
  }

  /** Drops the waiting deliveries of one rule or of all. @returns the dropped ones */
  drop(ruleId?: string): readonly QueuedDelivery[] {
    const isDropped = (delivery: QueuedDelivery): boolean =>
      ruleId === undefined || delivery.ruleId === ruleId;
    this.#readyAtMs = 0;
    const dropped = this.#waiting.filter(isDropped);
    this.#waiting = this.#waiting.filter((delivery) => !isDropped(delivery));
    return dropped;
  }

  /**
   * The deliveries to send now as one request, oldest first; null when none may be sent. Nothing else is sent
   * until `settle` is called.
   * @param paces the rate limits, all of which must have room
   */
  take(nowMs: number, paces: readonly EndpointPace[]): readonly QueuedDelivery[] | null {
    if (this.#sending !== null || this.#waiting.length === 0) return null;
    if (nowMs < Math.max(this.#heldUntilMs, this.#readyAtMs)) return null;
    if (!paces.every((pace) => pace.hasRoom(nowMs))) return null;
    const first = this.#firstReady(nowMs);
    if (first === undefined) return null;
    for (const pace of paces) pace.count(nowMs);
    const isPressed = paces.some((pace) => pace.isPressed(nowMs));
    const taken = isPressed && isUnsent(first) ? this.#mergeable(first, nowMs) : [first];
    const ids = new Set(taken.map(({ messageId }) => messageId));
    this.#waiting = this.#waiting.filter(({ messageId }) => !ids.has(messageId));
    this.#sending = first;
    this.#startedAtMs = nowMs;
    return taken;
  }

  /** Puts back what `take` returned, when it could not be sent at all. */
  putBack(deliveries: readonly QueuedDelivery[]): void {
    this.#readyAtMs = 0;
    this.#waiting = [...deliveries, ...this.#waiting];
    this.#sending = null;
  }

  /** Ends the attempt that `take` began. @param unit a random number from 0 to 1 */
  settle(delivery: QueuedDelivery, result: TryResult, nowMs: number, unit: number): TryVerdict {
    this.#sending = null;
    this.#readyAtMs = 0;
    const tookLong = nowMs - this.#startedAtMs > SLOW_MS;
    this.#isSlow = result === 'failed' || tookLong;
    if (result === 'taken') {
      this.#failuresInARow = 0;
      return { state: 'taken', dueAtMs: nowMs, isPaused: false, tookLong };
    }
    this.#failuresInARow += 1;
    const isPaused = this.#failuresInARow >= FAILURES_MAX;
    if (isPaused) this.#failuresInARow = 0;
    const pauseMs = RETRY_AFTER_MS[delivery.tries];
    if (result !== 'failed' || pauseMs === undefined)
      return { state: 'failed', dueAtMs: nowMs, isPaused, tookLong };
    const pausedMs = Math.round(nowMs + pauseMs * (1 - JITTER + 2 * JITTER * unit));
    const dueAtMs = Math.max(pausedMs, this.#heldUntilMs);
    // Put it at the front, because later alerts about the same signal must wait for this one.
    this.#waiting.unshift({ ...delivery, tries: delivery.tries + 1, dueAtMs });
    return { state: 'waiting', dueAtMs, isPaused, tookLong };
  }

  /** The first due delivery that is not preceded by another of the same rule about the same signal. */
  #firstReady(nowMs: number): QueuedDelivery | undefined {
    const blocked = new Set<string>();
    let readyAtMs = Number.POSITIVE_INFINITY;
    for (const delivery of this.#waiting) {
      const lives = livesOf(delivery).map((life) => `${delivery.ruleId} ${life}`);
      if (!lives.some((life) => blocked.has(life))) {
        if (delivery.dueAtMs <= nowMs) return delivery;
        readyAtMs = Math.min(readyAtMs, delivery.dueAtMs);
      }
      for (const life of lives) blocked.add(life);
    }
    this.#readyAtMs = readyAtMs;
    return undefined;
  }

  /**
   * The deliveries to send as one, in order: `first` and those of the same rule that may be merged with it.
   */
  #mergeable(first: QueuedDelivery, nowMs: number): QueuedDelivery[] {
    const blocked = new Set<string>();
    const taken: QueuedDelivery[] = [];
    for (const delivery of this.#waiting) {
      if (delivery.ruleId !== first.ruleId || taken.length >= MERGED_MAX) continue;
      const lives = livesOf(delivery);
      const isNew = isUnsent(delivery) && delivery.dueAtMs <= nowMs;
      if (isNew && !lives.some((life) => blocked.has(life))) taken.push(delivery);
      else for (const life of lives) blocked.add(life);
    }
    return taken;
  }
}

/**
 * Services such as Discord refuse a wrong token or a deleted channel for good, and ban clients that try
 * again. An owner's own endpoint may answer anything while it is being repaired, so it is tried again.
 */
export function resultOf({ to }: AlertRule, { status, error }: PostOutcome): TryResult {
  if (error === null) return 'taken';
  if (status === 410) return 'gone';
  const isRefusal = status !== null && status >= 400 && status < 500 && !RETRIED_STATUSES.includes(status);
  return to.format !== 'raw' && isRefusal ? 'refused' : 'failed';
}

/** The longest time that a delivery waits after this number of attempts. */
export function longestPauseMs(tries: number): number {
  return tries === 0 ? 0 : Math.max(HOLD_MAX_MS, (RETRY_AFTER_MS[tries - 1] ?? 0) * (1 + JITTER));
}

/** Whether the endpoint has certainly not received the delivery yet. */
function isUnsent({ tries, isLoaded }: QueuedDelivery): boolean {
  return tries === 0 && isLoaded !== true;
}

/** The ids of a delivery's subjects: one, or several if it was merged. */
function livesOf({ life }: QueuedDelivery): string[] {
  return life.split('\n');
}
