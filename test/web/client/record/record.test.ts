// The record page in a real browser: its rows are those of the API, and it reports when there is no signal or
// no answer. Before the feed has fixtures, the board reports that too.

import { beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { RecordRow, SignalRecordAnswer } from '../../../../src/contract/record/signal-record.ts';
import { eventWire, quoteWire, resultWire, stateWire, type WireMessage } from '../../../feed/wire.ts';
import { findings } from '../../../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { until } from '../../../support/condition.ts';
import { browser, feed, servePages, service } from '../../../support/pages.ts';
import { nowText, ScriptedFeed } from '../../../support/scripted-feed.ts';
import { excessOf, expectAccessible, expectFitsPhone } from '../../page-checks.ts';

const EVENTS = ['e0', 'e1', 'e2'] as const;
const TABS = {
  None: null,
  Bookmaker: 'bookmaker',
  League: 'league',
  Market: 'market_type',
  Edge: 'edge',
  Day: 'day',
} as const;

/** Pinnacle's totals are fair at 2. The other bookmakers' prices for over are 2 to 8 % above that. */
function quotes(event: string, over: number, extra: number): WireMessage[] {
  const prices = { pinnacle: [1.95, 1.95], crown: [over, 1.8], sbobet: [over - extra, 1.8] };
  return Object.entries(prices).map(([bookmaker, own]) => totals(event, bookmaker, own));
}

function totals(event: string, bookmaker: string, prices: readonly number[]): WireMessage {
  return quoteWire(0, event, { at: nowText(), bookmaker, market_type: 'totals', line: 2.5, prices });
}

function slate(): WireMessage[] {
  return EVENTS.flatMap((event, index) => [
    eventWire(0, event, { at: nowText(), scheduled_at: nowText(3_600_000) }),
    ...quotes(event, 2.05 + index * 0.05, index === 1 ? -0.02 : 0.02),
  ]);
}

async function record(group: string | null): Promise<SignalRecordAnswer> {
  return await service.get(`/v1/signals/record${group === null ? '' : `?group_by=${group}`}`);
}

/** Waits until the row of all signals satisfies the condition. */
async function whole(what: string, holds: (row: RecordRow) => boolean): Promise<void> {
  await until(what, async () => {
    const [row] = (await record(null)).data;
    return row !== undefined && holds(row);
  });
}

/** Sends the fixtures, and everything that happens to them until two are settled. */
async function playMatches(): Promise<void> {
  for (const message of slate()) feed.send(message);
  await whole('three signals are on record', ({ signals }) => signals >= EVENTS.length);
  // The sharp price moves before kickoff, so that the closing line value differs from the edge. In the end
  // the edge of the last fixture is implausible, so its signal closes.
  for (const event of EVENTS) feed.send(totals(event, 'pinnacle', [1.9, 2]));
  await whole('the record has seen the move', ({ median_life_s: life }) => life !== null);
  for (const event of EVENTS) feed.send(stateWire(0, event, { at: nowText(), score: [0, 0], clock: '1h 1' }));
  await whole('they are graded', ({ closed_with_clv: graded }) => graded >= EVENTS.length);
  for (const event of EVENTS.slice(1)) {
    const score = event === 'e1' ? [2, 1] : [0, 0];
    feed.send(resultWire(0, event, { score, finished_at: nowText() }));
  }
  await whole('two are settled', ({ settled }) => settled >= 2);
}

servePages(() => new ScriptedFeed({ slate: () => [] }), { HISTORY_DAYS: '1' });

const SHOWN = `[...document.querySelectorAll('.record-table tbody tr')].map((row) => [row.dataset.key,
  ...[...row.querySelectorAll('td')].map((cell) => (cell.firstChild.ariaHidden ? null : cell.firstChild.data))])`;

async function shownRows(page: Page): Promise<(string | number | null)[][]> {
  const rows = (await page.evaluate(SHOWN)) as (string | null)[][];
  return rows.map(([key, ...cells]) => [
    key!,
    ...cells.flatMap<number | null>((text, index) => {
      const numbers = text === null ? [null] : text.split(' to ').map(Number);
      return index === 7 && numbers.length === 1 ? [null, null] : numbers;
    }),
  ]);
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
}

function rowsOf({ data }: SignalRecordAnswer): (string | number | null)[][] {
  return data.map((row) => [
    ...[row.key, row.signals, row.mean_edge_pct, row.mean_clv_pct, row.closed_with_clv],
    ...[row.beat_close_pct, row.settled, row.yield_pct, row.yield_low_pct, row.yield_high_pct],
  ]);
}

describe.skipIf(NO_BROWSER !== null)(`before the first fixture${BROWSER_NOTE}`, () => {
  test('the board reports that the slate is empty, and the record page that no signal is on record', async () => {
    await using page = await browser.open(service.url);
    await page.getByText('No fixtures', { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goto(`${service.url}/record`);
    await page.getByText('No signals on record yet').waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

describe.skipIf(NO_BROWSER !== null)(`the record${BROWSER_NOTE}`, () => {
  beforeAll(playMatches);

  test('every tab shows the rows of the API, and names the reference for the edges; the pictures show the data of the API; axe finds no violation in light or dark, and a phone shows the page without scrolling sideways', async () => {
    await using page = await browser.open(service.url, { colorScheme: 'light', key: service.key });
    await page.getByRole('link', { name: 'Record' }).click();
    await page.waitForURL('**/record');
    for (const [tab, group] of Object.entries(TABS)) {
      await page.getByRole('button', { name: tab, exact: true }).click();
      const answer = await record(group);
      expect(answer.data.length).toBeGreaterThan(0);
      for (const row of answer.data) expect(row.mean_clv_pct).not.toBe(row.mean_edge_pct);
      await until(`the rows by ${tab} are those of the API`, async () =>
        Bun.deepEquals(await shownRows(page), rowsOf(answer)),
      );
      if (group !== null) expect(page.url()).toContain(`group_by=${group}`);
    }
    expect(await page.locator('.record-measure').textContent()).toContain('against the sharp bookmaker');

    // The pictures show the growth of one unit, and a bar for each bin of CLV.
    const { series } = await service.get<SignalRecordAnswer>('/v1/signals/record?series=true');
    await page.locator('.record-charts .plot canvas').waitFor();
    const bars = `[...document.querySelectorAll('.clv-bins rect')].map(({ dataset }) => Number(dataset.signals))`;
    expect(await page.evaluate(bars)).toEqual(series!.clv.bins.map(({ signals }) => signals));
    const last = series!.growth.at(-1)!;
    const text = (await page.locator('.record-charts').textContent()) ?? '';
    expect(text).toContain(`each of ${last.settled} settled signals returned ${signed(last.units)} units`);
    expect(text).toContain(`mean ${signed(series!.clv.mean_pct!)} %`);

    await page.getByRole('button', { name: 'Edge', exact: true }).click();
    expect(await excessOf(page)).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Value' }).click();
    await page.waitForURL('**/?tab=value');
    await page.goBack();
    await expectFitsPhone(page, '.record-table');
    expect(await findings(page)).toEqual([]);
  });

  test('a refused call is shown with the API’s message, and a retry shows the rows', async () => {
    let isDown = true;
    await using page = await browser.open(`${service.url}/record`, {
      key: service.key,
      allowed: /503/,
      prepare: async (empty) => {
        const json = { error: { code: 'upstream_unavailable', message: 'Cannot read', fix: 'Wait' } };
        await empty.route('**/v1/signals/record*', (route) =>
          isDown ? route.fulfill({ status: 503, json }) : route.continue(),
        );
      },
    });
    await page.getByText('Cannot read. Wait.').waitFor();
    expect(await findings(page)).toEqual([]);
    isDown = false;
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.waitForSelector('.record-table');
  });

  test('the page of a match that is over shows its closing prices and how each outcome was settled', async () => {
    const { results } = await service.get<{
      results: readonly { event_id: string; score: { home: number } | null }[];
    }>('/v1/results');
    const { event_id: id } = results.find(({ score }) => score?.home === 2)!;
    const { closing } = await service.get<{
      closing: readonly { bookmaker: string; prices: Record<string, number> }[];
    }>(`/v1/events/${id}/closing`);
    const { settlement } = await service.get<{
      settlement: readonly { outcomes: readonly { outcome: string; result: string }[] }[];
    }>(`/v1/events/${id}/settlement`);
    await using page = await browser.open(`${service.url}/events/${id}`, {
      key: service.key,
      allowed: /404/,
    });
    await page.locator('.after-table').waitFor();
    expect(await page.locator('.match-score').textContent()).toStartWith('2 – 1');
    const books = (await page.locator('.after-table thead th').allTextContents()).slice(3);
    const words: Record<string, string> = { win: 'won', loss: 'lost' };
    const expected = settlement[0]!.outcomes.map(({ outcome, result }) => [
      outcome,
      words[result]!,
      ...books.map((name) =>
        closing.find(({ bookmaker }) => bookmaker === name.toLowerCase())!.prices[outcome]!.toFixed(2),
      ),
    ]);
    expect(expected.length).toBe(2);
    const rows = await page.locator('.after-table tbody tr').all();
    const shown = await Promise.all(rows.map((row) => row.locator('th[scope=row], td').allTextContents()));
    expect(shown).toEqual(expected);
    expect(await findings(page)).toEqual([]);
  });
});
