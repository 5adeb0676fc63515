// A served slate for the benches of tools: a recording of seeded fixtures, a server process that replays it,
// and enough keys that no budget is used up. The server is a separate process, so that this one measures a
// client's time.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE_MS } from '../src/clock.ts';
import { BOOKMAKER_KEYS, MARKET_1X2, MARKET_TYPES, outcomesOf, PERIODS } from '../src/domain/catalogue.ts';
import { createKeys } from '../test/support/callers.ts';
import { freePort } from '../test/support/free-port.ts';
import { untilReady } from './processes.ts';
import { benchFixtures } from './scoring-slate.ts';

export const SITE_SEED = 20_260_301;
const KEYS = 40;
const REPOSITORY = join(import.meta.dir, '..');

export interface Site extends AsyncDisposable {
  readonly url: string;
  readonly keys: readonly string[];
  /** The recording being replayed, and the time of its hello. */
  readonly recordingPath: string;
  readonly helloAtMs: number;
  /** Ends the server without waiting, because this process is about to exit. */
  abandon(): void;
}

/**
 * A slate of football fixtures, each with 75 quotes or only the first few, as NDJSON of the feed protocol.
 */
export function recordingOf(fixtureCount: number, helloAtMs: number, quotesPerFixture = 75): string {
  const at = new Date(helloAtMs - MINUTE_MS).toISOString();
  const lines: unknown[] = [
    { type: 'hello', protocol: 1, source: 'bench', at: new Date(helloAtMs).toISOString() },
  ];
  let seq = 0;
  for (const { eventNumber, sport, quotes } of benchFixtures(fixtureCount, SITE_SEED)) {
    const event = `event-${eventNumber}`;
    lines.push({
      type: 'event',
      seq: ++seq,
      at,
      event,
      sport: 'football',
      league: { key: 'league', name: 'Bench League' },
      home: { key: `home-${eventNumber}`, name: `Home ${eventNumber}` },
      away: { key: `away-${eventNumber}`, name: `Away ${eventNumber}` },
      scheduled_at: new Date(helloAtMs + eventNumber * 10 * MINUTE_MS).toISOString(),
    });
    for (const quote of quotes.slice(0, quotesPerFixture)) {
      const outcomes = outcomesOf(sport, quote.market).length;
      lines.push({
        type: 'quote',
        seq: ++seq,
        at,
        event,
        bookmaker: BOOKMAKER_KEYS[quote.bookmaker],
        market_type: MARKET_TYPES[quote.market],
        period: PERIODS[quote.period],
        line: quote.market === MARKET_1X2 ? null : quote.lineQuarters / 4,
        prices: quote.pricesE4.slice(0, outcomes).map((priceE4) => priceE4 / 10_000),
        status: quote.status === 0 ? 'open' : 'suspended',
      });
    }
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/**
 * Starts a server process. With `feed`, these settings replace the recording, for example by the simulator.
 */
export async function openSite(
  fixtureCount: number,
  feed: Readonly<Record<string, string>> | null = null,
): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'overround-bench-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const recordingPath = join(folder, 'slate.ndjson');
  const helloAtMs = Date.parse('2026-03-01T12:00:00Z');
  await Bun.write(recordingPath, recordingOf(fixtureCount, helloAtMs));
  const port = freePort();
  const server = Bun.spawn([process.execPath, 'src/main.ts', 'start'], {
    cwd: REPOSITORY,
    env: {
      ...Bun.env,
      FEED: `replay:${recordingPath}`,
      PORT: String(port),
      DATA_DIR: dataDir,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      ...feed,
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  server.unref(); // lets a bench run end while the server still runs
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  const keys = await createKeys(dataDir, 'enterprise', KEYS);
  return {
    url,
    keys,
    recordingPath,
    helloAtMs,
    abandon: () => {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGTERM');
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Calls one endpoint again and again, with the site's keys in turn. */
export class SiteCaller {
  readonly #site: Site;
  #turn = 0;

  constructor(site: Site) {
    this.#site = site;
  }

  async get(path: string): Promise<string> {
    return this.#read(await fetch(this.#site.url + path, { headers: this.#headers() }));
  }

  async tool(name: string, input: unknown): Promise<string> {
    const headers = { ...this.#headers(), 'content-type': 'application/json' };
    const body = JSON.stringify(input);
    return this.#read(await fetch(`${this.#site.url}/v1/mcp/${name}`, { method: 'POST', headers, body }));
  }

  async #read(response: Response): Promise<string> {
    const text = await response.text();
    if (response.status !== 200) throw new Error(`Cannot bench: ${response.status} ${text}`);
    return text;
  }

  #headers(): Record<string, string> {
    this.#turn += 1;
    return { authorization: `Bearer ${this.#site.keys[this.#turn % this.#site.keys.length]}` };
  }
}
