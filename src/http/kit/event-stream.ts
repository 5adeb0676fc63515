// The body of a stream of events: takes frames as they come and says when the client has read, or has gone.

import type { Frame } from '../../stream/frames.ts';
import { HOLD_BYTES } from '../../stream/limits.ts';
import type { OpenStream } from '../../stream/stream-hub.ts';
import type { FrameSink } from '../../stream/stream-reader.ts';

export class EventStream implements FrameSink {
  readonly stream: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #source: OpenStream | null = null;
  #isOver = false;
  readonly #onEnd: () => void;

  /** @param onEnd called once, when the stream is over, whoever ended it */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    const sizes = new ByteLengthQueuingStrategy({ highWaterMark: HOLD_BYTES });
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#source?.drained(),
        cancel: () => {
          this.#source?.gone();
          this.#over();
        },
      },
      sizes,
    );
  }

  /** Opens the stream on this body. @throws what `open` throws */
  connect(open: (sink: FrameSink) => OpenStream): void {
    this.#source = open(this);
  }

  /** The client reads nothing. */
  stuck(): void {
    this.#source?.sendAway('slow_reader');
  }

  /** Ends it before it has begun. */
  abandon(): void {
    this.#over();
  }

  send({ bytes }: Frame): void {
    if (!this.#isOver) this.#controller.enqueue(bytes);
  }

  unsentBytes(): number {
    return this.#isOver ? 0 : HOLD_BYTES - (this.#controller.desiredSize ?? HOLD_BYTES);
  }

  end(): void {
    if (this.#isOver) return;
    this.#controller.close();
    this.#over();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
  }
}
