// Bounded waiting for a condition.

const TRIES_MAX = 10_000;
/** Not more often than a client without a key may ask for /ready. */
const TRY_MS = 10;

/**
 * Resolves when `isTrue` returns true; fails with `what` after two minutes, which a busy machine may take.
 */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    if (await isTrue()) return;
    await Bun.sleep(TRY_MS);
  }
  throw new Error(`Never came true: ${what}`);
}
