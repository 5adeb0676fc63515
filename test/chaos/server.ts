// Runs the real server in a separate process. Each line on stdin makes one thread fail: `http 0 hang`,
// `ingest 0 throw`. Threads of accounts and of scoring can only be terminated.

import { loadConfig } from '../../src/settings/config.ts';
import { startService } from '../../src/start/service.ts';
import { useTestProgram } from '../support/test-program.ts';

useTestProgram();

/** The workers of accounts that main has started. The last one is running. */
const accounts: Worker[] = [];
const RealWorker = globalThis.Worker;
globalThis.Worker = class extends RealWorker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    if (String(url).includes('accounts.worker')) accounts.push(this);
  }
};

const service = await startService(loadConfig(process.env), {
  workerUrls: {
    http: new URL('../service/mortal-http.worker.ts', import.meta.url),
    query: new URL('./query.worker.ts', import.meta.url),
    ingest: new URL('../service/mirrors/mortal-ingest.worker.ts', import.meta.url),
  },
});
console.log(service.url);
const http = new BroadcastChannel('overround-http-death');
const query = new BroadcastChannel('overround-query-death');
const scoring = new BroadcastChannel('overround-scoring-death');
scoring.onmessage = ({ data }) => {
  if ((data as { readonly ended: number }).ended > 0) return;
  console.error('There was no scoring thread to end');
  process.exit(9); // which the callers notice
};
const ingest = new BroadcastChannel('overround-ingest-death');
for await (const line of console) {
  const [name, thread, how] = line.split(' ');
  if (name === 'http') http.postMessage({ thread: Number(thread), how });
  else if (name === 'query') query.postMessage({ how });
  else if (name === 'scoring') scoring.postMessage({});
  else if (name === 'accounts') accounts.at(-1)?.terminate();
  else ingest.postMessage(how);
}
// The input has ended: the parent process has gone.
await service.stop();
process.exit(0);
