// Every price on every page is in the visitor's odds format. Also tested are the search, and the counts on
// the tabs for value and arbitrage.

import { describe, expect, test } from 'bun:test';
import { eventWire, quoteWire, type WireMessage } from '../../../feed/wire.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { until } from '../../../support/condition.ts';
import { browser, feed, servePages, service } from '../../../support/pages.ts';
import { nowText, ScriptedFeed } from '../../../support/scripted-feed.ts';

function quotes(event: string, byBook: Readonly<Record<string, readonly number[]>>): WireMessage[] {
  return Object.entries(byBook).map(([bookmaker, prices]) =>
    quoteWire(0, event, { at: nowText(), bookmaker, market_type: '1x2', line: null, prices }),
  );
}

/** Totals of two lines. Over 2.5 and under 3.5 can both win. */
const MIDDLE = [
  { line: 2.5, bookmaker: 'crown', prices: [2.02, 1.85] },
  { line: 2.5, bookmaker: 'sbobet', prices: [1.92, 1.95] },
  { line: 3.5, bookmaker: 'crown', prices: [3.3, 1.33] },
  { line: 3.5, bookmaker: 'sbobet', prices: [3.1, 1.4] },
] as const;

/** Two fixtures with value, one of them also with arbitrage, and one without a sharp price but a middle. */
function slate(): WireMessage[] {
  const prices = {
    e0: { pinnacle: [2.2, 3.3, 3.4], crown: [2.45, 3.1, 3.1] },
    e1: { pinnacle: [2.2, 3.3, 3.4], crown: [2.45, 3.1, 3.1], sbobet: [2.1, 3.62, 3.1], m8bet: [2, 3, 3.72] },
    e2: { crown: [2.2, 3.1, 3.1], sbobet: [2.1, 3.2, 3.1] },
  };
  return Object.entries(prices).flatMap(([event, byBook]) => [
    eventWire(0, event, { at: nowText(), scheduled_at: nowText(3_600_000) }),
    ...quotes(event, byBook),
    ...(event === 'e2' ? MIDDLE : []).map((totals) =>
      quoteWire(0, event, { at: nowText(), market_type: 'totals', ...totals }),
    ),
  ]);
}

servePages(() => new ScriptedFeed({ slate }));

/** A decimal price within a text: it has two or more decimals and no percent sign. */
const DECIMAL_PRICE = /\d+\.\d{2,}(?![\d.]*\s*%)/;
/**
 * The text of the panes with prices. Cells are separated by spaces, so that neighbours are not read as one
 * number; goal rates are left out, because they have two decimals in every format.
 */
const PRICED_PANES = `[...document.querySelectorAll('.pane')].filter(({ ariaLabel }) => ariaLabel !== 'Scorelines')
  .map((pane) => pane.innerText).join(' ')`;
const SIGNAL_PRICE = '.signals td:nth-child(4)';

/** What find_middles answers for a fixture. */
async function middlesOf(id: string) {
  const found = await fetch(`${service.url}/v1/mcp/find_middles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: id }),
  });
  return (await found.json()) as {
    readonly low_holds: readonly { readonly hold_pct: number }[];
    readonly middles: readonly {
      readonly ev_pct: number;
      readonly legs: readonly { readonly price: number }[];
    }[];
  };
}

describe.skipIf(NO_BROWSER !== null)(`odds formats and tabs${BROWSER_NOTE}`, () => {
  test('american odds are shown on the board, its tabs and the match, with all its panes and its table of moves', async () => {
    const { data } = await service.get<{ data: readonly { id: string }[] }>('/v1/events');
    const texts: string[] = [];
    await using page = await browser.open(`${service.url}/?format=american`, { key: service.key });
    for (const tab of ['Board', 'Value', 'Arbitrage']) {
      await page.getByRole('button', { name: tab }).click();
      await page.waitForSelector(tab === 'Board' ? '.fixture .price' : `${SIGNAL_PRICE}`);
      texts.push((await page.locator('main').textContent()) ?? '');
    }
    for (const { id } of data) {
      await page.goto(`${service.url}/events/${id}?format=american`);
      await page.getByRole('button', { name: 'Show table' }).click();
      await page.locator('.fair-table').waitFor();
      texts.push(String(await page.evaluate(PRICED_PANES)));
    }
    for (const text of texts) expect(DECIMAL_PRICE.exec(text)?.[0]).toBeUndefined();
    for (const text of texts.slice(0, 4)) expect(text).toMatch(/[+-]\d{3}/);
  });

  test('the match page keeps the board’s format and time zone; an unknown market in the address counts as 1x2, even if the name is one that every JavaScript object has', async () => {
    await using page = await browser.open(`${service.url}/?format=american&timezone=Asia%2FTokyo`, {
      key: service.key,
    });
    await page.locator('.fixture .teams').first().click();
    await page.waitForURL(/\/events\/\w+\?format=american&timezone=Asia%2FTokyo$/);
    await page
      .locator('.market-table .value', { hasText: /^[+-]\d{3}/ })
      .first()
      .waitFor();
    await page.goto(`${service.url}/?markets=constructor`);
    await page.waitForSelector('.fixture .price');
    expect(await page.locator('main').textContent()).toMatch(/home.*draw.*away/);
  });

  test('the search also filters the tabs for value and arbitrage; only value reports that a sharp price is missing, because arbitrage needs none', async () => {
    await using page = await browser.open(`${service.url}/?tab=value`, { key: service.key });
    const rows = page.locator('.signals tbody tr');
    const tab = page.getByRole('button', { name: 'Value' });
    await until('value of both fixtures is shown', async () => {
      const text = (await page.locator('.signals').textContent()) ?? '';
      return text.includes('Home of e0') && text.includes('Home of e1');
    });
    const missing = page.getByText('no sharp price');
    await missing.waitFor();
    const all = await rows.count();
    await page.getByLabel('Search teams').fill('home of e0');
    await until('the other fixture is gone', async () => {
      const text = (await page.locator('.signals').textContent()) ?? '';
      return text.includes('Home of e0') && !text.includes('Home of e1');
    });
    expect(await rows.count()).toBeLessThan(all);
    expect(await tab.textContent()).toBe(`Value${await rows.count()}`);
    await page.getByRole('button', { name: 'Arbitrage' }).click();
    await page.getByText('No arbitrage matches your search').waitFor();
    expect(await missing.count()).toBe(0);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await rows.first().waitFor();
    expect(await missing.count()).toBe(0);
  });

  test('value is filtered by edge and sorted by its columns, and a row opens to show its legs with their ages', async () => {
    await using page = await browser.open(`${service.url}/?tab=value`, { key: service.key });
    const rows = page.locator('.signals tbody tr');
    await rows.first().waitFor();
    const sizes = async (): Promise<number[]> =>
      (await page.locator('.signals .size').allTextContents()).map((text) =>
        Number.parseFloat(text.slice(1)),
      );
    const all = await sizes();
    expect(all).toEqual(all.toSorted((one, other) => other - one));
    await page.getByLabel('Least edge').selectOption('5');
    await page.waitForURL(/min_edge=5/);
    await until('smaller edges are gone', async () => (await sizes()).every((size) => size >= 5));
    expect(await sizes()).toEqual(all.filter((size) => size >= 5));
    await page.getByLabel('Least edge').selectOption('');
    await page.getByRole('button', { name: 'Open for' }).click();
    await page.waitForURL(/signal_sort=since/);
    await until('the head says so', async () => (await page.locator('[aria-sort=descending]').count()) === 1);
    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click();
    const details = page.locator('.signal-details').first();
    await details
      .getByText(/price .* old/)
      .first()
      .waitFor();
    await details.getByText(/Fair price/).waitFor();
    await details.getByText(/^Opened .*, open for/).waitFor();
    const alert = details.getByRole('link', { name: 'Alert me on signals like this' });
    const address = new URL((await alert.getAttribute('href'))!, service.url);
    expect(address.pathname + address.hash).toBe('/console#alerts');
    const { league, ...fields } = Object.fromEntries(address.searchParams);
    expect(league).toStartWith('lg_');
    expect(fields).toMatchObject({ kind: 'value', markets: '1x2', period: 'full_time', in_play: 'false' });
    expect(Number(fields.min_edge_pct)).toBeLessThanOrEqual(Math.max(...all));
  });

  test('rows do not move while the pointer moves over them; a signal that closes stays, with a mark, until the pointer leaves', async () => {
    await using page = await browser.open(`${service.url}/?tab=value`, { key: service.key });
    const matches = page.locator('.signals tbody tr:not(.signal-details) th');
    const first = page.locator('.signals tbody tr').first();
    await first.waitFor();
    const order = await matches.allTextContents();
    const closes = /e\d/.exec(order[0]!)![0];
    const box = (await first.boundingBox())!;
    let step = 0;
    // A pointer that does not move holds the rows only for a while, so this one keeps moving.
    const move = (): Promise<void> => page.mouse.move(box.x + 20 + (step++ % 2), box.y + 5);
    await move();
    await page.getByText('hold still').waitFor();
    const worse = { crown: [2, 3, 3], sbobet: [2, 3, 3], m8bet: [2, 3, 3] };
    for (const message of quotes(closes, worse)) feed.send(message);
    await until('the row is marked', async () => {
      await move();
      return (await first.getAttribute('class')) === 'is-closed';
    });
    expect((await matches.allTextContents()).slice(0, order.length)).toEqual(order);
    await page.mouse.move(0, 0);
    await until(
      'it leaves',
      async () => !(await matches.allTextContents()).some((text) => text.includes(closes)),
    );
    for (const message of slate()) feed.send(message);
    await until('it is back', async () =>
      (await matches.allTextContents()).some((text) => text.includes(closes)),
    );
  });

  test('the page shows the low holds of find_middles, the lowest first, and its middles with the line of each side', async () => {
    await using page = await browser.open(`${service.url}/?tab=low_hold`, { key: service.key });
    await page.waitForSelector('.signals .size');
    const { data } = await service.get<{ data: readonly { id: string; home_team: { name: string } }[] }>(
      '/v1/events',
    );
    const holds: number[] = [];
    for (const { id } of data) {
      const { low_holds } = await middlesOf(id);
      holds.push(...low_holds.map(({ hold_pct }) => hold_pct));
    }
    const expected = holds.toSorted((one, other) => one - other).map((hold) => `${hold.toFixed(1)} %`);
    expect(expected.length).toBeGreaterThan(0);
    expect(await page.locator('.signals .size').allTextContents()).toEqual(expected);

    await page.goto(`${service.url}/?tab=middle`);
    const rows = page.locator('.signals tbody tr');
    await rows.first().waitFor();
    const { id } = data.find(({ home_team }) => home_team.name.endsWith('e2'))!;
    const { middles } = await middlesOf(id);
    expect(middles.length).toBeGreaterThan(0);
    expect(await rows.count()).toBe(middles.length);
    const text = (await rows.first().textContent()) ?? '';
    expect(text).toStartWith(`+${middles[0]!.ev_pct.toFixed(1)} %`);
    for (const { price } of middles[0]!.legs) expect(text).toContain(price.toFixed(2));
    expect(text).toMatch(/over 2\.5 .*under 3\.5 /);
  });

  test('the copied curl command uses the same environment variable as the README', async () => {
    const { data } = await service.get<{ data: readonly { id: string }[] }>('/v1/events');
    await using page = await browser.open(`${service.url}/events/${data[0]!.id}`, {
      key: service.key,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const prices = page
      .locator('.pane')
      .filter({ has: page.getByRole('heading', { name: 'Prices', exact: true }) });
    await prices.locator('button', { hasText: 'Copy curl' }).click();
    await page.getByText('The command uses the key in $OVERROUND_API_KEY').waitFor();
    const curl = String(await page.evaluate('navigator.clipboard.readText()'));
    const shell = Bun.spawn(['sh', '-c', curl], {
      env: { PATH: process.env.PATH ?? '', OVERROUND_API_KEY: service.key },
      stdout: 'pipe',
    });
    expect(await new Response(shell.stdout).json()).toMatchObject({ event_id: data[0]!.id });
    const readme = await Bun.file(new URL('../../../../README.md', import.meta.url)).text();
    expect(readme).toContain('export OVERROUND_API_KEY');
    expect(curl).toContain('$OVERROUND_API_KEY');
  });
});
