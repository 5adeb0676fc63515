// Runs the steps of the engine for alerts, one after the other, until the thread ends. No failure of a step
// ends them: nobody would notice, because the thread still sends its heartbeat.

import type { AlertEngine } from '../../alerts/alert-engine.ts';
import { StorageError } from '../../storage/storage-errors.ts';

/** The pause between two steps: the most that a signal waits before it is found. */
const STEP_EVERY_MS = 40;
/** The pause between two steps while there is no rule and nothing to send. */
const IDLE_STEP_EVERY_MS = 250;
/** The pause after a step that failed. */
export const FAILED_PAUSE_MS = 1_000;

export interface AlertStepsParts {
  readonly onWork: () => void;
  readonly onStep: () => void;
  /** Receives why the database failed. The next step tries again. */
  readonly onStorageError: (cause: unknown) => void;
  /** Receives any other error, which is a bug. The engine then begins again. */
  readonly onError: (error: unknown) => void;
}

/** @returns a function that ends the steps and waits for the last one */
export function alertSteps(
  engine: Pick<AlertEngine, 'step' | 'isIdle' | 'beginAgain'>,
  { onWork, onStep, onStorageError, onError }: AlertStepsParts,
): () => Promise<void> {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    let beginsAgain = false;
    while (!stop.signal.aborted) {
      let pauseMs = STEP_EVERY_MS;
      try {
        if (beginsAgain) {
          beginsAgain = false;
          engine.beginAgain();
        }
        await engine.step();
        if (engine.isIdle) pauseMs = IDLE_STEP_EVERY_MS;
        onStep();
      } catch (error) {
        pauseMs = FAILED_PAUSE_MS;
        if (error instanceof StorageError) onStorageError(error.cause);
        else {
          beginsAgain = true;
          onError(error);
        }
      }
      onWork();
      await Bun.sleep(pauseMs);
    }
  };
  const running = run();
  return async () => {
    stop.abort();
    await running;
  };
}
