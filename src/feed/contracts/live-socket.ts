// A WebSocket of a venue that sends text: it connects, detects silence, and reconnects after growing pauses.
// Its owner decides what to send on opening and what a frame means.

import type { Clock } from '../../clock.ts';
import type { Random } from '../../domain/random.ts';
import type { Log } from '../../log.ts';
import { Backoff, type RetryPace } from '../backoff.ts';

export interface SocketTools {
  readonly clock: Clock;
  readonly log: Log;
  /** For the jitter of retries. */
  readonly random: Random;
  /** The reconnect pauses. The service leaves them out, so the default applies. */
  readonly retryPace?: RetryPace;
}

export interface LiveSocketOptions extends SocketTools {
  readonly url: string;
  /** Its name in the log. */
  readonly name: string;
  /** Makes the headers of each handshake, because a signature is valid only at its moment. */
  readonly headers?: () => Record<string, string>;
  /** A text to send regularly; null if only the server pings. */
  readonly ping: { readonly text: string; readonly everyMs: number } | null;
  /** If nothing is received for this long, the connection counts as dead. */
  readonly silenceMaxMs: number;
  readonly opened: () => void;
  readonly text: (text: string) => void;
  readonly closed: () => void;
}

/**
 * A longer frame ends the connection. A book of a thousand levels takes 50 KB; the first frame of 500
 * subscribed books takes some MB.
 */
const FRAME_CHARS_MAX = 32 * 1024 * 1024;
const WATCH_MS = 500;
const OPEN_MS = 10_000;
/** A connection that was open this long was healthy, so after its failure the retry pauses begin again. */
const WELL_AFTER_MS = 10_000;

export class LiveSocket {
  readonly #options: LiveSocketOptions;
  readonly #backoff: Backoff;
  readonly #watch: ReturnType<typeof setInterval>;
  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isOpen = false;
  #isClosed = false;
  #startedAtMs = 0;
  #pingedAtMs = 0;
  #heardAtMs = 0;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.random, options.retryPace);
    this.#watch = setInterval(() => this.#check(), WATCH_MS);
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** When anything was last heard, by our monotonic clock. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  send(message: unknown): void {
    if (this.#isOpen) this.#socket?.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Closes the connection and opens a new one. */
  restart(why: string): void {
    const socket = this.#socket;
    if (socket !== null) this.#ended(socket, why);
  }

  close(): void {
    this.#isClosed = true;
    this.#isOpen = false;
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    this.#socket?.terminate();
    this.#socket = null;
  }

  #connect(): void {
    const { url, headers } = this.#options;
    // Compression is off, because it could make a small frame huge before this side sees the size.
    const socket = new WebSocket(url, { headers: headers?.() ?? {}, perMessageDeflate: false });
    this.#socket = socket;
    this.#startedAtMs = this.#options.clock.monotonicMs();
    this.#heardAtMs = this.#startedAtMs;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#isOpen = true;
      this.#heardAtMs = this.#options.clock.monotonicMs();
      this.#pingedAtMs = this.#heardAtMs;
      this.#options.log.info('source_socket_open', { source: this.#options.name });
      this.#options.opened();
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#socket !== socket) return;
      this.#heardAtMs = this.#options.clock.monotonicMs();
      if (typeof data !== 'string' || data.length > FRAME_CHARS_MAX)
        this.#ended(socket, 'a frame is not text or is too long');
      else this.#options.text(data);
    };
    socket.onerror = () => {}; // the close event follows and has the reason
    socket.onclose = ({ code }) => this.#ended(socket, `closed with code ${code}`);
  }

  #check(): void {
    const { clock, silenceMaxMs, ping } = this.#options;
    const nowMs = clock.monotonicMs();
    const socket = this.#socket;
    if (socket === null) return;
    const allowedMs = this.#isOpen ? silenceMaxMs : OPEN_MS;
    if (nowMs - this.#heardAtMs > allowedMs) this.#ended(socket, `nothing heard for ${allowedMs} ms`);
    else if (this.#isOpen && ping !== null && nowMs - this.#pingedAtMs >= ping.everyMs) {
      this.#pingedAtMs = nowMs;
      this.send(ping.text);
    }
  }

  #ended(socket: WebSocket, why: string): void {
    if (this.#socket !== socket || this.#isClosed) return;
    const { clock, log, name } = this.#options;
    if (this.#isOpen && clock.monotonicMs() - this.#startedAtMs >= WELL_AFTER_MS) this.#backoff.reset();
    this.#isOpen = false;
    this.#socket = null;
    socket.terminate();
    const retryMs = this.#backoff.nextMs();
    log.warn('source_socket_closed', { source: name, why, retry_ms: retryMs });
    this.#options.closed();
    this.#retry = setTimeout(() => this.#connect(), retryMs);
  }
}
