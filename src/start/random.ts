// The one source of randomness: handed to whoever makes secrets and ids. Apart from their makers, so that a thread which
// needs nothing else does not load those.

export function fillRandom(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(bytes);
}
