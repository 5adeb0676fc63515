// Entry of the worker that fills the store of a serving node from a shared slate. It replaces the ingest
// worker and gets the same messages from main.

import { systemClock } from '../clock.ts';
import { assert, endThread } from '../errors.ts';
import { serviceLog } from '../log.ts';
import type { Config } from '../settings/config.ts';
import { RedisLink } from '../storage/redis.ts';
import { ReplicaWriter } from '../store/writer/replica-writer.ts';
import { keepWindows } from '../store/writer/window-keeper.ts';
import { attachMetricsMemory } from '../telemetry/metrics-memory.ts';
import { NodeNumbers, redisWatch } from '../telemetry/node-numbers.ts';
import { SlateFollower } from './follower.ts';

declare const self: Worker;

/** Messages from main. */
type ToFollower =
  | {
      readonly type: 'start';
      readonly storeBuffer: SharedArrayBuffer;
      readonly metricsMemory: SharedArrayBuffer;
      readonly config: Config;
      readonly heartbeatEveryMs: number;
    }
  /** Requests a garbage collection: see platform/memory-watch.ts. */
  | { readonly type: 'collect' }
  | { readonly type: 'stop' };

/** Null before the start message. */
let follower: SlateFollower | null = null;

self.onmessage = ({ data }: MessageEvent<ToFollower>) => {
  if (data.type === 'start') {
    setInterval(() => self.postMessage({ type: 'heartbeat' }), data.heartbeatEveryMs).unref();
    follower = followerOf(data);
    keepWindows(data.storeBuffer, systemClock);
    follower.start();
    self.postMessage({ type: 'started' });
  } else if (data.type === 'collect') {
    Bun.gc(false);
  } else {
    follower?.close().then(() => self.postMessage({ type: 'stopped' }), endThread);
  }
};

function followerOf({
  storeBuffer,
  metricsMemory,
  config,
}: Extract<ToFollower, { type: 'start' }>): SlateFollower {
  const { redisUrl } = config;
  assert(redisUrl !== null, 'a node that serves the slate of others has a Redis');
  const numbers = new NodeNumbers(attachMetricsMemory(metricsMemory));
  const watch = redisWatch(numbers, 'slate');
  const link = () => new RedisLink({ url: redisUrl, clock: systemClock, watch });
  return new SlateFollower({
    reads: link(),
    calls: link(),
    writer: new ReplicaWriter(storeBuffer),
    clock: systemClock,
    log: serviceLog(config),
    numbers,
    onError: endThread,
  });
}
