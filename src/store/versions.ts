// How published batches are numbered. A batch that changes nothing but quotes of the sharp bookmaker must not show in what
// callers see who may not see that bookmaker, so a version is two counts in one number:
//
//   version = common x 65,536 + sharp
//
// `common` rises with each batch that changes anything every tier sees, `sharp` with each batch between two of those. To
// callers who see everything the version is one rising number; the others are told `common` alone. What they may see and
// changed after `common` has a version of at least (common + 1) x 65,536, so one column of versions serves both.

/** After so many batches in a row of sharp quotes alone, `common` rises too. */
const SHARP_STEPS = 2 ** 16;

/** The version of a batch after `version` that changes something every tier sees. */
export function nextCommonVersion(version: number): number {
  return (commonCountOf(version) + 1) * SHARP_STEPS;
}

/** The version of a batch after `version` that changes quotes of the sharp bookmaker alone. */
export function nextSharpVersion(version: number): number {
  return version + 1;
}

/** What a caller without the sharp bookmaker is told of a version. */
export function commonCountOf(version: number): number {
  return Math.floor(version / SHARP_STEPS);
}

/** The last version that a caller who was told `commonCount` may have seen: what is above it is new to that caller. */
export function lastVersionOf(commonCount: number): number {
  return commonCount * SHARP_STEPS + SHARP_STEPS - 1;
}
