// Sends the messages of a pull source: the snapshot of an epoch once its first round is complete, then
// changes and heartbeats.

import type { Draft } from './drafts.ts';
import { EpochNumbers, type WireMessage } from './epoch.ts';

/** While nothing new is confirmed, a heartbeat this often shows that the source is alive. */
const HEARTBEAT_MS = 10_000;
/**
 * If quotes are confirmed up to a time that is this much newer than in the last heartbeat, the next heartbeat
 * is sent before HEARTBEAT_MS are over. Otherwise prices that were just confirmed would look old.
 */
const CONFIRMED_STEP_MS = 1_000;

export class EpochSender {
  readonly #emit: (message: WireMessage) => void;
  readonly #numbers: EpochNumbers;
  #isRunning = false;
  #heartbeatAtMs = Number.NEGATIVE_INFINITY;
  /** The time up to which the last heartbeat confirmed prices. */
  #confirmedAtMs = Number.NEGATIVE_INFINITY;

  /** @param source its name @param startMs when it was opened */
  constructor(source: string, startMs: number, emit: (message: WireMessage) => void) {
    this.#emit = emit;
    this.#numbers = new EpochNumbers(source, startMs);
  }

  /** Whether the snapshot of this epoch has been sent. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Begins an epoch with its complete snapshot. */
  begin(drafts: readonly Draft[], nowMs: number): void {
    this.#isRunning = true;
    for (const message of this.#numbers.begin(drafts, nowMs)) this.#emit(message);
  }

  /** Sends changes. Before the snapshot nothing is sent, because the snapshot will include them. */
  send(drafts: readonly Draft[]): void {
    if (!this.#isRunning) return;
    for (const message of this.#numbers.number(drafts)) this.#emit(message);
  }

  /**
   * Sends a heartbeat if one is due. It says that the source is alive and that every open quote is confirmed
   * up to `confirmedAtMs`.
   */
  heartbeat(confirmedAtMs: number, nowMs: number): void {
    const isNews = confirmedAtMs - this.#confirmedAtMs >= CONFIRMED_STEP_MS;
    if (!isNews && nowMs - this.#heartbeatAtMs < HEARTBEAT_MS) return;
    this.#heartbeatAtMs = nowMs;
    this.#confirmedAtMs = confirmedAtMs;
    this.#emit(this.#numbers.heartbeat(confirmedAtMs));
  }

  /**
   * When the next heartbeat is due at the latest.
   * @param heartbeats whether heartbeats are sent at present
   */
  heartbeatDueAtMs(heartbeats: boolean, nowMs: number): number {
    return (heartbeats ? this.#heartbeatAtMs : nowMs) + HEARTBEAT_MS;
  }

  /** Ends the epoch: nothing is sent until the next one begins. */
  end(): void {
    this.#isRunning = false;
  }
}
