// A worker that echoes messages and dies on request, for tests of the supervisor.

import { HEARTBEAT_EVERY_MS, sendHeartbeats } from '../../src/start/threads/heartbeat.ts';
import '../support/dies-as-told.ts';

declare const self: Worker;

self.addEventListener('message', ({ data }: MessageEvent<{ readonly type: string }>) => {
  // Sends no heartbeat during the time of four heartbeats, like a worker that loads its code on a busy
  // machine.
  if (data.type === 'slow')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4 * HEARTBEAT_EVERY_MS);
  self.postMessage({ type: data.type });
  if (data.type === 'start') sendHeartbeats(self);
});
