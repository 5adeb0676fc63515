// Starts the pool inside a worker, as an HTTP thread does: runs the scans that it receives and sends back the
// scores.

import { ScoringPool } from '../../src/scoring/pool.ts';
import type { ScanRequest } from '../../src/scoring/scan.ts';

declare const self: Worker;

self.addEventListener('message', receive, { once: true });

async function receive(
  event: MessageEvent<{ storeBuffer: SharedArrayBuffer; request: ScanRequest }>,
): Promise<void> {
  const pool = ScoringPool.start({ storeBuffer: event.data.storeBuffer, threads: 2 });
  const scores = await pool.scan(event.data.request);
  await pool.stop();
  self.postMessage(scores);
}
