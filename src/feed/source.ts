// What a feed source is to the ingest worker: something that is opened with a sink and pushes the protocol's
// wire messages into it. A new feed is one folder here: `client` does the I/O, `messages` has the upstream's
// shapes, `parse` turns one into the other without I/O. It is opened by one more case in open-source.ts.

/**
 * Where a source puts what it hears. All calls return at once; nothing is applied before the worker's next
 * tick.
 */
export interface FeedSink {
  /**
   * Offers one wire message: a decoded object of the protocol, not yet validated.
   * @returns false when the queue is full and the message was not taken
   */
  offer(message: unknown): boolean;
  /** Resolves when the queue has room again. A source that can wait (a file, the simulator) waits here. */
  room(): Promise<void>;
  /**
   * For a recording, which has no snapshot marks: all messages of its past were offered, and they are the
   * snapshot.
   */
  caughtUp(): void;
  /**
   * For a source whose upstream sends no heartbeats: it is alive, and every open quote stands, at this source
   * time.
   */
  alive(atMs: number): void;
  /** The connection is up or down. Down: the slate stays and ages. */
  connection(connected: boolean): void;
  /** One line that did not even decode. */
  undecodable(): void;
}

/** An opened source. */
export interface FeedSource {
  /** Messages were lost: a source that can ask its upstream for a snapshot does. */
  resync?(): void;
  /**
   * The score of one of its matches, known from another source: for an upstream that prices by it and does
   * not send it.
   */
  setScore?(event: string, score: readonly [number, number]): void;
  /** Stops it: no call to the sink after the promise resolves. */
  close(): Promise<void>;
}
