// Every page is checked by axe-core in both colour schemes, and on a phone. Also tested are use with the
// keyboard alone, the states of a page that has nothing to show, and the pages as an installed app. No page
// contacts another host or violates its content security policy.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findings, WCAG_RULES } from '../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../support/browser.ts';
import { until } from '../support/condition.ts';
import { pageFeed, sendChanges } from '../support/page-slate.ts';
import { browser, servePages, service } from '../support/pages.ts';
import { runService } from '../support/running-service.ts';
import { expectAccessible, expectFitsPhone, PHONE } from './page-checks.ts';

const DESK = { width: 1440, height: 900 };

let eventId: string;

/** One fixture in play, and two that have not begun, in two leagues. */
const FIXTURES = 3;

servePages(
  () => pageFeed(FIXTURES),
  {},
  async () => {
    const { data } = await service.get<{ data: readonly { id: string }[] }>('/v1/events?status=live');
    eventId = data[0]!.id;
  },
);

/** For each tab of the board, the element that it shows when it is ready, and that on a phone. */
const TABS = [
  ['Board', '.fixture', '.phone-card'],
  ['Value', '.signals td', '.signals td'],
  ['Arbitrage', '.signals', '.signals'],
] as const;

/** For each page, the element that it shows when it is ready. */
const PAGES: readonly (readonly [path: string, ready: string])[] = [
  ['/events/:id', '.heat-map'],
  ['/console', 'form'],
  ['/docs/start', 'h1'],
  ['/docs/agents', 'h1'],
  ['/docs/errors', 'h1'],
];

interface OpenApi {
  paths: Record<string, Record<string, { readonly security?: object; readonly responses: object }>>;
  readonly components: { schemas: Record<string, object> };
}

const byLength = (one: string, other: string): number => one.length - other.length;

/**
 * Answers the viewer of /docs with a part of the document of the service: for each method and each kind of
 * authentication the operation with the longest path, and the schema with the longest name. The others look
 * the same, and the viewer and axe need a tenth of a second for each. site.test.ts shows all schemas.
 */
async function oneOfEachKind(page: Page): Promise<void> {
  await page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as OpenApi;
    const shown = new Map<string, OpenApi['paths']>();
    for (const path of Object.keys(json.paths).toSorted(byLength)) {
      for (const [method, { security }] of Object.entries(json.paths[path]!)) {
        const kind = JSON.stringify([method, security]);
        shown.set(kind, { [path]: { [method]: { ...(security && { security }), responses: {} } } });
      }
    }
    json.paths = {};
    for (const [path, operations] of [...shown.values()].flatMap(Object.entries)) {
      json.paths[path] = { ...json.paths[path], ...operations };
    }
    const schema = Object.keys(json.components.schemas).toSorted(byLength).at(-1)!;
    json.components.schemas = { [schema]: {} };
    await route.fulfill({ response, json });
  });
}

describe.skipIf(NO_BROWSER !== null)(`access${BROWSER_NOTE}`, () => {
  test('the board and its tabs: axe finds no violation in light and dark and on a phone, and a phone shows them without scrolling sideways', async () => {
    await using page = await browser.open(service.url, { colorScheme: 'light', key: service.key });
    for (const [tab, ready] of TABS) {
      await page.getByRole('button', { name: tab }).click();
      await page.waitForSelector(ready);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'light' });
    }
    for (const [tab, , ready] of TABS.toReversed()) {
      await page.getByRole('button', { name: tab }).click();
      await page.setViewportSize(PHONE);
      await page.waitForSelector(ready);
      if (tab === 'Board') expect(await findings(page)).toEqual([]);
      await expectFitsPhone(page, ready);
    }
  });

  for (const [path, ready] of PAGES) {
    test(`${path}: axe finds no violation in light and dark, and a phone shows it without scrolling sideways`, async () => {
      const url = service.url + path.replace(':id', eventId);
      await using page = await browser.open(url, { colorScheme: 'light', key: service.key });
      await page.waitForSelector(ready);
      await expectAccessible(page);
      await expectFitsPhone(page, ready);
    });
  }

  test('/docs: a phone shows it without scrolling sideways, and axe finds no violation in light and dark', async () => {
    await using page = await browser.open(`${service.url}/docs`, {
      ...{ colorScheme: 'light', key: service.key, viewport: PHONE, prepare: oneOfEachKind },
    });
    await expectFitsPhone(page, '.opblock');
    await page.setViewportSize(DESK);
    // The headings and landmarks of the page come from the viewer, so only the rules of WCAG are checked.
    await expectAccessible(page, WCAG_RULES);
  });

  test('the keyboard alone can search, move between fixtures, open the match and list the shortcuts, even in the same frame in which a dialog closes', async () => {
    await using page = await browser.open(service.url, { key: service.key });
    await page.waitForSelector('.fixture');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    const focusedInFrame = await page.evaluate(`
      document.querySelector('dialog').close();
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
      document.activeElement.className;
    `);
    expect(focusedInFrame).toBe('search');
    // The page learns a little later that the dialog has closed. Until then, `?` would not open it again.
    await until('the page knows it', async () => (await page.locator('dialog').count()) === 0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await until('the list is closed', async () => (await page.getByRole('dialog').count()) === 0);
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.className')).toBe('search');
    await page.keyboard.press('Escape');
    const seen = new Set<unknown>();
    for (let step = 0; step < FIXTURES; step++) {
      await page.keyboard.press('ArrowDown');
      await until('the next fixture has the focus', async () => {
        const id = await page.evaluate('document.activeElement.dataset.id ?? null');
        return id !== null && !seen.has(id);
      });
      seen.add(await page.evaluate('document.activeElement.dataset.id'));
    }
    const id = await page.evaluate('document.activeElement.dataset.id');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/events/${id}`);
    await page.locator('h1', { hasText: '–' }).waitFor();
  });
});

describe.skipIf(NO_BROWSER !== null)(`states${BROWSER_NOTE}`, () => {
  test('a filter that the API refuses is shown with the API’s message', async () => {
    await using page = await browser.open(`${service.url}/?league=lg_nonsense`, {
      key: service.key,
      allowed: /400/,
    });
    await page.getByText('The server refused').waitFor();
    expect(await page.locator('.notice').textContent()).toContain('Cannot');
  });

  test('an unknown match shows that it was not found', async () => {
    await using page = await browser.open(`${service.url}/events/evt_nonsense`, { allowed: /40\d/ });
    await page.locator('.notice').waitFor();
  });

  test('without a slate the board reports that, keeps trying, and shows prices as soon as there are some', async () => {
    let isDown = true;
    const prepare = (opened: Page): Promise<unknown> =>
      opened.route('**/v1/*', (route) =>
        isDown
          ? route.fulfill({
              status: 503,
              headers: { 'retry-after': '20' },
              json: { error: { code: 'upstream_unavailable', message: 'Cannot serve', fix: null } },
            })
          : route.continue(),
      );
    await using page = await browser.open(service.url, { key: service.key, allowed: /503/, prepare });
    await page.locator('.notice-title', { hasText: 'No prices yet' }).waitFor();
    expect(await findings(page)).toEqual([]);
    isDown = false;
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.waitForSelector('.fixture');
  });

  test('if the feed is silent, live matches are marked stale immediately and scheduled ones later, on the board and the match pages', async () => {
    using silent = pageFeed(FIXTURES);
    silent.beats = false;
    await using late = await runService({ FEED: silent.url, LIVE_FRESHNESS_S: '1' });
    const { data } = await late.get<{ data: readonly { id: string; status: string }[] }>('/v1/events');
    await using page = await browser.open(late.url, { key: late.key });
    await page.waitForSelector('.fixture');
    const marked = `[...document.querySelectorAll('.fixture.is-stale')].map((one) => one.dataset.id)`;
    const staleIds = async (): Promise<string[]> => (await page.evaluate(marked)) as string[];
    const liveIds = data.filter(({ status }) => status === 'live').map(({ id }) => id);
    const areMarked = async (): Promise<boolean> =>
      (await staleIds()).sort().join() === liveIds.sort().join();
    await until('matches in play are marked', areMarked);
    expect(await findings(page)).toEqual([]);
    sendChanges(silent, 1, 1);
    await until('a message confirms the slate', async () => (await staleIds()).length === 0);
    // Nothing else changes any more, so only a heartbeat of the stream can show this.
    await until('they are marked again', areMarked);
    await page.getByText('Prices are old').waitFor();
    for (const status of ['live', 'scheduled']) {
      await page.goto(`${late.url}/events/${data.find((one) => one.status === status)!.id}`);
      await page.waitForSelector('.panes .price');
      expect(await page.locator('.panes.is-stale').count()).toBe(status === 'live' ? 1 : 0);
      if (status === 'live') expect(await findings(page)).toEqual([]);
    }
  });

  test('without a network, prices stay and are marked stale; they update again when the network is back', async () => {
    await using page = await browser.open(service.url, { key: service.key, allowed: /ERR_|Failed to load/ });
    await page.waitForSelector('.connection-live');
    await page.waitForSelector('.fixture'); // the rows may appear after the connection is live
    await page.context().setOffline(true);
    await page.waitForSelector('.connection-offline');
    await page.getByText('No network').waitFor();
    await page.waitForSelector('.is-stale .fixture');
    expect(await findings(page)).toEqual([]);
    await page.context().setOffline(false);
    await page.waitForSelector('.board:not(.is-stale) .connection-live');
  });

  test('when a limit is used up, the board reports it and the time of its next try', async () => {
    await using page = await browser.open(service.url, { allowed: /429/ });
    await page.waitForSelector('.fixture');
    await page.route('**/v1/stream*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '9' },
        json: { error: { code: 'rate_limit_exceeded', message: 'Cannot admit request', fix: 'Wait' } },
      }),
    );
    await page.reload();
    await page.getByText('Rate limit reached').waitFor();
    await page.getByText(/Retrying in \d s/).waitFor();
  });
});

describe.skipIf(NO_BROWSER !== null)(`layout${BROWSER_NOTE}`, () => {
  test('at a width of 1,024 pixels the filters share one line, and none covers another', async () => {
    await using page = await browser.open(service.url, { viewport: { width: 1024, height: 768 } });
    await page.waitForSelector('.fixture');
    const boxes = (await page.evaluate(`[...document.querySelectorAll('.filters .choice')].map((one) => {
      const { left, right, top, height } = one.getBoundingClientRect();
      return { left, right, top, height };
    })`)) as readonly { left: number; right: number; top: number; height: number }[];
    expect(boxes.length).toBe(8);
    for (const [index, box] of boxes.entries()) {
      expect(box.right - box.left).toBeGreaterThan(40);
      expect(box.height).toBeLessThan(40);
      expect(Math.abs(box.top - boxes[0]!.top)).toBeLessThan(8);
      expect(box.left).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0);
      expect(box.right).toBeLessThanOrEqual(1024);
    }
  });

  test('a phone shows the board and a match in other formats without scrolling sideways', async () => {
    const url = `${service.url}/?format=american&period=all`;
    await using page = await browser.open(url, { key: service.key, viewport: PHONE });
    await expectFitsPhone(page, '.phone-card');
    await page.goto(`${service.url}/events/${eventId}?format=probability`);
    await expectFitsPhone(page, '.heat-map');
  });
});

describe.skipIf(NO_BROWSER !== null)(`the installed pages${BROWSER_NOTE}`, () => {
  test('the manifest names an icon that is served, and the page to start with', async () => {
    const response = await fetch(`${service.url}/manifest.webmanifest`);
    expect(response.headers.get('content-type')).toBe('application/manifest+json');
    const { start_url, display, icons } = (await response.json()) as {
      readonly start_url: string;
      readonly display: string;
      readonly icons: readonly { readonly src: string; readonly type: string }[];
    };
    expect({ start_url, display }).toEqual({ start_url: '/', display: 'standalone' });
    const icon = await fetch(service.url + icons[0]!.src);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, icons[0]!.type]);
    await icon.arrayBuffer();
  });

  test('a page that is opened without a network reports that it is offline, and loads when the network is back', async () => {
    await using page = await browser.open(service.url, {
      key: service.key,
      allowed: /ERR_INTERNET|Failed to load/,
    });
    await page.waitForSelector('.fixture');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.context().setOffline(true);
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.waitForSelector('.fixture');
  });
});
