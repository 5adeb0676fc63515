// What the history costs a whole server with 1,000 fixtures: the p99.9 of polls at 900 a second and the
// resident memory, beside a server with HISTORY_DAYS=0 that runs at the same time.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeys } from '../test/support/callers.ts';
import { type Figure, quantile } from './figures.ts';
import { runOpenLoop } from './http/load.ts';
import { residentBytes } from './processes.ts';

const ROUNDS = 4;
const SECONDS = 8;
const POLLS_PER_SECOND = 900;
const MEMORY_MORE_MAX_MB = 64;

interface Server {
  readonly child: Bun.Subprocess;
  readonly folder: string;
  readonly url: string;
  readonly key: string;
}

export function define(): void {}

export async function costs(size: 'smoke' | 'full'): Promise<Figure[]> {
  const servers = [await start('30', size), await start('0', size)];
  try {
    const latencies = [[], []] as [number[], number[]];
    const begunMs = performance.now();
    const cpuBefore = historyCpuNs(servers[0]!.child.pid);
    for (let round = 0; round < (size === 'smoke' ? 1 : ROUNDS); round++) {
      // The order alternates, so that other load on the machine does not always hit the same server.
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        latencies[index]!.push(...(await poll(servers[index]!, size === 'smoke' ? 1 : SECONDS)));
      }
    }
    const [p999, baseline] = latencies.map((each) => quantile(each, 0.999) * 1e6);
    const cpuNs = historyCpuNs(servers[0]!.child.pid) - cpuBefore;
    const seconds = (performance.now() - begunMs) / 1_000;
    const [memory, without] = servers.map(({ child }) => residentBytes(child.pid) / 1e6);
    return [
      {
        name: 'history: p99.9 of polls at 900 a second',
        ...{ value: p999!, baseline: baseline!, unit: 'ns', aim: { of: 'ratio', atMost: 1.2 } },
      },
      {
        name: 'history: resident memory more than without, 1,000 fixtures',
        ...{ value: memory! - without!, baseline: null, unit: 'MB' },
        aim: { of: 'value', atMost: MEMORY_MORE_MAX_MB },
      },
      {
        // Most of it is the record of signals, which scores the slate on this thread.
        name: 'history: processor time of its thread, a second',
        ...{ value: cpuNs / seconds, baseline: null, unit: 'ns', aim: null },
      },
    ];
  } finally {
    for (const { child, folder } of servers) {
      child.kill('SIGKILL');
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function start(historyDays: string, size: 'smoke' | 'full'): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'overround-bench-'));
  const [key = ''] = await createKeys(folder, 'enterprise', 1);
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'start'], {
    cwd: join(import.meta.dir, '..'),
    env: {
      ...{ PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: folder, HISTORY_DAYS: historyDays },
      SIMULATOR_FOOTBALL_FIXTURES: size === 'smoke' ? '20' : '800',
      SIMULATOR_BASKETBALL_FIXTURES: size === 'smoke' ? '5' : '200',
    },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const decoder = new TextDecoder();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const reading = child.stderr.pipeTo(
    new WritableStream({
      write(chunk) {
        text = (text + decoder.decode(chunk, { stream: true })).slice(-100_000);
        const url = /"?url"?[=:]"(http[^"]+)"/.exec(text)?.[1];
        if (url !== undefined && text.includes('feed_snapshot_complete')) resolve(url);
      },
    }),
  );
  reading.finally(() => reject(new Error(`Cannot measure: the server ended: ${text}`)));
  return { child, folder, key, url: await promise };
}

/** @returns latencies in ms */
async function poll({ url, key }: Server, seconds: number): Promise<Float64Array> {
  const headers = { authorization: `Bearer ${key}` };
  const list = (await (await fetch(`${url}/v1/events?limit=1&status=scheduled`, { headers })).json()) as {
    data: { id: string }[];
  };
  return await runOpenLoop({
    url: `${url}/v1/events/${list.data[0]!.id}/odds`,
    ...{ headers, perSecond: POLLS_PER_SECOND, seconds },
  });
}

/** The processor time that the history thread has used. */
function historyCpuNs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const thread = readdirSync(tasks).find(
    (task) => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim() === 'history',
  );
  return Number(readFileSync(`${tasks}/${thread}/schedstat`, 'utf8').split(' ')[0]);
}
