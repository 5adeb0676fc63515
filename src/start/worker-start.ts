// The first steps of the workers for accounts, alerts, history and limits.

import { type Log, serviceLog } from '../log.ts';
import { installCrashGuards } from '../platform/crash-guards.ts';
import { attachMetricsMemory, SharedValues } from '../telemetry/metrics-memory.ts';
import { NodeNumbers } from '../telemetry/node-numbers.ts';
import type { ServedConfig } from './requirements.ts';
import { sendHeartbeats } from './threads/heartbeat.ts';

interface StartedWorker {
  readonly log: Log;
  readonly numbers: NodeNumbers;
  /** Call it as work makes progress; see heartbeat.ts. */
  readonly onWork: () => void;
}

export function beginWorker(
  main: { postMessage(message: unknown): void },
  { config, metricsMemory }: { readonly config: ServedConfig; readonly metricsMemory: SharedArrayBuffer },
): StartedWorker {
  const log = serviceLog(config);
  const metrics = attachMetricsMemory(metricsMemory);
  installCrashGuards(log, new SharedValues(metrics, null));
  return { log, numbers: new NodeNumbers(metrics), onWork: sendHeartbeats(main) };
}
