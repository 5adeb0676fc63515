// Access control in the main thread: its memory, the keeper that writes counts to disk and, if nodes share
// limits, the worker that settles them with Redis.

import { createLeaseMemory } from '../access/cluster/leases.ts';
import { AccessKeeper } from '../access/counts/keeper.ts';
import { ADDRESS_SLOTS_MAX, KEY_SLOTS_MAX } from '../access/limits.ts';
import { createAccessMemory } from '../access/quotas/memory.ts';
import { systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { SharedValues } from '../telemetry/metrics-memory.ts';
import { keepBuckets } from './data/bucket-file.ts';
import type { ServiceDatabase } from './data/service-database.ts';
import type { ServedConfig } from './requirements.ts';
import { randomInt32 } from './threads/random.ts';
import { startLimitsWorker } from './workers.ts';

export interface AccessControlOptions {
  readonly config: ServedConfig;
  readonly database: Pick<ServiceDatabase, 'counts' | 'directory'>;
  readonly metricsMemory: SharedArrayBuffer;
  /** Where restarts of the worker are counted. */
  readonly values: SharedValues;
  readonly log: Log;
  /** Called with the error of a background write of counts that failed. */
  readonly onError: (error: unknown) => void;
}

/**
 * Allocates the memory and starts what maintains it. The parts are stopped one at a time, because other parts
 * of the service are stopped in between.
 */
export function startAccess(options: AccessControlOptions) {
  const { config, database, metricsMemory, values, log, onError } = options;
  const accessMemory = createAccessMemory({ seed: randomInt32(), startedAtMs: systemClock.wallMs() });
  // A node that only runs feeds admits no requests, so it has no limits to share.
  const redisUrl = config.role === 'ingest' ? null : config.redisUrl;
  const leaseMemory =
    redisUrl === null ? null : createLeaseMemory({ keys: KEY_SLOTS_MAX, addresses: ADDRESS_SLOTS_MAX });
  const keeper = new AccessKeeper({
    memory: accessMemory,
    leaseMemory,
    store: database.counts,
    directory: database.directory,
    clock: systemClock,
    onError,
  });
  const endBuckets = keepBuckets(keeper, config.dataDir, log);
  keeper.start();
  const limits =
    redisUrl === null || leaseMemory === null
      ? null
      : startLimitsWorker({
          ...{ config, redisUrl, accessMemory, leaseMemory, metricsMemory, log },
          clock: systemClock,
          onRestart: () => values.count('limits_restart'),
          onCrashLoop: () => values.count('limits_crash_loop'),
        });
  return {
    accessMemory,
    /** Null if this node shares no limits with others. */
    leaseMemory,
    stopLimits: async () => {
      await limits?.stop();
    },
    /** Writes the buckets to their file one last time, if they are kept in one. */
    writeBuckets: () => endBuckets(),
    stopKeeper: () => keeper.stop(),
  };
}
