// The entry of the query worker. If it fails to start, the worker ends and the main thread starts another.
// Later failures are survived and counted.

import { clockOf } from '../../clock.ts';
import { serveCalls } from '../../http/remote/serve-calls.ts';
import { serviceLog } from '../../log.ts';
import { installCrashGuards } from '../../platform/crash-guards.ts';
import { ThreadGarbage } from '../../platform/thread-garbage.ts';
import { sendHeartbeats } from './heartbeat.ts';
import { type QueryThread, startQueryThread, type ToQueryWorker } from './query-thread.ts';

declare const self: Worker;

const garbage = ThreadGarbage.inBackground();
/** Null before the start message. */
let running: QueryThread | null = null;

self.onmessage = (event: MessageEvent<ToQueryWorker>) => {
  const message = event.data;
  if (message.type === 'start') running = start(message);
  else if (running === null) throw new Error('Assertion failed: the start message comes first');
  else if (message.type === 'port') running[message.callee].connect(message.port);
  else if (message.type === 'history') running.history.connect(message.port);
  else if (message.type === 'caller') {
    running.requests.connect(message.thread, message.requests);
    serveCalls(message.names, { ...running.names });
  } else if (message.type === 'collect') running.telemetry.loop.run('garbage', () => garbage.collect());
  else void stop(running);
};

function start({ shared, thread }: Extract<ToQueryWorker, { type: 'start' }>): QueryThread {
  const { config } = shared;
  const log = serviceLog(config);
  let onWork = (): void => undefined;
  const clock = clockOf(config.feedNowMs);
  const started = startQueryThread({ ...shared, clock, log, thread, onWork: () => onWork() });
  installCrashGuards(log, started.telemetry);
  onWork = sendHeartbeats(self);
  self.postMessage({ type: 'started' });
  return started;
}

async function stop(thread: QueryThread): Promise<void> {
  await thread.stop().finally(() => self.postMessage({ type: 'stopped' }));
}
