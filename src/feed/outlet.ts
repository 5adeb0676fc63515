// A slate that others can follow as a feed, over WebSocket (websocket/server.ts). The ingest worker makes one
// from what it applies (ingest/slate-outlet.ts).

import type { Wire } from './wire-values.ts';

/**
 * What a follower receives. Messages are wire objects without `seq`; they are shared and must not be changed.
 */
export interface OutletListener {
  /** Called with messages that were applied, in order. */
  applied(messages: readonly Wire[]): void;
  /** Called when the slate was replaced as a whole, so that a follower needs a new snapshot. */
  replaced(): void;
}

export interface FeedOutlet {
  /** Whether there is a complete slate. Before that a follower waits for `replaced`. */
  readonly isComplete: boolean;
  /** The content of a follower's `hello`; `at` is the outlet's clock. */
  hello(): { readonly source: string; readonly at: string };
  /** The feed's keys of all fixtures, as a copy. A snapshot must contain each of these fixtures. */
  eventKeys(): string[];
  /**
   * Messages with the present state of this fixture, openings and stamps included; none when it has left the
   * slate. A follower may read a snapshot's fixtures one by one between batches, if it ignores changes of
   * fixtures that it has not read yet.
   */
  fixture(eventKey: string): Wire[];
  /**
   * With several sources, a heartbeat for each with the time when it confirmed its quotes; none for one
   * source.
   */
  confirmations(): Wire[];
  /** Subscribes the listener. @returns a function that unsubscribes it */
  follow(listener: OutletListener): () => void;
}
