// The scoring workers of a thread.

import type { Log } from '../../log.ts';
import { ScoringOnDemand } from '../../scoring/on-demand.ts';
import { ScoringPool } from '../../scoring/pool.ts';

/** One worker, started at its first task. */
export function scoringOnDemand(storeBuffer: SharedArrayBuffer, log: Log): ScoringOnDemand {
  return new ScoringOnDemand(() => startScoring(storeBuffer, { threads: 1, log }));
}

export function startScoring(
  storeBuffer: SharedArrayBuffer,
  { threads, log }: { readonly threads: number; readonly log: Log },
): ScoringPool {
  const onWorkerLost = (reason: string): void => log.error('scoring_worker_lost', { reason });
  return ScoringPool.start({ storeBuffer, threads, onWorkerLost });
}
