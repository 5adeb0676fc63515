// Bodies that are sent in pieces: cut from bytes that exist, or made as the socket takes them.

import { codedPieces } from './forms.ts';
import type { Representation } from './representation.ts';

/** Larger answers are sent in pieces of this size. */
export const PIECE_BYTES = 64 * 1024;

/** Cuts `bytes` into pieces. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += PIECE_BYTES) {
    yield bytes.subarray(offset, offset + PIECE_BYTES);
  }
}

/** Reads a Blob piece by piece. All readers share its bytes. */
export function* blobPieces(blob: Blob): Generator<Promise<Uint8Array>> {
  for (let offset = 0; offset < blob.size; offset += PIECE_BYTES) {
    yield blob.slice(offset, offset + PIECE_BYTES).bytes();
  }
}

export interface MadePiecesOptions {
  readonly json: () => Iterator<Uint8Array>;
  /** The content of `json` as MessagePack. */
  readonly packed: () => Iterator<Uint8Array>;
  /** Bytes in memory that the pieces are made from, if they belong to this answer alone. */
  readonly heldBytes?: number;
  /**
   * Called once: when the last piece was taken, when the client disconnected, or when nothing is sent at all.
   */
  readonly onEnd?: () => void;
}

/** A body whose pieces are made as the socket takes them. Other requests are answered between two pieces. */
export class MadePieces {
  readonly #options: MadePiecesOptions;
  #hasEnded = false;

  constructor(options: MadePiecesOptions) {
    this.#options = options;
  }

  /** The pieces of the body in one representation, for one caller. */
  as({ isPacked, coding }: Representation): Iterator<Uint8Array> {
    const { json, packed } = this.#options;
    const pieces = isPacked ? packed() : json();
    return coding === null ? pieces : codedPieces(pieces, coding);
  }

  get heldBytes(): number {
    return this.#options.heldBytes ?? 0;
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd?.();
  }
}

/**
 * A stream of events that ends with its answer, such as that of an MCP call which reports progress. It counts
 * like an answer in pieces.
 */
export class EventsBody {
  /** The most bytes that wait in the stream. */
  readonly heldBytes: number;
  readonly #stream: ReadableStream<Uint8Array>;

  constructor(stream: ReadableStream<Uint8Array>, heldBytes: number) {
    this.#stream = stream;
    this.heldBytes = heldBytes;
  }

  /** The events as they come. The iterator's `return` ends the work for them. */
  pieces(): AsyncIterator<Uint8Array> {
    const reader = this.#stream.getReader();
    return {
      async next() {
        const { done, value } = await reader.read();
        return done ? { done, value: undefined } : { done: false, value };
      },
      async return() {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    };
  }

  /** Ends the work for events that are not sent. */
  end(): void {
    void this.#stream.cancel();
  }
}

export interface PieceByPieceOptions {
  /**
   * Waits for the caller's turn. A fast reader requests the next piece immediately, and other callers must be
   * served in between.
   */
  readonly turn: () => Promise<void>;
  /**
   * Called once: when the last piece was taken, when a piece could not be made, or when the client
   * disconnected.
   */
  readonly onEnd: () => void;
}

/** The parts of a body, each made when it is needed. */
export type Pieces = Iterator<Uint8Array | Promise<Uint8Array>> | AsyncIterator<Uint8Array>;

/** A body that makes pieces as the socket takes them. */
export function pieceByPiece(
  pieces: Pieces,
  { turn, onEnd }: PieceByPieceOptions,
): ReadableStream<Uint8Array> {
  let isOver = false;
  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          await turn();
          // The client may have disconnected while the piece waited for its turn.
          if (isOver) return;
          const { done, value } = await pieces.next();
          // Or while an event was awaited.
          if (isOver) return;
          if (done !== true) {
            controller.enqueue(await value);
            return;
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        end();
      },
      cancel() {
        void pieces.return?.();
        end();
      },
    },
    { highWaterMark: 0 },
  );
}
