// An ingest node and two serving nodes as their operator runs them, over a real Redis: what one serving node answers the
// other answers, byte for byte, and whoever changes from one to the other goes on where it stood.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '../support/condition.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { type RunningService, runService } from '../support/running-service.ts';

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

const FEED = {
  SIMULATOR_FOOTBALL_FIXTURES: '20',
  SIMULATOR_BASKETBALL_FIXTURES: '5',
  SIMULATOR_RATE: '200',
};
/** What of an answer is the node's own affair. */
const OWN_HEADERS = /^(?:date|server-timing|x-request-id|x-ratelimit-.*)$/;

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly etag: string;
  readonly body: string;
}

describe.skipIf(REDIS_MISSING !== null)('nodes of a cluster', () => {
  const open = new AsyncDisposableStack();
  let proxy: CuttableProxy;
  let ingest: RunningService;
  let one: RunningService;
  let other: RunningService;

  beforeAll(async () => {
    const redis = open.use(await RedisServer.start());
    proxy = open.use(await CuttableProxy.to(redis.url));
    const urls = [redis.url, redis.url, proxy.url.replace('http:', 'redis:')] as const;
    const services = await Promise.all([
      runService({ ...FEED, ROLE: 'ingest', REDIS_URL: urls[0] }),
      runService({ ROLE: 'serve', REDIS_URL: urls[1] }),
      runService({ ROLE: 'serve', REDIS_URL: urls[2] }),
    ]);
    for (const service of services) open.use(service);
    [ingest, one, other] = services;
  });
  afterAll(() => open.disposeAsync());

  async function ask(
    node: RunningService,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(node.url + path, {
      headers: { authorization: `Bearer ${node.key}`, ...headers },
    });
    return {
      status: response.status,
      headers: [...response.headers]
        .map(([name, value]) => `${name}: ${value}`)
        .filter((line) => !OWN_HEADERS.test(line.split(':')[0]!)),
      etag: response.headers.get('etag') ?? '',
      body: (await response.text()).replaceAll(node.url, ''),
    };
  }

  /** Both nodes' answers of one moment: asked for again until the slate did not move in between. */
  async function askBoth(path: string): Promise<readonly [Answer, Answer]> {
    let answers: readonly [Answer, Answer] | null = null;
    await until(`both answer ${path} of one version`, async () => {
      const before = await ask(one, '/v1/odds?status=live');
      const pair = [await ask(one, path), await ask(other, path)] as const;
      const after = await ask(one, '/v1/odds?status=live');
      const isStill = before.body === after.body && (pair[0].etag === pair[1].etag || pair[0].etag === '');
      if (isStill) answers = pair;
      return isStill;
    });
    return answers!;
  }

  test('answer the same bytes and headers at the same version', async () => {
    const { data } = await one.get<{ data: { id: string }[] }>('/v1/events?limit=3');
    const paths = [
      '/v1/odds',
      '/v1/odds?sport=football&format=malay&markets=asian_handicap',
      '/v1/events?limit=200',
      '/v1/leagues',
      ...data.map(({ id }) => `/v1/events/${id}/odds`),
      ...data.map(({ id }) => `/v1/events/${id}`),
    ];
    for (const path of paths) {
      const [left, right] = await askBoth(path);
      expect(left.status, path).toBe(200);
      expect(right, path).toEqual(left);
    }
  });

  test('a cursor and a tag of one are good at the other, there and back', async () => {
    let cursor = '';
    for (let step = 0; step < 20; step++) {
      const node = step % 2 === 0 ? one : other;
      const answer = await ask(node, `/v1/odds${cursor === '' ? '' : `?since=${cursor}`}`);
      expect(answer.status).toBe(200);
      const delta = JSON.parse(answer.body) as { cursor: string; full: boolean };
      expect(delta.full).toBe(step === 0);
      cursor = delta.cursor;
    }
    await until('a tag of one is the tag of the other', async () => {
      const { etag } = await ask(one, '/v1/odds?status=finished');
      return (await ask(other, '/v1/odds?status=finished', { 'if-none-match': etag })).status === 304;
    });
  });

  test('a stream goes on at another node, and is not told everything again', async () => {
    const { cursor } = await one.get<{ cursor: string }>('/v1/odds');
    const response = await fetch(`${other.url}/v1/stream`, {
      headers: { authorization: `Bearer ${other.key}`, 'last-event-id': cursor },
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('event: delta')) break;
    }
    expect(text).not.toContain('event: snapshot');
    expect(text).toContain(`"from":"${cursor}"`);
  });

  test('a node that is cut off says so, refuses a cursor that it has not reached, and catches up by itself', async () => {
    proxy.cut();
    await until('it says that it is cut off', async () => (await stateOf(other)).node?.state === 'cut_off');
    expect((await stateOf(other)).status).toBe('degraded');
    expect((await ask(other, '/v1/odds')).status).toBe(200); // the last slate, until its age makes it stale
    const held = (await other.get<{ cursor: string }>('/v1/odds')).cursor;
    let cursor = held;
    await until('the other has moved on', async () => {
      ({ cursor } = await one.get<{ cursor: string }>('/v1/odds'));
      return cursor !== held;
    });
    const refused = await ask(other, `/v1/odds?since=${cursor}`);
    expect(refused.status).toBe(503);
    expect(refused.headers).toContain('retry-after: 1');
    const tagged = await ask(other, '/v1/odds', { 'if-none-match': `W/"${cursor}"` });
    expect(tagged.status).toBe(503);
    // The odds of one fixture, by the short way and by the long one: with a tag of what this node has yet to hear.
    const { data } = await one.get<{ data: { id: string }[] }>('/v1/events?status=live&limit=5');
    for (const path of data
      .map(({ id }) => `/v1/events/${id}/odds`)
      .flatMap((path) => [path, `${path}/totals`])) {
      const own = await ask(other, path);
      expect(own.status).toBe(200);
      let { etag } = own;
      await until('the other has moved on', async () => {
        ({ etag } = await ask(one, path));
        return versionIn(etag) > versionIn(own.etag);
      });
      for (let turn = 0; turn < 2; turn++) {
        const behind = await ask(other, path, { 'if-none-match': etag });
        expect([behind.status, behind.headers.includes('retry-after: 1')]).toEqual([503, true]);
      }
      expect((await ask(other, path, { 'if-none-match': own.etag })).status).toBe(304);
      if (path.endsWith('/totals')) break;
    }
    proxy.restore();
    await until('it goes on from there', async () => {
      const answer = await ask(other, `/v1/odds?since=${cursor}`);
      return answer.status === 200 && !(JSON.parse(answer.body) as { full: boolean }).full;
    });
    await until('it is well', async () => (await stateOf(other)).status === 'ok');
  });

  test('an ingest node says how it is and serves nobody', async () => {
    const { node } = await stateOf(ingest);
    expect(node).toMatchObject({ role: 'ingest', state: 'leading' });
    expect((await stateOf(one)).node).toEqual({ role: 'serve', state: 'following', epoch: node!.epoch });
    const document = JSON.stringify(await one.get('/openapi.json'));
    expect(document).toContain('"#/components/schemas/NodeHealth"');
    expect(document).not.toContain('"#/components/schemas/Health"');
    expect((await ask(ingest, '/v1/odds')).status).toBe(404);
    expect((await ask(ingest, '/metrics')).status).toBe(200);
  });

  /** Of the tag of a fixture's odds. */
  function versionIn(etag: string): number {
    return Number.parseInt(etag.split('-')[1] ?? '', 36);
  }

  async function stateOf(node: RunningService) {
    const response = await fetch(`${node.url}/health`);
    return (await response.json()) as {
      status: string;
      node?: { role: string; state: string; epoch: string };
    };
  }
});
