// A slate that others can follow as a feed: what the WebSocket server and the recorder are given. The ingest
// worker makes one of what it applies (ingest/slate-outlet.ts).

import type { Wire } from './wire-values.ts';

/**
 * What a follower hears. Messages are wire objects without `seq`; they are shared and must not be changed.
 */
export interface OutletListener {
  /** Messages that were applied, in order. */
  applied(messages: readonly Wire[]): void;
  /** The slate was replaced as a whole: a follower needs a new snapshot. */
  replaced(): void;
}

export interface FeedOutlet {
  /** Whether there is a complete slate. Before that a follower waits for `replaced`. */
  readonly isComplete: boolean;
  /** What a `hello` to a follower says; `at` is the outlet's clock. */
  hello(): { readonly source: string; readonly at: string };
  /** The feed's keys of all fixtures, a copy: what a snapshot must name. */
  eventKeys(): string[];
  /**
   * Messages that make this fixture what it is now, openings and stamps included; none when it has left the
   * slate. A follower may take a snapshot's fixtures one by one between batches, if it leaves out what is
   * applied to a fixture that it has not taken yet.
   */
  fixture(eventKey: string): Wire[];
  /**
   * Where several sources are joined, a heartbeat for each that says when it confirmed its quotes; none for
   * one source.
   */
  confirmations(): Wire[];
  /** @returns a function that ends it */
  follow(listener: OutletListener): () => void;
}
