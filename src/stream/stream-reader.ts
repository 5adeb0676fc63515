// One reader of a stream: where it stands in its view, and the frames that its socket has not taken yet.

import type { ByeReason } from '../contract/stream.ts';
import { assert } from '../errors.ts';
import { byeFrame, type Frame } from './frames.ts';
import { HOLD_BYTES, UNSENT_BYTES_MAX, UNSENT_MS_MAX } from './limits.ts';

/** What takes a reader's bytes: the body of a response, or a socket. */
export interface FrameSink {
  /** Takes a frame, now or when the client reads on. */
  send(frame: Frame): void;
  /** Bytes taken that the client has not read. */
  unsentBytes(): number;
  /** Ends the stream behind the last frame, which was the bye that says why. */
  end(reason: ByeReason): void;
}

export class StreamReader {
  /** Of a reader that is not in step: the slate version that its state is of, or will be when its snapshot is read; -1 before. */
  position = -1;
  /** The cursor of the last frame that had one; empty before. */
  cursor = '';
  /** Whether it has everything that its channel was sent. If not, the next tick brings it there on its own. */
  isInStep = false;
  /** False when its key has died. */
  readonly isAllowed: () => boolean;
  readonly #sink: FrameSink;
  /** Frames of a snapshot that wait for the client to read on. */
  #waiting: Frame[] = [];
  #unsentBytes = 0;
  #takenAtMs: number;
  #ends: (() => void)[] = [];

  constructor(sink: FrameSink, options: { readonly isAllowed: () => boolean; readonly nowMs: number }) {
    this.#sink = sink;
    this.isAllowed = options.isAllowed;
    this.#takenAtMs = options.nowMs;
  }

  /** Whether it can be sent something new. */
  get isReady(): boolean {
    return this.#waiting.length === 0 && this.#sink.unsentBytes() <= HOLD_BYTES;
  }

  send(frame: Frame): void {
    this.#sink.send(frame);
  }

  /** Sends a frame that brings the reader to a cursor. */
  tell(frame: Frame, cursor: string): void {
    this.#sink.send(frame);
    this.cursor = cursor;
  }

  /** Sends frames one after the other as the client reads. */
  sendAll(frames: readonly Frame[]): void {
    assert(this.#waiting.length === 0, 'a reader is sent more when it has taken what waited');
    this.#waiting = [...frames];
    this.pump();
  }

  /** Goes on with what waits: called when the client has read, also while a frame is being handed over, and by the watch. */
  pump(): void {
    while (this.#waiting.length > 0 && this.#sink.unsentBytes() <= HOLD_BYTES) {
      this.#sink.send(this.#waiting.shift()!);
    }
  }

  /** Whether it has taken nothing for too long, or too much lies unsent. */
  isStuck(nowMs: number): boolean {
    const unsentBytes = this.#sink.unsentBytes();
    if (unsentBytes === 0 || unsentBytes < this.#unsentBytes) this.#takenAtMs = nowMs;
    this.#unsentBytes = unsentBytes;
    return unsentBytes > UNSENT_BYTES_MAX || nowMs - this.#takenAtMs > UNSENT_MS_MAX;
  }

  /** Has something done when the reader has gone. */
  atEnd(run: () => void): void {
    this.#ends.push(run);
  }

  /** The reader has gone, or was sent away. */
  leave(): void {
    const ends = this.#ends;
    this.#ends = [];
    for (const run of ends) run();
  }

  end(reason: ByeReason): void {
    this.#waiting = [];
    this.#sink.send(byeFrame(reason));
    this.#sink.end(reason);
  }
}
