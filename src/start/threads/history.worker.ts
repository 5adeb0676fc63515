// The entry of the worker that keeps the price history: it takes what the feed changed from the ring, writes
// the tape, and answers questions about the past. While it is down, changes wait in the ring.

import { fullGC } from 'bun:jsc';
import { systemClock } from '../../clock.ts';
import { serveCalls } from '../../http/remote/serve-calls.ts';
import type { ServedConfig } from '../requirements.ts';
import { beginWorker } from '../worker-start.ts';
import { type History, openHistory } from './history.ts';

declare const self: Worker;

/** The messages from the main thread to this worker. */
export type ToHistory =
  | {
      readonly type: 'start';
      readonly config: ServedConfig;
      readonly storeBuffer: SharedArrayBuffer;
      readonly tapeMemory: SharedArrayBuffer;
      readonly metricsMemory: SharedArrayBuffer;
    }
  /** A port to a thread that asks about the past. */
  | { readonly type: 'caller'; readonly port: MessagePort }
  /** Requests a garbage collection: see platform/memory-watch.ts. */
  | { readonly type: 'collect' }
  | { readonly type: 'stop' };

let history: History | null = null;

self.onmessage = (event: MessageEvent<ToHistory>) => {
  const message = event.data;
  if (message.type === 'start') history = open(message);
  else if (history === null) throw new Error('Assertion failed: the start message comes first');
  else if (message.type === 'caller') serveCalls(message.port, history.calls);
  else if (message.type === 'collect') fullGC();
  else void history.stop().then(() => self.postMessage({ type: 'stopped' }));
};

function open(start: Extract<ToHistory, { type: 'start' }>): History {
  return openHistory({ ...start, ...beginWorker(self, start), clock: systemClock });
}
