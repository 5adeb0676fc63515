// Data that a page computes from prices shows its true age. On the match page, fair prices, value and
// scorelines follow the prices behind them at a bounded cost, or the page says that prices have moved.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventWire, quoteWire, stateWire, type WireMessage } from '../feed/wire.ts';
import { BROWSER_NOTE, NO_BROWSER, TestBrowser } from '../support/browser.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';

let feed: ScriptedFeed;
let service: RunningService;
let browser: TestBrowser;
let eventId: string;

/** Crown's price of the home side, which is above the sharp bookmaker's fair price. */
function valuePrice(price: number): WireMessage {
  const name = { at: nowText(), bookmaker: 'crown', market_type: '1x2', line: null };
  return quoteWire(0, 'e0', { ...name, prices: [price, 3.1, 3.1] });
}

function sharpPrices(prices: readonly number[]): WireMessage {
  return quoteWire(0, 'e0', { at: nowText(), bookmaker: 'pinnacle', market_type: '1x2', line: null, prices });
}

beforeAll(async () => {
  if (NO_BROWSER !== null) return;
  feed = new ScriptedFeed({
    slate: () => [
      eventWire(0, 'e0', { at: nowText(), scheduled_at: nowText(-1_800_000) }),
      stateWire(0, 'e0', { at: nowText() }),
      sharpPrices([2.2, 3.3, 3.4]),
      valuePrice(2.42),
      ...['pinnacle', 'crown'].map((bookmaker) =>
        quoteWire(0, 'e0', { at: nowText(), bookmaker, market_type: 'totals', line: 2.5, prices: [1.9, 2] }),
      ),
    ],
  });
  service = await runService({ FEED: feed.url });
  browser = await TestBrowser.launch();
  const { data } = await service.get<{ data: readonly { id: string }[] }>('/v1/events');
  eventId = data[0]!.id;
});
afterAll(async () => {
  if (NO_BROWSER !== null) return;
  await browser[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  feed.stop();
  expect(browser.complaints).toEqual([]);
});

/** The number of calls to a tool that the page has made so far. */
async function callsOf(page: Page, tool: string): Promise<number> {
  const script = `performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/v1/mcp/${tool}')).length`;
  return Number(await page.evaluate(script));
}

/** Gives the page a clock that the test can move, and records when it sends requests to a tool. */
function onOwnClock(tool: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.clock.install();
    await page.addInitScript(`{
      const send = fetch;
      window.sentAtMs = [];
      window.fetch = (...args) => {
        if (String(args[0].url ?? args[0]).endsWith('/${tool}')) sentAtMs.push(Date.now());
        return send(...args);
      };
    }`);
  };
}

async function sentAtMs(page: Page): Promise<number[]> {
  return (await page.evaluate('window.sentAtMs')) as number[];
}

function pane(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true }).and(page.locator('.pane'));
}

describe.skipIf(NO_BROWSER !== null)(`panes loaded on request${BROWSER_NOTE}`, () => {
  test('with a key: they follow the prices, send at most one request every 15 s, and only while in sight', async () => {
    feed.send(valuePrice(2.42));
    const page = await browser.open(`${service.url}/events/${eventId}`, {
      key: service.key,
      prepare: onOwnClock('find_value'),
    });
    const fair = pane(page, 'Fair prices and value');
    const scores = pane(page, 'Scorelines');
    await fair.scrollIntoViewIfNeeded();
    await fair.locator('.value-list', { hasText: '2.42' }).waitFor();
    const score = await scores.locator('.heat-map').textContent();

    // A price that has moved is never shown as if it were still on offer.
    feed.send(valuePrice(2.48));
    await fair.locator('s', { hasText: '2.42' }).waitFor();
    await fair.getByText('now 2.48').waitFor();
    await fair.locator('tr', { hasText: 'home' }).getByText('2.48').waitFor();
    await fair.getByText('Prices have moved since.').waitFor();
    await page.clock.runFor(10_000);

    // The sharp price moves as well, so fair prices, edge and scorelines change.
    feed.send(sharpPrices([2.25, 3.3, 3.3]));
    await page.locator('.market-table', { hasText: '2.25' }).first().waitFor();
    await page.clock.runFor(16_000);
    await until('the value is worked out again', async () => {
      const text = (await fair.locator('.value-list').textContent()) ?? '';
      return text.includes('2.48') && !text.includes('2.42');
    });
    await until(
      'so are the scorelines',
      async () => (await scores.locator('.heat-map').textContent()) !== score,
    );
    const askedMs = await sentAtMs(page);
    expect(askedMs.length).toBeGreaterThan(1);
    const gapsMs = askedMs.slice(1).map((atMs, index) => atMs - askedMs[index]!);
    expect(gapsMs.filter((gapMs) => gapMs < 15_000)).toEqual([]);
    await until('it is of the prices of now', async () => {
      return (await fair.getByText('Prices have moved since.').count()) === 0;
    });

    // Out of sight the pane sends no request, however old its answer is; back in sight it sends one at
    // once.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate('scrollTo(0, 0)');
    feed.send(valuePrice(2.45));
    await page.locator('.market-table .value', { hasText: '2.45' }).first().waitFor();
    const asked = (await sentAtMs(page)).length;
    await page.clock.runFor(17_000);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect((await sentAtMs(page)).length).toBe(asked);
    await fair.scrollIntoViewIfNeeded();
    await fair.locator('.value-list', { hasText: '2.45' }).waitFor();
    await page.context().close();
  });

  test('without a key: they say that prices have moved, show their age, and refresh after a tap', async () => {
    feed.send(valuePrice(2.42));
    const page = await browser.open(`${service.url}/events/${eventId}`);
    const scores = pane(page, 'Scorelines');
    await scores.locator('.heat-map').waitFor();
    const age = scores.locator('.answer-age');
    const first = await age.textContent();
    await until('its age is counted on', async () => (await age.textContent()) !== first);
    expect(await scores.getByText('Prices have moved since.').count()).toBe(0);
    feed.send(valuePrice(2.46));
    await scores.getByText('Prices have moved since.').waitFor();
    expect(await callsOf(page, 'score_prob')).toBe(1);
    await scores.getByRole('button', { name: 'Refresh' }).click();
    await until('it is of the prices of now', async () => {
      return (await scores.getByText('Prices have moved since.').count()) === 0;
    });
    expect(await callsOf(page, 'score_prob')).toBe(2);
    await page.context().close();
  });
});
