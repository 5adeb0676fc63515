// The interface between a feed source and the ingest worker: a source is opened with a sink and pushes the
// protocol's wire messages into it. A new feed is one folder here: `client` does the I/O, `messages` has the
// upstream's shapes, `parse` converts them without I/O. CONTRIBUTING.md#a-feed lists the rest.

/**
 * Receives the messages of a source. All calls return immediately; messages are applied at the worker's next
 * tick.
 */
export interface FeedSink {
  /**
   * Offers one wire message: a decoded object of the protocol that is not yet validated.
   * @returns false when the queue is full and the message was not taken
   */
  offer(message: unknown): boolean;
  /** Resolves when the queue has room again. A source that can wait (a file, the simulator) waits here. */
  room(): Promise<void>;
  /**
   * For a recording, which has no snapshot marks: reports that all messages before the present were offered.
   * Together they count as the snapshot.
   */
  caughtUp(): void;
  /**
   * For a source whose upstream sends no heartbeats: reports that at this source time it is alive and
   * confirms every open quote.
   */
  alive(atMs: number): void;
  /**
   * Reports that the connection was opened or lost. When it is lost, the slate stays and becomes older.
   * @param triedAtMs when the source began to connect, Unix ms. What the peer sends was written after that
   */
  connection(connected: boolean, triedAtMs?: number): void;
  /** Reports that one message of the feed could not be decoded. */
  undecodable(): void;
}

/** An opened source. */
export interface FeedSource {
  /** Call it when messages were lost. A source whose upstream offers snapshots then requests one. */
  resync?(): void;
  /**
   * Receives the score of one of its matches from another source, for an upstream whose prices depend on the
   * score but that does not send it.
   */
  setScore?(event: string, score: readonly [number, number]): void;
  /** Stops the source. After the promise resolves, the source does not call the sink. */
  close(): Promise<void>;
}
