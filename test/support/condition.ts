// Bounded waiting for a condition.

const TRIES_MAX = 3_000;
/** Not more often than a client without a key may ask for /ready. */
const PAUSE_MS = 10;
/** What has not happened for a while is checked less often: most checks ask a server or a browser. */
const PAUSE_MAX_MS = 40;

/**
 * Resolves when `isTrue` returns true; fails with `what` after two minutes, which a busy machine may take.
 */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    if (await isTrue()) return;
    await Bun.sleep(Math.min(PAUSE_MS + attempt, PAUSE_MAX_MS));
  }
  throw new Error(`Never came true: ${what}`);
}
