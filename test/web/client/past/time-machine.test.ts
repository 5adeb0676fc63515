// The time machine in a real browser: the board at an instant shows the API's answer for that instant, the
// page shows that it is about the past, plays forward, and returns to the present.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { MINUTE_MS } from '../../../../src/clock.ts';
import { stateWire } from '../../../feed/wire.ts';
import { findings } from '../../../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { until } from '../../../support/condition.ts';
import { pageFeed, sendChanges } from '../../../support/page-slate.ts';
import { browser, feed, servePages, service } from '../../../support/pages.ts';
import { nowText } from '../../../support/scripted-feed.ts';
import { expectFitsPhone } from '../../page-checks.ts';

const FIXTURES = 6;
const INSTANTS = 4;

const instants: string[] = [];

interface Odds {
  readonly fixtures: readonly {
    readonly event_id: string;
    readonly state: { readonly score: { readonly home: number; readonly away: number } | null };
    readonly odds: readonly {
      readonly bookmaker: string;
      readonly market_type: string;
      readonly prices: Readonly<Record<string, number>>;
    }[];
  }[];
}

interface Coverage {
  readonly days: readonly { readonly ticks: number }[];
}

async function tickCount(): Promise<number> {
  const { days } = await service.get<Coverage>('/v1/history');
  return days.reduce((sum, { ticks }) => sum + ticks, 0);
}

servePages(
  () => pageFeed(FIXTURES),
  { HISTORY_DAYS: '1' },
  async () => {
    for (let round = 0; round < INSTANTS; round++) {
      const before = await tickCount();
      feed.send(stateWire(0, 'e0', { at: nowText(), score: [round, 0] }));
      sendChanges(feed, FIXTURES, 30);
      await until('the history has the changes', async () => (await tickCount()) > before);
      instants.push(nowText());
    }
  },
);

const SHOWN = `Object.fromEntries([...document.querySelectorAll('.fixture')].map((one) => [one.dataset.id,
  [...one.querySelectorAll('.goals, td.price:not(.fair, .edge, .best-column) .value')].map((cell) => cell.textContent)]))`;

/**
 * Score and prices of the 1x2 in the order in which the board shows them: row by row, bookmaker by bookmaker.
 */
function laidOut({ fixtures }: Odds): Record<string, readonly string[]> {
  const entries = fixtures.map(({ event_id, state: { score }, odds }) => {
    const books = ['crown', 'sbobet', 'pinnacle'].map(
      (key) => odds.find((one) => one.bookmaker === key && one.market_type === '1x2')!,
    );
    const rows = ['home', 'draw', 'away'].flatMap((outcome) => books.map(({ prices }) => prices[outcome]!));
    const goals = score === null ? [] : [`${score.home}`, `${score.away}`];
    return [event_id, [...goals, ...rows.map((price) => price.toFixed(2))]] as const;
  });
  return Object.fromEntries(entries);
}

async function open(query: string): Promise<Page> {
  const page = await browser.open(`${service.url}/${query}`, { key: service.key });
  await page.waitForSelector('.fixture');
  return page;
}

describe.skipIf(NO_BROWSER !== null)(`the time machine${BROWSER_NOTE}`, () => {
  test('at any instant, the board shows the API’s answer for this instant', async () => {
    await using page = await open('');
    const shows = async (at: string): Promise<void> => {
      const expected = laidOut(
        await service.get<Odds>(`/v1/odds?period=full_time&format=decimal&at=${encodeURIComponent(at)}`),
      );
      expect(Object.keys(expected)).toHaveLength(FIXTURES);
      await until(`the board shows ${at}`, async () => Bun.deepEquals(await page.evaluate(SHOWN), expected));
    };
    for (const at of instants) {
      await page.goto(`${service.url}/?at=${encodeURIComponent(at)}`);
      await shows(at);
    }
    // An hour earlier is before the history, so the button leads to the first instant of the history.
    await page.getByRole('button', { name: '−1 h' }).click();
    await page.waitForURL((url) => url.searchParams.get('at')! < instants[0]!);
    await shows(new URL(page.url()).searchParams.get('at')!);
  });

  test('a strip that stays in sight shows that the board is about the past; the board plays forward, and returns to the present', async () => {
    await using page = await open(`?at=${encodeURIComponent(instants[0]!)}`);
    const strip = page.getByRole('region', { name: 'Past prices' });
    await strip.waitFor();
    await page.waitForSelector('.connection-past');
    expect(await findings(page)).toEqual([]);
    await strip.getByRole('button', { name: 'Play at 60 times' }).click();
    // A minute of the past takes a second, so the board soon reaches the present and follows the feed again.
    await page.waitForSelector('.connection-live');
    expect(await strip.count()).toBe(0);
    expect(page.url()).not.toContain('at=');
    await page.getByRole('button', { name: 'Time machine' }).click();
    await strip.waitFor();
    await page.waitForURL(/at=/);
    await strip.getByRole('button', { name: 'Back to now' }).click();
    await page.waitForSelector('.connection-live');
  });

  test('an instant before the history is refused, and the page names the range of the history', async () => {
    await using page = await browser.open(`${service.url}/?at=2020-01-01T00%3A00%3A00.000Z`, {
      key: service.key,
      allowed: /400/,
    });
    await page.getByText('The server refused the request').waitFor();
  });

  test('an instant that cannot be read is refused, and the page shows how to write one', async () => {
    await using page = await browser.open(`${service.url}/?at=yesterday`, {
      key: service.key,
      allowed: /400/,
    });
    await page.getByText('Send at as in 2026-03-01T18:45:00Z.').waitFor();
  });

  test('the page of a match at a past instant has the prices of that instant, and the board links to it; a phone shows the page of a match without scrolling sideways', async () => {
    const at = instants[2]!;
    await using page = await open(`?at=${encodeURIComponent(at)}`);
    await page.locator('.fixture .teams').first().click();
    await page.waitForURL(/\/events\/.*at=/);
    await page.getByRole('region', { name: 'Past prices' }).waitFor();
    const id = /events\/(\w+)/.exec(page.url())![1]!;
    const answer = await service.get<Odds>(
      `/v1/odds?period=full_time&format=decimal&at=${encodeURIComponent(at)}`,
    );
    const own = answer.fixtures.find(({ event_id }) => event_id === id)!;
    const home = own.odds.find(
      ({ bookmaker, market_type }) => bookmaker === 'crown' && market_type === '1x2',
    )!;
    await page
      .locator('.market-table .value', { hasText: home.prices.home!.toFixed(2) })
      .first()
      .waitFor();
    const back = page.getByRole('link', { name: 'All fixtures' });
    expect(new URL((await back.getAttribute('href'))!, service.url).searchParams.get('at')).toBe(at);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.waitForSelector('.connection-live');
    expect(await back.getAttribute('href')).not.toContain('at=');
    await page.getByRole('button', { name: 'Time machine' }).waitFor();
    await expectFitsPhone(page, '.panes .price');
  });

  test('the oldest instant is requested again when the plan may no longer see it, and when the key changes', async () => {
    const { from } = await service.get<{ from: string }>('/v1/history');
    const oldestS = Math.ceil(Date.parse(from) / 1_000);
    const withKey: boolean[] = [];
    let shownFrom = new Date(oldestS * 1_000 - 10 * MINUTE_MS - 1).toISOString();
    const prepare = async (page: Page): Promise<void> => {
      await page.route('**/v1/history', async (route) => {
        withKey.push((await route.request().headerValue('authorization')) !== null);
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), from: shownFrom } });
      });
    };
    await using page = await browser.open(`${service.url}/?at=${encodeURIComponent(instants[2]!)}`, {
      prepare,
    });
    const slider = page.getByRole('region', { name: 'Past prices' }).getByRole('slider');
    const least = async (): Promise<number> => Number(await slider.getAttribute('min'));
    await until('the oldest instant is known', async () => (await least()) === oldestS - 600);
    // The oldest instant is later by now. The page must not request the earlier one, because the refusal
    // would be an error in the browser's console, and such errors fail the test.
    shownFrom = from;
    await slider.fill(String(oldestS - 600));
    await until('the oldest instant of now is shown', async () =>
      page.url().includes(encodeURIComponent(from)),
    );
    await page.waitForSelector('.connection-past');
    expect([await least(), withKey]).toEqual([oldestS, [false, false]]);
    shownFrom = instants[1]!;
    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByLabel('Key', { exact: true }).fill(service.key);
    await page.getByRole('button', { name: 'Use key' }).click();
    await until(
      'the oldest instant is that of the key',
      async () => (await least()) === Math.ceil(Date.parse(instants[1]!) / 1_000),
    );
    expect(withKey).toEqual([false, false, true]);
  });
});
