// Reads the start of a body that is made in pieces. If that is all of it, the body travels with its answer in
// one message, instead of two more round trips for the piece and for the end.

import { PIECE_BYTES } from '../kit/reply.ts';

/**
 * The body as bytes if it has at most PIECE_BYTES; otherwise a stream of the same pieces.
 * @param signal ends the body when nobody waits for it any more
 */
export async function wholeIfSmall(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const end = (): void => void reader.cancel();
  signal.addEventListener('abort', end, { once: true });
  const start: Uint8Array[] = [];
  let length = 0;
  try {
    while (length <= PIECE_BYTES) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(Buffer.concat(start, length));
      start.push(value);
      length += value.byteLength;
    }
  } catch {
    // The stream below breaks off with the same error, as it would have done without this attempt.
  }
  signal.removeEventListener('abort', end);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = start.shift() ?? (await reader.read()).value;
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
}
