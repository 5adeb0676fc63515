// The entry of the worker that watches alert rules and sends what they report. While it is down, nothing is
// watched; what is in the outbox is sent afterwards.

import { fullGC } from 'bun:jsc';
import { systemClock } from '../../clock.ts';
import type { ServedConfig } from '../requirements.ts';
import { beginWorker } from '../worker-start.ts';
import { type Alerts, openAlerts } from './alerts.ts';

declare const self: Worker;

/** The messages from the main thread to this worker. */
export type ToAlerts =
  | {
      readonly type: 'start';
      readonly config: ServedConfig;
      readonly storeBuffer: SharedArrayBuffer;
      readonly metricsMemory: SharedArrayBuffer;
    }
  /** Requests a garbage collection: see platform/memory-watch.ts. */
  | { readonly type: 'collect' }
  | { readonly type: 'stop' };

let alerts: Promise<Alerts> | null = null;

self.onmessage = (event: MessageEvent<ToAlerts>) => {
  const message = event.data;
  if (message.type === 'start') alerts = open(message);
  else if (message.type === 'collect') fullGC();
  else void stop();
};

function open(start: Extract<ToAlerts, { type: 'start' }>): Promise<Alerts> {
  return openAlerts({ ...start, ...beginWorker(self, start), clock: systemClock });
}

async function stop(): Promise<void> {
  await (await alerts)?.stop();
  self.postMessage({ type: 'stopped' });
}
