// The order of the board, its stars, the choice of bookmakers and the keyboard, in a real browser. A
// visitor's choices are in the address or stored by the browser, so they are the same after a reload.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { quoteWire } from '../../../feed/wire.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { until } from '../../../support/condition.ts';
import { pageFeed } from '../../../support/page-slate.ts';
import { browser, feed, servePages, service } from '../../../support/pages.ts';
import { nowText } from '../../../support/scripted-feed.ts';

const FIXTURES = 6;
const LIVE = FIXTURES / 3;

servePages(() => pageFeed(FIXTURES));

const ORDER = `[...document.querySelectorAll('.fixture')].map((one) => one.dataset.id)`;

async function open(query = ''): Promise<Page & AsyncDisposable> {
  const page = await browser.open(`${service.url}/${query}`, { key: service.key });
  await page.waitForSelector('.fixture');
  return page;
}

async function orderOf(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(ORDER)) as readonly string[];
}

describe.skipIf(NO_BROWSER !== null)(`the order of the board${BROWSER_NOTE}`, () => {
  test('the order by kickoff has live fixtures first, then the order of the API; the order by edge has the largest shown edge first, and the order by movement the fixture whose best price has moved most', async () => {
    await using page = await open('?sort=kickoff');
    const { data } = await service.get<{
      data: readonly { readonly id: string; readonly status: string; readonly scheduled_at: string }[];
    }>('/v1/events?limit=200');
    const kickoffs = new Map(data.map(({ id, scheduled_at }) => [id, scheduled_at]));
    const shown = await orderOf(page);
    const live = data.filter(({ status }) => status === 'live').map(({ id }) => id);
    expect(shown.slice(0, live.length).toSorted()).toEqual(live.toSorted());
    const scheduled = shown.slice(live.length).map((id) => kickoffs.get(id)!);
    expect(scheduled).toEqual(scheduled.toSorted());

    await page.getByLabel('Order').selectOption('edge');
    await page.waitForURL(/sort=edge/);
    const largest = `[...document.querySelectorAll('.fixture')].map((one) =>
      Math.max(...[...one.querySelectorAll('.price.edge:not(.none)')].map((cell) => Number(cell.textContent))))`;
    const edges = (await page.evaluate(largest)) as number[];
    expect(edges.length).toBe(FIXTURES);
    expect(edges).toEqual(edges.toSorted((one, other) => other - one));

    const last = (await orderOf(page)).at(-1)!;
    const name = await page.locator(`.fixture[data-id="${last}"] .team`).first().textContent();
    const event = name!.replace('Home of ', '');
    const price = { at: nowText(), bookmaker: 'crown', market_type: '1x2', line: null };
    feed.send(quoteWire(0, event, { ...price, prices: [6.1, 3.3, 3.4] }));
    await page.locator(`.fixture[data-id="${last}"]`, { hasText: '6.10' }).waitFor();
    await page.getByLabel('Order').selectOption('movement');
    await until('it is first', async () => (await orderOf(page))[0] === last);
  });

  test('fixtures that start soon can be chosen beside the status; the visitor’s clock decides which they are', async () => {
    await using page = await browser.open(service.url, {
      key: service.key,
      // A context of its own, because the clock stays fixed for all later pages of a context.
      locale: 'en-GB',
      // The first fixture starts an hour from now. By this visitor's clock, it starts in more than three
      // hours.
      prepare: (opened) => opened.clock.setFixedTime(Date.now() - 2.5 * 3_600_000),
    });
    await page.waitForSelector('.fixture');
    await page.getByLabel('Status').selectOption({ label: 'Within 3 h' });
    await page.getByText('No fixtures match').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      status: 'scheduled',
      starts: '3',
    });
    await page.getByLabel('Status').selectOption({ label: 'Within 24 h' });
    await until('all scheduled ones are shown', async () => (await orderOf(page)).length === FIXTURES - LIVE);
    await page.reload();
    await until('after a reload too', async () => (await orderOf(page)).length === FIXTURES - LIVE);
    await page.getByLabel('Status').selectOption('');
    await until('live ones are back', async () => (await orderOf(page)).length === FIXTURES);
  });

  test('a starred fixture comes first in every order, even after a reload; the key s removes the star', async () => {
    await using page = await open('?sort=kickoff');
    const id = (await orderOf(page)).at(-1)!;
    await page.locator(`.fixture[data-id="${id}"] .star`).click();
    await until('it is first', async () => (await orderOf(page))[0] === id);
    await page.reload();
    await until('it is still first', async () => (await orderOf(page))[0] === id);
    await page.getByRole('button', { name: 'Starred' }).click();
    await until('only it is shown', async () => (await orderOf(page)).join() === id);
    const { search } = new URL(page.url());
    await page.getByRole('button', { name: 'Starred' }).click();
    await page.keyboard.press('j');
    await until(
      'it has the focus',
      async () => (await page.evaluate('document.activeElement.dataset.id')) === id,
    );
    await page.keyboard.press('s');
    await until('it is last again', async () => (await orderOf(page)).at(-1) === id);
    await page[Symbol.asyncDispose]();
    await using other = await open(search);
    await until('another visitor sees the same', async () => (await orderOf(other)).join() === id);
    await other.goto(service.url);
    await other.waitForSelector('.fixture');
    expect(await other.locator('.star.is-starred').count()).toBe(0);
  });

  test('bookmakers are chosen and moved with keys, the address contains the choice, and the fair price does not change', async () => {
    await using page = await open();
    const heads = `[...document.querySelectorAll('.board-sticky .head-price')].slice(3).map((one) => one.textContent)`;
    const fair = `document.querySelector('.price.fair').textContent`;
    const before = await page.evaluate(fair);
    expect(await page.evaluate(heads)).toEqual(['Crown', 'Sbobet', 'Pinnacle']);
    await page.locator('.choice-list summary').click();
    await page.getByLabel('Move Sbobet up').click();
    await until('Sbobet is first', async () => ((await page.evaluate(heads)) as string[])[0] === 'Sbobet');
    await page.getByRole('checkbox', { name: 'Pinnacle' }).uncheck();
    const list = page.locator('.choice-list[open]');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await list.waitFor();
    await page.locator('.fixture .price').first().click();
    await list.waitFor({ state: 'detached' });
    await page.reload();
    await page.waitForSelector('.fixture');
    expect(await page.evaluate(heads)).toEqual(['Sbobet', 'Crown']);
    expect(await page.evaluate(fair)).toBe(before);
  });
});
