// The real ingest worker, in a thread that also dies as it is told.

import '../../src/ingest/worker.ts';

declare const self: Worker;

self.addEventListener('message', (event: MessageEvent<{ readonly type: string }>) => {
  const { type } = event.data;
  if (type === 'throw') throw new Error('thrown as told');
  if (type === 'reject') void Promise.reject(new Error('rejected as told'));
  if (type === 'exit') process.exit(0);
});
