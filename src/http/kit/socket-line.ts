// The sending side of one WebSocket. The system takes some megabytes for a client that reads nothing, so what Bun has not
// handed over tells too little of it. After every so many bytes a ping follows, and the pong says that they were read.

import type { Clock } from '../../clock.ts';
import { ENDING_MS_MAX, SIGN_EVERY_BYTES, UNSENT_MS_MAX } from '../../stream/limits.ts';
import type { Socket } from './socket.ts';

/** Shorter messages are sent as they are: deflating them costs more than it saves. */
const DEFLATE_BYTES_MIN = 512;

export class SocketLine {
  readonly #clock: Clock;
  readonly #deflates: boolean;
  #socket: Socket | null = null;
  #sentBytes = 0;
  /** As `#sentBytes` was at the newest ping, and at the ping that the newest pong answers. */
  #pingedBytes = 0;
  #readBytes = 0;
  /** Since when a pong has been awaited without one coming. */
  #waitingSinceMs = 0;
  #ending: { readonly code: number; readonly reason: string; readonly sinceMs: number } | null = null;

  /** @param deflates whether the client takes permessage-deflate */
  constructor({ clock, deflates }: { readonly clock: Clock; readonly deflates: boolean }) {
    this.#clock = clock;
    this.#deflates = deflates;
  }

  attach(socket: Socket): void {
    this.#socket = socket;
  }

  /** Whether nothing more is sent. */
  get isEnding(): boolean {
    return this.#ending !== null || this.#socket === null;
  }

  /** Sends a text or bytes; nothing once the end has begun. */
  send(payload: string | Uint8Array<ArrayBuffer>): void {
    const socket = this.#socket;
    if (socket === null || this.#ending !== null) return;
    const sent = socket.send(payload, this.#deflates && payload.length >= DEFLATE_BYTES_MIN);
    // Dropped: what follows would be of no use to a client that has missed something.
    if (sent === 0) socket.terminate();
    this.#sentBytes += payload.length;
    if (this.#sentBytes - this.#pingedBytes >= SIGN_EVERY_BYTES) this.#ping(socket);
  }

  /** Bytes that Bun holds for the client. */
  unsentBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  /** The client has read up to a ping. */
  ponged(text: string): void {
    const readBytes = Number(text);
    if (!(readBytes > this.#readBytes && readBytes <= this.#pingedBytes)) return;
    this.#readBytes = readBytes;
    this.#waitingSinceMs = this.#clock.monotonicMs();
  }

  /** What Bun held has gone into the network. */
  drained(): void {
    if (this.#ending !== null && this.unsentBytes() === 0) this.#close();
  }

  /** Whether the client has read nothing for too long. Asks for a sign of what was sent since the last one. */
  isStuck(nowMs: number): boolean {
    if (this.#socket === null || this.#ending !== null) return false;
    if (this.#sentBytes > this.#pingedBytes) this.#ping(this.#socket);
    return this.#readBytes < this.#pingedBytes && nowMs - this.#waitingSinceMs > UNSENT_MS_MAX;
  }

  /** Closes behind what was sent, or cuts the connection when the client takes too long to read that. */
  end(code: number, reason: string): void {
    if (this.isEnding) return;
    this.#ending = { code, reason, sinceMs: this.#clock.monotonicMs() };
    if (this.unsentBytes() === 0) this.#close();
  }

  cutIfOverdue(nowMs: number): void {
    if (this.#ending !== null && nowMs - this.#ending.sinceMs > ENDING_MS_MAX) this.#socket?.terminate();
  }

  /** The connection has gone. */
  closed(): void {
    this.#socket = null;
  }

  #ping(socket: Socket): void {
    if (this.#readBytes === this.#pingedBytes) this.#waitingSinceMs = this.#clock.monotonicMs();
    this.#pingedBytes = this.#sentBytes;
    socket.ping(String(this.#sentBytes));
  }

  #close(): void {
    if (this.#ending !== null) this.#socket?.close(this.#ending.code, this.#ending.reason);
  }
}
