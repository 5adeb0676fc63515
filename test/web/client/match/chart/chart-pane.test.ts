// The chart of a match, in a real browser over a server with a price history: its points are those of the
// API, and it can be read with the keyboard.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { quoteWire, stateWire } from '../../../../feed/wire.ts';
import { findings } from '../../../../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../../support/browser.ts';
import { until } from '../../../../support/condition.ts';
import { pageFeed } from '../../../../support/page-slate.ts';
import { browser, feed, servePages, service } from '../../../../support/pages.ts';
import { nowText } from '../../../../support/scripted-feed.ts';

let id: string;
/** A fixture that has not begun. */
let laterId: string;

interface History {
  readonly series: readonly { readonly bookmaker: string; readonly ticks: readonly unknown[] }[];
  readonly states: readonly { readonly status: string; readonly score: unknown; readonly cards: unknown }[];
}

function history(eventId = id): Promise<History> {
  return service.get<History>(`/v1/events/${eventId}/history?markets=1x2&period=full_time`);
}

/** Sets the prices of Crown and Pinnacle for fixture e0. */
async function move(prices: readonly number[]): Promise<void> {
  const before = (await history()).series.flatMap(({ ticks }) => ticks).length;
  for (const bookmaker of ['crown', 'pinnacle']) {
    feed.send(quoteWire(0, 'e0', { at: nowText(), bookmaker, market_type: '1x2', line: null, prices }));
  }
  await until(
    'the history has the move',
    async () => (await history()).series.flatMap(({ ticks }) => ticks).length === before + 2,
  );
}

servePages(
  () => pageFeed(2),
  { HISTORY_DAYS: '1' },
  async () => {
    const { data } = await service.get<{ data: readonly { id: string; home_team: { name: string } }[] }>(
      '/v1/events',
    );
    const idOf = (key: string): string => data.find(({ home_team }) => home_team.name.endsWith(key))!.id;
    [id, laterId] = [idOf('e0'), idOf('e1')];
    await until('the history has the slate', async () => (await history()).series.length === 3);
    await move([2.31, 3.2, 3.1]);
    await move([2.32, 3.2, 3.1]);
  },
);

describe.skipIf(NO_BROWSER !== null)(`the chart of a match${BROWSER_NOTE}`, () => {
  test('the chart is in the page from the start, even without a key, and has every tick of the history', async () => {
    for (const key of [service.key, undefined]) {
      await using page = await browser.open(`${service.url}/events/${id}`, key === undefined ? {} : { key });
      await page.locator('.chart .series[data-series=crown]').waitFor();
      const { series } = await history();
      for (const { bookmaker, ticks } of series) {
        const line = page.locator(`.chart-plot .series[data-series=${bookmaker}]`);
        const isHidden = key === undefined && bookmaker === 'pinnacle';
        expect(await line.count()).toBe(isHidden ? 0 : 1);
        if (!isHidden) expect(Number(await line.getAttribute('data-points'))).toBe(ticks.length);
      }
      // For a caller who sees the sharp book, the fair price comes from it. Without it there are only two
      // owners, too few for a consensus.
      expect(await page.locator('.chart-plot .series-fair').count()).toBe(key === undefined ? 0 : 1);
    }
  });

  test('the chart marks kickoff, goals and red cards, and names them for a screen reader', async () => {
    const steps = [
      { status: 'live', score: [0, 0], cards: [0, 0] },
      { status: 'live', score: [1, 0], cards: [0, 0] },
      { status: 'live', score: [1, 0], cards: [0, 1] },
    ];
    for (const fields of steps) {
      const before = (await history(laterId)).states.length;
      feed.send(stateWire(0, 'e1', { at: nowText(), clock: null, ...fields }));
      await until(
        'the history has the state',
        async () => (await history(laterId)).states.length === before + 1,
      );
    }
    expect((await history(laterId)).states.slice(-3)).toMatchObject(
      steps.map(({ status, score, cards }) => ({
        status,
        ...{ score: { home: score[0], away: score[1] }, cards: { home: cards[0], away: cards[1] } },
      })),
    );
    await using page = await browser.open(`${service.url}/events/${laterId}`, { key: service.key });
    await page.locator('.chart-plot .mark-card').waitFor();
    for (const kind of ['kickoff', 'goal', 'card']) {
      expect(await page.locator(`.chart-plot .mark-${kind}`).count()).toBe(1);
    }
    const words = await page
      .getByRole('list', { name: 'Marks of the chart' })
      .locator('li')
      .allTextContents();
    for (const [index, word] of ['Kickoff, ', '1–0, ', 'Red card, away, '].entries()) {
      expect(words[index]).toStartWith(word);
    }
    expect(await findings(page)).toEqual([]);
  });

  test("the board's sparkline shows the same moves, including those before the page was opened", async () => {
    // If the sparkline were made only from the opening and the last price, it would have one step.
    await move([2.31, 3.2, 3.1]);
    await using page = await browser.open(service.url, { key: service.key });
    const sparkline = page.locator(`.fixture[data-id=${id}] .sparkline .before`).first();
    await until('every move is a step', async () => {
      const path = (await sparkline.count()) === 0 ? null : await sparkline.getAttribute('d');
      return (path?.match(/V/g) ?? []).length >= 4; // the opening and three moves
    });
  });

  test('the chart continues with the moves that the page receives, and can be read with the arrow keys', async () => {
    // The server's clock seems to be a minute behind the page's clock. So the last move of the history seems
    // to be in the future.
    const prepare = async (page: Page): Promise<void> => {
      await page.route('**/history?*', async (route) => {
        const response = await route.fetch();
        const date = new Date(Date.parse(response.headers().date!) - 60_000).toUTCString();
        await route.fulfill({ response, headers: { ...response.headers(), date } });
      });
    };
    await using page = await browser.open(`${service.url}/events/${id}`, { key: service.key, prepare });
    const plot = page.getByRole('slider');
    await plot.waitFor();
    await page.waitForSelector('.connection-live');
    await move([2.44, 3.2, 3.1]);
    await until('the move is read out', async () =>
      ((await plot.getAttribute('aria-valuetext')) ?? '').includes('Crown 2.440'),
    );
    await plot.focus();
    await page.keyboard.press('Home');
    await until(
      'the beginning is read out',
      async () => !((await plot.getAttribute('aria-valuetext')) ?? '').includes('Crown 2.4'),
    );
    await page.keyboard.press('End');
    await until('the end is read out', async () =>
      ((await plot.getAttribute('aria-valuetext')) ?? '').includes('Crown 2.440'),
    );
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Totals' }).first().click();
    await until('the other line is drawn', async () =>
      ((await plot.getAttribute('aria-label')) ?? '').includes('O/U 2.5 over'),
    );
  });

  test('an answer, even 404, that comes late, about a line that is no longer shown, does not remove the chart', async () => {
    const isLate = (url: URL): boolean => url.pathname.endsWith('/history') && url.search.includes('totals');
    const answer = { status: 404, released: Promise.withResolvers<void>() };
    const prepare = async (page: Page): Promise<void> => {
      await page.route(isLate, async (route) => {
        await answer.released.promise;
        await (answer.status === 200 ? route.continue() : route.fulfill({ status: answer.status, json: {} }));
      });
    };
    await using page = await browser.open(`${service.url}/events/${id}`, { key: service.key, prepare });
    const drawn = page.locator('.chart-plot .series[data-series=crown]');
    const lines = page.getByRole('group', { name: 'Market' });
    for (const status of [404, 200]) {
      Object.assign(answer, { status, released: Promise.withResolvers<void>() });
      await drawn.waitFor();
      const late = page.waitForResponse((response) => isLate(new URL(response.url())));
      await lines.getByRole('button', { name: 'Totals', exact: true }).click();
      await drawn.waitFor({ state: 'detached' });
      await lines.getByRole('button', { name: '1x2', exact: true }).click();
      await drawn.waitFor();
      answer.released.resolve();
      await (await late).finished();
      // The answer to a later request has been read, so the late answer has been read too.
      await page.evaluate("fetch('/v1/history').then((answer) => answer.text())");
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      expect(await drawn.count()).toBe(1);
      // Chromium complains of the 404 itself.
      expect(browser.complaints.splice(0)).toHaveLength(status === 200 ? 0 : 1);
    }
  });
});
