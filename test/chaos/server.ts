// The real server in a process of its own, with threads that throw and hang as its input says: a line is the thread's
// name, its number and how it dies, such as `http 0 hang` or `ingest 0 throw`.

import { loadConfig } from '../../src/config.ts';
import { startService } from '../../src/start/service.ts';

const service = await startService(loadConfig(process.env), {
  httpWorkerUrl: new URL('../service/mortal-http.worker.ts', import.meta.url),
  ingestWorkerUrl: new URL('../service/mirrors/mortal-ingest.worker.ts', import.meta.url),
});
console.log(service.url);
const http = new BroadcastChannel('overround-http-death');
const ingest = new BroadcastChannel('overround-ingest-death');
for await (const line of console) {
  const [name, thread, how] = line.split(' ');
  if (name === 'http') http.postMessage({ thread: Number(thread), how });
  else ingest.postMessage(how);
}
// Who started it has gone.
await service.stop();
process.exit(0);
