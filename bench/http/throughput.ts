// Requests per second compared with other servers. Each case goes through all its servers again and again, so
// that other load on the machine affects all of them. For each server, the median over the rounds and the
// spread are reported.

import { Random } from '../../src/domain/random.ts';
import { median } from '../figures.ts';
import { type RawRequest, runWrk, type Throughput, toRequestsFile } from './load.ts';
import type { BenchedService, BenchSite } from './site.ts';

export type ServerName = 'ours' | 'bare' | 'reference' | 'nginx' | 'elysia' | 'fastify';

export interface CaseResult {
  readonly name: string;
  readonly servers: Partial<Record<ServerName, ServerResult>>;
}

interface ServerResult extends Omit<Throughput, 'count'> {
  /**
   * The server's processor time per request, in us: the figure least affected by other processes on the
   * machine.
   */
  readonly processorUs: number;
  /** The lowest and highest requests per second of the rounds. */
  readonly spread: readonly [number, number];
  /** Our requests per second divided by those of this server: the median of that ratio over the rounds. */
  readonly oursRatio: number;
  /** The processor time of this server per request divided by ours: the median over the rounds. */
  readonly processorRatio: number;
  /** Our 99th percentile of latency divided by that of this server: the median over the rounds. */
  readonly oursP99Ratio: number;
}

const CASES = ['hit', '304', 'miss', 'miss, filtered, by an URL never seen', 'batch of 20', 'scan'] as const;

interface Case {
  readonly name: (typeof CASES)[number];
  readonly requests: Partial<Record<ServerName, readonly RawRequest[]>>;
}

interface ThroughputOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Runs only the cases whose name contains this text. */
  readonly only: string;
}

/** The responses for all of these fixtures together are 67 MB, more than the response cache holds. */
const LARGE_FIXTURES = 4_096;
const NEW_URLS = 20_000;
const SEED = 11;
const FAILURE_CHARS = 300;
const WARM_SECONDS = 1;
/** The generated slate has many bookmakers; a request for a miss leaves out this many. */
const BOOKMAKERS_LEFT_OUT = 3;

export async function measureThroughput(site: BenchSite, options: ThroughputOptions): Promise<CaseResult[]> {
  if (!CASES.some((name) => name.includes(options.only))) return [];
  const small = await site.startService({ fixtures: 60, quotesPerFixture: 15 });
  const large = await site.startService({ fixtures: LARGE_FIXTURES, quotesPerFixture: 75 });
  const urls = await startOthers(site, small, large);
  const results: CaseResult[] = [];
  for (const one of await casesOf(small, large, urls)) {
    if (!one.name.includes(options.only)) continue;
    const urlsOfCase = {
      ...urls,
      ours: one.name.startsWith('hit') || one.name.startsWith('304') ? small.url : large.url,
    };
    results.push(await measureCase(site, await withoutFailing(site, one, urlsOfCase), urlsOfCase, options));
  }
  small.end();
  large.end();
  return results;
}

type Urls = Partial<Record<ServerName, string>>;

async function startOthers(site: BenchSite, small: BenchedService, large: BenchedService): Promise<Urls> {
  const answer = site.path('answer.json');
  await Bun.write(answer, await (await small.get(await hitPath(small))).bytes());
  await Bun.write(site.path('keys.txt'), small.keys.join('\n'));
  const blocks = site.path('blocks.json');
  const ids = await large.eventIds();
  await Bun.write(blocks, JSON.stringify(await large.blocks(ids)));
  const bundle = await Bun.build({ entrypoints: [`${import.meta.dir}/fastify-server.ts`], target: 'node' });
  await Bun.write(site.path('fastify.mjs'), bundle.outputs[0]!);
  const bun = (name: string, ...words: string[]) =>
    site.start([process.execPath, `${import.meta.dir}/${name}-server.ts`, ...words]);
  const urls: Urls = {
    bare: await bun('bare', answer),
    reference: await bun('reference', answer, site.path('keys.txt')),
    elysia: await bun('elysia', blocks),
    ...(await optional('fastify', () => site.start(['node', site.path('fastify.mjs'), blocks]))),
    ...(await optional('nginx', () => site.startNginx(site.folder))),
  };
  for (const name of ['elysia', 'fastify'] as const) await checkSameAnswer(large, urls[name], ids[0]!);
  return urls;
}

/** Starts a server of the comparison, or leaves it out if it is not installed or does not start. */
async function optional(name: ServerName, start: () => Promise<string | null>): Promise<Urls> {
  const url = await start().catch((error: unknown) => {
    console.warn(`${name} is left out: ${String(error).slice(0, FAILURE_CHARS)}`);
    return null;
  });
  return url === null ? {} : { [name]: url };
}

/** @throws Error if the other server gives another answer than ours */
async function checkSameAnswer(ours: BenchedService, url: string | undefined, id: string): Promise<void> {
  if (url === undefined) return;
  const path = `/v1/events/${id}/odds`;
  const answers = [await (await ours.get(path)).json(), await (await fetch(url + path)).json()];
  // The service stamps a response with the time of its feed's last heartbeat, which comes every ten seconds.
  // So the times of two equal answers may differ, and are not compared.
  for (const answer of answers as { as_of: string }[]) answer.as_of = '';
  if (!Bun.deepEquals(answers[0], answers[1])) throw new Error(`Cannot bench: ${url} answers something else`);
}

async function hitPath(service: BenchedService): Promise<string> {
  return `/v1/events/${(await service.eventIds())[0]}/odds`;
}

async function casesOf(small: BenchedService, large: BenchedService, urls: Urls): Promise<Case[]> {
  const path = await hitPath(small);
  const etag = (await small.get(path)).headers.get('etag')!;
  await small.get(path, { 'if-none-match': etag }, 304);
  const ids = await large.eventIds();
  const keyed = (request: RawRequest, service: BenchedService): RawRequest => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${service.nextKey()}` },
  });
  const polls = (headers: Record<string, string> = {}) =>
    small.keys.map(() => keyed({ path, headers }, small));
  const nginxEtag =
    urls.nginx === undefined ? '' : ((await fetch(`${urls.nginx}/answer.json`)).headers.get('etag') ?? '');
  const file = (headers: Record<string, string> = {}) => [{ path: '/answer.json', headers }];
  // The fixtures are requested in turn, so each response has left the cache by the time it is requested
  // again.
  const misses = ids.map((id) => keyed({ path: `/v1/events/${id}/odds` }, large));
  const newUrls = newUrlsOf(ids, await bookmakersOf(large)).map((one) => keyed({ path: one }, large));
  const body = JSON.stringify({ event_ids: ids.slice(0, 20) });
  const batches = large.keys.map(() => keyed({ method: 'POST', path: '/v1/odds/batch', body }, large));
  const scan = JSON.stringify({ only_signal: true, limit: 20 });
  const scans = large.keys.map(() =>
    keyed({ method: 'POST', path: '/v1/mcp/scan_slate', body: scan }, large),
  );
  const cases: Case[] = [
    { name: 'hit', requests: { ours: polls(), bare: polls(), reference: polls(), nginx: file() } },
    {
      name: '304',
      requests: {
        ours: polls({ 'if-none-match': etag }),
        bare: polls({ 'if-none-match': '"bare"' }),
        reference: polls({ 'if-none-match': '"reference-0"' }),
        nginx: file({ 'if-none-match': nginxEtag }),
      },
    },
    { name: 'miss', requests: { ours: misses, elysia: misses, fastify: misses } },
    {
      name: 'miss, filtered, by an URL never seen',
      requests: { ours: newUrls, elysia: newUrls, fastify: newUrls },
    },
    { name: 'batch of 20', requests: { ours: batches, elysia: batches, fastify: batches } },
    { name: 'scan', requests: { ours: scans } },
  ];
  return cases.map(({ name, requests }) => ({
    name,
    requests: Object.fromEntries(
      Object.entries(requests).filter(([server]) => server === 'ours' || server in urls),
    ),
  }));
}

async function bookmakersOf(service: BenchedService): Promise<string[]> {
  const { odds } = Object.values(await service.blocks((await service.eventIds()).slice(0, 1)))[0]!;
  return [...new Set(odds.map(({ bookmaker }) => bookmaker))];
}

/** Polls that hardly ever repeat: any fixture, all bookmakers but a few, in any order. */
function newUrlsOf(ids: readonly string[], bookmakers: readonly string[]): string[] {
  const random = new Random(SEED);
  return Array.from({ length: NEW_URLS }, () => {
    const kept = [...bookmakers];
    for (let index = 0; index < BOOKMAKERS_LEFT_OUT; index += 1) kept.splice(random.index(kept.length), 1);
    const shuffled = kept.map((name) => ({ name, place: random.unit() })).sort((a, b) => a.place - b.place);
    const names = shuffled.map(({ name }) => name);
    return `/v1/events/${ids[random.index(ids.length)]}/odds?bookmakers=${names.join(',')}`;
  });
}

/** Warms up a case's servers and leaves out those that fail. @throws Error if our own server fails */
async function withoutFailing(site: BenchSite, one: Case, urls: Urls): Promise<Case> {
  const requests: Partial<Record<ServerName, readonly RawRequest[]>> = {};
  for (const [name, list] of Object.entries(one.requests)) {
    const server = name as ServerName;
    const path = site.path(`requests-${server}`);
    await Bun.write(path, toRequestsFile(list));
    try {
      await runWrk(urls[server]!, path, WARM_SECONDS);
      requests[server] = list;
    } catch (error) {
      if (server === 'ours') throw error;
      console.warn(`${one.name}: ${server} is left out: ${String(error).slice(0, FAILURE_CHARS)}`);
    }
  }
  return { ...one, requests };
}

interface Run extends Throughput {
  readonly processorUs: number;
}

async function measureCase(
  site: BenchSite,
  { name, requests }: Case,
  urls: Urls,
  { rounds, seconds }: ThroughputOptions,
): Promise<CaseResult> {
  const servers = Object.keys(requests) as ServerName[];
  const runs = new Map<ServerName, Run[]>(servers.map((server) => [server, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Every other round goes in reverse, so that no server always follows the same one.
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      const url = urls[server]!;
      const beforeUs = site.processorUs(url);
      const run = await runWrk(url, site.path(`requests-${server}`), seconds);
      const processorUs = (site.processorUs(url) - beforeUs) / run.count;
      runs.get(server)!.push({ ...run, processorUs });
    }
  }
  const ours = runs.get('ours')!;
  const results = servers.map((server): [ServerName, ServerResult] => {
    const list = runs.get(server)!;
    const rates = list.map(({ perSecond }) => perSecond);
    return [
      server,
      {
        perSecond: median(rates),
        p50Ms: median(list.map(({ p50Ms }) => p50Ms)),
        p99Ms: median(list.map(({ p99Ms }) => p99Ms)),
        processorUs: median(list.map(({ processorUs }) => processorUs)),
        processorRatio: median(list.map(({ processorUs }, round) => processorUs / ours[round]!.processorUs)),
        spread: [Math.min(...rates), Math.max(...rates)],
        oursRatio: median(list.map(({ perSecond }, round) => ours[round]!.perSecond / perSecond)),
        oursP99Ratio: median(list.map(({ p99Ms }, round) => ours[round]!.p99Ms / p99Ms)),
      },
    ];
  });
  const result = { name, servers: Object.fromEntries(results) };
  console.log(name, JSON.stringify(result.servers));
  return result;
}
