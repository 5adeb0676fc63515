// The source of randomness for secrets and ids, passed to the code that makes them. It has its own file, so
// that a thread that needs only this does not load that code.

export function fillRandom(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(bytes);
}

export function randomInt32(): number {
  return new Int32Array(fillRandom(new Uint8Array(4)).buffer)[0]!;
}
