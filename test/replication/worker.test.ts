// An ingest node and two serving nodes as an operator runs them, over a real Redis. Both serving nodes answer
// with the same bytes, and a client that switches between them continues where it was.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nodeFamilies } from '../../src/telemetry/node-metrics.ts';
import { until } from '../support/condition.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { type ReadFamily, readPrometheus, sampleOf } from '../support/prometheus.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { type RunningService, runService } from '../support/running-service.ts';

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

const FEED = {
  SIMULATOR_FOOTBALL_FIXTURES: '20',
  SIMULATOR_BASKETBALL_FIXTURES: '5',
  SIMULATOR_RATE: '40',
};
const STATE = 'overround_slate_state';
const EPOCH = 'overround_slate_epoch_timestamp_seconds';
/** Headers that differ between nodes. */
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

  /** The answers of both nodes at one version. Requests them again if the slate changed in between. */
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

  test('two serving nodes give the same bytes and headers at the same version', async () => {
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

  test('a cursor and an ETag of one node are valid on the other, in both directions', async () => {
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

  test('a stream resumes on another node, and not everything is sent again', async () => {
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

  test('a node that is cut off reports it, refuses a cursor that it has not reached, and catches up without help', async () => {
    proxy.cut();
    await until('it says that it is cut off', async () => (await stateOf(other)).node?.state === 'cut_off');
    expect((await stateOf(other)).status).toBe('degraded');
    await until('its metrics say it too', async () => {
      const families = await metricsOf(other);
      const failed = families.get('overround_redis_calls_failed_total')!.samples;
      return (
        sampleOf(families, STATE, { state: 'cut_off' }) === 1 &&
        sampleOf(families, 'overround_redis_up', { use: 'slate' }) === 0 &&
        sampleOf(families, 'overround_limits_divided') === 1 &&
        failed.some(({ labels, value }) => labels.use === 'limits' && value > 0)
      );
    });
    expect((await ask(other, '/v1/odds')).status).toBe(200); // the last slate is served until it is too old
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
    // Requests the odds of one fixture by both code paths, with an ETag that this node has not reached yet.
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
    await until('and says so', async () => {
      const families = await metricsOf(other);
      const ups = families.get('overround_redis_up')!.samples;
      return ups.every(({ value }) => value === 1) && sampleOf(families, 'overround_limits_divided') === 0;
    });
  });

  test('an ingest node reports its health and answers no requests for odds', async () => {
    const { node } = await stateOf(ingest);
    expect(node).toMatchObject({ role: 'ingest', state: 'leading' });
    expect((await stateOf(one)).node).toEqual({ role: 'serve', state: 'following', epoch: node!.epoch });
    const document = JSON.stringify(await one.get('/openapi.json'));
    expect(document).toContain('"#/components/schemas/NodeHealth"');
    expect(document).not.toContain('"#/components/schemas/Health"');
    expect((await ask(ingest, '/v1/odds')).status).toBe(404);
  });

  test('the board of a serving node shows that its leader’s prices are simulated', async () => {
    await until('it has heard of the sources of its leader', async () => {
      const page = await fetch(one.url, { headers: { accept: 'text/html' } });
      return (await page.text()).includes('&quot;isSimulated&quot;:true');
    });
  });

  /** The version in the ETag of a fixture's odds. */
  function versionIn(etag: string): number {
    return Number.parseInt(etag.split('-')[1] ?? '', 36);
  }

  test('metrics show the leader, the followers and their lag, each on the nodes that have it', async () => {
    const [leader, follower] = await Promise.all([metricsOf(ingest), metricsOf(one)]);
    const names = nodeFamilies().map(({ name }) => name);
    const lacking = names.filter(
      (name) =>
        !/_(?:postgres|history|signal_record)_/.test(name) && !leader.has(name) && !follower.has(name),
    );
    expect(lacking).toEqual([]);
    const shown = (families: ReadonlyMap<string, ReadFamily>) => names.filter((name) => families.has(name));
    expect(shown(leader)).not.toContain('overround_limits_divided');
    expect(shown(follower)).not.toContain('overround_archive_rows_waiting');
    for (const [families, role, state] of [
      [leader, 'ingest', 'leading'],
      [follower, 'serve', 'following'],
    ] as const) {
      const states = families.get(STATE)!.samples.filter(({ value }) => value === 1);
      expect(states.map(({ labels }) => labels.state)).toEqual([state]);
      expect(families.get('overround_node_info')!.samples).toMatchObject([{ labels: { role } }]);
      expect(sampleOf(families, 'overround_redis_up', { use: 'slate' })).toBe(1);
    }
    expect(sampleOf(leader, 'overround_slate_term')).toBe(1);
    expect(sampleOf(follower, EPOCH)).toBe(sampleOf(leader, EPOCH));
    expect(sampleOf(leader, 'overround_slate_snapshots_written_total')).toBeGreaterThan(0);
    expect(sampleOf(follower, 'overround_slate_snapshots_taken_total')).toBeGreaterThan(0);
    expect(sampleOf(follower, 'overround_slate_entries_applied_total')).toBeGreaterThan(0);
    expect(sampleOf(follower, 'overround_slate_lag_seconds')).toBeLessThan(60);
    // After some seconds without contact a node is not counted. It is counted again once both nodes have sent
    // a heartbeat.
    for (const node of [one, other]) {
      await until('it counts both serving nodes', async () => {
        return sampleOf(await metricsOf(node), 'overround_limits_nodes') === 2;
      });
    }
  });

  async function metricsOf({ url }: RunningService): Promise<ReadonlyMap<string, ReadFamily>> {
    const response = await fetch(`${url}/metrics`);
    expect(response.status).toBe(200);
    return readPrometheus(await response.text());
  }

  async function stateOf(node: RunningService) {
    const response = await fetch(`${node.url}/health`);
    return (await response.json()) as {
      status: string;
      node?: { role: string; state: string; epoch: string };
    };
  }
});
