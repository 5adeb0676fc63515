// Properties that mean something only if chance brought what they are about, such as every kind of refusal.

/** How often a property is run at most. Chance that fails once in fifty fails so often in a row once in six million. */
const GOES_MAX = 4;

/** Runs a property, and again while chance has not brought all of it. The caller expects afterwards what it was to bring. */
export async function untilMet(run: () => Promise<void> | void, isMet: () => boolean): Promise<void> {
  for (let go = 0; go < GOES_MAX; go += 1) {
    await run();
    if (isMet()) return;
  }
}

export function hasAll<Value>(values: { has(value: Value): boolean }, wanted: readonly Value[]): boolean {
  return wanted.every((value) => values.has(value));
}
