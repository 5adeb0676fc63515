// A worker that says back what it hears, and dies as it is told: for tests of the supervisor.

import { beatTo } from '../../src/start/beat.ts';
import '../support/dies-as-told.ts';

declare const self: Worker;

self.addEventListener('message', ({ data }: MessageEvent<{ readonly type: string }>) => {
  self.postMessage({ type: data.type });
  if (data.type === 'start') beatTo(self);
});
