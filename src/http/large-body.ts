// Large answers are handed to the socket piece by piece, all from the one encoded copy, so that a slow reader holds a
// few pieces and not a copy of its own (a plain body is copied for each client, bun#35138).

/** Answers above this are sent in pieces of this size. */
export const PIECE_BYTES = 64 * 1024;

/**
 * A body that gives out `bytes` as the socket takes them.
 * @param onEnd called once: when the last piece was taken or the client left
 */
export function pieceByPiece(bytes: Uint8Array, onEnd: () => void): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (offset >= bytes.byteLength) {
          controller.close();
          onEnd();
          return;
        }
        controller.enqueue(bytes.subarray(offset, offset + PIECE_BYTES));
        offset += PIECE_BYTES;
      },
      cancel() {
        onEnd();
      },
    },
    { highWaterMark: 0 },
  );
}
