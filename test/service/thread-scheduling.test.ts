// The scheduling priority of each thread of a running server, as the system reports it.

import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, release } from 'node:os';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';

const NORMAL = 0;
const BATCH = 3;
/** Positions of fields in /proc/<pid>/stat, counted from after the process name. */
const NICE_FIELD = 16;
const POLICY_FIELD = 38;
/** Before Linux 6.12 all threads have the same time slices, and not every system shows time slices. */
const knowsSlices = Bun.semver.satisfies(release().replace(/^(\d+\.\d+\.\d+).*$/, '$1'), '>=6.12.0');

test.skipIf(process.platform !== 'linux')(
  'HTTP threads and ingest have priority over the other threads of the process, and HTTP threads have short time slices',
  async () => {
    const server = new ServerProcess({
      HTTP_THREADS: '2',
      SIMULATOR_FOOTBALL_FIXTURES: '4',
      SIMULATOR_BASKETBALL_FIXTURES: '1',
    });
    try {
      await server.listening();
      let threads: Thread[] = [];
      // For a moment, a new thread has the name and priority of the thread that started it.
      const policiesOf = (name: string) =>
        new Set(threads.filter((each) => each.name === name).map((each) => each.policy));
      await until('all threads have their policy', () => {
        threads = threadsOf(server.child.pid);
        return policiesOf('ingest').has(NORMAL);
      });
      for (const name of ['http 0', 'http 1']) expect(policiesOf(name)).toEqual(new Set([NORMAL]));
      for (const name of ['query', 'accounts', 'scoring-0'])
        expect(policiesOf(name)).toEqual(new Set([BATCH]));
      expect(threads.find(({ id }) => id === server.child.pid)!.policy).toBe(BATCH);
      // The test itself may run with a nice value, which the server inherits.
      const usualNice = getPriority();
      for (const { name, nice } of threads.filter(({ name }) => /^(http|query|scoring)/.test(name)))
        expect([name, nice]).toEqual([name, usualNice]);
      for (const { name, nice } of threads.filter(({ name }) => /^(history|alerts|accounts)/.test(name)))
        expect([name, nice]).toEqual([name, usualNice + 5]);
      const slices = new Map(threads.map(({ name, sliceNs }) => [name, sliceNs]));
      if (!knowsSlices || slices.get('query') === null) return;
      expect(slices.get('query')).toBe(10_000_000);
      expect(slices.get('http 0')).toBe(700_000);
      expect(slices.get('http 1')).toBe(700_000);
    } finally {
      expect(await server.end()).toBe(0);
    }
  },
  120_000,
);

interface Thread {
  readonly id: number;
  readonly name: string;
  readonly policy: number;
  readonly nice: number;
  /** Null if the system does not show time slices. */
  readonly sliceNs: number | null;
}

function threadsOf(pid: number): Thread[] {
  return readdirSync(`/proc/${pid}/task`).map((text) => {
    const folder = `/proc/${pid}/task/${text}`;
    const stat = readFileSync(`${folder}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      id: Number(text),
      name: readFileSync(`${folder}/comm`, 'utf8').trim(),
      policy: Number(fields[POLICY_FIELD]),
      nice: Number(fields[NICE_FIELD]),
      sliceNs: sliceOf(folder),
    };
  });
}

function sliceOf(folder: string): number | null {
  try {
    return Number(/slice\s*:\s*(\d+)/.exec(readFileSync(`${folder}/sched`, 'utf8'))?.[1]);
  } catch {
    return null; // not every kernel has this file
  }
}
