// Imported by a worker of the tests. Ends or hangs the worker's thread in the way that a message requests.

declare const self: Worker;

self.addEventListener('message', (event: MessageEvent<{ readonly type: string }>) => die(event.data.type));

const WAKE_MS = 50;

/** Ends this thread (`throw`, `reject`, `exit`) or blocks it for ever (`hang`). Other words do nothing. */
export function die(how: string): void {
  if (how === 'throw') throw new Error('thrown as told');
  if (how === 'reject') void Promise.reject(new Error('rejected as told'));
  if (how === 'exit') process.exit(0);
  if (how !== 'hang') return;
  // The thread sends and receives nothing, and leaves the processors to other tests. It wakes now and then,
  // because a thread that sleeps without end does not notice that it is terminated.
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  for (;;) Atomics.wait(asleep, 0, 0, WAKE_MS);
}
