// Imported by a worker of the tests. A message on a channel ends the scoring workers that the worker's thread
// has started.

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

export {};
