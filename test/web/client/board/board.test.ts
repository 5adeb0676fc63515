// The board in a real browser: it follows a changing feed, keeps its view in the address, and recovers when
// its stream is cut.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { quoteWire, stateWire } from '../../../feed/wire.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { until } from '../../../support/condition.ts';
import { CuttableProxy } from '../../../support/cuttable-proxy.ts';
import { pageFeed, sendChanges } from '../../../support/page-slate.ts';
import { browser, feed, servePages, service } from '../../../support/pages.ts';
import { nowText } from '../../../support/scripted-feed.ts';

const FIXTURES = 12;

servePages(() => pageFeed(FIXTURES));

/** The prices that the document shows, as text, by `event bookmaker market outcome`. */
const SHOWN = `(() => {
  const shown = {};
  for (const article of document.querySelectorAll('.fixture')) {
    const heads = [...article.querySelectorAll('thead th')].map((one) => one.textContent);
    for (const body of article.querySelectorAll('tbody')) {
      const market = body.querySelector('.market')?.textContent;
      for (const row of body.querySelectorAll('tr')) {
        const outcome = row.querySelector('.outcome').textContent;
        const cells = [...row.querySelectorAll('td.price:not(.fair, .edge, .best-column)')];
        cells.forEach((cell, index) => {
          const value = cell.querySelector('.value');
          if (value !== null) shown[[article.dataset.id, heads[index + 5], market, outcome].join(' ')] = value.textContent;
        });
      }
    }
  }
  return shown;
})()`;

/** Counts how often the document changes between two frames, and keeps the highest count. */
const COUNT_DRAWS = `
  window.draws_ = 0;
  window.most_ = 0;
  new MutationObserver(() => { window.draws_ += 1; }).observe(document, { subtree: true, childList: true, characterData: true });
  const step = () => {
    window.most_ = Math.max(window.most_, window.draws_);
    window.draws_ = 0;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
`;

/** Counts the answers with openings that the page received. */
const ASKED_OPENINGS = `performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/v1/openings/batch')).length`;

const MARKET_MARKS: Readonly<Record<string, string>> = {
  '1x2': '1x2',
  asian_handicap: 'AH -0.5',
  totals: 'O/U 2.5',
};

interface Odds {
  readonly fixtures: readonly {
    readonly event_id: string;
    readonly odds: readonly {
      readonly bookmaker: string;
      readonly market_type: string;
      readonly prices: Readonly<Record<string, number>>;
    }[];
  }[];
}

/** What the rows must show for all fixtures, according to the API. */
async function expected(): Promise<Record<string, string>> {
  const { fixtures } = await service.get<Odds>('/v1/odds?period=full_time&format=decimal');
  const prices: Record<string, string> = {};
  for (const { event_id, odds } of fixtures) {
    for (const { bookmaker, market_type, prices: byOutcome } of odds) {
      const name = bookmaker[0]!.toUpperCase() + bookmaker.slice(1);
      for (const [outcome, price] of Object.entries(byOutcome)) {
        prices[[event_id, name, MARKET_MARKS[market_type], outcome].join(' ')] = price.toFixed(2);
      }
    }
  }
  return prices;
}

async function differences(page: Page): Promise<string[]> {
  const shown = (await page.evaluate(SHOWN)) as Record<string, string>;
  const right = await expected();
  const entries = Object.entries(shown);
  if (entries.length < 20) return ['too few prices are shown'];
  return entries
    .filter(([key, text]) => right[key] !== text)
    .map(([key, text]) => `${key}: ${text}, not ${right[key]}`);
}

function unitsUsed(): Promise<number> {
  return service.get<{ usage: { requests: number } }>('/v1/usage').then(({ usage }) => usage.requests);
}

/**
 * Opens the board for a visitor who has used it before, and records its requests for prices. From then on its
 * scripts arrive only when `scripts` is resolved.
 */
async function openHeld(view: string) {
  const streams: string[] = [];
  const scripts = Promise.withResolvers<void>();
  const page = await browser.open(service.url + view, {
    key: service.key,
    prepare: async (opened) => {
      opened.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname === '/v1/stream') streams.push(pathname + search);
      });
    },
  });
  await page.waitForSelector('.connection-live');
  await page.route('**/assets/board-*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  return { page, streams, scripts };
}

describe.skipIf(NO_BROWSER !== null)(`the board${BROWSER_NOTE}`, () => {
  test('the board follows a changing feed and equals the API at the end; loading it costs two units', async () => {
    const before = await unitsUsed();
    await using page = await browser.open(`${service.url}/?markets=all`, { key: service.key });
    await page.waitForSelector('.connection-live');
    await page.waitForSelector('.fixture');
    await until('openings are asked for', async () => (await page.evaluate(ASKED_OPENINGS)) === 1);
    expect((await unitsUsed()) - before - 1).toBe(2);
    for (let round = 0; round < 10; round++) sendChanges(feed, FIXTURES, 40);
    await until('the board equals the API', async () => (await differences(page)).length === 0);
    await page.waitForSelector('.move');
    await page.mouse.wheel(0, 900);
    await until('rows further down equal it too', async () => (await differences(page)).length === 0);
  });

  for (const view of ['/', '/?sport=football&format=american&sort=kickoff']) {
    test(`the page sends the request for ${view} before its scripts run, if this browser has seen the view`, async () => {
      const { page, streams, scripts } = await openHeld(view);
      await page.reload({ waitUntil: 'commit' });
      await until('the prices are requested', () => streams.length === 2);
      expect(streams[1]).toEqual(streams[0]!);
      scripts.resolve();
      await page.waitForSelector('.connection-live');
      expect(streams).toHaveLength(2);
      await page[Symbol.asyncDispose]();
    });
  }

  test('the page aborts an early request for anything that it does not show', async () => {
    const { page, streams, scripts } = await openHeld('/');
    const [path] = streams;
    const wrong = JSON.stringify({ search: '', path: '/v1/stream?sport=basketball' });
    await page.evaluate(`localStorage.setItem('overround.stream', '${wrong}')`);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('sport=basketball'));
    await page.reload({ waitUntil: 'commit' });
    scripts.resolve();
    await ended;
    await page.waitForSelector('.fixture');
    expect(streams).toEqual([path!, '/v1/stream?sport=basketball', path!]);
    await page[Symbol.asyncDispose]();
  });

  test('the board shows moves from before the page was opened, as arrows and as sparklines since the opening; at most two screens of rows are in the document', async () => {
    const price = { bookmaker: 'crown', market_type: '1x2', line: null, prices: [9.5, 3.3, 3.4] } as const;
    feed.send(quoteWire(0, 'e0', { ...price, at: nowText() }));
    await until('the price is served', async () => Object.values(await expected()).includes('9.50'));
    await using page = await browser.open(service.url, { key: service.key });
    const row = page.locator('.fixture tr', { hasText: '9.50' }).first();
    await row.locator('.move.up', { hasText: 'up since opening' }).first().waitFor();
    await row.locator('.sparkline .before').waitFor();
    expect(await row.locator('.flash').count()).toBe(0);
    const heightOfRows = `[...document.querySelectorAll('.item')].reduce((sum, one) => sum + one.offsetHeight, 0)`;
    for (const wheel of [0, 1_200, 5_000]) {
      await page.mouse.wheel(0, wheel);
      expect(await page.evaluate(heightOfRows)).toBeLessThanOrEqual(2 * 900);
    }
  });

  test('at first the board shows one market, at least twelve fixtures in a window of 900 pixels, and a choice of markets; its search finds fixtures by text, and reports when no fixture matches', async () => {
    await using page = await browser.open(service.url, { key: service.key });
    await page.waitForSelector('.fixture');
    const whole = await page.evaluate(
      `[...document.querySelectorAll('.fixture')].filter((one) => one.getBoundingClientRect().bottom <= innerHeight).length`,
    );
    expect(whole).toBeGreaterThanOrEqual(12);
    for (const [name, outcomes] of [
      ['Handicap', ['home-0.5', 'away+0.5']],
      ['Totals', ['over2.5', 'under2.5']],
      ['1x2', ['home', 'draw', 'away']],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      const rows = page.locator('.fixture').first().locator('.outcome');
      await until(
        `only ${name} is shown`,
        async () => (await rows.allTextContents()).join() === outcomes.join(),
      );
    }
    await page.keyboard.press('/');
    await page.keyboard.type('home of e7');
    await until('one fixture is left', async () => (await page.locator('.fixture').count()) === 1);
    // Escape leaves the field. Its text still shows the filter.
    await page.keyboard.press('Escape');
    expect(await page.locator('.search').inputValue()).toBe('home of e7');
    await page.keyboard.press('/');
    await page.keyboard.press('End');
    await page.keyboard.type('zzzz');
    await page.getByText('No fixtures match these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await until('all are back', async () => (await page.locator('.fixture').count()) > 1);
  });

  test('fair prices and the edge of the best price equal those of the API, with the sharp book and with the consensus', async () => {
    await using page = await browser.open(`${service.url}/?density=roomy`, { key: service.key });
    await page.waitForSelector('.fixture');
    // The first fixture has a price that no consensus accepts.
    const row = page.locator('.fixture').nth(3);
    const id = (await row.getAttribute('data-id'))!;
    for (const reference of ['sharp', 'consensus']) {
      await page.getByLabel('Fair price by').selectOption(reference);
      await until(`fair prices by ${reference} equal those of compare_prob`, async () => {
        const shown = (await row.locator('.price.fair').allTextContents()).map(Number);
        const body = { query: id, market_type: '1x2', external_prob: 0.5, reference };
        const response = await fetch(`${service.url}/v1/mcp/compare_prob`, {
          method: 'POST',
          headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, outcome: 'home' }),
        });
        const answer = (await response.json()) as { readonly fair_prob: number | null };
        return Math.abs(1 / (shown[0] ?? 0) - (answer.fair_prob ?? -1)) < 0.0005;
      });
    }
  });

  test('the board keeps filters in its address under the names that the API has, and keeps them after a reload', async () => {
    await using page = await browser.open(service.url, { key: service.key });
    await page.getByLabel('Status', { exact: true }).selectOption('live');
    await page.getByLabel('Odds format').selectOption('american');
    await page.getByRole('button', { name: 'Totals' }).click();
    await page.waitForURL(/\?status=live&format=american&markets=totals$/);
    await page.reload();
    await until('only live fixtures are shown, in american odds', async () => {
      const text = (await page.locator('main').textContent()) ?? '';
      return (
        /[+-]\d{3}/.test(text) &&
        !text.includes('Scheduled') &&
        text.includes('over2.5') &&
        !text.includes('draw')
      );
    });
    expect(await page.locator('.fixture').count()).toBe(FIXTURES / 3);
    const address = page.url();
    // Another visitor who opens this address sees the same view.
    await page[Symbol.asyncDispose]();
    await using other = await browser.open(address);
    await other.waitForSelector('.fixture');
    expect(await other.locator('.fixture').count()).toBe(FIXTURES / 3);
  });

  test('the board reports that its stream was cut, and continues from its cursor when the server is back', async () => {
    await using proxy = await CuttableProxy.to(service.url);
    await using page = await browser.open(`${proxy.url}/?markets=all`, {
      key: service.key,
      allowed: /ERR_|Failed to load/,
    });
    await page.waitForSelector('.connection-live');
    proxy.cut();
    await page.waitForSelector('.connection-reconnecting');
    await page.getByText('The server is not responding').waitFor();
    await page.waitForSelector('.is-stale');
    sendChanges(feed, FIXTURES, 60);
    proxy.restore();
    await page.waitForSelector('.board:not(.is-stale) .connection-live');
    await until('it has caught up', async () => (await differences(page)).length === 0);
  });

  test('if the board may open no stream, it polls and reports that', async () => {
    await using first = await browser.open(service.url);
    await first.waitForSelector('.connection-live');
    const second = await first.context().newPage();
    await second.goto(`${service.url}/?sort=kickoff`); // a view that this browser has not seen
    await second.waitForSelector('.connection-polling');
    await second.waitForSelector('.fixture');
    await second.getByText('Too many streams are open').waitFor();
  });

  test('the board draws a burst of changes at most twice in a frame', async () => {
    await using page = await browser.open(`${service.url}/?tab=value&markets=all`, {
      key: service.key,
      prepare: (opened) => opened.addInitScript(COUNT_DRAWS).then(() => undefined),
    });
    await page.waitForSelector('.signals .size');
    await page.evaluate('window.most_ = 0');
    for (let round = 0; round < 10; round++) sendChanges(feed, FIXTURES, 60, round);
    await page.getByRole('button', { name: 'Board' }).click();
    await until('the changes are shown', async () => (await differences(page)).length === 0);
    const most = await page.evaluate('window.most_');
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
  });

  test('a row follows the clock in minutes, the score and the status of its match; a phone shows a card with the best prices, and all bookmakers after a tap', async () => {
    await using page = await browser.open(service.url, { key: service.key });
    const row = page.locator('.fixture').first();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      feed.send(stateWire(0, 'e0', { at: nowText() }));
      await page.waitForSelector('.live-dot + .clock');
      await row.getByText("12'", { exact: true }).waitFor();
      feed.send(stateWire(0, 'e0', { at: nowText(), clock: '1h 13', score: [2, 1] }));
      await row.getByText("13'", { exact: true }).waitFor();
      expect(await row.locator('.goals').allTextContents()).toEqual(['2', '1']);
      feed.send(stateWire(0, 'e0', { at: nowText(), status: 'finished', clock: null, score: [3, 1] }));
      await page.locator('.fixture', { hasText: 'Finished' }).getByText('3', { exact: true }).waitFor();
    }
    await page.waitForSelector('.phone-card');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'All bookmakers' }).first().click();
    await page.waitForSelector('.phone-books .scroll-region .market-table');
  });
});
