// The streams of one HTTP thread. Readers with the same view and pace share a channel, channels with the same pace a beat:
// at each beat the changes of the slate are copied once, encoded once for each channel, and the bytes given to all its
// readers. A reader that cannot take more stays where it is and is brought to the present later, in one delta made from the
// store for it alone. No log of changes is kept, so a reader may take as long as it likes.

import type { Clock } from '../clock.ts';
import type { ByeReason } from '../contract/stream.ts';
import { ServiceError } from '../errors.ts';
import type { OddsChanges } from '../query/odds-changes.ts';
import type { OddsView } from '../query/odds-view.ts';
import type { SlateCopy } from '../query/slate-copy.ts';
import { DeltaFrames, type Frame, frameOf, helloFrame, snapshotFrames } from './frames.ts';
import { HEARTBEAT_MS, SNAPSHOT_SHARED_MS, WATCH_EVERY_MS } from './limits.ts';
import { type FrameSink, StreamReader } from './stream-reader.ts';

export interface StreamHubOptions {
  readonly changes: OddsChanges;
  readonly clock: Clock;
  /** Calls `run` again and again until the function that it returns is called. */
  readonly every: (ms: number, run: () => unknown) => () => void;
  /** Told of a beat that failed for a reason that is no caller's. */
  readonly onError: (error: unknown) => void;
}

export interface StreamRequest {
  readonly view: OddsView;
  /** A cursor to go on from; null for the whole view first. */
  readonly since: string | null;
  readonly tickMs: number;
  readonly sink: FrameSink;
  /** What the reader is sent besides the odds of its view. */
  readonly companions?: readonly StreamCompanion[];
  /** False when the caller's key has died. */
  readonly isAllowed: () => boolean;
}

/** Events besides odds, such as signals, that a reader is sent as well. They carry no cursor. */
export interface StreamCompanion {
  /** What it adds to the hello of its readers. */
  readonly hello: Readonly<Record<string, unknown>>;
  /**
   * Begins to send to a reader whenever that is in step and ready (`StreamReader.isInStep`, `isReady`).
   * @returns how to end: called once, when the reader has gone
   */
  join(reader: StreamReader): () => void;
}

/** One open stream, as its connection sees it. */
export interface OpenStream {
  /** The client has read: more may be sent. */
  drained(): void;
  /** The client has gone. */
  gone(): void;
  /** The client has to go, for a reason that its connection knows. */
  sendAway(reason: ByeReason): void;
}

interface Channel {
  readonly view: OddsView;
  readonly readers: Set<StreamReader>;
  /** The last snapshot made, for readers that come soon after. */
  snapshot: Snapshot | null;
}

interface Snapshot {
  readonly frames: readonly Frame[];
  readonly cursor: string;
  readonly version: number;
  readonly madeAtMs: number;
}

interface Beat {
  readonly tickMs: number;
  readonly channels: Map<string, Channel>;
  readonly stop: () => void;
  /** The slate version that readers in step are at, and its epoch: that of a node that follows a leader can change. */
  position: number;
  epochMs: number;
  /** The beat under way, null between two. */
  running: Promise<void> | null;
  /** Whether somebody came while it ran, who would otherwise wait for the next one. */
  isWantedAgain: boolean;
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

  /** Streams that are open. */
  get readerCount(): number {
    let count = 0;
    for (const { channel } of this.#channels()) count += channel.readers.size;
    return count;
  }

  /**
   * Opens a stream: its hello goes out at once, its snapshot or what it missed with the next beat.
   * @throws ServiceError `invalid_request` for a cursor of another view, `upstream_unavailable` when the server stops
   */
  open({ view, since, tickMs, sink, isAllowed, companions = [] }: StreamRequest): OpenStream {
    if (this.#isClosed) throw stopping();
    const { changes, clock } = this.#options;
    const position = changes.sinceOf(view, since);
    const reader = new StreamReader(sink, { isAllowed, nowMs: clock.monotonicMs() });
    reader.position = position;
    reader.cursor = since ?? '';
    const beat = this.#beatOf(tickMs);
    const channel = channelOf(beat, view);
    channel.readers.add(reader);
    const additions = Object.assign({}, ...companions.map(({ hello }) => hello)) as object;
    reader.send(helloFrame({ cursor: changes.cursor(view), heartbeatMs: HEARTBEAT_MS, tickMs }, additions));
    for (const companion of companions) reader.atEnd(companion.join(reader));
    beat.isWantedAgain = true;
    void this.#run(beat);
    return {
      drained: () => reader.pump(),
      gone: () => this.#remove(beat, channel, reader),
      sendAway: (reason) => this.#sendAway(beat, channel, reader, reason),
    };
  }

  /** Resolves when this node is where a cursor stands, see OddsChanges; null when it is. */
  whenReached(view: OddsView, since: string | null): Promise<void> | null {
    return this.#options.changes.whenReached(view, since);
  }

  /** Sends every reader away; none is let in again. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    for (const { beat, channel } of [...this.#channels()]) {
      for (const reader of [...channel.readers]) this.#sendAway(beat, channel, reader, 'shutdown');
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
    };
    this.#beats.set(tickMs, beat);
    return beat;
  }

  /** One beat. One that comes while the last is still under way is left out: the next one brings what it would have. */
  #run(beat: Beat): Promise<void> {
    beat.running ??= this.#runAll(beat).finally(() => {
      beat.running = null;
    });
    return beat.running;
  }

  async #runAll(beat: Beat): Promise<void> {
    try {
      do {
        beat.isWantedAgain = false;
        await this.#bringUpToDate(beat);
      } while (beat.isWantedAgain);
    } catch (error) {
      // Without a slate there is nothing to send: heartbeats say how old the feed is, and a later beat goes on.
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
      beat.isWantedAgain = true; // its readers are still told of the epoch before
      return;
    }
    const isWhole = copy.since < 0;
    for (const channel of beat.channels.values()) this.#tell(beat, channel, copy);
    beat.position = copy.version;
    // Late readers are looked for again: some came or went while the copy was made, and a whole copy makes every reader late.
    for (const { channel, reader } of lateReadersOf(beat)) {
      if (!channel.readers.has(reader)) continue;
      if (reader.position < 0 || isWhole) await this.#sendSnapshot(channel, reader);
      else if (reader.position >= since) this.#catchUp(channel, reader, copy);
      else beat.isWantedAgain = true;
    }
  }

  /** The epoch is another one, and what left since the former one is not known: all readers are sent the whole view. */
  #startOver(beat: Beat, epochMs: number): void {
    beat.epochMs = epochMs;
    beat.position = this.#options.changes.version();
    for (const channel of beat.channels.values()) {
      channel.snapshot = null;
      for (const reader of channel.readers) this.#fallBehind(reader, -1);
    }
  }

  /** Sends one channel's changes to its readers in step. Those that cannot take them fall behind. */
  #tell(beat: Beat, channel: Channel, copy: SlateCopy): void {
    const { changes, clock } = this.#options;
    const inStep = [...channel.readers].filter((reader) => reader.isInStep);
    if (copy.since < 0) {
      // So much has left the slate that a delta would be incomplete: every reader is sent a whole view, newly made.
      channel.snapshot = null;
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

  /** Sends the whole view. The reader catches up with a later beat, when it has taken it. */
  async #sendSnapshot(channel: Channel, reader: StreamReader): Promise<void> {
    const { changes, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    let snapshot = channel.snapshot;
    if (snapshot === null || nowMs - snapshot.madeAtMs > SNAPSHOT_SHARED_MS) {
      const copy = await changes.copySince(-1, clock.wallMs());
      const delta = changes.deltaOf(copy, { view: channel.view, since: -1, nowMs: clock.wallMs() });
      const { cursor } = delta;
      snapshot = { frames: snapshotFrames(delta), cursor, version: copy.version, madeAtMs: nowMs };
      channel.snapshot = snapshot;
    }
    reader.position = snapshot.version;
    reader.cursor = snapshot.cursor;
    reader.sendAll(snapshot.frames);
  }

  /** Sends away who is stuck or no longer allowed, and goes on with snapshots. */
  #lookAfterReaders(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const { beat, channel } of [...this.#channels()]) {
      const { snapshot } = channel;
      if (snapshot !== null && nowMs - snapshot.madeAtMs > SNAPSHOT_SHARED_MS) channel.snapshot = null;
      for (const reader of [...channel.readers]) {
        if (!reader.isAllowed()) this.#sendAway(beat, channel, reader, 'key_revoked');
        else if (reader.isStuck(nowMs)) this.#sendAway(beat, channel, reader, 'slow_reader');
        else reader.pump();
      }
    }
  }

  #sendHeartbeats(): void {
    const { changes, clock } = this.#options;
    const nowMs = clock.wallMs();
    const feedAgeMs = changes.feedAgeMs(nowMs);
    const feed = changes.confirmations();
    for (const { beat, channel } of this.#channels()) {
      // The next beat sends them a whole view.
      if (changes.epochMs() !== beat.epochMs) continue;
      const cursor = changes.cursorOf(channel.view, beat.position);
      const { asOf, isStale } = changes.freshness(channel.view, feed, nowMs);
      const said = { cursor, as_of: asOf, stale: isStale, feed_age_ms: feedAgeMs };
      const shared = frameOf('heartbeat', cursor, said);
      for (const reader of channel.readers)
        if (reader.isInStep && reader.isReady) reader.tell(shared, cursor);
    }
  }

  #sendAway(beat: Beat, channel: Channel, reader: StreamReader, reason: ByeReason): void {
    reader.end(reason);
    this.#remove(beat, channel, reader);
  }

  #remove(beat: Beat, channel: Channel, reader: StreamReader): void {
    // The client of a reader that was sent away goes as well.
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
  const channel: Channel = { view, readers: new Set(), snapshot: null };
  beat.channels.set(view.id, channel);
  return channel;
}

/** Readers that are not in step and can take something. */
function lateReadersOf(beat: Beat): { readonly channel: Channel; readonly reader: StreamReader }[] {
  const late = [];
  for (const channel of beat.channels.values()) {
    for (const reader of channel.readers)
      if (!reader.isInStep && reader.isReady) late.push({ channel, reader });
  }
  return late;
}

function stopping(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot open a stream: the server is stopping', {
    retryAfterSeconds: 2,
  });
}
