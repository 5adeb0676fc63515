// The history thread, the query thread or an HTTP thread dies or hangs while prices move. Without the history
// thread, polls are answered and questions about the past get 503. The next history thread writes the changes
// that waited in the ring, so the tape has no gap and no tick twice. Without the query thread, no poll is
// lost, and requests to that thread are 503 with Retry-After. If an HTTP thread dies, the other threads lose
// no request, another thread takes its place, and the shared rate-limit buckets keep their state. A new
// thread may start for a minute before it counts as hung, so the tests first make a thread hang and then end
// it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/clock.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { restartCount } from '../support/prometheus.ts';
import { type RunningService, runService } from '../support/running-service.ts';

const CONNECTIONS = 8;
/**
 * The pause between two requests of a poller. It makes enough load for the service, and leaves other work on
 * the machine its time.
 */
const PAUSE_MS = 40;
const BURST_OF_FREE = 30;
const REFILL_EVERY_MS = 1_000;

let running: RunningService;
const channels = {
  history: new BroadcastChannel('overround-history-death'),
  http: new BroadcastChannel('overround-http-death'),
  query: new BroadcastChannel('overround-query-death'),
};
const mortal = (thread: string): URL => new URL(`./mortal-${thread}.worker.ts`, import.meta.url);

beforeAll(async () => {
  running = await runService(
    {
      ...{ HISTORY_DAYS: '1', HTTP_THREADS: '2' },
      ...{ SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '2' },
    },
    { workerUrls: { history: mortal('history'), http: mortal('http'), query: mortal('query') } },
  );
});
afterAll(async () => {
  for (const channel of Object.values(channels)) channel.close();
  await running[Symbol.asyncDispose]();
});

interface Coverage {
  readonly from: string;
  readonly to: string;
  readonly gaps: readonly unknown[];
}

/** The range that the tape covers, once it has ticks after `afterMs`. */
async function coverageAfter(afterMs: number): Promise<Coverage> {
  let coverage: Coverage | null = null;
  await until('the tape has later ticks', async () => {
    const response = await running.fetch('/v1/history');
    if (response.status !== 200) return false;
    coverage = (await response.json()) as Coverage;
    return Date.parse(coverage.to) > afterMs;
  });
  return coverage!;
}

/**
 * A client with one connection, which stays with the thread that accepted it. It polls again as soon as it is
 * answered.
 */
class Poller {
  /** The part of a request id that identifies the thread. */
  thread = '';
  answered = 0;
  failed = 0;
  isClosed = false;
  #isEnded = false;
  #socket: Bun.Socket | null = null;
  readonly #request: string;

  constructor(key: string) {
    this.#request = `GET /v1/sports HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  }

  async open(port: number): Promise<this> {
    this.#socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (_socket, data) => this.#read(data.toString('latin1')),
        close: () => {
          this.isClosed = true;
        },
        error: () => {},
      },
    });
    this.#socket.write(this.#request);
    return this;
  }

  end(): void {
    this.#isEnded = true;
    this.#socket?.terminate();
  }

  #read(text: string): void {
    const id = /x-request-id: ([0-9a-f]+)-/i.exec(text)?.[1];
    if (id === undefined) return; // this is the rest of a body
    this.thread = id;
    // A 429 is a valid answer too.
    if (/^HTTP\/1\.1 (200|429)/.test(text)) this.answered += 1;
    else this.failed += 1;
    setTimeout(() => {
      if (!this.#isEnded) this.#socket?.write(this.#request);
    }, PAUSE_MS);
  }
}

function openPollers(): Promise<Poller[]> {
  const port = Number(new URL(running.url).port);
  return Promise.all(Array.from({ length: CONNECTIONS }, () => new Poller(running.key).open(port)));
}

/**
 * Polls both threads. A busy system may give all connections to one thread, so more are opened until both
 * have some.
 */
async function pollBoth(): Promise<Poller[]> {
  const pollers: Poller[] = [];
  await until('both threads are polled', async () => {
    pollers.push(...(await openPollers()));
    await until('all were answered', () => pollers.every(({ answered }) => answered > 0));
    return new Set(pollers.map(({ thread }) => thread)).size === 2;
  });
  return pollers;
}

test.each(['hang', 'exit'])(
  'the tape is complete after the history thread has died by %s',
  async (how) => {
    const begun = await coverageAfter(0);
    const { from, to, gaps } = await coverageAfter(Date.parse(begun.from) + 1_500);
    const { data } = await running.get<{ data: { id: string }[] }>(`/v1/history/events?from=${from}`);
    const ticks = `/v1/events/${data[0]!.id}/history?from=${from}&to=${to}`;
    const written = await (await running.fetch(ticks)).text();
    const before = await restartCount(running.url, 'history');
    const polled = new Set<string>();
    const asked = new Set<string>();
    const reports = new Set<string>();
    const waiting: Promise<unknown>[] = [];
    channels.history.postMessage({ how });
    await until('another was started', async () => {
      polled.add(`odds ${(await running.fetch('/v1/odds')).status}`);
      const ready = await running.fetch('/ready');
      const { history } = (await ready.json()) as { history: { state: string; reason: string | null } };
      polled.add(`ready ${ready.status}`);
      reports.add(`${history.state} ${history.reason}`);
      if (waiting.length < 20) waiting.push(running.fetch('/v1/history').then(note));
      return (await restartCount(running.url, 'history')) === before + 1;
    });
    const startedAgainAtMs = systemClock.wallMs();
    async function note(response: Response): Promise<void> {
      asked.add(`${response.status} ${response.headers.get('retry-after')}`);
      await response.arrayBuffer();
    }
    await Promise.all(waiting);
    expect([...polled].sort()).toEqual(['odds 200', 'ready 200']);
    expect([...asked].filter((answer) => answer !== '200 null')).toEqual(['503 1']);
    expect([...reports]).toContain('stopped thread_lost');
    // On a busy machine the feed may count as lost for a moment while the server starts.
    expect((await coverageAfter(startedAgainAtMs)).gaps).toEqual(gaps);
    expect(await (await running.fetch(ticks)).text()).toBe(written);
    await until('/ready says that it is written', async () => {
      const { history } = await running.get<{ history: { state: string } }>('/ready');
      return history.state === 'ok';
    });
  },
  120_000,
);

describe('an HTTP thread under load', () => {
  for (const how of ['hang', 'exit']) {
    test(`if the thread dies by ${how}, the other thread answers every request, and a new one takes its place`, async () => {
      const pollers = await pollBoth();
      const restarts = await restartCount(running.url, 'http');
      channels.http.postMessage({ thread: 0, how });
      await until('its connections are gone', () => pollers.some(({ isClosed }) => isClosed));
      const lost = pollers.find(({ isClosed }) => isClosed)!.thread;
      const others = pollers.filter(({ thread }) => thread !== lost);
      const before = others.map(({ answered }) => answered);
      await until(
        'another was started',
        async () => (await restartCount(running.url, 'http')) === restarts + 1,
      );
      const again = await pollBoth();
      expect(again.some(({ thread }) => pollers.every((poller) => poller.thread !== thread))).toBe(true);
      await until('the others go on', () => others.every(({ answered }, index) => answered > before[index]!));
      expect(others.filter(({ isClosed, failed }) => isClosed || failed > 0)).toEqual([]);
      for (const poller of [...pollers, ...again]) poller.end();
    }, 120_000);
  }

  test('if the thread dies, the shared bucket keeps its state: no key gets more than its bucket holds', async () => {
    const [key] = await createKeys(running.dataDir, 'free', 1);
    const restarts = await restartCount(running.url, 'http');
    const headers = { authorization: `Bearer ${key}` };
    const startedAtMs = performance.now();
    let [admitted, refused] = [0, 0];
    const ask = async () => {
      const status = await fetch(`${running.url}/v1/sports`, { headers, keepalive: false }).then(
        (response) => response.status,
        () => 0, // a dying thread may or may not have admitted it, so it counts as neither
      );
      if (status === 200) admitted += 1;
      if (status === 429) refused += 1;
    };
    for (let count = 0; count < BURST_OF_FREE / 2; count += 1) await ask();
    channels.http.postMessage({ thread: 1, how: 'exit' });
    for (let count = 0; count < BURST_OF_FREE; count += 1) await ask();
    await until(
      'another was started',
      async () => (await restartCount(running.url, 'http')) === restarts + 1,
    );
    for (let count = 0; count < BURST_OF_FREE; count += 1) await ask();
    const refilled = Math.ceil((performance.now() - startedAtMs) / REFILL_EVERY_MS);
    expect(refused).toBeGreaterThan(0);
    expect(admitted).toBeLessThanOrEqual(BURST_OF_FREE + refilled);
    expect(admitted + 2).toBeGreaterThanOrEqual(BURST_OF_FREE);
  }, 120_000);
});

function askBatch(ids: readonly string[]): Promise<Response> {
  return running.fetch('/v1/odds/batch', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event_ids: ids }),
  });
}

test.each(['exit', 'hang'])(
  'polls are still answered while the query thread dies by %s',
  async (how) => {
    // A match before its kickoff does not leave the slate meanwhile.
    const { data } = await running.get<{ data: { id: string }[] }>('/v1/events?status=scheduled&limit=1');
    const odds = `/v1/events/${data[0]!.id}/odds`;
    const before = await restartCount(running.url, 'query');
    await running.get('/ready');
    // Every route that HTTP threads answer themselves, except streams.
    const polledPaths = [odds, `${odds}/1x2`, '/v1/odds', '/health', '/ready'];
    const polled = new Set<string>();
    const asked = new Set<string>();
    const waiting: Promise<unknown>[] = [];
    let isOver = false;
    channels.query.postMessage({ how });
    // On a busy machine the first round of polls may end only when the new thread has started.
    for (let count = 0; count < 5; count++) waiting.push(running.fetch('/v1/sports').then(note));
    const poll = (async () => {
      while (!isOver) {
        for (const path of polledPaths) polled.add(`${path} ${(await running.fetch(path)).status}`);
        polled.add(`batch ${(await askBatch([data[0]!.id])).status}`);
        if (waiting.length < 20) waiting.push(running.fetch('/v1/sports').then(note));
        await Bun.sleep(20);
      }
    })();
    async function note(response: Response): Promise<void> {
      asked.add(`${response.status} ${response.headers.get('retry-after')}`);
      await response.arrayBuffer();
    }
    await until('another was started', async () => (await restartCount(running.url, 'query')) === before + 1);
    isOver = true;
    await Promise.all([poll, ...waiting]);
    expect([...polled]).toEqual([...polledPaths, 'batch'].map((path) => `${path} 200`));
    expect([...asked].filter((answer) => answer !== '200 null')).toEqual(['503 1']);
    expect((await running.fetch('/v1/sports')).status).toBe(200);
    expect((await running.fetch('/v1/events?league=Premier%20League')).status).toBeLessThan(500);
  },
  120_000,
);
