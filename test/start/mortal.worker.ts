// A worker that dies as it is told: for tests of the supervisor.

declare const self: Worker;

self.onmessage = (event: MessageEvent<{ readonly type: string }>) => {
  const { type } = event.data;
  self.postMessage({ type });
  if (type === 'throw') throw new Error('thrown as told');
  if (type === 'reject') void Promise.reject(new Error('rejected as told'));
  if (type === 'exit') process.exit(0);
};
