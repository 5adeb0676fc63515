// The memory of the whole server. `bun bench/footprint.ts [seconds]` starts it with 1,000 fixtures, polls
// odds, lists and tools from many clients while the market moves, and prints the resident set. Exits non-zero
// above RESIDENT_MAX_MB.

import { assert } from '../src/errors.ts';
import { ServerProcess } from '../test/support/server-process.ts';
import { BenchedService } from './http/site.ts';
import { residentBytes } from './processes.ts';

const FOOTBALL_FIXTURES = 800;
const BASKETBALL_FIXTURES = 200;
const SECONDS_DEFAULT = 60;
const POLLERS = 20;
/** The pause of each poller, chosen so that all together stay below the rate limit of one enterprise key. */
const PAUSE_MS = 22;
const REPORT_EVERY_MS = 10_000;
/**
 * The aim for 1,000 fixtures with about 60,000 quotes. The exact number of quotes depends on the matches of
 * the day.
 */
const RESIDENT_MAX_MB = 350;
const QUOTES_MIN = 50_000;

interface Health {
  readonly matches: number;
  readonly odds: number;
}

async function main(): Promise<void> {
  const seconds = Number(process.argv[2] ?? SECONDS_DEFAULT);
  await using server = new ServerProcess({
    ...{ NODE_ENV: 'development', TRUSTED_PROXIES: '127.0.0.1', HISTORY_DAYS: '' },
    SIMULATOR_FOOTBALL_FIXTURES: String(FOOTBALL_FIXTURES),
    SIMULATOR_BASKETBALL_FIXTURES: String(BASKETBALL_FIXTURES),
  });
  const url = await server.serving();
  const [, key] = await server.logged(/development_key .*?key="([^"]+)"/);
  const { pid } = server.child;
  console.log(`${Math.round(residentBytes(pid) / 1e6)} MB resident: started`);
  const load = new Load(new BenchedService({ url, keys: [key!], pid, end: () => {} }));
  const peakMb = await watch(pid, load, seconds);
  const health = (await (await fetch(`${url}/health`)).json()) as Health;
  console.log(
    `${health.matches} fixtures, ${health.odds} quotes, ${load.count} answers read, peak ${peakMb} MB`,
  );
  assert(health.odds >= QUOTES_MIN, 'the slate has at least QUOTES_MIN quotes');
  if (peakMb > RESIDENT_MAX_MB) {
    console.error(`Cannot fit: ${peakMb} MB were resident, at most ${RESIDENT_MAX_MB} are allowed`);
    process.exitCode = 1;
  }
}

/** Clients that each read one response after the other. */
class Load {
  readonly #service: BenchedService;
  #stopped = false;
  #eventIds: string[] = [];
  count = 0;

  constructor(service: BenchedService) {
    this.#service = service;
  }

  async run(): Promise<void> {
    this.#eventIds = await this.#service.eventIds();
    await Promise.all(Array.from({ length: POLLERS }, (_, poller) => this.#poll(poller)));
  }

  stop(): void {
    this.#stopped = true;
  }

  async #poll(poller: number): Promise<void> {
    const others = ['/v1/events?limit=200', '/v1/events/live', '/v1/results', '/v1/leagues'];
    for (let turn = poller; !this.#stopped; turn += POLLERS) {
      const id = this.#eventIds[turn % this.#eventIds.length];
      const isOther = turn % 25 === 0;
      await this.#call(isOther ? others[(turn / 25) % others.length]! : `/v1/events/${id}/odds`);
      if (turn % 400 === 0) await this.#call('/v1/mcp/scan_slate', { method: 'POST', body: '{}' });
      await Bun.sleep(PAUSE_MS);
    }
  }

  async #call(path: string, init: RequestInit = {}): Promise<void> {
    const { url, keys } = this.#service;
    const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { ...init, headers });
    if (response.status !== 404) assert(response.ok, `every request is answered: ${path} ${response.status}`);
    this.count += 1;
    await response.arrayBuffer();
  }
}

/** @returns the peak of the resident set */
async function watch(pid: number, load: Load, seconds: number): Promise<number> {
  let peakMb = 0;
  let elapsedMs = 0;
  const everyMs = Math.min(REPORT_EVERY_MS, seconds * 1000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    elapsedMs += everyMs;
    const megabytes = Math.round(residentBytes(pid) / 1e6);
    peakMb = Math.max(peakMb, megabytes);
    console.log(`${megabytes} MB resident: after ${elapsedMs / 1000} s, ${load.count} answers`);
    if (elapsedMs >= seconds * 1000) resolve();
  }, everyMs);
  const running = load.run();
  await Promise.race([promise, running]);
  clearInterval(timer);
  load.stop();
  await running;
  return peakMb;
}

await main();
