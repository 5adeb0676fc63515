// The streams of one HTTP thread. Readers with the same view and the same tick length share a channel, and
// channels with the same tick length share a tick (`Beat`). At each tick, the changes of the slate are copied
// once and encoded once for each channel; all its readers are sent the same bytes.
// A reader whose client does not keep up is skipped. Once the client has read enough, the reader gets one
// delta from its own position to the present, made from the store for this reader alone. No log of changes is
// kept for slow readers.

import type { Static } from '@sinclair/typebox';
import { type Clock, toIsoText } from '../clock.ts';
import type { ByeReason, StreamHeartbeat } from '../contract/stream/stream.ts';
import { ServiceError } from '../errors.ts';
import type { Confirmation, OddsChanges } from '../query/odds/odds-changes.ts';
import type { OddsView } from '../query/odds/odds-view.ts';
import type { WholeSlates } from '../query/odds/whole-slates.ts';
import type { CopyRoom, SlateCopy } from '../query/slate/slate-copy.ts';
import { DeltaFrames, type Frame, frameOf, helloFrame, SnapshotFrames } from './frames.ts';
import { HEARTBEAT_MS, WATCH_EVERY_MS } from './limits.ts';
import { atOnce, type FrameSink, StreamReader } from './stream-reader.ts';

export interface StreamHubOptions {
  readonly changes: OddsChanges;
  readonly slates: WholeSlates;
  readonly clock: Clock;
  /** Calls `run` every `ms` milliseconds until the returned function is called. */
  readonly every: (ms: number, run: () => unknown) => () => void;
  /** Called when a tick fails for a reason other than a ServiceError. */
  readonly onError: (error: unknown) => void;
}

export interface StreamRequest {
  readonly view: OddsView;
  /** The cursor to resume from; null to start with the whole view. */
  readonly since: string | null;
  readonly tickMs: number;
  readonly sink: FrameSink;
  /** What the reader is sent besides the odds of its view. */
  readonly companions?: readonly StreamCompanion[];
  /** False once the caller's key is no longer valid. */
  readonly isAllowed: () => boolean;
  /** Where the slate copy of the reader's snapshot is counted. Default: nowhere. */
  readonly room?: CopyRoom;
  /** See StreamReaderOptions. Default: the job runs at once. */
  readonly inTurn?: (job: () => void) => boolean;
}

/** Extra events of a reader besides odds, such as signals. They carry no cursor. */
export interface StreamCompanion {
  /** The fields that it adds to the reader's `hello`. */
  readonly hello: Readonly<Record<string, unknown>>;
  /**
   * Starts sending to a reader, each time that the reader is up to date and ready (`StreamReader.isInStep`,
   * `isReady`).
   * @returns the function that ends it, called once, when the reader has left
   */
  join(reader: StreamReader): () => void;
}

/** One open stream, as its connection uses it. */
export interface OpenStream {
  /** The client has read, so more may be sent. */
  drained(): void;
  /** The client has disconnected. */
  gone(): void;
  /** Ends the stream with this reason, which only the connection knows. */
  sendAway(reason: ByeReason): void;
}

interface Channel {
  readonly view: OddsView;
  /** Each reader, with the memory budget that its snapshot's copy of the slate counts against. */
  readonly readers: Map<StreamReader, CopyRoom>;
}

const NO_BOUND: CopyRoom = { reserve: () => true, release: () => undefined };

interface Beat {
  readonly tickMs: number;
  readonly channels: Map<string, Channel>;
  readonly stop: () => void;
  /**
   * The slate version that up-to-date readers are at, and the epoch of that version. The epoch can change on
   * a node that follows a leader.
   */
  position: number;
  epochMs: number;
  /** The tick in progress; null between two ticks. */
  running: Promise<void> | null;
  /** Whether a tick must follow at once, for readers that the one in progress could not serve. */
  isWantedAgain: boolean;
  /** Whether a tick for new readers is queued. */
  isTurnAsked: boolean;
}

export class StreamHub {
  readonly #options: StreamHubOptions;
  readonly #beats = new Map<number, Beat>();
  readonly #stops: readonly (() => void)[];
  #isClosed = false;

  constructor(options: StreamHubOptions) {
    this.#options = options;
    const { every } = options;
    this.#stops = [
      every(WATCH_EVERY_MS, () => this.#lookAfterReaders()),
      every(HEARTBEAT_MS, () => this.#sendHeartbeats()),
    ];
  }

  /** The number of open streams. */
  get readerCount(): number {
    let count = 0;
    for (const { channel } of this.#channels()) count += channel.readers.size;
    return count;
  }

  /**
   * Opens a stream. Its `hello` is sent at once; the snapshot, or the changes since its cursor, follow with
   * the next tick.
   * @throws ServiceError `invalid_request` for a cursor of another view, `upstream_unavailable` when the
   * server is stopping
   */
  open(request: StreamRequest): OpenStream {
    const { view, since, tickMs, sink, isAllowed, companions = [], room = NO_BOUND } = request;
    if (this.#isClosed) throw stopping();
    const { changes, clock } = this.#options;
    const position = changes.sinceOf(view, since);
    const { inTurn = atOnce } = request;
    const reader = new StreamReader(sink, { isAllowed, inTurn, nowMs: clock.monotonicMs() });
    reader.position = position;
    reader.cursor = since ?? '';
    const beat = this.#beatOf(tickMs);
    const channel = channelOf(beat, view);
    channel.readers.set(reader, room);
    const additions = Object.assign({}, ...companions.map(({ hello }) => hello)) as object;
    reader.send(helloFrame({ cursor: changes.cursor(view), heartbeatMs: HEARTBEAT_MS, tickMs }, additions));
    for (const companion of companions) reader.atEnd(companion.join(reader));
    beat.isWantedAgain = true;
    this.#runInTurn(beat, inTurn);
    return {
      drained: () => reader.pump(),
      gone: () => this.#remove(beat, channel, reader),
      sendAway: (reason) => this.#sendAway(beat, channel, reader, reason),
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
    for (const { beat, channel } of [...this.#channels()]) {
      for (const reader of [...channel.readers.keys()]) this.#sendAway(beat, channel, reader, 'shutdown');
    }
  }

  *#channels(): Generator<{ beat: Beat; channel: Channel }> {
    for (const beat of this.#beats.values()) {
      for (const channel of beat.channels.values()) yield { beat, channel };
    }
  }

  #beatOf(tickMs: number): Beat {
    const known = this.#beats.get(tickMs);
    if (known !== undefined) return known;
    const beat: Beat = {
      tickMs,
      channels: new Map(),
      stop: this.#options.every(tickMs, () => this.#run(beat)),
      position: this.#options.changes.version(),
      epochMs: this.#options.changes.epochMs(),
      running: null,
      isWantedAgain: false,
      isTurnAsked: false,
    };
    this.#beats.set(tickMs, beat);
    return beat;
  }

  /**
   * Runs one tick. If the previous tick is still running, this one is skipped: the next one sends what it
   * would have sent.
   */
  #run(beat: Beat): Promise<void> {
    beat.running ??= this.#runAll(beat).finally(() => {
      beat.running = null;
    });
    return beat.running;
  }

  /**
   * Runs one tick for all readers that arrived in the same turn. A tick serves every reader, so with one tick
   * for each arrival, clients that connect and disconnect without pause would keep the thread busy.
   */
  #runInTurn(beat: Beat, inTurn: (job: () => void) => boolean): void {
    if (beat.isTurnAsked) return;
    beat.isTurnAsked = true;
    const isTaken = inTurn(() => {
      beat.isTurnAsked = false;
      void this.#run(beat);
    });
    // The next regular tick serves these readers.
    if (!isTaken) beat.isTurnAsked = false;
  }

  async #runAll(beat: Beat): Promise<void> {
    try {
      do {
        beat.isWantedAgain = false;
        await this.#bringUpToDate(beat);
      } while (beat.isWantedAgain);
    } catch (error) {
      // Without a slate there is nothing to send: heartbeats report the feed's age, and a later tick tries
      // again.
      if (!(error instanceof ServiceError)) this.#options.onError(error);
    }
  }

  async #bringUpToDate(beat: Beat): Promise<void> {
    const { changes, clock } = this.#options;
    const epochMs = changes.epochMs();
    if (epochMs !== beat.epochMs) this.#startOver(beat, epochMs);
    const late = lateReadersOf(beat);
    if (late.length === 0 && changes.version() === beat.position) return;
    const since = late.reduce(
      (oldest, { reader }) => (reader.position < 0 ? oldest : Math.min(oldest, reader.position)),
      beat.position,
    );
    const nowMs = clock.wallMs();
    const copy = await changes.copySince(since, nowMs);
    if (copy.epochMs !== epochMs) {
      beat.isWantedAgain = true; // its readers must first be moved to the new epoch
      return;
    }
    const isWhole = copy.since < 0;
    for (const channel of beat.channels.values()) this.#tell(beat, channel, copy);
    beat.position = copy.version;
    // Find the late readers again: some may have come or gone while the copy was made, and if the copy is of
    // the whole slate, every reader is late.
    for (const { channel, reader } of lateReadersOf(beat)) {
      if (!channel.readers.has(reader)) continue;
      if (reader.position < 0 || isWhole) {
        await this.#sendSnapshot(beat, { channel, reader }, isWhole ? copy.version : -1);
      } else if (reader.position >= since) this.#catchUp(channel, reader, copy);
      else beat.isWantedAgain = true;
    }
  }

  /** The epoch has changed, so it is unknown what was removed since: every reader is sent the whole view. */
  #startOver(beat: Beat, epochMs: number): void {
    beat.epochMs = epochMs;
    beat.position = this.#options.changes.version();
    for (const channel of beat.channels.values()) {
      for (const reader of channel.readers.keys()) this.#fallBehind(reader, -1);
    }
  }

  /**
   * Sends one channel's changes to its up-to-date readers. Readers whose client does not keep up fall behind.
   */
  #tell(beat: Beat, channel: Channel, copy: SlateCopy): void {
    const { changes, clock } = this.#options;
    const inStep = [...channel.readers.keys()].filter((reader) => reader.isInStep);
    if (copy.since < 0) {
      // So much was removed from the slate that a delta would be incomplete: every reader is sent a new
      // snapshot.
      for (const reader of inStep) this.#fallBehind(reader, -1);
      return;
    }
    if (inStep.length === 0) return;
    const { view } = channel;
    const delta = changes.deltaOf(copy, { view, since: beat.position, nowMs: clock.wallMs() });
    if (delta.isEmpty) return;
    const frames = new DeltaFrames(delta, false);
    for (const reader of inStep) {
      if (reader.isReady) reader.tell(frames.from(reader.cursor), frames.cursor);
      else this.#fallBehind(reader, beat.position);
    }
  }

  #fallBehind(reader: StreamReader, position: number): void {
    reader.isInStep = false;
    reader.position = position;
  }

  #catchUp(channel: Channel, reader: StreamReader, copy: SlateCopy): void {
    const { changes, clock } = this.#options;
    const { view } = channel;
    const delta = changes.deltaOf(copy, { view, since: reader.position, nowMs: clock.wallMs() });
    if (!delta.isEmpty) reader.tell(new DeltaFrames(delta, true).from(reader.cursor), delta.cursor);
    reader.position = copy.version;
    reader.isInStep = true;
  }

  /**
   * Sends the whole view. Once the client has read it, a later tick sends what changed meanwhile.
   * @param knownVersion the newest version that the reader may already have
   */
  async #sendSnapshot(beat: Beat, { channel, reader }: LateReader, knownVersion: number): Promise<void> {
    const { slates, clock } = this.#options;
    const room = channel.readers.get(reader) ?? NO_BOUND;
    const nowMs = clock.wallMs();
    try {
      const asked = { nowMs, takesOlder: true, knownVersion, room };
      const whole = await slates.open(channel.view, asked);
      if (!channel.readers.has(reader)) return whole.close();
      reader.position = whole.version;
      reader.cursor = whole.delta.cursor;
      reader.sendFrom(new SnapshotFrames(whole));
    } catch (error) {
      if (!slates.isNoRoom(error)) throw error;
      this.#sendAway(beat, channel, reader, 'limit');
    }
  }

  /**
   * Ends the streams of readers that are stuck or no longer allowed, and continues snapshots that are
   * waiting.
   */
  #lookAfterReaders(): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#options.slates.expire();
    for (const { beat, channel } of [...this.#channels()]) {
      for (const reader of [...channel.readers.keys()]) {
        if (!reader.isAllowed()) this.#sendAway(beat, channel, reader, 'key_revoked');
        else if (reader.isStuck(nowMs)) this.#sendAway(beat, channel, reader, 'slow_reader');
        else reader.pump();
      }
    }
  }

  /**
   * Sends a heartbeat to each reader that can take one, with its own cursor. A reader that waits for the next
   * tick of a long tick length gets one too.
   */
  #sendHeartbeats(): void {
    const { changes, clock } = this.#options;
    const nowMs = clock.wallMs();
    const feedAgeMs = changes.feedAgeMs(nowMs);
    const feed = changes.feedTimes();
    for (const { beat, channel } of this.#channels()) {
      // Skip: the next tick sends these readers a whole view.
      if (changes.epochMs() !== beat.epochMs) continue;
      const inStepCursor = changes.cursorOf(channel.view, beat.position);
      const { asOf, isStale } = changes.freshness(channel.view, feed, nowMs);
      const confirmations = confirmationFields(changes.confirmations(channel.view, feed));
      const frames = new Map<string, Frame>();
      for (const reader of channel.readers.keys()) {
        if (!reader.isReady || (!reader.isInStep && reader.position < 0)) continue;
        const cursor = reader.isInStep ? inStepCursor : reader.cursor;
        const said = { cursor, as_of: asOf, stale: isStale, feed_age_ms: feedAgeMs, ...confirmations };
        const frame = frames.get(cursor) ?? frameOf('heartbeat', cursor, said);
        frames.set(cursor, frame);
        reader.tell(frame, cursor);
      }
    }
  }

  #sendAway(beat: Beat, channel: Channel, reader: StreamReader, reason: ByeReason): void {
    reader.end(reason);
    this.#remove(beat, channel, reader);
  }

  #remove(beat: Beat, channel: Channel, reader: StreamReader): void {
    // A reader whose stream was ended is removed again when its client disconnects: ignore the second time.
    if (!channel.readers.delete(reader)) return;
    reader.leave();
    if (channel.readers.size > 0) return;
    beat.channels.delete(channel.view.id);
    if (beat.channels.size > 0) return;
    beat.stop();
    this.#beats.delete(beat.tickMs);
  }
}

function channelOf(beat: Beat, view: OddsView): Channel {
  const known = beat.channels.get(view.id);
  if (known !== undefined) return known;
  const channel: Channel = { view, readers: new Map() };
  beat.channels.set(view.id, channel);
  return channel;
}

/** The heartbeat's field about several sources. With a single source, events have no such field. */
function confirmationFields(
  confirmations: readonly Confirmation[] | null,
): Pick<Static<typeof StreamHeartbeat>, 'confirmations'> {
  if (confirmations === null) return {};
  return {
    confirmations: confirmations.map(({ bookmakers, atMs }) => ({
      bookmakers: [...bookmakers],
      as_of: toIsoText(atMs),
    })),
  };
}

interface LateReader {
  readonly channel: Channel;
  readonly reader: StreamReader;
}

/** Readers that are not up to date and whose client can take more. */
function lateReadersOf(beat: Beat): LateReader[] {
  const late = [];
  for (const channel of beat.channels.values()) {
    for (const reader of channel.readers.keys())
      if (!reader.isInStep && reader.isReady) late.push({ channel, reader });
  }
  return late;
}

function stopping(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot open a stream: the server is stopping', {
    retryAfterSeconds: 2,
  });
}
