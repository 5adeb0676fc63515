// `bun run bench:scale [--quick] [--write]`: the cost of a poll and of a list as the slate and the number of
// connections grow, on one HTTP thread and on two. All servers run at the same time, and each round goes
// through all of them. The cost is the processor time of the whole server process per request, which other
// work on the machine affects far less than requests per second. Takes six minutes, with --quick under two.
// --write saves the results under docs/. Needs wrk.

import { join } from 'node:path';
import { type Figure, median, tableOf } from '../figures.ts';
import { flagsOf } from '../flags.ts';
import { type RawRequest, runWrk, toRequestsFile } from '../http/load.ts';
import { type BenchedService, BenchSite } from '../http/site.ts';
import { INTERNALS, writePart } from '../performance-page.ts';
import { processorSeconds, residentBytes } from '../processes.ts';
import { holdOpen } from './idle-connections.ts';
import { chartOf, partOf, rowsOf, type ScaleResults, type ScaleRow } from './report.ts';

const { isQuick, isWritten } = flagsOf({
  command: 'bun run bench:scale',
  about: 'What a poll and a list cost as the slate and the number of connections grow, in about six minutes.',
  canWrite: true,
});
const FIXTURES = isQuick ? [100, 4_000] : [100, 1_000, 4_000];
const THREADS = [1, 2];
const CONNECTIONS = isQuick ? [10, 1_000] : [10, 100, 1_000, 10_000];
const ROUNDS = isQuick ? 2 : 3;
const SECONDS = 2;
/**
 * From this many connections on there is only one round, of SECONDS_MANY: opening them takes wrk nearly two
 * seconds.
 */
const MANY_CONNECTIONS = 10_000;
const SECONDS_MANY = 8;
/** The number of connections at which costs are compared. */
const USUAL_CONNECTIONS = isQuick ? 10 : 100;
const QUOTES = 15;
const POLLED = 50;
const IDLE_FIXTURES = 1_000;
const IDLE_CONNECTIONS = 10_000;

/** A server that takes a smaller share of a processor than this is idle. */
const IDLE_SHARE = 0.06;
const IDLE_LOOK_MS = 500;
const IDLE_LOOKS_MAX = 40;

interface Server {
  readonly threads: number;
  readonly fixtures: number;
  readonly service: BenchedService;
  readonly requests: Readonly<Record<Question, string>>;
}

const QUESTIONS = ['poll', 'list'] as const;
type Question = (typeof QUESTIONS)[number];

async function main(): Promise<void> {
  if (Bun.which('wrk') === null) throw new Error('Cannot bench: wrk is not installed');
  using site = new BenchSite();
  process.on('SIGINT', () => {
    site[Symbol.dispose]();
    process.exit(1);
  });
  const idleResidentMb = await measureIdle(site);
  const servers: Server[] = [];
  for (const threads of THREADS) {
    for (const fixtures of FIXTURES) servers.push(await startServer(site, threads, fixtures));
  }
  for (const { service, requests } of servers) {
    await untilIdle(service.pid);
    for (const question of QUESTIONS) await runWrk(service.url, requests[question], 1, USUAL_CONNECTIONS);
  }
  const rows = await measureRows(servers);
  const results: ScaleResults = { measuredAtMs: Date.now(), rounds: ROUNDS, rows, figures: [] };
  const figures = figuresOf(rows, idleResidentMb);
  console.log(`${rowsOf(rows)}\n\n${tableOf(figures)}`);
  if (isWritten) {
    await writePart('bench:scale', partOf({ ...results, figures }));
    await Bun.write(join(INTERNALS, 'performance-scale.svg'), chartOf(results));
  }
}

async function startServer(site: BenchSite, threads: number, fixtures: number): Promise<Server> {
  const environment = { HTTP_THREADS: String(threads) };
  const service = await site.startService({ fixtures, quotesPerFixture: QUOTES, environment });
  const ids = (await service.eventIds()).slice(0, POLLED);
  const file = async (name: string, paths: readonly string[]) => {
    const path = site.path(`${name}-${threads}-${fixtures}`);
    const requests = service.keys.flatMap((key, turn): RawRequest[] => [
      { path: paths[turn % paths.length]!, headers: { authorization: `Bearer ${key}` } },
    ]);
    await Bun.write(path, toRequestsFile(requests));
    return path;
  };
  const poll = await file(
    'poll',
    ids.map((id) => `/v1/events/${id}/odds`),
  );
  const list = await file('list', ['/v1/events?limit=100']);
  return { threads, fixtures, service, requests: { poll, list } };
}

async function measureRows(servers: readonly Server[]): Promise<ScaleRow[]> {
  const asked = CONNECTIONS.map((connections) => ({ question: 'poll' as Question, connections }));
  asked.push({ question: 'list', connections: USUAL_CONNECTIONS });
  const rows: ScaleRow[] = [];
  for (const { question, connections } of asked) {
    const measured = servers.map((): Measured[] => []);
    const isMany = connections >= MANY_CONNECTIONS;
    for (let round = 0; round < (isMany ? 1 : ROUNDS); round++) {
      for (const [index, { service, requests }] of servers.entries()) {
        const load = { requests: requests[question], seconds: isMany ? SECONDS_MANY : SECONDS, connections };
        const figures = await measureOnce(service, load);
        if (figures !== null) measured[index]!.push(figures);
      }
    }
    for (const [index, { threads, fixtures }] of servers.entries()) {
      if (measured[index]!.length === 0) continue;
      const of = (name: keyof Measured) => median(measured[index]!.map((one) => one[name]));
      rows.push({
        question,
        threads,
        fixtures,
        connections,
        perSecond: of('perSecond'),
        p50Ms: of('p50Ms'),
        p99Ms: of('p99Ms'),
        costUs: of('costUs'),
        residentMb: of('residentMb'),
      });
    }
    console.log(`${question}, ${connections} connections: done`);
  }
  return rows;
}

type Measured = Pick<ScaleRow, 'perSecond' | 'p50Ms' | 'p99Ms' | 'costUs' | 'residentMb'>;

/**
 * @returns null, after a warning, if wrk got no response: on a busy machine it may not even finish connecting
 */
async function measureOnce(
  { url, pid }: BenchedService,
  { requests, seconds, connections }: { requests: string; seconds: number; connections: number },
): Promise<Measured | null> {
  const before = processorSeconds(pid);
  try {
    const { perSecond, p50Ms, p99Ms } = await runWrk(url, requests, seconds, connections);
    const costUs = ((processorSeconds(pid) - before) * 1e6) / (perSecond * seconds);
    return { perSecond, p50Ms, p99Ms, costUs, residentMb: residentBytes(pid) / 1e6 };
  } catch (error) {
    console.error(`${connections} connections are left out: ${String(error).slice(0, 300)}`);
    return null;
  }
}

/**
 * The memory of a server with a slate of usual size while many connections are open that polled once and are
 * now silent.
 */
async function measureIdle(site: BenchSite): Promise<number> {
  const { service } = await startServer(site, 1, IDLE_FIXTURES);
  const [id] = await service.eventIds();
  const held = await holdOpen(IDLE_CONNECTIONS, {
    url: service.url,
    path: `/v1/events/${id}/odds`,
    nextKey: () => service.nextKey(),
  });
  const megabytes = residentBytes(service.pid) / 1e6;
  console.log(`${held.count} connections held open: ${Math.round(megabytes)} MB resident`);
  held.close();
  service.end();
  return megabytes;
}

function figuresOf(rows: readonly ScaleRow[], idleResidentMb: number): Figure[] {
  const find = (question: Question, threads: number, fixtures: number) =>
    rows.find(
      (row) =>
        row.question === question &&
        row.threads === threads &&
        row.fixtures === fixtures &&
        row.connections === USUAL_CONNECTIONS,
    )!;
  const grown = (question: Question) => find(question, 1, 4_000).costUs / find(question, 1, 100).costUs;
  const large = FIXTURES.at(-1)!;
  return [
    {
      name: 'cost of a poll, 4,000 fixtures / 100',
      value: grown('poll'),
      unit: 'times',
      baseline: null,
      aim: { of: 'value', atMost: 1.1 },
    },
    {
      name: 'cost of events?limit=100, 4,000 fixtures / 100',
      value: grown('list'),
      unit: 'times',
      baseline: null,
      aim: { of: 'value', atMost: 1.5 },
    },
    {
      name: `polls a second, two HTTP threads / one, ${large.toLocaleString('en-US')} fixtures, load on the same cores`,
      value: find('poll', 2, large).perSecond / find('poll', 1, large).perSecond,
      unit: 'times',
      baseline: null,
      aim: null,
    },
    {
      name: 'resident, 1,000 fixtures and 10,000 idle connections',
      value: idleResidentMb,
      unit: 'MB',
      baseline: null,
      aim: { of: 'value', atMost: 500 },
    },
  ];
}

/** Waits until a server has finished its work after the start, such as indexing names. */
async function untilIdle(pid: number): Promise<void> {
  for (let look = 0; look < IDLE_LOOKS_MAX; look++) {
    const before = processorSeconds(pid);
    await Bun.sleep(IDLE_LOOK_MS);
    if (processorSeconds(pid) - before <= (IDLE_SHARE * IDLE_LOOK_MS) / 1_000) return;
  }
}

await main();
process.exit(0);
