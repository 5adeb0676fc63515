// The query thread dies or hangs while odds are polled: no poll is lost or delayed, requests to that thread
// are 503 with Retry-After, and another thread takes its place.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '../support/condition.ts';
import { restartCount } from '../support/prometheus.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { ScriptedFeed } from '../support/scripted-feed.ts';

let running: RunningService;
// The fixtures of this feed stay on the slate at any hour. A simulated match could end and leave while it is
// polled.
const feed = new ScriptedFeed();
const channel = new BroadcastChannel('overround-query-death');

beforeAll(async () => {
  running = await runService(
    { FEED: feed.url },
    { workerUrls: { query: new URL('./mortal-query.worker.ts', import.meta.url) } },
  );
});
afterAll(async () => {
  channel.close();
  await running[Symbol.asyncDispose]();
  feed.stop();
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
    const { data } = await running.get<{ data: { id: string }[] }>('/v1/events?limit=1');
    const odds = `/v1/events/${data[0]!.id}/odds`;
    const before = await restartCount(running.url, 'query');
    await running.get('/ready');
    // Every route that HTTP threads answer themselves, except streams.
    const polledPaths = [odds, `${odds}/1x2`, '/v1/odds', '/health', '/ready'];
    const polled = new Set<string>();
    const asked = new Set<string>();
    const waiting: Promise<unknown>[] = [];
    let isOver = false;
    channel.postMessage({ how });
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
