// Runs a server on the simulator under load, watches the ring between ingest and the price history, and
// records answers of single fixtures. Then it requests the same answers with `at=`. Except for the stamps,
// they must be the same bytes, both before a restart and after a restart with the roster in another order. By
// hand: `bun test/faults/tape-instants.ts --seconds 600 --rate 5000 --instants 100`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRACT_ROSTER } from '../../src/domain/roster.ts';
import { createKeys } from '../support/callers.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface InstantsOptions {
  readonly seconds: number;
  /** Messages a second that the simulator sends. */
  readonly rate: number;
  readonly instants: number;
}

export interface InstantsReport {
  readonly instants: number;
  /** Answers about the past that were not what the server had answered then. */
  readonly differing: readonly string[];
  /** Answers that changed with the restart, apart from the order of their quotes. */
  readonly changed: readonly string[];
  readonly messagesPerSecond: number;
  readonly ticks: number;
  /** The highest number of changes that waited in the ring; /metrics is read once a second. */
  readonly ringMax: number;
  readonly dropped: number;
  /** Gaps of the tape, not counting those at the start, before the first prices. */
  readonly gaps: number;
}

interface Recorded {
  readonly path: string;
  readonly at: string;
  readonly text: string;
}

interface Stamped {
  as_of?: string | null;
  odds: { as_of?: string; bookmaker: string }[];
}

/** How many fixtures' answers are recorded. They are so many that some of them are in play. */
const FIXTURES = 100;
const TRIES_MAX = 400;
/**
 * An answer is recorded only if it stays the same for this long, because the thread may be paused between
 * stamping and publishing.
 */
const QUIET_MS = 25;

export async function compareInstants(options: InstantsOptions): Promise<InstantsReport> {
  using folder = temporaryFolder();
  const settings = {
    FEED: 'simulator',
    SIMULATOR_RATE: String(options.rate),
    DATA_DIR: folder.path,
    HISTORY_DAYS: '30',
    LOG_LEVEL: 'info',
    NODE_ENV: 'test',
  };
  const [key = ''] = await createKeys(folder.path, 'enterprise', 1);
  await using server = new ServerProcess(settings);
  const client = new Client(await server.serving(), key);
  const { recorded, ringMax, messagesPerSecond } = await watched(client, options);
  const answers = new Map<string, string>();
  const differing: string[] = [];
  for (const { path, at, text } of recorded) {
    const past = await client.text(`${path}?at=${at}`);
    answers.set(`${path}?at=${at}`, past);
    if (withoutStamps(past) !== withoutStamps(text))
      differing.push(`${path} at ${at}: ${past.slice(0, 200)}; then: ${text.slice(0, 200)}`);
  }
  const metrics = await client.metrics();
  const { gaps } = JSON.parse(await client.text('/v1/history')) as { gaps: { to: string | null }[] };
  await server.kill();
  const rosterPath = join(folder.path, 'reversed.json');
  writeFileSync(rosterPath, JSON.stringify({ bookmakers: CONTRACT_ROSTER.bookmakers.toReversed() }));
  await using again = new ServerProcess({ ...settings, BOOKMAKERS: rosterPath });
  const later = new Client(await again.serving(), key);
  const changed: string[] = [];
  for (const [path, text] of answers) {
    const now = await later.text(path);
    if (withoutOrder(now) !== withoutOrder(text)) changed.push(`${path}: ${now}`);
  }
  return {
    ...{ instants: recorded.length, differing, changed, messagesPerSecond, ringMax },
    ticks: metrics('overround_history_ticks_total'),
    dropped: metrics('overround_history_records_dropped_total'),
    gaps: gaps.filter(({ to }) => to === null || to > recorded[0]!.at).length,
  };
}

/** Records answers at equal intervals, and reads the metrics once a second. */
async function watched(client: Client, { seconds, instants }: InstantsOptions) {
  const ids = await client.fixtures(FIXTURES);
  const recorded: Recorded[] = [];
  let ringMax = 0;
  const applied = async () => (await client.metrics())('overround_feed_messages_applied_total');
  const before = await applied();
  const startMs = performance.now();
  const elapsed = (): number => (performance.now() - startMs) / 1_000;
  for (let second = 1; second <= seconds; second++) {
    ringMax = Math.max(ringMax, (await client.metrics())('overround_history_ring_records'));
    while (recorded.length < (instants * second) / seconds) {
      recorded.push(await client.settledAnswer(ids[(recorded.length * 7) % ids.length]!));
    }
    await Bun.sleep(Math.max(0, (second - elapsed()) * 1_000));
  }
  const messagesPerSecond = Math.round(((await applied()) - before) / elapsed());
  return { recorded, ringMax, messagesPerSecond };
}

class Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${key}` };
  }

  /** The text of the answer. A 503 is no answer about the past, so the request is repeated. */
  async text(path: string): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(this.#url + path, { headers: this.#headers });
      const text = await response.text();
      if (response.status !== 503 || attempt === TRIES_MAX) return text;
      await Bun.sleep(QUIET_MS);
    }
  }

  /** @returns a function that finds a number by its name */
  async metrics(): Promise<(name: string) => number> {
    const page = await this.text('/metrics');
    return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN);
  }

  async fixtures(limit: number): Promise<string[]> {
    const { data } = JSON.parse(await this.text(`/v1/events?limit=${limit}`)) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  }

  /** An answer and the instant at which it was read. It was still the same QUIET_MS later. */
  async settledAnswer(eventId: string): Promise<Recorded> {
    const path = `/v1/events/${eventId}/odds`;
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const text = await this.text(path);
      const at = new Date().toISOString();
      await Bun.sleep(QUIET_MS);
      if ((await this.text(path)) === text) return { path, at, text };
    }
    throw new Error(`${path} never stood still`);
  }
}

/** An answer without its stamps. Only the code is left of an error. */
function withoutStamps(text: string): string {
  const answer = JSON.parse(text) as Stamped & { error?: { code: string } };
  if (answer.error !== undefined) return JSON.stringify({ odds: [], error: answer.error.code });
  delete answer.as_of;
  for (const quote of answer.odds) delete quote.as_of;
  return JSON.stringify(answer);
}

/** An answer without stamps, its quotes in an order that no roster changes. */
function withoutOrder(text: string): string {
  const answer = JSON.parse(withoutStamps(text)) as Stamped;
  const quotes = answer.odds.map((quote) => JSON.stringify(quote));
  return JSON.stringify({ ...answer, odds: quotes.sort() });
}

function flag(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

if (import.meta.main) {
  const report = await compareInstants({
    seconds: flag('seconds', 600),
    rate: flag('rate', 5_000),
    instants: flag('instants', 100),
  });
  console.log(JSON.stringify(report, null, 2));
  if (report.differing.length + report.changed.length > 0) process.exitCode = 1;
}
