// Every access to shared memory that another thread may see goes through Atomics. So each call of Atomics is
// a step, and between two steps a thread may die, or wait while others run. This file intercepts the calls:
// an action runs with a plan. The plan determines after which step the action's thread dies, and after which
// step other threads run. Only the simulation's process loads this file, and the code under test does not
// know of it.

/** Thrown inside a thread that dies. */
class ThreadDeath extends Error {}

interface StepPlan {
  /**
   * The thread dies after this many of its steps. If this is null, or more than it takes, it does not die.
   */
  readonly diesAfter: number | null;
  /**
   * Other threads run after this many of its steps. If this is null, or more than it takes, they do not run.
   */
  readonly pausesAfter: number | null;
  /** The work of the other threads. Their steps are not counted. */
  readonly others: () => void;
}

const NAMES = ['load', 'store', 'add', 'sub', 'compareExchange'] as const;
type Operation = (...parts: unknown[]) => unknown;

let onStep: (() => void) | null = null;

/** From now on, each call of Atomics in this process counts as a step. */
export function watchAtomics(): void {
  const operations = Atomics as unknown as Record<(typeof NAMES)[number] | 'wait', Operation>;
  for (const name of NAMES) {
    const operation = operations[name];
    operations[name] = (...parts) => {
      const result = operation(...parts);
      onStep?.();
      return result;
    };
  }
  // A wait for a dead thread would never end, because nothing else runs while it waits.
  operations.wait = () => 'timed-out';
}

/**
 * Runs `action` with its plan.
 * @returns whether it died
 */
export function inSteps(plan: StepPlan, action: () => void): boolean {
  const outer = onStep;
  let steps = 0;
  const step = (): void => {
    steps++;
    if (steps === plan.pausesAfter) {
      byAnother(plan.others);
    }
    if (steps === plan.diesAfter) {
      onStep = null;
      throw new ThreadDeath();
    }
  };
  onStep = step;
  try {
    action();
    return false;
  } catch (error) {
    if (error instanceof ThreadDeath) return true;
    throw error;
  } finally {
    onStep = outer;
  }
}

/** Runs an action of another thread: its steps do not count for the current action. */
export function byAnother(action: () => void): void {
  const outer = onStep;
  onStep = null;
  try {
    action();
  } finally {
    onStep = outer;
  }
}
