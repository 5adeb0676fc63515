// The entry of an HTTP worker. If it fails to start, the worker ends and the main thread starts another.
// Later failures are survived and counted.

import { clockOf } from '../../clock.ts';
import { type Log, serviceLog } from '../../log.ts';
import { installCrashGuards } from '../../platform/crash-guards.ts';
import { ThreadGarbage } from '../../platform/thread-garbage.ts';
import { scheduleFirst } from '../../platform/thread-scheduling.ts';
import { sendHeartbeats } from './heartbeat.ts';
import { type HttpThread, startHttpThread, type ToHttp } from './http-thread.ts';

declare const self: Worker;

interface Running {
  readonly http: HttpThread;
  readonly log: Log;
}

const garbage = new ThreadGarbage();
/** Null before the start message. */
let running: Running | null = null;

self.onmessage = (event: MessageEvent<ToHttp>) => {
  const message = event.data;
  if (message.type === 'start') running = start(message);
  else if (running === null) throw new Error('Assertion failed: the start message comes first');
  else if (message.type === 'query') connect(running, message);
  else if (message.type === 'keys') running.http.keys.connect(message.port);
  else if (message.type === 'history') running.http.history.connect(message.port);
  else if (message.type === 'query_lost') running.http.queries.disconnect();
  else if (message.type === 'accept') accept(running, message.isAccepting);
  else if (message.type === 'stuck') running.http.server.stuck(message.peers);
  else if (message.type === 'collect') running.http.telemetry.loop.run('garbage', () => garbage.collect());
  else void stop(running, message.graceMs);
};

function start({ shared, thread }: Extract<ToHttp, { type: 'start' }>) {
  const { config } = shared;
  const clock = clockOf(config.feedNowMs);
  const log = serviceLog(config);
  if (!scheduleFirst()) log.debug('thread_scheduling_refused', { thread });
  let onWork = (): void => undefined;
  const http = startHttpThread({ ...shared, clock, log, thread, onWork: () => onWork() });
  installCrashGuards(log, http.telemetry);
  onWork = sendHeartbeats(self);
  self.postMessage({ type: 'listening' });
  return { http, log };
}

function connect({ http }: Running, { requests, names }: Extract<ToHttp, { type: 'query' }>): void {
  http.queries.connect(requests);
  http.names.connect(names);
}

function accept({ http, log }: Running, isAccepting: boolean): void {
  try {
    http.server.accept(isAccepting);
  } catch (error) {
    // Another process has taken the port. The main thread keeps starting new workers until the port is free.
    log.error('accepting_failed', { error: String(error) });
    process.exit(1);
  }
}

async function stop({ http, log }: Running, graceMs: number): Promise<void> {
  try {
    await http.stop(graceMs);
  } catch (error) {
    log.error('http_thread_stop_failed', { error: String(error) });
  }
  self.postMessage({ type: 'stopped' });
}
