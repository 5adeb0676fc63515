// A running server on the simulator: except for the stamps, its answers about recorded instants are those
// that it gave then. Also tests the routes about the past: ranges, plans, units, caching, pages and schemas.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { unpack } from 'msgpackr';
import { createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { SMALL_SLATE } from '../support/small-slate.ts';

/** How many instants are compared; each takes a few polls. */
const INSTANTS = 100;

let running: RunningService;
let keys: { readonly free: string; readonly standard: string };
let ids: readonly string[];

beforeAll(async () => {
  running = await runService({
    ...{ FEED: 'simulator', FEED_SPEED: '1', HISTORY_DAYS: '30', HTTP_THREADS: '1' },
    ...SMALL_SLATE,
    ...PROXY_SETTINGS,
  });
  const [[free], [standard]] = [
    await createKeys(running.dataDir, 'free', 1),
    await createKeys(running.dataDir, 'standard', 1),
  ];
  keys = { free: free!, standard: standard! };
  await until('the tape has ticks', async () => {
    const response = await ask('/v1/history');
    return response.status === 200 && ((await response.json()) as { days: unknown[] }).days.length > 0;
  });
  const { data } = (await (await ask('/v1/history/events?limit=40')).json()) as {
    data: { event: { id: string } }[];
  };
  ids = data.map(({ event }) => event.id);
});
afterAll(() => running[Symbol.asyncDispose]());

function ask(path: string, key: string | null = running.key, headers: Record<string, string> = {}) {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  return fetch(running.url + path, { headers: { ...authorization, ...headers } });
}

interface Block {
  as_of?: string;
  stale?: boolean;
  odds: { as_of?: string }[];
}

/** An answer without its stamps. */
function withoutStamps(text: string): string {
  const block = JSON.parse(text) as Block;
  delete block.as_of;
  for (const quote of block.odds) delete quote.as_of;
  return JSON.stringify(block);
}

describe('at=', () => {
  test('except for the stamps, answers about a hundred instants are those that the server gave then', async () => {
    const seen: { readonly path: string; readonly at: string; readonly text: string }[] = [];
    for (let round = 0; seen.length < INSTANTS; round++) {
      const path = `/v1/events/${ids[round % ids.length]}/odds`;
      const first = await ask(path);
      const text = await first.text();
      const at = new Date().toISOString();
      const again = await ask(path);
      // If two answers in a row are equal, nothing was published between them, so any instant between them
      // has that answer.
      if (first.status !== 200 || (await again.text()) !== text) continue;
      if ((JSON.parse(text) as Block).odds.length > 0) seen.push({ path, at, text });
    }
    const differing: string[] = [];
    for (const { path, at, text } of seen) {
      const past = await ask(`${path}?at=${at}`);
      const answer = await past.text();
      if (past.status !== 200) differing.push(`${path} at ${at}: ${past.status} ${answer}`);
      else if (withoutStamps(answer) !== withoutStamps(text)) differing.push(`${path} at ${at}`);
    }
    expect(differing).toEqual([]);
  });

  test('status, score and red cards at an instant are those that the slate had at that instant', async () => {
    interface Slate {
      readonly fixtures: { readonly event_id: string; readonly state: { clock: string | null } }[];
    }
    const statesOf = (text: string) =>
      (JSON.parse(text) as Slate).fixtures.map(({ event_id, state }) => [
        event_id,
        { ...state, clock: null },
      ]);
    let compared = 0;
    let scored = 0;
    for (let attempt = 0; compared < 20; attempt++) {
      const event = await (await ask(`/v1/events/${ids[attempt % ids.length]}`)).json();
      const path = `/v1/odds?markets=1x2&league=${(event as { league: { id: string } }).league.id}`;
      const text = await (await ask(path)).text();
      const at = new Date().toISOString();
      if ((await (await ask(path)).text()) !== text) continue;
      const past = await (await ask(`${path}&at=${at}`)).text();
      expect(statesOf(past)).toEqual(statesOf(text));
      compared += 1;
      scored += text.includes('"score":{') ? 1 : 0;
    }
    expect(scored).toBeGreaterThan(0);
  });

  test('an answer about an instant never changes: it has a strong tag, is cached for ever and may be 304; no stamp in it is after the instant', async () => {
    const at = new Date().toISOString();
    const path = `/v1/events/${ids[0]}/odds?at=${at}`;
    const plain = { 'accept-encoding': 'identity' };
    const first = await ask(path, running.key, plain);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(first.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    const block = (await first.json()) as Required<Block>;
    expect(block.stale).toBe(false);
    expect([block.as_of, ...block.odds.map((quote) => quote.as_of!)].every((stamp) => stamp <= at)).toBe(
      true,
    );
    const unchanged = await ask(path, running.key, { ...plain, 'if-none-match': etag });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  });

  test('the answers about a market, a batch and the slate at an instant agree with the answer about the fixture', async () => {
    const at = new Date().toISOString();
    const own = (await (await ask(`/v1/events/${ids[0]}/odds?at=${at}`)).json()) as Required<Block>;
    const market = (await (await ask(`/v1/events/${ids[0]}/odds/totals?at=${at}`)).json()) as Block;
    expect(market.odds).toEqual(
      own.odds.filter((quote) => (quote as unknown as { market_type: string }).market_type === 'totals'),
    );
    const batchOf = (address: string, body: object) =>
      fetch(`${running.url}${address}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${running.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const batch = await batchOf('/v1/odds/batch', { event_ids: [ids[0], 'evt_nonsense', ids[1]], at });
    // An `at` in the address would be ignored, and the answer would have the odds of now.
    expect((await batchOf(`/v1/odds/batch?at=${at}`, { event_ids: [ids[0]] })).status).toBe(400);
    const { ok_count, data } = (await batch.json()) as { ok_count: number; data: { odds: Block | null }[] };
    expect(ok_count).toBe(2);
    expect(data[0]!.odds).toEqual(own);
    expect(data[1]!.odds).toBeNull();
    const slate = (await (await ask(`/v1/odds?at=${at}`)).json()) as {
      cursor: null;
      full: boolean;
      removed: string[];
      fixtures: { event_id: string; odds: unknown[] }[];
    };
    expect([slate.cursor, slate.full, slate.removed]).toEqual([null, true, []]);
    expect(slate.fixtures.find(({ event_id }) => event_id === ids[0])?.odds).toEqual(own.odds);
    const packed = await ask(`/v1/odds?at=${at}`, running.key, { accept: 'application/msgpack' });
    expect(packed.headers.get('content-type')).toBe('application/msgpack');
    expect(unpack(await packed.bytes())).toEqual(slate);
  });

  test('an instant that is not kept is refused with the range that is kept; an instant beyond the plan is 402', async () => {
    const path = `/v1/events/${ids[0]}/odds`;
    const later = await ask(`${path}?at=2999-01-01T00:00:00Z`);
    const earlier = await ask(`${path}?at=2020-01-01T00:00:00Z`);
    for (const response of [later, earlier]) {
      const { error } = (await response.json()) as { error: { code: string; fix: string } };
      expect([response.status, error.code]).toEqual([400, 'invalid_request']);
      expect(error.fix).toMatch(/^Send an instant from \d{4}-.*Z to \d{4}-.*Z$/);
    }
    expect((await ask(`${path}?at=yesterday`)).status).toBe(400);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    expect((await ask(`${path}?at=${daysAgo(1.1)}`, null)).status).toBe(402);
    expect((await ask(`${path}?at=${daysAgo(1.1)}`, keys.free)).status).toBe(400);
    expect((await ask(`${path}?at=${daysAgo(7.1)}`, keys.free)).status).toBe(402);
    expect((await ask(`${path}?at=${daysAgo(7.1)}`, keys.standard)).status).toBe(400);
  });

  test('a question about one fixture costs one unit, one about the slate five, even if the slate lacks the league', async () => {
    const at = new Date().toISOString();
    const address = { 'x-forwarded-for': '203.0.113.77' };
    const left = async (path: string): Promise<number> => {
      const response = await ask(path, null, address);
      await response.arrayBuffer();
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const startMs = performance.now();
    const afterOne = await left(`/v1/events/${ids[0]}/odds?at=${at}`);
    const afterSlate = await left(`/v1/odds?at=${at}`);
    // The bucket refills by one a second.
    const refilled = Math.ceil((performance.now() - startMs) / 1_000);
    expect(afterSlate).toBeLessThanOrEqual(afterOne - 5 + refilled);
    const { status } = await ask(`/v1/odds?at=${at}&league=none`, null, address);
    expect(status).toBe(400);
    const sinceMs = performance.now() - startMs;
    const afterRefusal = await left(`/v1/events/${ids[0]}/odds?at=${at}`);
    expect(afterRefusal).toBeLessThanOrEqual(afterOne - 5 - 5 - 1 + Math.ceil(sinceMs / 1_000) + 1);
  });

  test('a refused request for a slate or a batch of the past costs one unit', async () => {
    const address = { 'x-forwarded-for': '203.0.113.78' };
    const leftAfter = async (path: string, expected: number): Promise<number> => {
      const response = await ask(path, null, address);
      expect([path, response.status]).toEqual([path, expected]);
      await response.arrayBuffer();
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const at = new Date().toISOString();
    let left = await leftAfter(`/v1/events/${ids[0]}/odds?at=${at}`, 200);
    for (const [words, status] of [
      ['at=2020-01-01T00:00:00Z', 402],
      ['at=2999-01-01T00:00:00Z', 400],
      [`at=${at}&timezone=Mars`, 400],
    ] as const) {
      const now = await leftAfter(`/v1/odds?${words}`, status);
      expect(now).toBeGreaterThanOrEqual(left - 1);
      left = now;
    }
    const batch = async (body: object) => {
      const response = await fetch(`${running.url}/v1/odds/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.standard}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      return [response.status, Number(response.headers.get('x-ratelimit-remaining'))] as const;
    };
    const [, before] = await batch({ event_ids: [ids[0]], at });
    const [status, after] = await batch({ event_ids: ids.slice(0, 10), at: '2020-01-01T00:00:00Z' });
    expect(status).toBe(400);
    expect(after).toBeGreaterThanOrEqual(before - 1);
  });
});

interface Page {
  readonly series: { readonly ticks: unknown[] }[];
  readonly next_cursor: string | null;
}

describe('the ticks of a fixture', () => {
  test('pages of ticks hold each tick once, in the order of a single large page', async () => {
    const to = new Date().toISOString();
    const path = `/v1/events/${ids[0]}/history?to=${to}&bookmakers=crown,sbobet`;
    const flat = (page: Page): string[] =>
      page.series.flatMap(({ ticks, ...line }) => ticks.map((tick) => JSON.stringify({ ...line, tick })));
    const whole = (await (await ask(`${path}&limit=10000`)).json()) as Page;
    const paged: string[] = [];
    let cursor = '';
    do {
      const page = (await (await ask(`${path}&limit=7${cursor}`)).json()) as Page;
      paged.push(...flat(page));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(paged.length).toBeGreaterThan(0);
    expect(paged).toEqual(flat(whole));
    expect((await ask(`${path}&limit=9&cursor=forged`)).status).toBe(400);
  });

  test('the odds at an instant are the last tick of each line up to that instant', async () => {
    const at = new Date().toISOString();
    const { odds } = (await (await ask(`/v1/events/${ids[1]}/odds?at=${at}`)).json()) as {
      odds: Record<string, unknown>[];
    };
    const to = new Date(Date.parse(at) + 1).toISOString();
    const { series } = (await (await ask(`/v1/events/${ids[1]}/history?limit=10000&to=${to}`)).json()) as {
      series: (Record<string, unknown> & { ticks: { at: string; status: string; prices: unknown }[] })[];
    };
    const standing = series.flatMap(({ ticks, ...line }) => {
      const { at: stamp, status, prices } = ticks.at(-1)!;
      return status === 'withdrawn' ? [] : [{ ...line, prices, status, as_of: stamp }];
    });
    expect(standing).toEqual(odds as object[] as typeof standing);
  });

  test('line_history describes a line over REST, and get_closing_line answers with a list', async () => {
    const tool = async (name: string, body: object) => {
      const response = await fetch(`${running.url}/v1/mcp/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${running.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const found = await tool('line_history', { query: ids.at(-1), market_type: '1x2' });
    expect(found.status).toBe(200);
    expect(String(found.body.summary)).toMatch(/ vs .*, full-time 1x2: \w+ opened home at [\d.]+/);
    expect((found.body.series as unknown[]).length).toBeGreaterThan(0);
    const absent = await tool('line_history', { query: ids.at(-1), market_type: 'totals', line: 77.5 });
    expect(String(absent.body.summary)).toMatch(
      /no price .* at 77.5 is on record; on record are the lines [\d., ]+ and [\d.]+\.$/,
    );
    const closing = await tool('get_closing_line', { query: ids[0] });
    expect([closing.status, Array.isArray(closing.body.closing)]).toEqual([200, true]);
  });
});
