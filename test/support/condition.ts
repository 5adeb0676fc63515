// Bounded waiting for a condition.

const TRIES_MAX = 3_000;
/** The least pause, so that /ready is not requested more often than a client without a key may. */
const PAUSE_MS = 10;
/** The longest pause. The pause grows to it, because most checks ask a server or a browser. */
const PAUSE_MAX_MS = 40;

/**
 * Resolves when `isTrue` returns true. Fails with `what` after two minutes, because a busy machine may take
 * long.
 */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    if (await isTrue()) return;
    await Bun.sleep(Math.min(PAUSE_MS + attempt, PAUSE_MAX_MS));
  }
  throw new Error(`Never came true: ${what}`);
}
