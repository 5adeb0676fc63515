// Clients by other authors follow the slate: EventSource and WebSocket of a real browser, with tickets, and a
// program that uses only Python's standard library. Each ends with the content of the full answer.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { BROWSER_NOTE, NO_BROWSER, TestBrowser } from '../support/browser.ts';
import { createKeys } from '../support/callers.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { FeedStandIn } from './mirrors/feed-stand-in.ts';

const PYTHON = Bun.which('python3');
const VIEW = 'bookmakers=crown,pinnacle';

/**
 * A program as text, because it runs in the browser. It applies the events that are passed to `take` to a
 * mirror, and reports that mirror in the form of the Python program: the cursor, and each fixture's quotes as
 * sorted texts of key and prices.
 */
const MIRROR = `
  const held = new Map();
  const mirror = { cursor: '', events: [], ended: 0 };
  const take = (event, data) => {
    mirror.events.push(event);
    if (event === 'snapshot' && data.part === 1) held.clear();
    for (const id of data.removed ?? []) held.delete(id);
    for (const { event_id, replace, odds } of data.fixtures ?? []) {
      const quotes = replace ? new Map() : held.get(event_id);
      for (const q of odds) quotes.set([q.bookmaker, q.market_type, q.period, q.line].join(), Object.values(q.prices).join());
      held.set(event_id, quotes);
    }
    if (event !== 'hello' && (event !== 'snapshot' || data.last)) mirror.cursor = data.cursor;
    mirror.content = [...held].map(([id, quotes]) => [id, ...[...quotes].map((q) => q.join()).sort()].join(' ')).sort();
  };
  globalThis.mirror = mirror;
`;

const PYTHON_MIRROR = `
import json, os, sys, urllib.request
request = urllib.request.Request(os.environ["URL"], headers={"Authorization": "Bearer " + os.environ["KEY"]})
held, event = {}, None
for line in urllib.request.urlopen(request):
    name, _, value = line.decode().rstrip("\\n").partition(": ")
    if name == "event": event = value
    if name != "data": continue
    data = json.loads(value)
    if event == "snapshot" and data["part"] == 1: held.clear()
    for id in data.get("removed", []): held.pop(id, None)
    for change in data.get("fixtures", []):
        if change["replace"]: held[change["event_id"]] = {}
        for q in change["odds"]:
            line_text = "" if q["line"] is None else f"{q['line']:g}"
            key = ",".join([q["bookmaker"], q["market_type"], q["period"], line_text])
            held[change["event_id"]][key] = ",".join(f"{price:g}" for price in q["prices"].values())
    if event != "hello" and "cursor" in data and (event != "snapshot" or data["last"]):
        content = sorted(" ".join([id, *sorted(f"{k},{v}" for k, v in quotes.items())]) for id, quotes in held.items())
        print(json.dumps({"cursor": data["cursor"], "content": content}), flush=True)
`;

interface MirrorState {
  readonly cursor: string;
  readonly content: readonly string[];
}

let feed: FeedStandIn;
let service: RunningService;
let key: string;

beforeAll(async () => {
  feed = new FeedStandIn(7);
  service = await runService({ FEED: feed.url });
  [key] = (await createKeys(service.dataDir, 'realtime', 1)) as [string];
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await feed.stop();
});

/** The content of a mirror that has the cursor of the full answer. */
async function full(): Promise<MirrorState> {
  const response = await fetch(`${service.url}/v1/odds?${VIEW}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { cursor, fixtures } = (await response.json()) as {
    cursor: string;
    fixtures: { event_id: string; odds: Record<string, unknown>[] }[];
  };
  const content = fixtures.map(({ event_id, odds }) => {
    const quotes = odds.map((q) =>
      [
        [q.bookmaker, q.market_type, q.period, q.line].join(),
        Object.values(q.prices as Record<string, number>).join(),
      ].join(),
    );
    return [event_id, ...quotes.sort()].join(' ');
  });
  return { cursor, content: content.sort() };
}

/** Sends many changes, and waits until a mirror has reached the cursor of the full answer. */
async function expectFollows(state: () => MirrorState | null | Promise<MirrorState | null>): Promise<void> {
  await until('the mirror has begun', async () => (await state()) !== null);
  for (let round = 0; round < 3; round++) {
    feed.send(500);
    let last: { held: MirrorState; answer: MirrorState } | null = null;
    await until('the mirror has come to the cursor of the full answer', async () => {
      const held = await state();
      const answer = await full();
      if (held?.cursor !== answer.cursor) return false;
      last = { held, answer };
      return true;
    });
    const { held, answer } = last!;
    expect(held.content).toEqual(answer.content);
    expect(held.content.length).toBeGreaterThan(5);
  }
}

describe('a browser', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    if (NO_BROWSER === null) browser = await TestBrowser.launch();
  });
  afterAll(async () => {
    if (NO_BROWSER === null) await browser[Symbol.asyncDispose]();
  });

  async function ticket(): Promise<string> {
    const response = await fetch(`${service.url}/v1/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await response.json()) as { ticket: string }).ticket;
  }

  async function run(script: string): Promise<Page> {
    const page = await browser.open(`${service.url}/docs/errors`, { bypassCSP: true });
    await page.evaluate(`{ ${MIRROR} ${script} }`);
    return page;
  }

  async function stateIn(page: Page): Promise<MirrorState | null> {
    const { cursor, content } = await page.evaluate<MirrorState>('({ ...globalThis.mirror })');
    return cursor === '' || content === undefined ? null : { cursor, content };
  }

  test.skipIf(NO_BROWSER !== null)(
    `a browser follows by EventSource, with a ticket that opens only one stream${BROWSER_NOTE}`,
    async () => {
      const url = `/v1/stream?${VIEW}&tick_ms=100&ticket=${await ticket()}`;
      await using page = await run(`
        const source = new EventSource(${JSON.stringify(url)});
        for (const name of ['hello', 'snapshot', 'delta', 'heartbeat']) {
          source.addEventListener(name, ({ data }) => take(name, JSON.parse(data)));
        }
      `);
      await expectFollows(() => stateIn(page));
      await page.evaluate(
        `new EventSource(${JSON.stringify(url)}).addEventListener('error', () => { mirror.ended += 1; })`,
      );
      await until('the second is refused', async () => (await page.evaluate('mirror.ended')) === 1);
    },
    120_000,
  );

  test.skipIf(NO_BROWSER !== null)(
    `a browser follows by WebSocket with a ticket${BROWSER_NOTE}`,
    async () => {
      const address = `${service.url.replace('http', 'ws')}/v1/ws?ticket=${await ticket()}`;
      const [name, value] = VIEW.split('=') as [string, string];
      const request = { op: 'subscribe', id: 'one', [name]: value, tick_ms: 100 };
      await using page = await run(`
        const socket = new WebSocket(${JSON.stringify(address)}, 'overround.v1.json');
        socket.onopen = () => socket.send(${JSON.stringify(JSON.stringify(request))});
        socket.onmessage = ({ data }) => { const { event, data: body } = JSON.parse(data); take(event, body); };
      `);
      await expectFollows(() => stateIn(page));
    },
    120_000,
  );
});

test.skipIf(PYTHON === null)(
  'a program in Python follows with only its standard library (skipped without python3)',
  async () => {
    const program = Bun.spawn([PYTHON!, '-c', PYTHON_MIRROR], {
      env: { URL: `${service.url}/v1/stream?${VIEW}&tick_ms=100`, KEY: key, ...childEnvironment() },
      stdout: 'pipe',
      stderr: 'inherit',
    });
    let state: MirrorState | null = null;
    const reading = (async () => {
      let text = '';
      for await (const bytes of program.stdout) {
        const lines = (text + new TextDecoder().decode(bytes)).split('\n');
        text = lines.pop()!;
        for (const line of lines) state = JSON.parse(line) as MirrorState;
      }
    })();
    try {
      await expectFollows(() => state);
    } finally {
      program.kill();
      await program.exited;
      await reading;
    }
  },
  120_000,
);
