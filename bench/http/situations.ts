// Tail latency of polls at a fixed rate while the service does other work. In each situation, the same polls
// are sent in turn to the service, to a bare server with one thread and to a bare server with several, on the
// same machine under the same load.

import { join } from 'node:path';
import { DAILY_COUNTS_SCHEMA } from '../../src/access/counts/daily-counts.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { median, quantileOf } from '../figures.ts';
import { runOpenLoop } from './load.ts';
import type { BenchedService, BenchSite, ServiceOptions } from './site.ts';

/** Latencies in ms of the polls of all rounds together, and the p99.9 of each round. */
interface Tail {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly worst: number;
  readonly roundsP999: readonly number[];
}

export interface SituationResult {
  readonly name: string;
  readonly tails: Readonly<Record<PolledServer, Tail>>;
  /** The longest delay of a timer of the HTTP thread, in ms: the upper bound of its histogram bucket. */
  readonly loopDelayMs: number;
  /** The longest delay of a timer of the serving thread of tail-floor-server.ts, in ms: the exact value. */
  readonly floorDelayMs: number;
}

/** The service, a bare server with one thread, and a bare server in a process with several threads. */
export type PolledServer = 'ours' | 'bare' | 'floor';

interface SituationOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string;
}

const POLLS_PER_SECOND = 900;
const LOGINS_PER_SECOND = 20;
const SWEEPS_PER_SECOND = 10;
const KEYLESS_PER_SECOND = 200;
const SLATE = { fixtures: 150, quotesPerFixture: 15 };
const FRESH_SLATE = { fixtures: 4_096, quotesPerFixture: 2 };
const ADDRESSES = 250_000;
const MILLISECONDS_A_DAY = 86_400_000;

interface Situation {
  readonly name: string;
  readonly service: ServiceOptions;
  /**
   * Whether a new service is started before each server is polled. A new service indexes the names of its
   * slate in the background, so every server is polled during that work.
   */
  readonly isFresh?: boolean;
  /** Starts the other work of each round. @returns a function that ends it */
  readonly begin: (service: BenchedService) => () => Promise<void>;
}

const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' };

const SITUATIONS: readonly Situation[] = [
  { name: 'idle', service: SLATE, begin: () => async () => {} },
  {
    name: 'feed at 5,000 messages a second',
    service: { ...SLATE, environment: { FEED: 'simulator', SIMULATOR_RATE: '5000' } },
    begin: () => async () => {},
  },
  {
    name: `${LOGINS_PER_SECOND} logins a second`,
    service: { ...SLATE, environment: PROXIED },
    begin: ({ url }) => repeat(LOGINS_PER_SECOND, (turn) => logIn(url, turn)),
  },
  {
    name: 'a sweep every 100 ms',
    service: SLATE,
    begin: (service) => repeat(SWEEPS_PER_SECOND, () => sweep(service)),
  },
  {
    name: 'name index of 4,096 fresh fixtures',
    service: FRESH_SLATE,
    isFresh: true,
    begin: (service) => repeat(1, () => findMatch(service)),
  },
  {
    name: 'all of it at once',
    service: {
      ...SLATE,
      environment: { ...PROXIED, FEED: 'simulator', SIMULATOR_RATE: '5000' },
      prepare: fillLimiter,
    },
    begin: (service) => {
      const ends = [
        repeat(LOGINS_PER_SECOND, (turn) => logIn(service.url, turn)),
        repeat(SWEEPS_PER_SECOND, () => sweep(service)),
        repeat(1, () => findMatch(service)),
        repeat(KEYLESS_PER_SECOND, (turn) => pollKeyless(service.url, turn)),
      ];
      return async () => {
        await Promise.all(ends.map((end) => end()));
      };
    },
  },
  {
    name: 'full limiter table flushed and swept',
    service: { ...SLATE, environment: PROXIED, prepare: fillLimiter },
    begin: ({ url }) => repeat(KEYLESS_PER_SECOND, (turn) => pollKeyless(url, turn)),
  },
];

export async function measureSituations(
  site: BenchSite,
  { rounds, seconds, only }: SituationOptions,
): Promise<SituationResult[]> {
  const results: SituationResult[] = [];
  for (const situation of SITUATIONS) {
    if (!situation.name.includes(only)) continue;
    try {
      const result = await measureSituation(site, situation, { rounds, seconds });
      console.log(situation.name, JSON.stringify(result));
      results.push(result);
    } catch (error) {
      // On a busy machine a server may not answer in time. The other situations are still worth measuring.
      console.warn(`${situation.name} is left out: ${String(error)}`);
    }
  }
  return results;
}

async function measureSituation(
  site: BenchSite,
  situation: Situation,
  { rounds, seconds }: Pick<SituationOptions, 'rounds' | 'seconds'>,
): Promise<SituationResult> {
  let service = await site.startService(situation.service);
  const body = await (await service.get(await pathOf(service))).bytes();
  await Bun.write(site.path('poll.json'), body);
  const start = (name: string) =>
    site.start([process.execPath, `${import.meta.dir}/${name}-server.ts`, site.path('poll.json')]);
  const beside = { bare: await start('bare'), floor: await start('tail-floor') };
  const seen: Seen = { latencies: { ours: [], bare: [], floor: [] }, loopDelayMs: 0, floorDelayMs: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const order = turnOf(round);
    for (const servers of situation.isFresh === true ? order.map((server) => [server]) : [order]) {
      await pollWhileBusy({ service, situation, beside, servers, seconds, seen }).catch((error) => {
        service.end();
        throw error;
      });
      if (situation.isFresh === true) {
        service.end();
        service = await site.startService(situation.service);
      }
    }
  }
  service.end();
  const { ours, bare, floor } = seen.latencies;
  return {
    name: situation.name,
    tails: { ours: tailOf(ours), bare: tailOf(bare), floor: tailOf(floor) },
    loopDelayMs: seen.loopDelayMs,
    floorDelayMs: seen.floorDelayMs,
  };
}

/** The measurements of all rounds of a situation so far. */
interface Seen {
  readonly latencies: Readonly<Record<PolledServer, Float64Array[]>>;
  loopDelayMs: number;
  floorDelayMs: number;
}

interface BusyPolls {
  readonly service: BenchedService;
  readonly situation: Situation;
  readonly beside: Readonly<Record<'bare' | 'floor', string>>;
  readonly servers: readonly PolledServer[];
  readonly seconds: number;
  readonly seen: Seen;
}

/** Polls the servers one after another while the service does the situation's work. */
async function pollWhileBusy({
  service,
  situation,
  beside,
  servers,
  seconds,
  seen,
}: BusyPolls): Promise<void> {
  const path = await pathOf(service);
  const headers = { authorization: `Bearer ${service.nextKey()}` };
  const urls: Readonly<Record<PolledServer, string>> = { ours: service.url, ...beside };
  const delaysBefore = await loopDelays(service);
  await latestOf(beside.floor); // resets the maximum, which includes delays from before this round
  const end = situation.begin(service);
  try {
    for (const server of servers) {
      const options = { url: urls[server] + path, headers, perSecond: POLLS_PER_SECOND, seconds };
      seen.latencies[server].push(await runOpenLoop(options));
    }
  } finally {
    await end();
  }
  seen.floorDelayMs = Math.max(seen.floorDelayMs, await latestOf(beside.floor));
  seen.loopDelayMs = Math.max(seen.loopDelayMs, longestSince(delaysBefore, await loopDelays(service)));
}

/** The order in which the servers are polled, which changes from round to round. */
function turnOf(round: number): PolledServer[] {
  const servers: PolledServer[] = ['ours', 'bare', 'floor'];
  return [...servers.slice(round % servers.length), ...servers.slice(0, round % servers.length)];
}

/** The longest delay of a timer of tail-floor-server.ts since the last call, in ms. */
async function latestOf(floor: string): Promise<number> {
  return Number(await (await fetch(`${floor}/late`)).text());
}

/** Cumulative counts of delays by bucket bound in ms, for the one HTTP thread. */
async function loopDelays(service: BenchedService): Promise<ReadonlyMap<number, number>> {
  const text = await (await service.get('/metrics')).text();
  // Thread 0 is the HTTP thread. The query thread is left out: it may be blocked for long.
  const lines = text.matchAll(
    /^overround_event_loop_delay_seconds_bucket\{([^}]*thread="0"[^}]*)\} (\d+)$/gm,
  );
  const counts = [...lines]
    .map(([, labels, count]) => [/le="([^"]+)"/.exec(labels!)![1], count] as const)
    .map(([bound, count]) => [boundMs(bound!), Number(count)] as const);
  if (counts.length === 0) throw new Error('Cannot bench: /metrics has no event-loop delays');
  return new Map(counts);
}

function boundMs(text: string): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : Math.round(Number(text) * 1e6) / 1e3;
}

/** The lowest bucket bound that no delay between the two readings exceeds. */
function longestSince(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  const since = [...after].map(([bound, count]) => [bound, count - before.get(bound)!] as const);
  const total = Math.max(...since.map(([, count]) => count));
  return Math.min(...since.filter(([, count]) => count === total).map(([bound]) => bound));
}

/** The odds of the fixture that kicks off last, because it stays on the slate until the end. */
async function pathOf(service: BenchedService): Promise<string> {
  return `/v1/events/${(await service.eventIds()).at(-1)}/odds`;
}

/** @param rounds the sorted latencies of each round */
function tailOf(rounds: readonly Float64Array[]): Tail {
  const sorted = Float64Array.from(rounds.flatMap((round) => [...round])).sort();
  return {
    p50: quantileOf(sorted, 0.5),
    p99: quantileOf(sorted, 0.99),
    p999: quantileOf(sorted, 0.999),
    worst: quantileOf(sorted, 1),
    roundsP999: rounds.map((round) => quantileOf(round, 0.999)),
  };
}

/**
 * The p99.9 of one server divided by that of another: the median over the rounds, so that one stall of the
 * machine has little effect.
 */
export function tailRatioOf(one: Tail, other: Tail): number {
  return median(one.roundsP999.map((ms, round) => ms / other.roundsP999[round]!));
}

/**
 * Calls `work` a fixed number of times a second, whether or not earlier calls have ended. @returns a function
 * that stops it
 */
function repeat(perSecond: number, work: (turn: number) => Promise<void>): () => Promise<void> {
  const pending = new Set<Promise<void>>();
  let turn = 0;
  const timer = setInterval(() => {
    const one = work(turn++)
      .catch((error: unknown) => console.warn(String(error))) // the service is overloaded, or has ended
      .finally(() => pending.delete(one));
    pending.add(one);
  }, 1000 / perSecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
  };
}

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (response.status === 404 || response.status === 422)
    throw new Error(`Cannot bench: ${url} ${response.status}`);
}

function logIn(url: string, turn: number): Promise<void> {
  const account = { email: `person${turn}@example.org`, password: 'a wrong password' };
  return post(`${url}/platform/login`, account, { 'x-forwarded-for': addressOf(turn) });
}

function sweep(service: BenchedService): Promise<void> {
  const headers = { authorization: `Bearer ${service.nextKey()}` };
  return post(`${service.url}/v1/mcp/scan_slate`, { only_signal: true, limit: 20 }, headers);
}

function findMatch(service: BenchedService): Promise<void> {
  const headers = { authorization: `Bearer ${service.nextKey()}` };
  return post(`${service.url}/v1/mcp/find_match`, { query: 'Home 17 Away 17' }, headers);
}

async function pollKeyless(url: string, turn: number): Promise<void> {
  const headers = { 'x-forwarded-for': addressOf((turn * 997) % ADDRESSES) };
  await (await fetch(`${url}/v1/sports`, { headers })).arrayBuffer();
}

function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** Inserts counts of today for 250,000 addresses, nearly as many as the limiter has room for. */
function fillLimiter(dataDir: string): void {
  const path = join(dataDir, DATABASE_NAME);
  const database = openDatabase({ path, schemas: [DAILY_COUNTS_SCHEMA], create: true, check: false });
  const day = Math.floor(Date.now() / MILLISECONDS_A_DAY) % 2 ** 15;
  const insert = database.prepare('INSERT INTO daily_counts VALUES (2, ?, ?, ?, 20)');
  database.transaction(() => {
    for (let number = 0; number < ADDRESSES; number += 1) insert.run(0x00ff_0000, (10 << 24) | number, day);
  })();
  database.close();
}
