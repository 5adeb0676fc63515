// How published batches are numbered. Callers that may not see the sharp bookmaker must not notice a batch
// that changes only its quotes. So a version is two counts in one number:
//
// version = common x 65,536 + sharp
//
// `common` rises with each batch that changes anything every tier sees, `sharp` with each batch between two
// of those. Callers that see everything get the whole number, which always rises; the others get `common`
// alone. Whatever they may see that changed after `common` has a version of at least (common + 1) x 65,536,
// so one column of versions serves both.

/** After this many batches in a row of only sharp quotes, `common` rises too. */
const SHARP_STEPS = 2 ** 16;

/** The version of a batch after `version` that changes something every tier sees. */
export function nextCommonVersion(version: number): number {
  return (commonCountOf(version) + 1) * SHARP_STEPS;
}

/** The version of a batch after `version` that changes quotes of the sharp bookmaker alone. */
export function nextSharpVersion(version: number): number {
  return version + 1;
}

/** What a caller without the sharp bookmaker is given for a version. */
export function commonCountOf(version: number): number {
  return Math.floor(version / SHARP_STEPS);
}

/** The last version that a caller with `commonCount` may have seen: anything above is new to that caller. */
export function lastVersionOf(commonCount: number): number {
  return commonCount * SHARP_STEPS + SHARP_STEPS - 1;
}
