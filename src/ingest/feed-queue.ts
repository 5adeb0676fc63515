// The bounded queue between a source and the store. A message is not applied when it arrives but on the
// worker's next tick, in a batch. When the queue is full, `offer` refuses the message, and a source that can
// wait awaits `room`.

import type { FeedSink } from '../feed/source.ts';
import { FEED_BATCH_MAX, FEED_QUEUE_MAX } from '../limits.ts';

/** Events of a source other than messages of the protocol. */
export type FeedMark =
  | { readonly mark: 'caught_up' }
  | { readonly mark: 'undecodable'; count: number }
  | { readonly mark: 'alive'; readonly atMs: number }
  | { readonly mark: 'connection'; readonly connected: boolean; readonly triedAtMs: number | null };

export interface QueueEntry {
  /** The wire message, or undefined when this is a mark. */
  readonly message: unknown;
  readonly mark: FeedMark | null;
}

export interface FeedQueueOptions {
  /** Called once a tick with at most FEED_BATCH_MAX entries, in order. */
  readonly drain: (entries: readonly QueueEntry[], depth: number) => void;
  /** Runs its argument on the next tick. */
  readonly schedule: (tick: () => void) => void;
  readonly capacity?: number;
}

export class FeedQueue implements FeedSink {
  readonly #drain: FeedQueueOptions['drain'];
  readonly #schedule: FeedQueueOptions['schedule'];
  readonly #capacity: number;
  #entries: QueueEntry[] = [];
  #scheduled = false;
  #waiters: (() => void)[] = [];

  constructor({ drain, schedule, capacity = FEED_QUEUE_MAX }: FeedQueueOptions) {
    this.#drain = drain;
    this.#schedule = schedule;
    this.#capacity = capacity;
  }

  get depth(): number {
    return this.#entries.length;
  }

  offer(message: unknown): boolean {
    if (this.#entries.length >= this.#capacity) return false;
    this.#push({ message, mark: null });
    return true;
  }

  room(): Promise<void> {
    if (this.#entries.length < this.#capacity) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  // Marks are few (one per connection, one per heartbeat) and are accepted even when the queue is full,
  // because a snapshot whose mark is lost would never end. Undecodable lines may be many, but consecutive
  // ones are counted in one entry, so at most one such entry follows each message.
  caughtUp(): void {
    this.#push({ message: undefined, mark: { mark: 'caught_up' } });
  }
  undecodable(): void {
    const last = this.#entries.at(-1)?.mark;
    if (last?.mark === 'undecodable') last.count++;
    else this.#push({ message: undefined, mark: { mark: 'undecodable', count: 1 } });
  }
  alive(atMs: number): void {
    this.#push({ message: undefined, mark: { mark: 'alive', atMs } });
  }
  connection(connected: boolean, triedAtMs: number | null = null): void {
    this.#push({ message: undefined, mark: { mark: 'connection', connected, triedAtMs } });
  }

  #push(entry: QueueEntry): void {
    this.#entries.push(entry);
    if (!this.#scheduled) {
      this.#scheduled = true;
      this.#schedule(() => this.#tick());
    }
  }

  #tick(): void {
    const batch = this.#entries.splice(0, FEED_BATCH_MAX);
    this.#scheduled = this.#entries.length > 0;
    if (this.#scheduled) this.#schedule(() => this.#tick());
    this.#drain(batch, this.#entries.length);
    if (this.#entries.length < this.#capacity && this.#waiters.length > 0) {
      const waiters = this.#waiters;
      this.#waiters = [];
      for (const resolve of waiters) resolve();
    }
  }
}
