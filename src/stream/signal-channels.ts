// Signals of one HTTP thread, pushed. Readers of the same signals at the same pace share a channel: with each tick what the
// scoring pool found is compared once, encoded once and sent to all of them. It sends through the readers of the hub: a
// reader is sent signals while it is in step with the odds and can take more. One that could not take some is later sent
// all that are open, and the ids by which it drops those that have closed.

import type { Clock } from '../clock.ts';
import { assert, ServiceError } from '../errors.ts';
import type { LiveSignals } from '../query/live-signals.ts';
import type { SignalFollower } from '../query/signal-follower.ts';
import type { SignalView } from '../query/signal-view.ts';
import { type Frame, frameOf } from './frames.ts';
import { HEARTBEAT_MS, SIGNAL_CHANNELS_MAX, WATCH_EVERY_MS } from './limits.ts';
import type { StreamCompanion } from './stream-hub.ts';
import type { StreamReader } from './stream-reader.ts';

const RETRY_S = 5;

export interface SignalChannelsOptions {
  readonly live: LiveSignals;
  readonly clock: Clock;
  /** Calls `run` again and again until the function that it returns is called. */
  readonly every: (ms: number, run: () => unknown) => () => void;
  /** Told of a tick that failed for a reason that is no caller's. */
  readonly onError: (error: unknown) => void;
}

interface Channel {
  readonly follower: SignalFollower;
  /** By reader, whether it has been told of every signal that is open. */
  readonly readers: Map<StreamReader, boolean>;
  readonly stopTicking: () => void;
  /** The tick under way, null between two. */
  running: Promise<void> | null;
  /** Whether a tick was left out, or failed, since signals were last told. */
  hasMissedTick: boolean;
  /** The counts that readers were last told, as text. */
  toldCounts: string;
}

export class SignalChannels {
  readonly #options: SignalChannelsOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #stops: readonly (() => void)[];

  constructor(options: SignalChannelsOptions) {
    this.#options = options;
    this.#stops = [
      options.every(WATCH_EVERY_MS, () => this.#bringUpToDate()),
      options.every(HEARTBEAT_MS, () => this.#tellCounts()),
    ];
  }

  /** Channels that are open. */
  get channelCount(): number {
    return this.#channels.size;
  }

  /**
   * What a stream is to send besides odds. Open the stream at once: until then no place is taken.
   * @throws ServiceError `upstream_unavailable` when there is no room for one more channel
   */
  companion(view: SignalView, tickMs: number): StreamCompanion {
    if (!this.#channels.has(nameOf(view, tickMs))) this.#requireRoom(view);
    this.#options.live.requireRoom(view);
    return { hello: { signals: view.told }, join: (reader) => this.#join(view, tickMs, reader) };
  }

  #requireRoom({ criteria }: SignalView): void {
    const followed = [...this.#channels.values()].map(({ follower }) => follower.view.criteria.seesSharp);
    if (!this.#options.live.hasRoom(followed, criteria.seesSharp, SIGNAL_CHANNELS_MAX)) throw full();
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const name of [...this.#channels.keys()]) this.#end(name);
  }

  #join(view: SignalView, tickMs: number, reader: StreamReader): () => void {
    const name = nameOf(view, tickMs);
    const channel = this.#channels.get(name) ?? this.#open(name, view, tickMs);
    channel.readers.set(reader, false);
    return () => {
      channel.readers.delete(reader);
      if (channel.readers.size === 0 && this.#channels.get(name) === channel) this.#end(name);
    };
  }

  #open(name: string, view: SignalView, tickMs: number): Channel {
    assert(this.#channels.size < SIGNAL_CHANNELS_MAX, 'a stream is opened when its companion is made');
    const channel: Channel = {
      follower: this.#options.live.follow(view),
      readers: new Map(),
      stopTicking: this.#options.every(tickMs, () => this.#tick(channel)),
      running: null,
      hasMissedTick: false,
      toldCounts: '',
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

  /** One tick. One that comes while the last is still being scored is left out, and the next signals say so. */
  #tick(channel: Channel): Promise<void> {
    if (channel.running !== null) channel.hasMissedTick = true;
    channel.running ??= this.#tell(channel).finally(() => {
      channel.running = null;
    });
    return channel.running;
  }

  async #tell(channel: Channel): Promise<void> {
    const { clock, onError } = this.#options;
    const { follower, readers } = channel;
    const isConflated = channel.hasMissedTick;
    channel.hasMissedTick = false;
    try {
      const signals = await follower.step(clock.wallMs(), isConflated);
      if (signals.length > 0) {
        const frames = signals.map((signal) => frameOf('signal', null, signal));
        for (const [reader, isCurrent] of readers) {
          if (isCurrent && reader.isInStep && reader.isReady) reader.sendAll(frames);
          else readers.set(reader, false);
        }
      }
      this.#sendCurrent(channel);
    } catch (error) {
      // The pool is full or has lost its workers: what moved is scored with a later tick.
      channel.hasMissedTick = true;
      if (!(error instanceof ServiceError)) onError(error);
    }
  }

  /** Sends all open signals to readers that need them and can take them now. */
  #sendCurrent(channel: Channel): void {
    const { follower, readers } = channel;
    if (!follower.hasBegun) return;
    let frames: readonly Frame[] | null = null;
    for (const [reader, isCurrent] of readers) {
      if (isCurrent || !reader.isInStep || !reader.isReady) continue;
      if (frames === null) {
        frames = this.#framesOfCurrent(follower);
        channel.toldCounts = ''; // these readers know other counts than the rest
      }
      reader.sendAll(frames);
      readers.set(reader, true);
    }
  }

  #framesOfCurrent(follower: SignalFollower): Frame[] {
    const signals = follower.current(this.#options.clock.wallMs());
    return [
      ...signals.map((signal) => frameOf('signal', null, signal)),
      frameOf('signals', null, follower.summary(true)),
    ];
  }

  /** Readers that have caught up since the last tick need not wait for the next. */
  #bringUpToDate(): void {
    for (const channel of this.#channels.values()) this.#sendCurrent(channel);
  }

  #tellCounts(): void {
    for (const channel of this.#channels.values()) {
      const { follower, readers } = channel;
      if (!follower.hasBegun) continue;
      const summary = follower.summary(false);
      const counts = JSON.stringify(summary);
      if (counts === channel.toldCounts) continue;
      channel.toldCounts = counts;
      const frame = frameOf('signals', null, summary);
      for (const [reader, isCurrent] of readers) {
        if (isCurrent && reader.isInStep && reader.isReady) reader.send(frame);
        else readers.set(reader, false);
      }
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
