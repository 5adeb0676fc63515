// The entry of an HTTP worker: the same thread as main's first, on the same port. A failure to start ends the worker,
// and main starts another; a late failure is survived and counted.

import { clockOf } from '../clock.ts';
import { installCrashGuards } from '../http/edge/crash-guards.ts';
import { type Log, serviceLog } from '../log.ts';
import { type FromHttp, HTTP_STOP_GRACE_MS, type ToHttp } from './http-messages.ts';
import { type HttpThread, startHttpThread } from './http-thread.ts';

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
  say({ type: 'listening' });
  return { http, log };
}

async function stop({ http, log }: { readonly http: HttpThread; readonly log: Log }): Promise<void> {
  try {
    await http.server.stop(HTTP_STOP_GRACE_MS);
    await http.close();
  } catch (error) {
    log.error('http_thread_stop_failed', { error: String(error) });
  }
  say({ type: 'stopped' });
}

function say(message: FromHttp): void {
  self.postMessage(message);
}
