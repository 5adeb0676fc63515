// One reader of a stream: its position in the view, and the frames that wait for its client to read on.

import type { ByeReason } from '../contract/stream/stream.ts';
import { assert } from '../errors.ts';
import { NoRoomError } from '../query/slate/slate-copy.ts';
import { byeFrame, type Frame, type FrameSource } from './frames.ts';
import { HOLD_BYTES, UNSENT_BYTES_MAX, UNSENT_MS_MAX } from './limits.ts';

/** Where a reader's bytes go: the body of a response, or a WebSocket. */
export interface FrameSink {
  /** Sends a frame, or queues it until the client reads on. */
  send(frame: Frame): void;
  /** Bytes that were sent but that the client has not read. */
  unsentBytes(): number;
  /** Ends the stream after its last frame, the `bye` that carries the reason. */
  end(reason: ByeReason): void;
}

export interface StreamReaderOptions {
  readonly isAllowed: () => boolean;
  readonly nowMs: number;
  /**
   * Queues a job that makes and sends a frame, to run at the turn of the reader's caller.
   * @returns false when too many jobs are queued
   */
  readonly inTurn: (job: () => void) => boolean;
  /**
   * Called when the client has read a snapshot and now lacks only what changed meanwhile. Default: nothing.
   */
  readonly onSnapshotRead?: () => void;
  /** Called when the server has ended the stream. Default: nothing. */
  readonly onEnded?: () => void;
}

export class StreamReader {
  /**
   * For a reader that is not up to date: the slate version of its state, or of the snapshot that is being
   * sent to it. -1 before the first snapshot.
   */
  position = -1;
  /** The cursor of the last frame that had one; empty before the first. */
  cursor = '';
  /**
   * Whether the reader has been sent everything that its channel was sent. If not, the next tick catches it
   * up with a delta or snapshot of its own.
   */
  isInStep = false;
  /** How many snapshots the reader was sent since it was last up to date. */
  snapshotCount = 0;
  /** False once its key is no longer valid. */
  readonly isAllowed: () => boolean;
  readonly #sink: FrameSink;
  readonly #inTurn: (job: () => void) => boolean;
  readonly #onSnapshotRead: () => void;
  readonly #onEnded: () => void;
  /** Frames of a snapshot or of signals that wait for the client to read on; null without any. */
  #waiting: FrameSource | null = null;
  /** Whether the job for the next waiting frame is queued. */
  #isTurnAsked = false;
  #unsentBytes = 0;
  #takenAtMs: number;
  #ends: (() => void)[] = [];

  constructor(sink: FrameSink, options: StreamReaderOptions) {
    const { isAllowed, nowMs, inTurn, onSnapshotRead = () => undefined, onEnded = () => undefined } = options;
    this.#sink = sink;
    this.#onSnapshotRead = onSnapshotRead;
    this.#onEnded = onEnded;
    this.isAllowed = isAllowed;
    this.#takenAtMs = nowMs;
    this.#inTurn = inTurn;
  }

  /** Whether something new can be sent to the reader. */
  get isReady(): boolean {
    return this.#waiting === null && this.#sink.unsentBytes() <= HOLD_BYTES;
  }

  send(frame: Frame): void {
    this.#sink.send(frame);
  }

  /** Sends a frame that moves the reader to a cursor. */
  show(frame: Frame, cursor: string): void {
    this.#sink.send(frame);
    this.cursor = cursor;
  }

  /** Sends frames one after another, as fast as the client reads. */
  sendAll(frames: readonly Frame[]): void {
    const waiting = [...frames];
    this.sendFrom({ next: () => waiting.shift() ?? null, close: () => undefined });
  }

  /**
   * Like `sendAll`, but each frame is made just before it is sent. The source is closed after its last frame,
   * or when the reader leaves.
   */
  sendFrom(frames: FrameSource): void {
    assert(this.#waiting === null, 'a reader with waiting frames is not sent other frames');
    this.#waiting = frames;
    this.pump();
  }

  /**
   * Continues with the waiting frames. Called when the client has read, which can happen while a frame is
   * being sent, and at every check of the hub.
   */
  pump(): void {
    if (this.#waiting === null || this.#isTurnAsked || this.#sink.unsentBytes() > HOLD_BYTES) return;
    this.#isTurnAsked = true;
    const isTaken = this.#inTurn(() => {
      this.#isTurnAsked = false;
      const frame = this.#nextFrame();
      if (frame === 'too_slow') return this.endWith('slow_reader');
      if (frame === null) {
        this.#dropWaiting();
        if (!this.isInStep && this.snapshotCount > 0) this.#onSnapshotRead();
        return;
      }
      this.#sink.send(frame);
      this.pump();
    });
    // The hub's next check tries again.
    if (!isTaken) this.#isTurnAsked = false;
  }

  /** The next waiting frame, or null; `too_slow` if the snapshot that it is made from no longer exists. */
  #nextFrame(): Frame | 'too_slow' | null {
    try {
      return this.#waiting?.next() ?? null;
    } catch (error) {
      if (error instanceof NoRoomError) return 'too_slow';
      throw error;
    }
  }

  #dropWaiting(): void {
    this.#waiting?.close();
    this.#waiting = null;
  }

  /** Whether the client has read nothing for too long, or too many bytes wait for it. */
  isStuck(nowMs: number): boolean {
    const unsentBytes = this.#sink.unsentBytes();
    if (unsentBytes === 0 || unsentBytes < this.#unsentBytes) this.#takenAtMs = nowMs;
    this.#unsentBytes = unsentBytes;
    return unsentBytes > UNSENT_BYTES_MAX || nowMs - this.#takenAtMs > UNSENT_MS_MAX;
  }

  /** Registers a function to call when the reader has left. */
  atEnd(run: () => void): void {
    this.#ends.push(run);
  }

  /**
   * Drops the waiting frames and runs the functions of `atEnd`. Call it when the client has disconnected, or
   * the server has ended the stream.
   */
  leave(): void {
    this.#dropWaiting();
    const ends = this.#ends;
    this.#ends = [];
    for (const run of ends) run();
  }

  /**
   * Marks the reader as behind: the next tick sends it what it misses.
   * @param position the slate version of its state, -1 for none
   */
  fallBehind(position: number): void {
    this.isInStep = false;
    this.position = position;
  }

  /** Ends the stream, from the server's side. */
  endWith(reason: ByeReason): void {
    this.#dropWaiting();
    this.#sink.send(byeFrame(reason));
    this.#sink.end(reason);
    this.#onEnded();
  }
}

/** Runs a job immediately and returns true, for servers that do not divide time between callers. */
export function atOnce(job: () => void): boolean {
  job();
  return true;
}
