// The tools about the past over MCP, with the SDK's own client, against a running service with a price
// history. MCP gives the answers of REST, each with a sentence in front.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventWire, quoteWire, stateWire } from '../feed/wire.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { connect, textParts } from './serve.ts';

const PRICES = [1.95, 1.9, 1.85] as const;

let feed: ScriptedFeed;
let service: RunningService;
let id: string;

interface Closing {
  readonly closing: readonly { readonly prices: { readonly home: number } }[];
}

beforeAll(async () => {
  const quote = (home: number) => quoteWire(0, 'e1', { at: nowText(), prices: [home, 1.97] });
  feed = new ScriptedFeed({
    slate: () => [eventWire(0, 'e1', { at: nowText(), scheduled_at: nowText(3_600_000) }), quote(PRICES[0])],
  });
  service = await runService({ FEED: feed.url, HISTORY_DAYS: '1' });
  const { data } = await service.get<{ data: { id: string }[] }>('/v1/events');
  id = data[0]!.id;
  for (const price of PRICES.slice(1)) {
    feed.send(quote(price));
    await until('the price is served', async () =>
      JSON.stringify(await service.get(`/v1/events/${id}/odds`)).includes(`"home":${price}`),
    );
  }
  feed.send(stateWire(0, 'e1', { at: nowText(), clock: '1', score: [0, 0] }));
  await until('the close is settled', async () => {
    const { closing } = await service.get<Closing>(`/v1/events/${id}/closing`);
    return closing[0]?.prices.home === PRICES.at(-1);
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  feed.stop();
});

// test/mcp/served-tool.test.ts compares MCP with REST in every protocol era.
test('line_history and get_closing_line give the same answers as over REST', async () => {
  await using client = await connect(`${service.url}/mcp`, 'auto', service.key);
  const asked = [
    ['line_history', { query: id, line: -0.75, bookmakers: ['crown'], to: nowText(-1) }],
    ['get_closing_line', { query: id }],
  ] as const;
  for (const [tool, args] of asked) {
    const result = await client.callTool({ name: tool, arguments: { ...args } });
    const [content] = result.content as readonly { readonly text: string }[];
    const { sentence, data } = textParts(content!.text);
    expect(result.isError ?? false).toBe(false);
    expect(data).toEqual(result.structuredContent);
    // The price history grows between the two calls, so `as_of` differs.
    const overRest = {
      ...(await service.post<object>(`/v1/mcp/${tool}`, args)),
      as_of: (result.structuredContent as { as_of: string }).as_of,
    };
    expect(result.structuredContent).toEqual(overRest);
    expect(sentence).toMatch(/^[A-Z\d][^{}[\]]*\.$/);
    expect(sentence).toContain(tool === 'line_history' ? '1.95' : '1.85');
  }
  const { structuredContent } = await client.callTool({
    name: 'line_history',
    arguments: { query: id, line: -0.75, bookmakers: ['crown'] },
  });
  const { series } = structuredContent as {
    series: { ticks: { prices: { home: number } }[] }[];
  };
  expect(series[0]!.ticks.map(({ prices }) => prices.home)).toEqual([...PRICES]);
});
