// The ingest worker of the service, which also reports how much processor time its thread has used.

import { threadId } from 'node:worker_threads';
import '../../src/ingest/worker.ts';

/** A null message requests the figure; the answer is in microseconds. */
const CPU_CHANNEL = 'overround-bench-ingest-cpu';

export interface CpuQuestion {
  readonly threadId: number;
  readonly cpuUs: number | null;
}

const channel = new BroadcastChannel(CPU_CHANNEL);
channel.onmessage = (event) => {
  const question = event.data as CpuQuestion;
  if (question.threadId !== threadId || question.cpuUs !== null) return;
  const { user, system } = process.threadCpuUsage();
  channel.postMessage({ threadId, cpuUs: user + system } satisfies CpuQuestion);
};
