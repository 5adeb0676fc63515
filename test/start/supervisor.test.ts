// A worker that dies is restarted after a growing pause, however it died. A worker that was stopped is not
// restarted.

import { afterEach, describe, expect, test } from 'bun:test';
import { createLog } from '../../src/log.ts';
import { Supervisor } from '../../src/start/supervisor.ts';
import { HEARTBEAT_EVERY_MS } from '../../src/start/threads/heartbeat.ts';
import { until } from '../support/condition.ts';

/** Longer than any test waits. */
const NEVER_MS = 600_000;

interface WorkerMessage {
  readonly type: string;
}

class WatchedSupervisor {
  readonly entries: { event: string; inMs?: number; error?: string }[] = [];
  readonly heard: string[] = [];
  restartCount = 0;
  monotonicMs = 0;
  readonly supervisor: Supervisor<WorkerMessage>;

  constructor(startMessage = 'start', hungAfterMs?: number, processorWaitMs?: () => number | null) {
    const clock = { wallMs: () => 0, monotonicMs: () => this.monotonicMs };
    const write = (line: string) => this.entries.push(JSON.parse(line) as { event: string });
    this.supervisor = new Supervisor<WorkerMessage>({
      name: 'mortal',
      url: new URL('./mortal.worker.ts', import.meta.url),
      clock,
      log: createLog({ clock, json: true, level: 'debug', write }),
      startMessage: { type: startMessage },
      onMessage: ({ type }) => this.heard.push(type),
      onRestart: () => this.restartCount++,
      ...(hungAfterMs === undefined ? {} : { hungAfterMs }),
      ...(processorWaitMs === undefined ? {} : { processorWaitMs }),
    });
    running.push(this.supervisor);
  }

  get startCount(): number {
    return this.heard.filter((word) => word === 'start').length;
  }
  get waitsMs(): number[] {
    return this.entries.flatMap(({ event, inMs }) => (event === 'worker_restarting' ? [inMs!] : []));
  }
}

let running: Supervisor<WorkerMessage>[] = [];
afterEach(() => {
  for (const supervisor of running) supervisor.terminate();
  running = [];
});

describe('Supervisor', () => {
  for (const death of ['throw', 'reject', 'exit']) {
    test(`a worker that dies by ${death} is replaced by one with the same start message`, async () => {
      const watched = new WatchedSupervisor();
      watched.supervisor.start();
      await until('the worker started', () => watched.startCount === 1);
      watched.supervisor.post({ type: death });
      await until('another started', () => watched.startCount === 2);
      expect(watched.restartCount).toBe(1);
      expect(watched.waitsMs).toEqual([100]);
    });
  }

  test('a worker whose event loop hangs is replaced, and one that sends heartbeats is not', async () => {
    const watched = new WatchedSupervisor('start', HEARTBEAT_EVERY_MS);
    const beating = new WatchedSupervisor('start', HEARTBEAT_EVERY_MS);
    watched.supervisor.start();
    beating.supervisor.start();
    await until('both started', () => watched.startCount === 1 && beating.startCount === 1);
    watched.supervisor.post({ type: 'hang' });
    await until('another started', () => watched.startCount === 2);
    expect(watched.entries.map(({ event }) => event)).toContain('worker_hung');
    expect(beating.entries).toEqual([]);
  });

  test('a silent worker is replaced, but not if it only waits for a processor', async () => {
    let checks = 0;
    let waitMs = 0;
    let hasProcessor = false;
    const starved = new WatchedSupervisor('start', 3 * HEARTBEAT_EVERY_MS, () => {
      checks += 1;
      if (!hasProcessor) waitMs += HEARTBEAT_EVERY_MS;
      return waitMs;
    });
    starved.supervisor.start();
    await until('it started', () => starved.startCount === 1);
    starved.supervisor.post({ type: 'hang' });
    await until('its silence was checked often', () => checks === 8);
    expect(starved.entries).toEqual([]);
    hasProcessor = true;
    await until('another started', () => starved.startCount === 2);
    expect(starved.entries.map(({ event }) => event)).toContain('worker_hung');
  });

  test('a worker may take longer to start than it may be silent later', async () => {
    const watched = new WatchedSupervisor('slow', HEARTBEAT_EVERY_MS);
    watched.supervisor.start();
    await until('it has started', () => watched.heard.length === 1);
    expect(watched.entries).toEqual([]);
  });

  test('the error with which a worker died is logged', async () => {
    const watched = new WatchedSupervisor();
    watched.supervisor.start();
    watched.supervisor.post({ type: 'throw' });
    await until('another started', () => watched.startCount === 2);
    const failure = watched.entries.find(({ event }) => event === 'worker_failed');
    expect(failure?.error).toContain('thrown as told');
  });

  test('the pause before a restart doubles with each death, and is short again after a worker has lived for a minute', async () => {
    const watched = new WatchedSupervisor();
    watched.supervisor.start();
    for (const death of [1, 2, 3]) {
      await until(`start ${death}`, () => watched.startCount === death);
      watched.supervisor.post({ type: 'exit' });
    }
    await until('start 4', () => watched.startCount === 4);
    expect(watched.waitsMs).toEqual([100, 200, 400]);
    watched.monotonicMs += 60_001;
    watched.supervisor.post({ type: 'exit' });
    await until('start 5', () => watched.startCount === 5);
    expect(watched.waitsMs).toEqual([100, 200, 400, 100]);
  });

  test('a worker that is about to stop is not restarted, and its end is reported', async () => {
    const watched = new WatchedSupervisor();
    watched.supervisor.start();
    await until('the worker started', () => watched.startCount === 1);
    await watched.supervisor.stop({ type: 'throw' }, NEVER_MS);
    expect(watched.waitsMs).toEqual([]);
    expect(watched.restartCount).toBe(0);
  });

  test('a worker that reports that it has stopped is ended without waiting for its grace period', async () => {
    const watched = new WatchedSupervisor();
    watched.supervisor.start();
    await until('the worker started', () => watched.startCount === 1);
    await watched.supervisor.stop({ type: 'stopped' }, NEVER_MS);
    expect(watched.heard).toEqual(['start', 'stopped']);
    expect(watched.entries).toEqual([]);
  });

  test('a worker that does not react to a stop is ended after its grace period', async () => {
    const watched = new WatchedSupervisor();
    watched.supervisor.start();
    await until('the worker started', () => watched.startCount === 1);
    await watched.supervisor.stop({ type: 'ignored' }, 1);
    expect(watched.restartCount).toBe(0);
  });

  test('stop during a pause cancels the restart, and does not wait for a worker that does not exist', async () => {
    const watched = new WatchedSupervisor();
    watched.supervisor.start();
    watched.supervisor.post({ type: 'throw' });
    await until('the worker died', () => watched.waitsMs.length === 1);
    await watched.supervisor.stop({ type: 'stop' }, NEVER_MS);
    expect(watched.restartCount).toBe(0);
  });

  test('terminate ends a worker, which is not restarted', async () => {
    const watched = new WatchedSupervisor();
    watched.supervisor.start();
    await until('the worker started', () => watched.startCount === 1);
    watched.supervisor.terminate();
    await watched.supervisor.stop({ type: 'stop' }, NEVER_MS);
    watched.supervisor.post({ type: 'throw' });
    expect(watched.entries).toEqual([]);
  });
});
