// An upstream stamps its messages ahead of time: its prices still change, and no answer is from the future.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { quoteWire, stateWire } from '../feed/wire.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';

const YEAR_MS = 365 * 86_400_000;

let feed: ScriptedFeed;
let service: RunningService;

beforeAll(async () => {
  feed = new ScriptedFeed();
  service = await runService({ FEED: feed.url });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  feed.stop();
});

test('a quote stamped a year ahead is refused and counted, and the next one moves the price', async () => {
  feed.send(quoteWire(0, 'e1', { prices: [1.11, 9] }), nowText(YEAR_MS));
  feed.send(stateWire(0, 'e1', { score: [9, 9] }), nowText(YEAR_MS));
  feed.send({ type: 'heartbeat' }, nowText(YEAR_MS));
  feed.send(quoteWire(0, 'e1', { prices: [1.8, 2.1] }));
  await until('the price moves', async () => (await prices()).includes(1.8));
  expect(await prices()).not.toContain(1.11);
  await until('the refusals are counted', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return text.includes('overround_feed_messages_rejected_total{reason="future_time"} 3');
  });
});

test('no as_of is later than the time of its answer, whatever times the feed sends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -10_000, max: 10_000 }), { minLength: 1, maxLength: 8 }),
      async (offsets) => {
        for (const [index, offsetMs] of offsets.entries()) {
          feed.send(quoteWire(0, 'e1', { prices: [1.5 + index / 100, 2.5] }), nowText(offsetMs));
          feed.send({ type: 'heartbeat' }, nowText(offsetMs));
        }
        for (const path of ['/health', '/v1/events', '/v1/odds']) {
          const response = await service.fetch(path);
          const text = await response.text();
          const answeredMs = Date.now();
          expect(response.status).toBe(200);
          for (const [, stamp] of text.matchAll(/"as_of":"([^"]+)"/g)) {
            expect(Date.parse(stamp!)).toBeLessThanOrEqual(answeredMs);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('at another speed, the simulator stamps each message with the time at which it sends it', async () => {
  await using simulated = await runService({ FEED: 'simulator', FEED_SPEED: '600' });
  const applied = await appliedCount(simulated);
  await until('messages go on to be applied', async () => (await appliedCount(simulated)) > applied + 500);
  expect(await (await fetch(`${simulated.url}/metrics`)).text()).toContain(
    'overround_feed_messages_rejected_total{reason="future_time"} 0',
  );
});

async function prices(): Promise<number[]> {
  const { data } = await service.get<{ data: { id: string }[] }>('/v1/events');
  const { odds } = await service.get<{ odds: { price: number }[] }>(`/v1/events/${data[0]!.id}/odds`);
  return odds.flatMap((quote) =>
    [...JSON.stringify(quote).matchAll(/\d+\.\d+/g)].map(([text]) => Number(text)),
  );
}

async function appliedCount({ url }: RunningService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^overround_feed_messages_applied_total (\d+)/m.exec(text)![1]);
}
