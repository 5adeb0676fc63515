// The real HTTP worker, whose scoring workers a channel can end: it keeps the workers that the pool makes.

import '../../src/start/http.worker.ts';

const scoring = new Set<Worker>();
const RealWorker = globalThis.Worker;
globalThis.Worker = class extends RealWorker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    if (!String(url).includes('scoring.worker')) return;
    scoring.add(this);
    this.addEventListener('close', () => scoring.delete(this));
  }
};

const channel = new BroadcastChannel('overround-scoring-death');
channel.onmessage = () => {
  const workers = [...scoring];
  for (const worker of workers) worker.terminate();
  channel.postMessage({ ended: workers.length });
};
