// The feed protocol over WebSocket as a source: connects, passes on what it receives, requests a snapshot
// after a gap, and reconnects after a lost connection. Runs on the ingest worker.

import { type Clock, systemClock } from '../../clock.ts';
import type { Random } from '../../domain/random.ts';
import { FEED_BATCH_MAX, FEED_FRAME_BYTES_MAX } from '../../limits.ts';
import type { Log } from '../../log.ts';
import { Backoff, FINAL_RETRY_MS, type RetryPace } from '../backoff.ts';
import type { SourceStatus } from '../poll/status.ts';
import { pushStatus } from '../push-status.ts';
import type { FeedSink, FeedSource } from '../source.ts';
import { type FrameReader, readBinaryFrame, readTextFrame } from './frames.ts';

export interface WebSocketSourceOptions {
  /** ws://, wss://, or ws+unix:// for a server on this machine. */
  readonly url: string;
  /** The source's name in reports; `websocket` if absent. */
  readonly name?: string;
  /** Sent as bearer; null sends none. */
  readonly token: string | null;
  readonly random: Random;
  readonly log: Log;
  /** Deadlines run on its monotonic time. */
  readonly clock?: Clock;
  /** The reconnect pauses; the default ones if absent. */
  readonly retryPace?: RetryPace;
  /** Receives the source's state when it changes. */
  readonly report?: (status: SourceStatus) => void;
}

/** A connection that is silent for this long counts as dead. */
const SILENCE_MAX_MS = 15_000;
/** A requested snapshot must begin within this time, otherwise the client reconnects. */
const RESYNC_MAX_MS = 5_000;
const WATCH_MS = 500;
/**
 * A connection was healthy, and its failure counts as the first, if it carried this many messages after its
 * snapshot or stayed open for this long. Otherwise the pauses grow, for example for a server that dies at
 * every snapshot it sends.
 */
const WELL_MESSAGES = 100;
const WELL_AFTER_MS = 10_000;
const SNAPSHOT_REQUEST = JSON.stringify({ type: 'snapshot' });
/**
 * Close codes that refuse this client: policy violation, and those that servers of this protocol use for 401
 * and 403.
 */
const REFUSED_CODES: readonly number[] = [1_008, 4_401, 4_403];

/** Opens the source. It connects, and reconnects, until it is closed. */
export function openWebSocket(options: WebSocketSourceOptions, sink: FeedSink): FeedSource {
  const link = new WebSocketLink(options, sink);
  link.connect();
  return { close: () => link.close(), resync: () => link.resync() };
}

class WebSocketLink implements FrameReader {
  readonly #options: WebSocketSourceOptions;
  readonly #sink: FeedSink;
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #name: string;
  #socket: WebSocket | null = null;
  #watch: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #heardAtMs = 0;
  /** When the pending snapshot was requested, null when none is. */
  #resyncAtMs: number | null = null;
  /**
   * Messages passed on since reading was last paused. After a batch of them it is paused again, because the
   * queue is emptied by one batch per task.
   */
  #handedOn = 0;
  /** Whether a snapshot has begun and not ended. */
  #inSnapshot = false;
  /** Messages of this connection outside snapshots. */
  #liveCount = 0;
  /** When the connection opened, on the monotonic clock; null before that. */
  #openedAtMs: number | null = null;
  /** Why this side closed the connection. */
  #reason = '';

  constructor(options: WebSocketSourceOptions, sink: FeedSink) {
    this.#options = options;
    this.#sink = sink;
    this.#clock = options.clock ?? systemClock;
    this.#backoff = new Backoff(options.random, options.retryPace);
    this.#name = options.name ?? 'websocket';
  }

  connect(): void {
    const { url, token } = this.#options;
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const triedAtMs = this.#clock.wallMs();
    // Compression is off, because a small frame could become huge before this side sees the size.
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    this.#heardAtMs = this.#clock.monotonicMs();
    this.#resyncAtMs = null;
    this.#inSnapshot = false;
    this.#liveCount = 0;
    this.#openedAtMs = null;
    this.#reason = '';
    socket.onopen = () => {
      this.#openedAtMs = this.#clock.monotonicMs();
      this.#sink.connection(true, triedAtMs);
      this.#options.report?.(pushStatus({ name: this.#name, state: 'ok', reason: null, nextTryAtMs: null }));
      this.#options.log.info('feed_connected', { url: withoutSecrets(url) });
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => this.#frame(socket, data);
    let failure = '';
    socket.onerror = (event) => {
      failure = (event as ErrorEvent).message ?? '';
    };
    socket.onclose = ({ code, reason }) => {
      if (this.#socket === socket) this.#lost({ code, why: this.#reason || reason || failure });
    };
    clearInterval(this.#watch);
    this.#watch = setInterval(() => this.#check(), WATCH_MS);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.terminate();
    return Promise.resolve();
  }

  /** Requests a snapshot after a loss of messages, but only once until it begins. */
  resync(): void {
    if (this.#resyncAtMs !== null || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#resyncAtMs = this.#clock.monotonicMs();
    this.#socket.send(SNAPSHOT_REQUEST);
  }

  message(wire: unknown): boolean {
    const type = (wire as { type?: unknown } | null)?.type;
    if (type === 'snapshot_begin') {
      this.#resyncAtMs = null;
      this.#inSnapshot = true;
    } else if (type === 'snapshot_end') this.#inSnapshot = false;
    else if (!this.#inSnapshot && typeof type === 'string') this.#liveCount++;
    this.#handedOn++;
    return this.#sink.offer(wire);
  }

  undecodable(): void {
    this.#sink.undecodable();
  }

  #frame(socket: WebSocket, data: string | ArrayBuffer): void {
    if (this.#socket !== socket) return; // a closed connection may still deliver
    const size = typeof data === 'string' ? data.length : data.byteLength;
    if (size > FEED_FRAME_BYTES_MAX) {
      this.#sink.undecodable();
      this.#giveUp(`a frame of ${size} is longer than ${FEED_FRAME_BYTES_MAX}`);
      return;
    }
    this.#heardAtMs = this.#clock.monotonicMs();
    const isWhole =
      typeof data === 'string' ? readTextFrame(data, this) : readBinaryFrame(new Uint8Array(data), this);
    if (!isWhole) this.#giveUp('the feed queue is full');
    else if (this.#handedOn >= FEED_BATCH_MAX) this.#letQueueDrain(socket);
  }

  /** Stops reading until the worker's next task, so that the sender waits and no queue grows here. */
  #letQueueDrain(socket: WebSocket): void {
    if (!socket.pause()) return;
    setImmediate(() => {
      this.#handedOn = 0;
      socket.resume();
    });
  }

  #check(): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#socket === null) return;
    if (nowMs - this.#heardAtMs > SILENCE_MAX_MS) this.#giveUp(`nothing heard for ${SILENCE_MAX_MS} ms`);
    else if (this.#resyncAtMs !== null && nowMs - this.#resyncAtMs > RESYNC_MAX_MS) {
      this.#giveUp('the requested snapshot did not come');
    }
  }

  #giveUp(reason: string): void {
    this.#reason = reason;
    const socket = this.#socket;
    if (socket === null) return;
    this.#lost({ code: 0, why: reason });
    socket.terminate();
  }

  /**
   * A reason without secrets: Bun's error text contains the whole address, and a peer's may contain the
   * token.
   */
  #shown(why: string): string {
    const { url, token } = this.#options;
    const withoutAddress = why.replaceAll(/wss?:\/\/[^\s'"]+/gi, withoutSecrets(url));
    return token === null ? withoutAddress : withoutAddress.replaceAll(token, '...');
  }

  #lost({ code, why }: { code: number; why: string }): void {
    this.#socket = null;
    clearInterval(this.#watch);
    this.#handedOn = 0;
    if (this.#isClosed) return;
    this.#sink.connection(false);
    // A 403 is not final, because it may be a temporary answer of a proxy on the way.
    const isFinal = REFUSED_CODES.includes(code) || /status code: 401\b/.test(why);
    const openedAtMs = this.#openedAtMs ?? Number.POSITIVE_INFINITY;
    const hasStood = this.#clock.monotonicMs() - openedAtMs >= WELL_AFTER_MS;
    if (hasStood || this.#liveCount >= WELL_MESSAGES) this.#backoff.reset();
    const waitMs = isFinal ? FINAL_RETRY_MS : this.#backoff.nextMs();
    const fields = {
      url: withoutSecrets(this.#options.url),
      code,
      why: this.#shown(why).slice(0, 200),
      retry_ms: waitMs,
    };
    if (isFinal) this.#options.log.error('feed_refused', fields);
    else this.#options.log.warn('feed_disconnected', fields);
    this.#options.report?.(
      pushStatus({
        name: this.#name,
        state: isFinal ? 'stopped' : 'failing',
        reason: isFinal ? 'bad_key' : /status code: 403\b/.test(why) ? 'forbidden' : 'unreachable',
        nextTryAtMs: this.#clock.wallMs() + waitMs,
      }),
    );
    this.#retry = setTimeout(() => this.connect(), waitMs);
  }
}

/** An address may contain a name and a password, or a token, which must not be logged. */
function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
