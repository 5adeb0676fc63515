// Large answers of one request alone are handed to the socket piece by piece, so that it is known when the client has
// read them: a plain body is copied into the socket's buffer (bun#35138) and nobody hears when it has gone.

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
