// The channels that share one tick length. Readers with the same view share a channel. At each tick, the
// changes of the slate are copied once and encoded once for each channel; all its readers are sent the same
// bytes.
// A reader whose client does not keep up is skipped. Once the client has read enough, the reader gets one
// delta from its own position to the present, made from the store and shared only with readers at the same
// position; or a snapshot if it has missed too much for one event. No log of changes is kept for slow
// readers.

import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { Slices } from '../pause.ts';
import type { OddsChangeReader } from '../query/odds/odds-changes.ts';
import type { OddsView } from '../query/odds/odds-view.ts';
import type { WholeSlates } from '../query/odds/whole-slates.ts';
import { type CopyRoom, freeCopy, NoRoomError, type SlateCopy } from '../query/slate/slate-copy.ts';
import { DeltaFrames, missedFrames, SnapshotFrames } from './frames.ts';
import { HOLD_BYTES, MISSED_BYTES_MAX, UNSENT_BYTES_MAX } from './limits.ts';
import type { StreamReader } from './stream-reader.ts';

export interface StreamTickOptions {
  readonly changes: OddsChangeReader;
  readonly slates: WholeSlates;
  readonly clock: Clock;
  /** Called when a tick fails for a reason other than a ServiceError. */
  readonly onError: (error: unknown) => void;
}

/** The readers of one view. */
export interface StreamChannel {
  readonly view: OddsView;
  /** Each reader, with the memory budget that its snapshot's copy of the slate counts against. */
  readonly readers: ReadonlyMap<StreamReader, CopyRoom>;
  /** The slate version that its up-to-date readers are at. */
  readonly position: number;
  /**
   * Whether changes are being sent, in several turns of the event loop: some of its up-to-date readers are
   * already ahead of `position`.
   */
  readonly isSending: boolean;
}

interface Channel extends StreamChannel {
  readonly readers: Map<StreamReader, CopyRoom>;
  position: number;
  isSending: boolean;
}

interface LateReader {
  readonly channel: Channel;
  readonly reader: StreamReader;
}

/** The copy of changes from which one tick serves late readers. */
interface CatchUp {
  readonly copy: SlateCopy;
  /** The version from which the copy was requested. */
  readonly since: number;
  /**
   * The delta that was made last. Late readers are served in order of channel and position, so the next
   * reader often needs the same delta, and one is enough to keep.
   */
  made: MissedChanges | null;
}

/** What a reader of a channel has missed since a position. */
interface MissedChanges {
  readonly channel: Channel;
  readonly position: number;
  readonly bytesMax: number;
  /** Null without a change in the view, or if there was too much for one event. */
  readonly frames: DeltaFrames | null;
  readonly isTooMuch: boolean;
}

/**
 * Milliseconds after which the next channel or reader is served in a later turn of the event loop. Otherwise
 * polls would wait for a quarter of a second when hundreds of clients read again at the same moment. At each
 * tick, they would wait for forty milliseconds with eighty streams that have different filters, and for a
 * hundred with ten thousand readers of one channel.
 */
export const SLICE_MS = 2;
/** How many readers are served before the clock is checked. A large frame may take a millisecond each. */
export const READERS_PER_CHECK = 8;

export class StreamTick {
  readonly #options: StreamTickOptions;
  readonly #channels = new Map<string, Channel>();
  /**
   * The slate version that the last tick sent, and the epoch of that version. The epoch can change on a node
   * that follows a leader.
   */
  #position: number;
  #epochMs: number;
  /** The tick in progress; null between two ticks. */
  #running: Promise<void> | null = null;
  /** Whether another tick must follow immediately, for readers that the tick in progress could not serve. */
  #isWantedAgain = false;
  /** Whether a tick for new readers is queued. */
  #isTurnAsked = false;

  constructor(options: StreamTickOptions) {
    this.#options = options;
    this.#position = options.changes.version();
    this.#epochMs = options.changes.epochMs();
  }

  get epochMs(): number {
    return this.#epochMs;
  }

  get readerCount(): number {
    let count = 0;
    for (const { readers } of this.#channels.values()) count += readers.size;
    return count;
  }

  channels(): Iterable<StreamChannel> {
    return this.#channels.values();
  }

  /** Adds a reader to the channel of a view. @param room see StreamChannel */
  add(view: OddsView, reader: StreamReader, room: CopyRoom): void {
    const channel = { view, readers: new Map(), position: this.#position, isSending: false };
    this.#channels.getOrInsert(view.id, channel).readers.set(reader, room);
  }

  /**
   * Removes a reader, which then leaves.
   * @returns false when it was removed before: a reader whose stream was ended is removed again when its
   * client disconnects
   */
  remove({ id }: OddsView, reader: StreamReader): boolean {
    const channel = this.#channels.get(id);
    if (channel === undefined || !channel.readers.delete(reader)) return false;
    if (channel.readers.size === 0) this.#channels.delete(id);
    reader.leave();
    return true;
  }

  /**
   * Runs one tick. If the previous tick is still running, this one is skipped: the next one sends what it
   * would have sent.
   */
  run(): Promise<void> {
    this.#running ??= this.#runAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Runs one tick for all readers that arrived in the same turn. A tick serves every reader, so with one tick
   * for each arrival, clients that connect and disconnect without pause would keep the thread busy.
   */
  runInTurn(inTurn: (job: () => void) => boolean): void {
    this.#isWantedAgain = true;
    if (this.#isTurnAsked) return;
    this.#isTurnAsked = true;
    const isTaken = inTurn(() => {
      this.#isTurnAsked = false;
      void this.run();
    });
    // The next regular tick serves these readers.
    if (!isTaken) this.#isTurnAsked = false;
  }

  async #runAll(): Promise<void> {
    try {
      do {
        this.#isWantedAgain = false;
        await this.#bringUpToDate();
      } while (this.#isWantedAgain);
    } catch (error) {
      // Without a slate there is nothing to send: heartbeats report the feed's age, and a later tick tries
      // again.
      if (!(error instanceof ServiceError)) this.#options.onError(error);
    }
  }

  async #bringUpToDate(): Promise<void> {
    const { changes, clock } = this.#options;
    const epochMs = changes.epochMs();
    if (epochMs !== this.#epochMs) this.#startOver(epochMs);
    const late = this.#lateReaders();
    if (late.length === 0 && changes.version() === this.#position) return;
    const since = late.reduce(
      (oldest, { reader }) => (reader.position < 0 ? oldest : Math.min(oldest, reader.position)),
      this.#position,
    );
    const copy = await changes.copySince(since, clock.wallMs());
    try {
      if (copy.epochMs === epochMs) await this.#sendFrom(copy, since);
      else this.#isWantedAgain = true; // its readers must first be moved to the new epoch
    } finally {
      freeCopy(copy);
    }
  }

  /** @param since the version from which the copy was requested */
  async #sendFrom(copy: SlateCopy, since: number): Promise<void> {
    const { clock } = this.#options;
    const slices = new Slices(() => clock.monotonicMs(), SLICE_MS);
    // Channels that come during the pauses are at the end of the map, so they are reached too.
    for (const channel of this.#channels.values()) {
      await slices.afterStep();
      await this.#sendChanges(channel, copy, slices);
      channel.position = copy.version;
    }
    this.#position = copy.version;
    // Find the late readers again: some may have come or gone while the copy was made, and if the copy is of
    // the whole slate, every reader is late.
    const catchUp: CatchUp = { copy, since, made: null };
    for (const { channel, reader } of this.#lateReaders()) {
      await slices.afterStep();
      // Readers that share a WebSocket also share what its client has not read. An event to one of them may
      // leave no room for the others, which a later tick serves.
      if (!reader.isReady || !channel.readers.has(reader)) continue;
      await this.#serveLate({ channel, reader }, catchUp);
    }
  }

  async #serveLate(late: LateReader, catchUp: CatchUp): Promise<void> {
    const { reader } = late;
    const { copy, since } = catchUp;
    const isWhole = copy.since < 0;
    if (reader.position < 0 || isWhole) await this.#sendSnapshot(late, isWhole ? copy.version : -1);
    else if (reader.position >= since) await this.#catchUp(late, catchUp);
    else this.#isWantedAgain = true;
  }

  /** Readers that are not up to date and whose client can take more, by channel and position. */
  #lateReaders(): LateReader[] {
    return [...this.#channels.values()].flatMap((channel) =>
      [...channel.readers.keys()]
        .filter((reader) => !reader.isInStep && reader.isReady)
        .sort((left, right) => left.position - right.position)
        .map((reader) => ({ channel, reader })),
    );
  }

  /**
   * Makes this tick send every reader the whole view, because the epoch has changed and it is unknown what
   * was removed since.
   */
  #startOver(epochMs: number): void {
    this.#epochMs = epochMs;
    this.#position = this.#options.changes.version();
    for (const { readers } of this.#channels.values()) {
      for (const reader of readers.keys()) reader.fallBehind(-1);
    }
  }

  /**
   * Sends one channel's changes to its up-to-date readers. Readers whose client does not keep up fall behind.
   * Readers may come and go in the pauses: one that comes is not up to date yet, so a later step serves it.
   */
  async #sendChanges(channel: Channel, copy: SlateCopy, slices: Slices): Promise<void> {
    const { readers, position } = channel;
    const frames = this.#changesOf(channel, copy);
    if (frames === null) return;
    channel.isSending = true;
    let count = 0;
    for (const reader of readers.keys()) {
      if (!reader.isInStep) continue;
      if (reader.isReady) reader.show(frames.from(reader.cursor), frames.cursor);
      else reader.fallBehind(position);
      if (++count % READERS_PER_CHECK === 0 && slices.isOver) await slices.pause();
    }
    channel.isSending = false;
  }

  /** What changed since the channel's position; null if there is nothing to send to up-to-date readers. */
  #changesOf({ view, readers, position }: Channel, copy: SlateCopy): DeltaFrames | null {
    const { changes, clock } = this.#options;
    if (copy.since < 0) {
      // So much was removed from the slate that a delta would be incomplete: every reader is sent a new
      // snapshot.
      for (const reader of readers.keys()) if (reader.isInStep) reader.fallBehind(-1);
      return null;
    }
    if (!readers.keys().some((reader) => reader.isInStep)) return null;
    const delta = changes.deltaOf(copy, { view, since: position, nowMs: clock.wallMs() });
    return delta.isEmpty ? null : new DeltaFrames(delta, false);
  }

  async #catchUp(late: LateReader, catchUp: CatchUp): Promise<void> {
    const { channel, reader } = late;
    const { position, snapshotCount } = reader;
    const { copy, made } = catchUp;
    // A further snapshot would not help a reader that has just read one: as much would change meanwhile.
    const bytesMax = snapshotCount > 0 ? UNSENT_BYTES_MAX - HOLD_BYTES : MISSED_BYTES_MAX;
    const isMade =
      made !== null && made.channel === channel && made.position === position && made.bytesMax === bytesMax;
    const missed = isMade ? made : this.#missedSince({ position, bytesMax }, channel, copy);
    catchUp.made = missed;
    // A client that reads snapshots so slowly that a megabyte changes meanwhile never catches up, so its
    // stream ends. It ends only after the second such snapshot: one may be chance, such as a slate that is
    // being filled again.
    if (missed.isTooMuch && snapshotCount > 1) return reader.endWith('slow_reader');
    if (missed.isTooMuch) return await this.#sendSnapshot(late, copy.version);
    reader.snapshotCount = 0;
    if (missed.frames !== null) reader.show(missed.frames.from(reader.cursor), missed.frames.cursor);
    reader.position = copy.version;
    reader.isInStep = true;
  }

  #missedSince(
    { position, bytesMax }: Pick<MissedChanges, 'position' | 'bytesMax'>,
    channel: Channel,
    copy: SlateCopy,
  ): MissedChanges {
    const { changes, clock } = this.#options;
    const { view } = channel;
    const delta = changes.deltaOf(copy, { view, since: position, nowMs: clock.wallMs() });
    const frames = delta.isEmpty ? null : missedFrames(delta, bytesMax);
    return { channel, position, bytesMax, frames, isTooMuch: frames === null && !delta.isEmpty };
  }

  /**
   * Sends the whole view. Once the client has read it, a later tick sends what changed meanwhile.
   * @param knownVersion the newest version that the reader may already have
   */
  async #sendSnapshot({ channel, reader }: LateReader, knownVersion: number): Promise<void> {
    const { slates, clock } = this.#options;
    const { view, readers } = channel;
    const room = readers.get(reader);
    if (room === undefined) return;
    try {
      const asked = { nowMs: clock.wallMs(), takesOlder: true, knownVersion, room };
      const whole = await slates.open(view, asked);
      if (!readers.has(reader)) return whole.close();
      reader.position = whole.version;
      reader.cursor = whole.delta.cursor;
      reader.snapshotCount += 1;
      reader.sendFrom(new SnapshotFrames(whole));
    } catch (error) {
      if (!(error instanceof NoRoomError)) throw error;
      reader.endWith('limit');
    }
  }
}
