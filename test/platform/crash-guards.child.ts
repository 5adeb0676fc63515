// A server whose handlers fail after they have answered. With the argument "guarded" it installs the guards
// and answers with what they counted.

import { installCrashGuards } from '../../src/platform/crash-guards.ts';

const counts = { exception: 0, rejection: 0 };
if (process.argv[2] === 'guarded') {
  installCrashGuards({ error: () => {} }, { countLateFailure: (kind) => (counts[kind] += 1) });
}
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const path = new URL(request.url).pathname;
    if (path === '/throw') {
      setTimeout(() => {
        throw new Error('late');
      }, 0);
    }
    if (path === '/reject') void Promise.reject(new Error('unheard'));
    return Response.json(counts);
  },
});
console.log(server.port);
