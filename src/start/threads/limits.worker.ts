// The entry of the worker that settles limits with Redis. While it is down, limits are divided, as when Redis
// is unavailable.

import { LeaseSettler } from '../../access/cluster/lease-settler.ts';
import { Leases } from '../../access/cluster/leases.ts';
import { RedisLimits } from '../../access/cluster/redis-limits.ts';
import { attachAccessMemory } from '../../access/quotas/memory.ts';
import { systemClock } from '../../clock.ts';
import { BoundedLog } from '../../log.ts';
import { RedisLink } from '../../storage/redis.ts';
import { redisWatch } from '../../telemetry/node-numbers.ts';
import type { ServedConfig } from '../requirements.ts';
import { beginWorker } from '../worker-start.ts';
import { fillRandom } from './random.ts';

declare const self: Worker;

/** The messages from the main thread to this worker. */
export type ToLimits =
  | {
      readonly type: 'start';
      readonly config: ServedConfig;
      readonly redisUrl: string;
      readonly accessMemory: SharedArrayBuffer;
      readonly leaseMemory: SharedArrayBuffer;
      readonly metricsMemory: SharedArrayBuffer;
    }
  | { readonly type: 'stop' };

/** Limits the log lines about a Redis that comes and goes. */
const CHANGE_LOG = { countMax: 6, windowMs: 60_000 };

let isStopping = false;

self.onmessage = (event: MessageEvent<ToLimits>) => {
  const message = event.data;
  if (message.type === 'stop') isStopping = true;
  else void run(message);
};

async function run(start: Extract<ToLimits, { type: 'start' }>): Promise<void> {
  const { log, numbers } = beginWorker(self, start);
  const changes = new BoundedLog(log, systemClock, CHANGE_LOG);
  const link = new RedisLink({
    ...{ url: start.redisUrl, clock: systemClock },
    watch: redisWatch(numbers, 'limits'),
  });
  const settler = new LeaseSettler({
    memory: attachAccessMemory(start.accessMemory),
    leases: new Leases(start.leaseMemory),
    store: new RedisLimits({ link, node: Buffer.from(fillRandom(new Uint8Array(8))).toString('hex') }),
    clock: systemClock,
    onChange: (failure) => {
      if (failure === null) changes.warn('limits_are_shared', {});
      else changes.warn('limits_are_divided', { error: String(failure) });
    },
  });
  while (!isStopping) {
    if (!(await settler.step())) await settler.whenNeeded();
  }
  await settler.settleAll();
  link.close();
  self.postMessage({ type: 'stopped' });
}
