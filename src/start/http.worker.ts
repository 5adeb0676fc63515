// The entry of an HTTP worker: the same thread as main's first, on the same port. A failure to start ends the worker,
// and main starts another; a late failure is survived and counted.

import { clockOf } from '../clock.ts';
import { type Log, serviceLog } from '../log.ts';
import { installCrashGuards } from '../telemetry/crash-guards.ts';
import { type HttpThread, startHttpThread, type ToHttp } from './http-thread.ts';

declare const self: Worker;

/** Null before the start message. */
let running: { readonly http: HttpThread; readonly log: Log } | null = null;

self.onmessage = (event: MessageEvent<ToHttp>) => {
  const message = event.data;
  if (message.type === 'start') running = start(message);
  else if (running !== null) void stop(running);
};

function start({ shared, thread, scoringThreads }: Extract<ToHttp, { type: 'start' }>) {
  const { config } = shared;
  const clock = clockOf(config.feedNowMs);
  const log = serviceLog(config, clock);
  const http = startHttpThread({ ...shared, clock, log, thread, scoringThreads });
  installCrashGuards(log, http.telemetry);
  self.postMessage({ type: 'listening' });
  return { http, log };
}

async function stop({ http, log }: { readonly http: HttpThread; readonly log: Log }): Promise<void> {
  try {
    await http.stop();
  } catch (error) {
    log.error('http_thread_stop_failed', { error: String(error) });
  }
  self.postMessage({ type: 'stopped' });
}
