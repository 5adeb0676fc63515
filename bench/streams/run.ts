// `bun run bench:streams [name] [--quick] [--write]`: what streams cost, compared with their lower bound and
// with the aims in the table. The readers, the service and the bare server are separate processes; the feed
// runs in this one. It takes about five minutes; with --quick two, and the figures are rough. With a name,
// only the cases whose name contains it run.

import { FeedStandIn } from '../../test/service/mirrors/feed-stand-in.ts';
import { machineLine, quantileOf } from '../figures.ts';
import { flagsOf } from '../flags.ts';
import { runOpenLoop } from '../http/load.ts';
import { type BenchedService, BenchSite } from '../http/site.ts';
import { writePart } from '../performance-page.ts';
import { processorSeconds, residentBytes } from '../processes.ts';
import type { ReaderRequest } from './readers.ts';
import { Readers, socketRequest, streamRequest } from './site.ts';

const { isQuick, isWritten, only } = flagsOf({
  command: 'bun run bench:streams',
  about: 'What streams cost, beside a server that only sends, in about five minutes.',
  named: 'run only the cases whose name contains it',
  canWrite: true,
});
const SECONDS = isQuick ? 5 : 15;
const READERS = 1_000;
const STREAMS_PER_KEY = 500;
const TICK_MS = 100;
/** Few, so that a frame has about 700 bytes. */
const CHANGES_PER_SECOND = 30;
const STEP_MS = 5;
/** After this time the snapshots of all views have been sent. */
const SETTLE_MS = 8_000;

interface Row {
  readonly what: string;
  readonly figure: string;
  readonly aim: string;
}

const rows: Row[] = [];
function report(what: string, figure: string, aim: string): void {
  rows.push({ what, figure, aim });
  console.log(`| ${what} | ${figure} | ${aim} |`);
}

/** A feed that sends a fixed number of messages a second until it is disposed. */
class SteadyFeed implements AsyncDisposable {
  readonly feed = new FeedStandIn(1);
  readonly #timer: Timer;
  #sent = 0;

  constructor(perSecond: number) {
    const startMs = performance.now();
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - startMs) / 1_000) * perSecond) - this.#sent;
      this.feed.send(due);
      this.#sent += due;
      this.feed.record.length = 0;
    }, STEP_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.feed.stop();
  }
}

function startService(site: BenchSite, environment: Record<string, string>): Promise<BenchedService> {
  return site.startService({ fixtures: 1, quotesPerFixture: 15, environment });
}

function keyOf(service: BenchedService, index: number): string {
  return service.keys[Math.floor(index / STREAMS_PER_KEY)]!;
}

interface Cost {
  readonly microsPerFrame: number;
  readonly frameBytes: number;
  readonly framesPerSecond: number;
}

/** The processor time of the server per frame, without what it uses when it has no readers. */
async function costOf(pid: number, url: string, requests: readonly ReaderRequest[]): Promise<Cost> {
  await Bun.sleep(SETTLE_MS);
  const idleFrom = processorSeconds(pid);
  await Bun.sleep(SECONDS * 1_000);
  const idle = processorSeconds(pid) - idleFrom;
  using readers = new Readers();
  await readers.open(url, requests);
  await Bun.sleep(SETTLE_MS);
  const from = processorSeconds(pid);
  const { frames, bytes } = await readers.count(SECONDS);
  const used = processorSeconds(pid) - from - idle;
  return {
    microsPerFrame: (used / frames) * 1e6,
    frameBytes: Math.round(bytes / frames),
    framesPerSecond: frames / SECONDS,
  };
}

async function floorOf({ frameBytes, framesPerSecond }: Cost, isSocket: boolean): Promise<Cost> {
  const everyMs = Math.round((READERS * 1_000) / framesPerSecond);
  const command = [`${import.meta.dir}/bare-server.ts`, String(frameBytes), String(everyMs)];
  const child = Bun.spawn([process.execPath, ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const { value } = await child.stdout.getReader().read();
    const url = `http://127.0.0.1:${Number(new TextDecoder().decode(value))}`;
    const request = isSocket ? socketRequest(null, {}) : streamRequest('/', null);
    const requests = Array.from({ length: READERS }, () => request);
    return await costOf(child.pid, url, requests);
  } finally {
    child.kill('SIGKILL');
  }
}

function viewsOf(count: number): string[] {
  const books = ['crown', 'sbobet', 'pinnacle', 'macau', 'm8bet', 'nova88', 'hkjc'];
  const formats = ['decimal', 'american', 'hk', 'malay', 'indonesian', 'probability'];
  const markets = ['1x2', 'asian_handicap', 'totals', '1x2,totals'];
  return Array.from({ length: count }, (_, index) => {
    // Every view contains the bookmakers that have quotes.
    const chosen = [
      'crown',
      'sbobet',
      'pinnacle',
      'macau',
      ...books.slice(4).filter((_book, bit) => (index >> bit) & 1),
    ];
    const rest = index >> 3;
    const format = formats[rest % formats.length];
    const market = markets[Math.floor(rest / formats.length) % markets.length];
    const date = Math.floor(rest / formats.length / markets.length);
    const zone = [
      'UTC',
      'Asia/Singapore',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Tokyo',
      'Europe/London',
    ][date % 6];
    return `bookmakers=${chosen.join()}&format=${format}&markets=${market}&date=${tomorrow()}&timezone=${zone}`;
  });
}

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
}

async function frames(site: BenchSite): Promise<void> {
  for (const wire of ['events', 'socket'] as const) {
    await using steady = new SteadyFeed(CHANGES_PER_SECOND);
    const service = await startService(site, { FEED: steady.feed.url });
    const requests = Array.from({ length: READERS }, (_, index) =>
      wire === 'events'
        ? streamRequest(`/v1/stream?tick_ms=${TICK_MS}`, keyOf(service, index))
        : socketRequest(keyOf(service, index), { tick_ms: TICK_MS }),
    );
    const cost = await costOf(service.pid, service.url, requests);
    const floor = await floorOf(cost, wire === 'socket');
    printRatio(`processor per frame, ${READERS} readers of one view, ${wire}`, cost, floor, 'at most 1.5');
    if (wire === 'events') {
      const views = viewsOf(READERS).map((query, index) =>
        streamRequest(`/v1/stream?tick_ms=${TICK_MS}&${query}`, keyOf(service, index)),
      );
      const distinct = await costOf(service.pid, service.url, views);
      printRatio(`the same, ${new Set(viewsOf(READERS)).size} distinct views`, distinct, floor, 'at most 5');
    }
    service.end();
  }
}

function printRatio(what: string, cost: Cost, floor: Cost, aim: string): void {
  const ratio = (cost.microsPerFrame / floor.microsPerFrame).toFixed(2);
  const detail = `${cost.microsPerFrame.toFixed(1)} us of ${cost.frameBytes} B, ${Math.round(cost.framesPerSecond)}/s; floor ${floor.microsPerFrame.toFixed(1)} us`;
  report(what, `${ratio} (${detail})`, aim);
}

async function latency(site: BenchSite): Promise<void> {
  await using steady = new SteadyFeed(1_000);
  const service = await startService(site, { FEED: steady.feed.url });
  using readers = new Readers();
  const path = '/v1/stream?tick_ms=20&bookmakers=macau&markets=1x2';
  await readers.open(
    service.url,
    Array.from({ length: READERS }, (_, index) => streamRequest(path, keyOf(service, index))),
  );
  await Bun.sleep(SETTLE_MS);
  const { latenciesMs, frames: count } = await readers.count(SECONDS);
  const sorted = Float64Array.from(latenciesMs).sort();
  const [p50, p99] = [quantileOf(sorted, 0.5), quantileOf(sorted, 0.99)];
  report(
    `change to bytes at ${READERS} readers, 1,000 changes/s, tick 20`,
    `p50 ${p50} ms, p99 ${p99} ms (${Math.round(count / SECONDS)} frames/s)`,
    'p99 at most 30 ms',
  );
  service.end();
}

async function polls(site: BenchSite): Promise<void> {
  await using steady = new SteadyFeed(CHANGES_PER_SECOND);
  const service = await startService(site, { FEED: steady.feed.url });
  const [id] = await service.eventIds();
  const options = {
    url: `${service.url}/v1/events/${id}/odds`,
    headers: { authorization: `Bearer ${service.keys[50]}` },
    perSecond: 500,
    seconds: SECONDS * 2,
  };
  await Bun.sleep(SETTLE_MS);
  const without = quantileOf(await runOpenLoop(options), 0.999);
  using readers = new Readers();
  const path = `/v1/stream?tick_ms=${TICK_MS}`;
  await readers.open(
    service.url,
    Array.from({ length: READERS }, (_, index) => streamRequest(path, keyOf(service, index))),
  );
  await Bun.sleep(SETTLE_MS);
  const beside = quantileOf(await runOpenLoop(options), 0.999);
  const figure = `${(beside / without).toFixed(2)} (p99.9 ${beside.toFixed(2)} ms, without ${without.toFixed(2)} ms)`;
  report(`polls beside ${READERS} streams, tick ${TICK_MS}`, figure, 'at most 1.5');
  service.end();
}

async function bytes(site: BenchSite): Promise<void> {
  const service = await startService(site, { FEED: 'simulator' });
  const ids = await service.eventIds();
  const seconds = isQuick ? 20 : 60;
  using readers = new Readers();
  const counted = readers.count(seconds + 1);
  await readers.open(service.url, [streamRequest('/v1/stream?tick_ms=1000', service.keys[0]!)]);
  const etags = new Map<string, string>();
  let polled = 0;
  const startMs = performance.now();
  for (let second = 0; second < seconds; second++) {
    await Promise.all(
      ids.map(async (id, index) => {
        const response = await fetch(`${service.url}/v1/events/${id}/odds`, {
          headers: {
            authorization: `Bearer ${service.keys[1 + (index % 20)]}`,
            'accept-encoding': 'identity',
            'if-none-match': etags.get(id) ?? '',
          },
        });
        etags.set(id, response.headers.get('etag') ?? '');
        const head = [...response.headers].reduce(
          (sum, [name, value]) => sum + name.length + value.length + 4,
          17,
        );
        polled += head + (await response.arrayBuffer()).byteLength;
      }),
    );
    await Bun.sleep(Math.max(0, startMs + (second + 1) * 1_000 - performance.now()));
  }
  const streamed = (await counted).bytes;
  report(
    `bytes to mirror ${ids.length} simulated fixtures for ${seconds} s, stream / polls`,
    `${(streamed / polled).toFixed(3)} (${(streamed / 1e6).toFixed(1)} MB, ${(polled / 1e6).toFixed(1)} MB)`,
    'at most 0.05 in a minute',
  );
  service.end();
}

async function full(site: BenchSite): Promise<void> {
  const service = await site.startService({ fixtures: 1_000, quotesPerFixture: 75 });
  const times: number[] = [];
  let byteCount = 0;
  const before = residentBytes(service.pid);
  for (let turn = 0; turn < 20; turn++) {
    const startMs = performance.now();
    byteCount = (await (await service.get('/v1/odds')).arrayBuffer()).byteLength;
    times.push(performance.now() - startMs);
  }
  const sorted = Float64Array.from(times).sort();
  const grown = (residentBytes(service.pid) - before) / 1e6;
  report(
    '/v1/odds of 1,000 fixtures, full',
    `median ${quantileOf(sorted, 0.5).toFixed(0)} ms, best ${sorted[0]!.toFixed(0)} ms (${(byteCount / 1e6).toFixed(1)} MB; the process grew by ${grown.toFixed(0)} MB)`,
    'at most 60 ms',
  );
  service.end();
}

async function open(site: BenchSite): Promise<void> {
  const count = isQuick ? 2_000 : 10_000;
  await using steady = new SteadyFeed(CHANGES_PER_SECOND);
  const service = await startService(site, { FEED: steady.feed.url });
  for (const wire of ['events', 'socket'] as const) {
    await Bun.sleep(SETTLE_MS);
    const before = residentBytes(service.pid);
    using readers = new Readers();
    await readers.open(
      service.url,
      Array.from({ length: count }, (_, index) =>
        wire === 'events'
          ? streamRequest('/v1/stream?tick_ms=1000&sport=basketball', keyOf(service, index))
          : socketRequest(keyOf(service, index), { tick_ms: 1_000, sport: 'basketball' }),
      ),
    );
    await Bun.sleep(6_000); // by now the server has sent each reader a heartbeat
    const each = (residentBytes(service.pid) - before) / count / 1024;
    report(`${count} open streams, ${wire}`, `${each.toFixed(1)} KB each`, 'at most 30 KB');
  }
  service.end();
}

using site = new BenchSite();
process.on('SIGINT', () => {
  site[Symbol.dispose]();
  process.exit(1);
});
const CASES = { frames, latency, polls, bytes, full, open };
for (const [name, run] of Object.entries(CASES)) if (name.includes(only)) await run(site);
const table = [
  '| | seen | aim |',
  '|---|---|---|',
  ...rows.map(({ what, figure, aim }) => `| ${what} | ${figure} | ${aim} |`),
].join('\n');
console.log(`\n${table}`);
if (isWritten) await writePart('bench:streams', `${machineLine(Date.now())}\n\n${table}`);
process.exit(0);
