// Runs seeds until one fails, and shortens the script of that seed as far as possible.

import { Broken } from './check.ts';
import { type Act, scriptOf, shorter } from './script.ts';
import { watchAtomics } from './steps.ts';
import { play } from './world.ts';

export interface Failure {
  readonly seed: number;
  readonly acts: readonly Act[];
  readonly why: string;
  /** How many acts a seed has. */
  readonly actCount: number;
}

watchAtomics();

/**
 * Runs every `stride`-th seed from `first` on.
 * @returns the first failure, or null
 */
export async function explore(options: {
  readonly first: number;
  readonly end: number;
  readonly stride: number;
  /**
   * How many runs may be used to shorten a script. After these runs, the shortest script found so far is
   * reported.
   */
  readonly shorteningRunsMax: number;
  readonly progress: (seed: number) => void;
}): Promise<Failure | null> {
  for (let seed = options.first; seed < options.end; seed += options.stride) {
    const acts = scriptOf(seed);
    if ((await failureOf(acts)) !== null) return shorten(seed, acts, options.shorteningRunsMax);
    options.progress(seed);
  }
  return null;
}

async function shorten(seed: number, whole: readonly Act[], runsMax: number): Promise<Failure> {
  let acts = whole;
  let why = (await failureOf(acts))!;
  let runs = 0;
  for (let isShorter = true; isShorter && runs < runsMax; ) {
    isShorter = false;
    for (const fewer of shorter(acts)) {
      if (++runs > runsMax) break;
      const reason = await failureOf(fewer);
      if (reason === null) continue;
      [acts, why, isShorter] = [fewer, reason, true];
      break;
    }
  }
  return { seed, acts, why, actCount: whole.length };
}

/** Why a run of the script fails, or null. */
async function failureOf(acts: readonly Act[]): Promise<string | null> {
  try {
    await play(acts);
    return null;
  } catch (error) {
    if (error instanceof Broken) return error.message + (process.env.STACK ? error.stack : '');
    return error instanceof Error ? `${error.stack ?? error}` : String(error);
  }
}
