// A worker's heartbeat. If its supervisor hears nothing for a while, the worker's event loop is stuck, and
// the supervisor replaces the worker.

import { type Clock, systemClock } from '../../clock.ts';

/** How often a worker sends a heartbeat. */
export const HEARTBEAT_EVERY_MS = 500;
/**
 * A worker that is silent for longer counts as hung and is replaced. With the time to the next check, that
 * takes five seconds.
 */
export const HUNG_AFTER_MS = 4_500;

/**
 * Sends heartbeats for the life of the worker.
 * @returns a function to call as work makes progress. It sends a heartbeat if the timer is late, so that a
 * thread with a queue of work is not mistaken for a hung one
 */
export function sendHeartbeats(
  main: { postMessage(message: unknown): void },
  { monotonicMs }: Pick<Clock, 'monotonicMs'> = systemClock,
): () => void {
  let heartbeatAtMs = monotonicMs();
  const heartbeat = (): void => {
    heartbeatAtMs = monotonicMs();
    main.postMessage({ type: 'heartbeat' });
  };
  setInterval(heartbeat, HEARTBEAT_EVERY_MS).unref();
  return () => {
    if (monotonicMs() - heartbeatAtMs > HEARTBEAT_EVERY_MS) heartbeat();
  };
}
