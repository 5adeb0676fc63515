// Imported by a worker of the tests: makes its thread die in the way that a message asks for.

declare const self: Worker;

self.addEventListener('message', (event: MessageEvent<{ readonly type: string }>) => {
  const { type } = event.data;
  if (type === 'throw') throw new Error('thrown as told');
  if (type === 'reject') void Promise.reject(new Error('rejected as told'));
  if (type === 'exit') process.exit(0);
  if (type === 'hang') for (;;); // it beats no more and hears nothing
});
