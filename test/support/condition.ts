// Bounded waiting for a condition.

const TRIES_MAX = 1_300;
/** The shortest pause, so that /ready is not requested more often than a client without a key may. */
const PAUSE_MS = 10;
/**
 * The pause grows to this length in the first second, because most checks send a request to a server or a
 * browser.
 */
const PAUSE_MAX_MS = 40;
/**
 * After this many tries, a bit more than a second, the pause grows further, because a long wait is not
 * urgent.
 */
const SHORT_WAIT_TRIES = 40;
const LONG_WAIT_PAUSE_MAX_MS = 100;

/**
 * Resolves when `isTrue` returns true. Fails with `what` after two minutes, because a busy machine may take
 * long.
 */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    if (await isTrue()) return;
    await Bun.sleep(pauseMs(attempt));
  }
  throw new Error(`Never came true: ${what}`);
}

function pauseMs(attempt: number): number {
  const short = Math.min(PAUSE_MS + attempt, PAUSE_MAX_MS);
  const longer = Math.max(0, attempt - SHORT_WAIT_TRIES);
  return Math.min(short + longer, LONG_WAIT_PAUSE_MAX_MS);
}
