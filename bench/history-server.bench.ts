// What the history costs a whole server with 1,000 fixtures: the p99.9 of polls at 900 a second and the
// resident memory, beside a server with HISTORY_DAYS=0 that runs at the same time.

import { createKeys } from '../test/support/callers.ts';
import { threadTimes } from '../test/support/processor-time.ts';
import { ServerProcess } from '../test/support/server-process.ts';
import { type Figure, quantile } from './figures.ts';
import { runOpenLoop } from './http/load.ts';
import { residentBytes } from './processes.ts';

const ROUNDS = 4;
const SECONDS = 8;
const POLLS_PER_SECOND = 900;
const MEMORY_MORE_MAX_MB = 64;

interface Server {
  readonly server: ServerProcess;
  readonly url: string;
  readonly key: string;
}

export function define(): void {}

export async function costs(size: 'smoke' | 'full'): Promise<Figure[]> {
  const servers = [await start('30', size), await start('0', size)];
  try {
    const latencies = [[], []] as [number[], number[]];
    const begunMs = performance.now();
    const cpuBefore = historyCpuNs(servers[0]!.server.child.pid);
    for (let round = 0; round < (size === 'smoke' ? 1 : ROUNDS); round++) {
      // The order alternates, so that other load on the machine does not always hit the same server.
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        latencies[index]!.push(...(await poll(servers[index]!, size === 'smoke' ? 1 : SECONDS)));
      }
    }
    const [p999, baseline] = latencies.map((each) => quantile(each, 0.999) * 1e6);
    const cpuNs = historyCpuNs(servers[0]!.server.child.pid) - cpuBefore;
    const seconds = (performance.now() - begunMs) / 1_000;
    const [memory, without] = servers.map(({ server }) => residentBytes(server.child.pid) / 1e6);
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
        // Most of this time goes into the record of signals: the history thread scores the slate for it.
        name: 'history: processor time of its thread, a second',
        ...{ value: cpuNs / seconds, baseline: null, unit: 'ns', aim: null },
      },
    ];
  } finally {
    for (const { server } of servers) await server[Symbol.asyncDispose]();
  }
}

async function start(historyDays: string, size: 'smoke' | 'full'): Promise<Server> {
  const server = new ServerProcess({
    HISTORY_DAYS: historyDays,
    SIMULATOR_FOOTBALL_FIXTURES: size === 'smoke' ? '20' : '800',
    SIMULATOR_BASKETBALL_FIXTURES: size === 'smoke' ? '5' : '200',
  });
  const url = await server.serving();
  const [key = ''] = await createKeys(server.dataDir, 'enterprise', 1);
  return { server, url, key };
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
  return threadTimes(pid).get('history')!.usedMs * 1e6;
}
