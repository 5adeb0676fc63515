// For properties that are meaningful only if chance brought certain cases, such as every kind of refusal.

/** How often a property is run at most. A chance of one failure in fifty becomes one in six million. */
const GOES_MAX = 4;

/** Runs a property, and again while chance has not brought all cases. The caller then expects them. */
export async function untilMet(run: () => Promise<void> | void, isMet: () => boolean): Promise<void> {
  for (let go = 0; go < GOES_MAX; go += 1) {
    await run();
    if (isMet()) return;
  }
}

export function hasAll<Value>(values: { has(value: Value): boolean }, wanted: readonly Value[]): boolean {
  return wanted.every((value) => values.has(value));
}
