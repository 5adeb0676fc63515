// A feed that loses messages after the start, is cut or falls silent: what the service reports about itself
// meanwhile.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '../support/condition.ts';
import { readPrometheus } from '../support/prometheus.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { ScriptedFeed } from '../support/scripted-feed.ts';

interface HealthSeen {
  readonly status: string;
  readonly feed_live: boolean;
}
interface SourceSeen {
  readonly name: string;
  readonly state: string;
  readonly reason: string | null;
  readonly connected: boolean;
  readonly lost_since: string | null;
}

let feed: ScriptedFeed;
let service: RunningService;

/** Starts a feed and a service before the tests of the calling group, and stops them afterwards. */
function serving(settings: Readonly<Record<string, string>>): void {
  beforeAll(async () => {
    feed = new ScriptedFeed();
    service = await runService({ FEED: feed.url, ...settings });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    feed.stop();
  });
}

describe('with the usual windows', () => {
  serving({});

  test('a gap makes /health degraded at once, lists the source, and a snapshot mends it', async () => {
    expect(await health(service)).toEqual({ status: 'ok', feed_live: true });
    expect(await sources(service)).toMatchObject([
      { name: 'websocket', state: 'ok', reason: null, connected: true, lost_since: null },
    ]);
    feed.answersSnapshots = false;
    const beforeMs = Date.now();
    feed.skip();
    await until('the loss shows', async () => (await health(service)).status === 'degraded');
    expect((await health(service)).feed_live).toBe(false);
    const [lost] = await sources(service);
    expect(lost).toMatchObject({ state: 'failing', reason: 'messages_lost', connected: true });
    expect(Date.parse(lost!.lost_since!)).toBeGreaterThanOrEqual(beforeMs);
    await until('the loss shows in /metrics', () => saysLostSince(service));
    await until('a snapshot was asked for', () => feed.snapshotRequests > 0);

    feed.answersSnapshots = true;
    feed.snapshot();
    await until('it is whole again', async () => (await health(service)).feed_live);
    expect(await health(service)).toEqual({ status: 'ok', feed_live: true });
    expect((await sources(service))[0]).toMatchObject({ state: 'ok', lost_since: null });
    await until('/metrics shows it whole', async () => !(await saysLostSince(service)));
  });

  test('a cut connection is noticed at once, and the slate is still served', async () => {
    feed.stop();
    await until('the cut shows', async () => !(await health(service)).feed_live);
    expect((await health(service)).status).toBe('degraded');
    const [cut] = await sources(service);
    expect(cut).toMatchObject({ connected: false, state: 'failing' });
    expect(cut!.lost_since).not.toBeNull();
    await until('the cut shows in /metrics', () => saysLostSince(service));
    expect(await statusOf(service, '/ready')).toBe(200);
  });
});

describe('with windows of a second', () => {
  serving({ LIVE_FRESHNESS_S: '1', PREMATCH_FRESHNESS_S: '1' });

  test('an upstream that never answers is reconnected, and /ready and the odds change to 503 together', async () => {
    const { data } = await service.get<{ data: { id: string }[] }>('/v1/events');
    const path = `/v1/events/${data[0]!.id}/odds`;
    feed.answersSnapshots = false;
    feed.skip();
    // Heartbeats continue, so the feed is not silent, but none of its messages can be applied.
    await until('the odds are refused', async () => (await statusOf(service, path)) === 503);
    expect(await statusOf(service, '/ready')).toBe(503);
    expect(await textOf(service, '/ready')).toContain('source websocket is failing, messages_lost since 2');
    await until('a new connection is made', () => feed.connections > 1);
    feed.answersSnapshots = true;
    feed.cut();
    await until('the odds are back', async () => (await statusOf(service, path)) === 200);
    expect(await statusOf(service, '/ready')).toBe(200);
  });

  test('a silent feed shows in /health, /ready and /metrics', async () => {
    feed.beats = false;
    await until('the silence shows', async () => !(await health(service)).feed_live);
    expect((await health(service)).status).toBe('degraded');
    expect(await statusOf(service, '/ready')).toBe(503);
    await until('/ready says why', async () =>
      (await textOf(service, '/ready')).includes('source websocket is failing, silent since 2'),
    );
    await until('the silence shows in /metrics', async () => {
      const text = await textOf(service, '/metrics');
      return text.includes('overround_source_ok{source="websocket",state="failing",reason="silent"} 0');
    });
    feed.beats = true;
    await until('it is live again', async () => (await health(service)).status === 'ok');
  });
});

async function health(service: RunningService): Promise<HealthSeen> {
  const { status, feed_live } = await service.get<HealthSeen>('/health');
  return { status, feed_live };
}

async function sources(service: RunningService): Promise<SourceSeen[]> {
  return (await service.get<{ sources: SourceSeen[] }>('/ready')).sources;
}

async function statusOf({ url }: RunningService, path: string): Promise<number> {
  const response = await fetch(url + path);
  await response.arrayBuffer();
  return response.status;
}

async function textOf({ url }: RunningService, path: string): Promise<string> {
  return await (await fetch(url + path)).text();
}

async function saysLostSince(service: RunningService): Promise<boolean> {
  const families = readPrometheus(await textOf(service, '/metrics'));
  return families.has('overround_source_lost_since_timestamp_seconds');
}
