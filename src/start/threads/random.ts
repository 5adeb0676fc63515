// The source of randomness that is passed to everything that makes secrets and ids. It has its own file, so
// that a thread that needs only this does not load the code that makes secrets and ids. Seeds of hashes and
// jitter come from crypto.getRandomValues where they are needed.

export function fillRandom(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(bytes);
}

export function randomInt32(): number {
  return new Int32Array(fillRandom(new Uint8Array(4)).buffer)[0]!;
}
