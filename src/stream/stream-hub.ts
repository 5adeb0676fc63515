// The streams of one HTTP thread: opens them, ends those that are stuck or no longer allowed, and sends
// heartbeats. Readers with the same tick length share a StreamTick, which sends them the slate's changes.

import type { ByeReason } from '../contract/stream/stream.ts';
import { ServiceError } from '../errors.ts';
import { oneAtATime, Slices } from '../pause.ts';
import type { OddsView } from '../query/odds/odds-view.ts';
import type { CopyRoom } from '../query/slate/slate-copy.ts';
import { helloFrame } from './frames.ts';
import { heartbeatsOf } from './heartbeats.ts';
import { HEARTBEAT_MS, WATCH_EVERY_MS } from './limits.ts';
import { atOnce, type FrameSink, StreamReader } from './stream-reader.ts';
import {
  READERS_PER_CHECK,
  SLICE_MS,
  type StreamChannel,
  StreamTick,
  type StreamTickOptions,
} from './stream-tick.ts';

export interface StreamHubOptions extends StreamTickOptions {
  /** Calls `run` every `ms` milliseconds until the returned function is called. */
  readonly every: (ms: number, run: () => unknown) => () => void;
}

export interface StreamRequest {
  readonly view: OddsView;
  /** The cursor to resume from; null to start with the whole view. */
  readonly since: string | null;
  readonly tickMs: number;
  readonly sink: FrameSink;
  /** What the reader is sent besides the odds of its view. */
  readonly extensions?: readonly StreamExtension[];
  /** False once the caller's key is no longer valid. */
  readonly isAllowed: () => boolean;
  /** The memory budget that the slate copy of the reader's snapshot counts against. Default: none. */
  readonly room?: CopyRoom;
  /** See StreamReaderOptions. Default: the job runs immediately. */
  readonly inTurn?: (job: () => void) => boolean;
}

/** Extra events of a reader besides odds, such as signals. They carry no cursor. */
export interface StreamExtension {
  /** The fields that the extension adds to the reader's `hello`. */
  readonly hello: Readonly<Record<string, unknown>>;
  /**
   * Starts sending to a reader, each time that the reader is up to date and ready (`StreamReader.isInStep`,
   * `isReady`).
   * @param room the memory budget that what waits for the reader counts against
   * @returns the function that ends it, called once, when the reader has left
   */
  join(reader: StreamReader, room: CopyRoom): () => void;
}

/** One open stream, as its connection uses it. */
export interface OpenStream {
  /** Sends more of what waits. Call it when the client has read. */
  drained(): void;
  /** Removes the reader. Call it when the client has disconnected. */
  gone(): void;
  /** Ends the stream for a reason that only the connection can know. */
  sendAway(reason: ByeReason): void;
}

export const NO_BOUND: CopyRoom = { hasKey: true, reserve: () => true, release: () => undefined };

/** The readers of one tick length. */
interface TickGroup {
  readonly tickMs: number;
  readonly tick: StreamTick;
  readonly stop: () => void;
}

export class StreamHub {
  readonly #options: StreamHubOptions;
  /** The groups of streams with the same tick length, by this length. */
  readonly #groups = new Map<number, TickGroup>();
  readonly #stops: readonly (() => void)[];
  #isClosed = false;

  constructor(options: StreamHubOptions) {
    this.#options = options;
    const { every, onError } = options;
    const check = oneAtATime(() => this.#checkReaders(), onError);
    const sendHeartbeats = oneAtATime(() => this.#sendHeartbeats(), onError);
    this.#stops = [every(WATCH_EVERY_MS, check), every(HEARTBEAT_MS, sendHeartbeats)];
  }

  /** The number of open streams. */
  get readerCount(): number {
    let count = 0;
    for (const { tick } of this.#groups.values()) count += tick.readerCount;
    return count;
  }

  /**
   * Opens a stream. Its `hello` is sent immediately; the snapshot, or the changes since its cursor, follow
   * with the next tick.
   * @throws ServiceError `invalid_request` for a cursor of another view, `upstream_unavailable` when the
   * server is stopping
   */
  open(request: StreamRequest): OpenStream {
    const { view, since, tickMs, sink, isAllowed, extensions = [], room = NO_BOUND } = request;
    if (this.#isClosed) throw stopping();
    const { changes, clock } = this.#options;
    const position = changes.sinceOf(view, since);
    const { inTurn = atOnce } = request;
    const reader = new StreamReader(sink, {
      isAllowed,
      inTurn,
      nowMs: clock.monotonicMs(),
      // Do not wait for the next tick to send what changed during the snapshot. At a slow tick rate, the
      // reader would lack it for minutes.
      onSnapshotRead: () => group.tick.runInTurn(inTurn),
      onEnded: () => this.#remove(group, view, reader),
    });
    reader.position = position;
    reader.cursor = since ?? '';
    const group = this.#groupOf(tickMs);
    group.tick.add(view, reader, room);
    const additions = Object.assign({}, ...extensions.map(({ hello }) => hello)) as object;
    const cursor = changes.cursorOf(view, changes.version());
    reader.send(helloFrame({ cursor, heartbeatMs: HEARTBEAT_MS, tickMs }, additions));
    for (const extension of extensions) reader.atEnd(extension.join(reader, room));
    group.tick.runInTurn(inTurn);
    return {
      drained: () => reader.pump(),
      gone: () => this.#remove(group, view, reader),
      sendAway: (reason) => reader.endWith(reason),
    };
  }

  /** Resolves when this node has caught up with the cursor, see OddsChanges; null if it already has. */
  whenReached(view: OddsView, since: string | null): Promise<void> | null {
    return this.#options.changes.whenReached(view, since);
  }

  /** Ends every stream; no further one can be opened. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    // A reader that is ended is removed from its channel, which the iteration allows.
    for (const [, { readers }] of this.#channels())
      for (const reader of readers.keys()) reader.endWith('shutdown');
  }

  #groupOf(tickMs: number): TickGroup {
    const known = this.#groups.get(tickMs);
    if (known !== undefined) return known;
    const tick = new StreamTick(this.#options);
    const group = { tickMs, tick, stop: this.#options.every(tickMs, () => tick.run()) };
    this.#groups.set(tickMs, group);
    return group;
  }

  #remove(group: TickGroup, view: OddsView, reader: StreamReader): void {
    if (!group.tick.remove(view, reader) || group.tick.readerCount > 0) return;
    group.stop();
    this.#groups.delete(group.tickMs);
  }

  /**
   * Ends the streams of readers that are stuck or no longer allowed, and continues snapshots that are
   * waiting.
   */
  #checkReaders(): Promise<void> {
    const { clock, slates } = this.#options;
    slates.expire();
    return this.#visitReaders(() => {
      const nowMs = clock.monotonicMs();
      return (reader) => {
        if (!reader.isAllowed()) reader.endWith('key_revoked');
        else if (reader.isStuck(nowMs)) reader.endWith('slow_reader');
        else reader.pump();
      };
    });
  }

  /** Sends a heartbeat to each reader that can take one, with the reader's cursor. */
  #sendHeartbeats(): Promise<void> {
    const { changes, clock } = this.#options;
    return this.#visitReaders((channel, tick) => {
      // The epoch has changed: the next tick sends these readers the whole view, so they need no heartbeat.
      if (changes.epochMs() !== tick.epochMs) return null;
      return heartbeatsOf(changes, channel, clock.wallMs());
    });
  }

  /**
   * Visits all readers in slices, between which the thread does its other work. Readers may come and go
   * meanwhile.
   * @param visitorOf called for each channel and again after each pause; null to skip its readers
   */
  async #visitReaders(
    visitorOf: (channel: StreamChannel, tick: StreamTick) => ((reader: StreamReader) => void) | null,
  ): Promise<void> {
    const { clock } = this.#options;
    const slices = new Slices(() => clock.monotonicMs(), SLICE_MS);
    let count = 0;
    for (const [tick, channel] of this.#channels()) {
      let visit = visitorOf(channel, tick);
      for (const reader of channel.readers.keys()) {
        visit?.(reader);
        if (++count % READERS_PER_CHECK !== 0 || !slices.isOver) continue;
        await slices.pause();
        visit = visitorOf(channel, tick);
      }
    }
  }

  *#channels(): Generator<readonly [StreamTick, StreamChannel]> {
    for (const { tick } of this.#groups.values()) {
      for (const channel of tick.channels()) yield [tick, channel];
    }
  }
}

function stopping(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot open a stream: the server is stopping', {
    retryAfterSeconds: 2,
  });
}
