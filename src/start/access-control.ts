// Access control as main has it: its memory, the keeper that writes counts to disk, and where nodes share limits the worker
// that leases them.

import { AccessKeeper } from '../access/keeper.ts';
import { createLeaseMemory } from '../access/leases.ts';
import { ADDRESS_SLOTS_MAX, KEY_SLOTS_MAX } from '../access/limits.ts';
import { createAccessMemory } from '../access/memory.ts';
import { systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { SharedValues } from '../telemetry/metrics-memory.ts';
import { keepBuckets } from './bucket-file.ts';
import { fillRandom } from './random.ts';
import type { ServedConfig } from './requirements.ts';
import type { ServiceDatabase } from './service-database.ts';
import { startLimitsWorker } from './workers.ts';

export interface AccessControlOptions {
  readonly config: ServedConfig;
  readonly database: Pick<ServiceDatabase, 'counts' | 'directory'>;
  readonly metricsMemory: SharedArrayBuffer;
  /** Where restarts are counted. */
  readonly values: SharedValues;
  readonly log: Log;
  /** Told of counts that could not be written behind. */
  readonly onError: (error: unknown) => void;
  /** Whether buckets are kept in the data folder from one start to the next. */
  readonly keepsBuckets: boolean;
}

/** Its parts are stopped one at a time: some before the threads that use them have ended, others after. */
export interface AccessControl {
  readonly accessMemory: SharedArrayBuffer;
  /** Null where this node shares no limits with others. */
  readonly leaseMemory: SharedArrayBuffer | null;
  stopLimits(): Promise<void>;
  /** A last time, where they are kept. */
  writeBuckets(): void;
  stopKeeper(): void;
}

/** Makes the memory and starts what keeps it. */
export function startAccess(options: AccessControlOptions): AccessControl {
  const { config, database, metricsMemory, values, log, onError, keepsBuckets } = options;
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
  const endBuckets = keepsBuckets ? keepBuckets(keeper, config.dataDir, log) : null;
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
    leaseMemory,
    stopLimits: async () => {
      await limits?.stop();
    },
    writeBuckets: () => endBuckets?.(),
    stopKeeper: () => keeper.stop(),
  };
}

function randomInt32(): number {
  return new Int32Array(fillRandom(new Uint8Array(4)).buffer)[0]!;
}
