// The sending side of one WebSocket. The operating system buffers some megabytes for a client that reads
// nothing, so Bun's own buffer does not show whether the client reads. Therefore a ping is sent after every
// SIGN_EVERY_BYTES bytes, and its pong shows that they were read.

import type { Clock } from '../../clock.ts';
import { ENDING_MS_MAX, SIGN_EVERY_BYTES, UNSENT_MS_MAX } from '../limits.ts';
import type { Backlog } from './backlog.ts';
import type { Socket } from './socket-handler.ts';

/** Shorter messages are sent uncompressed: compressing them costs more than it saves. */
const DEFLATE_BYTES_MIN = 512;

interface SocketLineOptions {
  readonly clock: Clock;
  /** Whether the client accepts permessage-deflate. */
  readonly deflates: boolean;
  readonly backlog: Backlog;
}

export class SocketLine {
  readonly #clock: Clock;
  readonly #deflates: boolean;
  readonly #backlog: Backlog;
  #socket: Socket | null = null;
  #sentBytes = 0;
  /** The values of `#sentBytes` at the newest ping, and at the ping that the newest pong answers. */
  #pingedBytes = 0;
  #readBytes = 0;
  /** How many pongs may still arrive for our pings, at most. */
  #pongsDue = 0;
  /**
   * The time from which on a pong is awaited: that of the last pong or, if none was due then, of the next
   * ping.
   */
  #waitingSinceMs = 0;
  /** Whether the memory budget has room for the bytes that the client has not read. */
  #hasRoom = true;
  #ending: { readonly code: number; readonly reason: string; readonly sinceMs: number } | null = null;

  constructor({ clock, deflates, backlog }: SocketLineOptions) {
    this.#clock = clock;
    this.#deflates = deflates;
    this.#backlog = backlog;
  }

  attach(socket: Socket): void {
    this.#socket = socket;
  }

  /** Whether nothing more will be sent. */
  get isEnding(): boolean {
    return this.#ending !== null || this.#socket === null;
  }

  /** Sends text or bytes; does nothing once the connection is ending. */
  send(payload: string | Uint8Array<ArrayBuffer>): void {
    const socket = this.#socket;
    if (socket === null || this.#ending !== null) return;
    const sent = socket.send(payload, this.#deflates && payload.length >= DEFLATE_BYTES_MIN);
    // Bun dropped the message. End the connection, because a client that missed a message cannot use the next
    // ones.
    if (sent === 0) socket.terminate();
    // Bun buffers what the socket could not take.
    if (sent < 0) this.#hasRoom = this.#backlog.set(socket.getBufferedAmount());
    this.#sentBytes += payload.length;
    if (this.#sentBytes - this.#pingedBytes >= SIGN_EVERY_BYTES) this.#ping(socket);
  }

  /** Bytes that Bun buffers for the client. */
  unsentBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  /**
   * Called with the text of a pong: the client has read everything that was sent before the ping with this
   * text.
   * @returns false if the pong answers none of our pings
   */
  ponged(text: string): boolean {
    const readBytes = Number(text);
    const isDue = this.#pongsDue > 0 && readBytes > this.#readBytes && readBytes <= this.#pingedBytes;
    if (!isDue) return false;
    this.#readBytes = readBytes;
    // A client may answer only the last of several pings.
    this.#pongsDue = readBytes === this.#pingedBytes ? 0 : this.#pongsDue - 1;
    this.#waitingSinceMs = this.#clock.monotonicMs();
    return true;
  }

  /** Called when Bun's buffer has been sent to the network. */
  drained(): void {
    this.#backlog.set(this.unsentBytes());
    if (this.#ending !== null && this.unsentBytes() === 0) this.#close();
  }

  /**
   * Whether to end the connection, because its client has read nothing for too long or its unread bytes do
   * not fit the memory budget. Also sends a ping if anything was sent since the last ping.
   */
  isStuck(nowMs: number): boolean {
    if (this.#socket === null || this.#ending !== null) return false;
    if (!this.#hasRoom) return true;
    if (this.#sentBytes > this.#pingedBytes) this.#ping(this.#socket);
    return this.#readBytes < this.#pingedBytes && nowMs - this.#waitingSinceMs > UNSENT_MS_MAX;
  }

  /**
   * Closes the connection once all buffered bytes have been sent. If the client is too slow to read them,
   * `cutIfOverdue` cuts the connection.
   */
  end(code: number, reason: string): void {
    if (this.isEnding) return;
    this.#ending = { code, reason, sinceMs: this.#clock.monotonicMs() };
    if (this.unsentBytes() === 0) this.#close();
  }

  cutIfOverdue(nowMs: number): void {
    if (this.#ending !== null && nowMs - this.#ending.sinceMs > ENDING_MS_MAX) this.cut();
  }

  /** Closes the connection immediately and drops unsent bytes. */
  cut(): void {
    this.#socket?.terminate();
  }

  /** Called when the connection has closed. */
  closed(): void {
    this.#socket = null;
    this.#backlog.set(0);
  }

  #ping(socket: Socket): void {
    if (this.#readBytes === this.#pingedBytes) this.#waitingSinceMs = this.#clock.monotonicMs();
    this.#pingedBytes = this.#sentBytes;
    this.#pongsDue += 1;
    socket.ping(String(this.#sentBytes));
  }

  #close(): void {
    if (this.#ending !== null) this.#socket?.close(this.#ending.code, this.#ending.reason);
  }
}
