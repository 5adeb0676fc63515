// Pushes signals to the streams of one HTTP thread. Readers that want the same signals at the same tick
// length share a channel. At each tick, the channel compares the scoring pool's results once, encodes them
// once and sends them to all its readers. Signals go out through the hub's readers. A reader gets signals
// while it is up to date with the odds and its client keeps reading. A reader that missed signals is later
// sent all that are open, and the list of their ids, so that its client can drop the signals that have
// closed.

import type { TurnCaller } from '../../access/quotas/fair-turns.ts';
import type { Clock } from '../../clock.ts';
import { assert, ServiceError } from '../../errors.ts';
import { Slices } from '../../pause.ts';
import { LruCache } from '../../query/lru-cache.ts';
import type { CopyRoom } from '../../query/slate/slate-copy.ts';
import { type Frame, frameOf } from '../frames.ts';
import { HEARTBEAT_MS, SIGNAL_CHANNELS_MAX, WATCH_EVERY_MS } from '../limits.ts';
import type { StreamExtension } from '../stream-hub.ts';
import type { StreamReader } from '../stream-reader.ts';
import { READERS_PER_CHECK, SLICE_MS } from '../stream-tick.ts';
import { LazyFrames } from './lazy-frames.ts';
import type { LiveSignals } from './live-signals.ts';
import type { SignalFollower } from './signal-follower.ts';
import { ReaderCallers, requireShare, type SignalCaller } from './signal-shares.ts';
import type { SignalView } from './signal-view.ts';

const RETRY_S = 5;
/**
 * Maximum bytes of frames of open signals that are kept for further readers. A frame that is dropped is made
 * again for a reader that is further behind.
 */
const FRAMES_BYTES_MAX = 4 * 1024 * 1024;
/** The bytes of an open signal in the set of a reader that is sent all of them: one reference. */
const SIGNAL_BYTES = 8;

export interface SignalChannelsOptions {
  readonly live: LiveSignals;
  readonly clock: Clock;
  /** Calls `run` every `ms` milliseconds until the returned function is called. */
  readonly every: (ms: number, run: () => unknown) => () => void;
  /**
   * Resolves when it is the channel's turn to do its part of a tick. Without turns, a hundred channels that
   * share their scores would run their ticks in a row while polls wait.
   * @throws ServiceError when too many jobs wait
   */
  readonly turn: (channel: TurnCaller) => Promise<void>;
  /** Called when a tick fails for a reason other than a ServiceError. */
  readonly onError: (error: unknown) => void;
}

interface Channel {
  /**
   * The caller at whose turn the channel's ticks run. For views with the sharp bookmaker, which only paid
   * plans see, this is a caller with a key, so the ticks run before the work of callers without a key.
   */
  readonly caller: TurnCaller;
  readonly follower: SignalFollower;
  readonly readers: Map<StreamReader, Reading>;
  readonly callers: ReaderCallers;
  readonly stopTicking: () => void;
  /** The tick in progress; null between two ticks. */
  running: Promise<void> | null;
  /** Whether a tick was skipped or failed since signals were last sent. */
  hasMissedTick: boolean;
  /** The summary that readers were last sent, as JSON text. */
  sentCounts: string;
}

/** How far a reader of a channel is. */
interface Reading {
  /** Whether it has been sent every signal that is open. */
  isCurrent: boolean;
  /** The memory budget that a set of signals counts against while the reader is sent it. */
  readonly room: CopyRoom;
}

/** What one reader follows. */
interface Followed {
  readonly view: SignalView;
  readonly tickMs: number;
  readonly caller: SignalCaller;
}

export class SignalChannels {
  readonly #options: SignalChannelsOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #kept = new LruCache<Frame>(FRAMES_BYTES_MAX);
  /** How many sets of open signals were sent, to name the next. */
  #setCount = 0;
  readonly #stops: readonly (() => void)[];

  constructor(options: SignalChannelsOptions) {
    this.#options = options;
    this.#stops = [
      options.every(WATCH_EVERY_MS, () => this.#bringUpToDate()),
      options.every(HEARTBEAT_MS, () => this.#reportCounts()),
    ];
  }

  /** The number of open channels. */
  get channelCount(): number {
    return this.#channels.size;
  }

  /**
   * The signals that a stream sends besides odds. Open the stream in the same turn of the event loop, because
   * its channel is only reserved when it opens.
   * @throws ServiceError `upstream_unavailable` when no further channel fits, in all or for this caller
   */
  extension(view: SignalView, tickMs: number, caller: SignalCaller): StreamExtension {
    const { live } = this.#options;
    const name = nameOf(view, tickMs);
    if (!this.#channels.has(name) && this.#channels.size >= SIGNAL_CHANNELS_MAX) throw full();
    live.requireRoom(view);
    const watch = this.#channels.get(name)?.follower.watch ?? live.watchOf(view);
    requireShare(caller, { name, watch }, { channels: this.#channels, watchesMax: live.watchesMax });
    const join = (reader: StreamReader, room: CopyRoom) => this.#join({ view, tickMs, caller }, reader, room);
    return { hello: { signals: view.inEffect }, join };
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const name of [...this.#channels.keys()]) this.#end(name);
  }

  #join({ view, tickMs, caller }: Followed, reader: StreamReader, room: CopyRoom): () => void {
    const name = nameOf(view, tickMs);
    const channel = this.#channels.get(name) ?? this.#open(name, view, tickMs);
    channel.readers.set(reader, { isCurrent: false, room });
    channel.callers.add(reader, caller);
    return () => {
      channel.readers.delete(reader);
      channel.callers.remove(reader);
      if (channel.readers.size === 0 && this.#channels.get(name) === channel) this.#end(name);
    };
  }

  #open(name: string, view: SignalView, tickMs: number): Channel {
    assert(this.#channels.size < SIGNAL_CHANNELS_MAX, 'a stream is opened when its extension is made');
    const channel: Channel = {
      caller: { name, hasKey: view.criteria.seesSharp },
      follower: this.#options.live.follow(view),
      readers: new Map(),
      callers: new ReaderCallers(),
      stopTicking: this.#options.every(tickMs, () => this.#tick(channel)),
      running: null,
      hasMissedTick: false,
      sentCounts: '',
    };
    this.#channels.set(name, channel);
    void this.#tick(channel);
    return channel;
  }

  #end(name: string): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    channel.stopTicking();
    channel.follower.stop();
    this.#channels.delete(name);
  }

  /**
   * Runs one tick. If the previous tick is still being scored, this one is skipped, and the next signals are
   * marked as conflated.
   */
  #tick(channel: Channel): Promise<void> {
    if (channel.running !== null) channel.hasMissedTick = true;
    channel.running ??= this.#publish(channel).finally(() => {
      channel.running = null;
    });
    return channel.running;
  }

  async #publish(channel: Channel): Promise<void> {
    const { clock, onError, turn } = this.#options;
    const { follower, readers } = channel;
    const isConflated = channel.hasMissedTick;
    channel.hasMissedTick = false;
    try {
      const signals = await follower.step(clock.wallMs(), isConflated, () => turn(channel.caller));
      if (signals.length > 0) {
        const frames = signals.map((signal) => frameOf('signal', null, signal));
        for (const [reader, reading] of readers) {
          if (reading.isCurrent && reader.isInStep && reader.isReady) reader.sendAll(frames);
          else reading.isCurrent = false;
        }
      }
      this.#sendCurrent(channel);
    } catch (error) {
      // The scoring pool is full or has lost its workers: what changed is scored at a later tick.
      channel.hasMissedTick = true;
      if (!(error instanceof ServiceError)) onError(error);
    }
  }

  /** Sends all open signals to readers that need them and can take them now. */
  #sendCurrent(channel: Channel): void {
    const { follower, readers } = channel;
    if (!follower.hasBegun) return;
    let frames: LazyFrames | null = null;
    for (const [reader, reading] of readers) {
      if (reading.isCurrent || !reader.isInStep || !reader.isReady) continue;
      if (frames?.isOpen !== true) {
        frames = this.#framesOfCurrent(follower, reading.room);
        channel.sentCounts = ''; // these readers got a newer summary than the others
      }
      if (frames === null) {
        reader.endWith('limit');
        continue;
      }
      reader.sendFrom(frames.source(reading.room));
      reading.isCurrent = true;
    }
  }

  /**
   * The signals that are open now, and their summary; null if the room has no place for their set. The caller
   * takes a source immediately.
   */
  #framesOfCurrent(follower: SignalFollower, room: CopyRoom): LazyFrames | null {
    const byteCount = SIGNAL_BYTES * follower.openCount;
    if (!room.reserve(byteCount)) return null;
    const { count, at, ids } = follower.openSignals(this.#options.clock.wallMs());
    const summary = follower.summary();
    const make = (index: number): Frame =>
      index < count
        ? frameOf('signal', null, at(index))
        : frameOf('signals', null, { ...summary, ids: ids() });
    this.#setCount += 1;
    const name = String(this.#setCount);
    return new LazyFrames({ count: count + 1, make, kept: this.#kept, name, byteCount, room });
  }

  /**
   * Sends the open signals to readers that have caught up since the last tick, so that they need not wait for
   * the next tick.
   */
  #bringUpToDate(): void {
    for (const channel of this.#channels.values()) this.#sendCurrent(channel);
  }

  async #reportCounts(): Promise<void> {
    const { turn, onError } = this.#options;
    for (const channel of [...this.#channels.values()]) {
      try {
        await turn(channel.caller);
        await this.#reportCountsOf(channel);
      } catch (error) {
        // Too many jobs wait: the next heartbeat reports.
        if (!(error instanceof ServiceError)) onError(error);
      }
    }
  }

  async #reportCountsOf(channel: Channel): Promise<void> {
    const { clock } = this.#options;
    const { follower, readers } = channel;
    if (!follower.hasBegun) return;
    const summary = follower.summary();
    const counts = JSON.stringify(summary);
    if (counts === channel.sentCounts) return;
    channel.sentCounts = counts;
    const frame = frameOf('signals', null, summary);
    const slices = new Slices(() => clock.monotonicMs(), SLICE_MS);
    let count = 0;
    for (const [reader, reading] of readers) {
      if (reading.isCurrent && reader.isInStep && reader.isReady) reader.send(frame);
      else reading.isCurrent = false;
      if (++count % READERS_PER_CHECK === 0 && slices.isOver) await slices.pause();
    }
  }
}

function nameOf({ id }: SignalView, tickMs: number): string {
  return `${tickMs}|${id}`;
}

function full(): ServiceError {
  return new ServiceError(
    'upstream_unavailable',
    `Cannot follow signals: ${SIGNAL_CHANNELS_MAX} other choices of filters and thresholds are being followed`,
    { fix: 'Drop the thresholds or filters, or retry later', retryAfterSeconds: RETRY_S },
  );
}
