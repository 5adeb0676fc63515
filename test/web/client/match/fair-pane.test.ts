// Fair prices, scorelines and signals of the match page are shown from the start and follow every price. The
// page computes them from the prices, or receives them together with the prices, so they cost no request.
// They equal the answers of the tools.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventWire, quoteWire, stateWire, type WireMessage } from '../../../feed/wire.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { until } from '../../../support/condition.ts';
import { browser, feed, servePages, service } from '../../../support/pages.ts';
import { nowText, ScriptedFeed } from '../../../support/scripted-feed.ts';

let eventId: string;

/** Crown's price of the home side. It is above the sharp bookmaker's fair price. */
function valuePrice(price: number): WireMessage {
  const name = { at: nowText(), bookmaker: 'crown', market_type: '1x2', line: null };
  return quoteWire(0, 'e0', { ...name, prices: [price, 3.1, 3.1] });
}

function sharpPrices(prices: readonly number[]): WireMessage {
  return quoteWire(0, 'e0', { at: nowText(), bookmaker: 'pinnacle', market_type: '1x2', line: null, prices });
}

servePages(
  () =>
    new ScriptedFeed({
      slate: () => [
        eventWire(0, 'e0', { at: nowText(), scheduled_at: nowText(-1_800_000) }),
        stateWire(0, 'e0', { at: nowText() }),
        sharpPrices([2.2, 3.3, 3.4]),
        valuePrice(2.42),
        ...['pinnacle', 'crown'].map((bookmaker) =>
          quoteWire(0, 'e0', {
            at: nowText(),
            bookmaker,
            market_type: 'totals',
            line: 2.5,
            prices: [1.9, 2],
          }),
        ),
      ],
    }),
  {},
  async () => {
    const { data } = await service.get<{ data: readonly { id: string }[] }>('/v1/events');
    eventId = data[0]!.id;
  },
);

function pane(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true }).and(page.locator('.pane'));
}

const TOOL_CALLS = `performance.getEntriesByType('resource').filter((one) => one.name.includes('/v1/mcp/')).length`;

async function askTool<T>(tool: string, body: object, key: string | undefined): Promise<T> {
  const answer = await fetch(`${service.url}/v1/mcp/${tool}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ query: eventId, ...body }),
  });
  return (await answer.json()) as T;
}

interface Fair {
  readonly comparison: {
    readonly fair_methods: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

/**
 * The fair prices of the 1x2 according to the tools, row by row: proportional, power, Shin; then the goal
 * rates.
 */
async function toolFigures(key: string | undefined): Promise<number[]> {
  const { comparison } = await askTool<Fair>('get_sharp_line', { market_type: '1x2' }, key);
  const fair = ['home', 'draw', 'away'].flatMap((outcome) =>
    ['proportional', 'power', 'shin'].map((method) => 1 / comparison.fair_methods[method]![outcome]!),
  );
  const rates = await askTool<{ lambda_home: number; lambda_away: number }>('score_prob', {}, key);
  return [...fair, rates.lambda_home, rates.lambda_away];
}

const SHOWN_FAIR = `[...document.querySelectorAll('.fair-table tbody:nth-of-type(1) tr')].slice(1)
  .flatMap((row) => [...row.querySelectorAll('td.number')].slice(0, 3).map((cell) => Number(cell.textContent)))`;

async function shownFigures(page: Page): Promise<number[]> {
  const text = (await pane(page, 'Scorelines').textContent()) ?? '';
  const [, home, away] = /e0 ([\d.]+), Away of e0 (\d+\.\d+)/.exec(text) ?? [];
  return [...((await page.evaluate(SHOWN_FAIR)) as number[]), Number(home), Number(away)];
}

/**
 * Waits until the page shows the tools' answers. The tools are called only once, because visitors have few
 * requests.
 */
async function showsTools(page: Page, key: string | undefined): Promise<void> {
  const right = await toolFigures(key);
  await until(`the page equals the tools: ${right.join(' ')}`, async () => {
    const shown = await shownFigures(page);
    return (
      shown.length === right.length && shown.every((one, index) => Math.abs(one - right[index]!) < 0.006)
    );
  });
}

describe.skipIf(NO_BROWSER !== null)(`panes that follow the prices${BROWSER_NOTE}`, () => {
  for (const who of ['with a key', 'without a key']) {
    test(`${who}: fair prices and scorelines equal the answers of the tools, before and after moves, without a request; with a key, a signal of the match is listed with its present price`, async () => {
      const key = who === 'with a key' ? service.key : undefined;
      feed.send(valuePrice(2.42));
      feed.send(sharpPrices([2.2, 3.3, 3.4]));
      await using page = await browser.open(
        `${service.url}/events/${eventId}`,
        key === undefined ? {} : { key },
      );
      await pane(page, 'Scorelines').locator('.heat-map').waitFor();
      await pane(page, 'Fair prices and value').getByText('2.42').first().waitFor();
      await showsTools(page, key);
      const list = pane(page, 'Fair prices and value').locator('.value-list');
      if (key !== undefined) await list.getByText('2.42').waitFor();
      const before = await page.evaluate(SHOWN_FAIR);
      feed.send(sharpPrices([2.25, 3.3, 3.3]));
      feed.send(valuePrice(2.48));
      await pane(page, 'Fair prices and value').getByText('2.48').first().waitFor();
      if (key !== undefined) await list.getByText('2.48').waitFor();
      expect(await list.getByText('2.42').count()).toBe(0);
      await showsTools(page, key);
      expect(await page.evaluate(SHOWN_FAIR)).not.toEqual(before);
      expect(await page.evaluate(TOOL_CALLS)).toBe(0);
    });
  }
});
