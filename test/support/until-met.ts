// Repeats random tests that are meaningful only if certain cases occurred by chance, such as every kind of
// refusal.

/**
 * How often a property is run at most. If one run in fifty lacks a case, all runs lack it only once in six
 * million times.
 */
const GOES_MAX = 4;

/**
 * Runs a property, and runs it again as long as some case has not occurred. The caller then checks that the
 * cases occurred.
 */
export async function untilMet(run: () => Promise<void> | void, isMet: () => boolean): Promise<void> {
  for (let go = 0; go < GOES_MAX; go += 1) {
    await run();
    if (isMet()) return;
  }
}

export function hasAll<Value>(values: { has(value: Value): boolean }, wanted: readonly Value[]): boolean {
  return wanted.every((value) => values.has(value));
}
