// The history thread dies or hangs while prices move: polls go on, questions about the past are 503, and the
// next thread writes what waited in the ring, so that the tape has no gap and no tick twice.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { systemClock } from '../../src/clock.ts';
import { until } from '../support/condition.ts';
import { restartCount } from '../support/prometheus.ts';
import { type RunningService, runService } from '../support/running-service.ts';

let running: RunningService;
const channel = new BroadcastChannel('overround-history-death');

beforeAll(async () => {
  running = await runService(
    { HISTORY_DAYS: '1', SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '2' },
    { workerUrls: { history: new URL('./mortal-history.worker.ts', import.meta.url) } },
  );
});
afterAll(async () => {
  channel.close();
  await running[Symbol.asyncDispose]();
});

interface Coverage {
  readonly from: string;
  readonly to: string;
  readonly gaps: readonly unknown[];
}

/** What the tape covers, once it has ticks after `afterMs`. */
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

// A new thread has a minute to start before it counts as hung, so the test that hangs one comes first.
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
    channel.postMessage({ how });
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
