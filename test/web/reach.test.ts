// Every fixture of the API can be reached on the board, whatever a visitor does to move through it, in
// windows of three sizes.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { closeWire, quoteWire } from '../feed/wire.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../support/browser.ts';
import { until } from '../support/condition.ts';
import { pageFeed } from '../support/page-slate.ts';
import { browser, feed, servePages, service } from '../support/pages.ts';
import { nowText } from '../support/scripted-feed.ts';

/** There are enough fixtures to fill the largest screen three times. */
const FIXTURES = 30;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;
/** One size for each layout. A window of 1024 x 768 has the same rows and scripts as the largest. */
const LAYOUTS = [SIZES[0], SIZES[2]] as const;
/** More steps than are ever needed to go through the board. */
const STEPS_MAX = 200;

let fixtures: readonly { readonly id: string; readonly home: string }[];

servePages(
  () => pageFeed(FIXTURES),
  {},
  async () => {
    const { data } = await service.get<{
      data: readonly { readonly id: string; readonly home_team: { readonly name: string } }[];
    }>('/v1/events?limit=200');
    fixtures = data.map(({ id, home_team }) => ({ id, home: home_team.name }));
    expect(fixtures.length).toBe(FIXTURES);
  },
);

/** Collects, frame by frame, the fixtures that are at least partly visible below the column head. */
const COLLECT = `
  window.seenFixtures = new Set();
  const collect = () => {
    for (const one of document.querySelectorAll('.fixture')) {
      const { top, bottom } = one.getBoundingClientRect();
      if (bottom > 28 && top < innerHeight) window.seenFixtures.add(one.dataset.id);
    }
    requestAnimationFrame(collect);
  };
  collect();
`;
const SEEN = `[...window.seenFixtures]`;
const IN_SIGHT = `[...document.querySelectorAll('.fixture')].filter((one) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight + 1;
}).map((one) => one.dataset.id)`;
/** The fixture that has the focus, if it is in sight below the column head; otherwise null. */
const FOCUSED_IN_SIGHT = `(({ activeElement: one }) => {
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 32 && (bottom <= innerHeight || top <= 80) ? (one.dataset.id ?? null) : null;
})(document)`;
const LAST = `document.querySelector('.fixture-list .item:nth-last-child(2) .fixture')?.dataset.id`;
const LIST_HEIGHT = `document.querySelector('.fixture-list').offsetHeight`;
/** Resolves when the effects of the last input are drawn. */
const TWO_FRAMES = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`;
const IS_AT_END = `scrollY + innerHeight >= document.documentElement.scrollHeight - 1`;

async function openBoard(viewport: (typeof SIZES)[number]): Promise<Page> {
  const page = await browser.open(service.url, { key: service.key, viewport });
  await page.waitForSelector('.fixture');
  await page.evaluate(COLLECT);
  return page;
}

/** Repeats an action until the end of the page is in sight and stays there for a few frames. */
async function untilEnd(page: Page, act: () => Promise<void>): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const before = await page.evaluate('scrollY');
    await act();
    await page.evaluate(TWO_FRAMES);
    if ((await page.evaluate(IS_AT_END)) && (await page.evaluate('scrollY')) === before) return;
  }
  throw new Error(`The end was not reached in ${STEPS_MAX} steps`);
}

async function expectAllSeen(page: Page): Promise<void> {
  const seen = (await page.evaluate(SEEN)) as string[];
  expect(seen.sort()).toEqual(fixtures.map(({ id }) => id).sort());
}

describe.skipIf(NO_BROWSER !== null)(`the board’s reach${BROWSER_NOTE}`, () => {
  for (const viewport of SIZES) {
    const size = `${viewport.width} x ${viewport.height}`;

    test(`${size}: End shows the last fixture, Home the first, Page Down and Page Up all of them; the column head names the league of the row below it and keeps the state of the stream in sight`, async () => {
      await using page = await openBoard(viewport);
      const height = await page.evaluate(LIST_HEIGHT);
      const first = ((await page.evaluate(SEEN)) as string[])[0]!;
      await untilEnd(page, () => page.keyboard.press('End'));
      await until('the last fixture is in sight', async () =>
        ((await page.evaluate(IN_SIGHT)) as string[]).includes((await page.evaluate(LAST)) as string),
      );
      const last = (await page.evaluate(LAST)) as string;
      // The heights of rows are computed instead of measured while scrolling, so End leads to the end even on
      // a slow machine.
      expect(await page.evaluate(LIST_HEIGHT)).toBe(height);
      await page.keyboard.press('Home');
      await until('the first is back', async () =>
        ((await page.evaluate(IN_SIGHT)) as string[]).includes(first),
      );
      await page.evaluate('window.seenFixtures.clear()');
      await untilEnd(page, () => page.keyboard.press('PageDown'));
      await expectAllSeen(page);
      expect(await page.evaluate(LAST)).toBe(last);
      await page.evaluate('window.seenFixtures.clear()');
      for (let step = 0; step < STEPS_MAX && (await page.evaluate('scrollY')) !== 0; step++) {
        await page.keyboard.press('PageUp');
        await page.evaluate(TWO_FRAMES);
      }
      await expectAllSeen(page);

      // On the way down, the column head names the league of the row below it.
      const isPhone = viewport.width === 390;
      const head = isPhone ? '.sticky-line' : '.board-sticky';
      // On a phone, the tabs stay above the column head.
      const bottom = isPhone ? 47 + 32 : 32;
      for (let step = 0; step < 14; step++) {
        await page.mouse.wheel(0, 290);
        await until('the head names the league of the row under it', async () =>
          Boolean(
            await page.evaluate(`(() => {
              const title = document.querySelector('${head} .sticky-title')?.textContent ?? '';
              const rows = [...document.querySelectorAll('.item')];
              const top = document.querySelector('.fixture-list').getBoundingClientRect().top;
              if (top > ${bottom}) return title === '' || ${isPhone};
              const under = rows.findIndex((one) => one.getBoundingClientRect().bottom > ${bottom});
              let league = null;
              for (const row of rows.slice(0, under + 1)) league = row.querySelector('.league-row .league-name')?.textContent ?? league;
              return league === null ? title !== '' : title === league;
            })()`),
          ),
        );
      }
      expect(await page.locator(`${head} .connection-live`).count()).toBe(1);
      const box = (await page.locator(`${head} .connection-live`).boundingBox())!;
      expect(box.y >= 0 && box.y < bottom && box.x + box.width <= viewport.width).toBe(true);
    });
  }

  for (const [turn, viewport] of LAYOUTS.entries()) {
    const size = `${viewport.width} x ${viewport.height}`;

    test(`${size}: the arrow keys focus every fixture, keep it in sight, and continue from the rows in sight after scrolling; the search finds fixtures by their names (each layout tests half of them); the wheel shows all, even while markets come and go and fixtures are expanded`, async () => {
      await using page = await openBoard(viewport);
      const focused: string[] = [];
      for (let step = 0; step < FIXTURES; step++) {
        await page.keyboard.press('ArrowDown');
        let id: string | null = null;
        await until('the next fixture has the focus and is in sight', async () => {
          id = (await page.evaluate(FOCUSED_IN_SIGHT)) as string | null;
          return id !== null && id !== focused.at(-1);
        });
        focused.push(id!);
      }
      expect(focused.toSorted()).toEqual(fixtures.map(({ id }) => id).sort());
      await page.keyboard.press('Home');
      await until('the first is back', async () =>
        ((await page.evaluate(IN_SIGHT)) as string[]).includes(focused[0]!),
      );
      await page.evaluate(TWO_FRAMES);
      await page.keyboard.press('ArrowDown');
      await until('a fixture at the top has the focus', async () =>
        Boolean(await page.evaluate('document.activeElement.matches(".fixture") && scrollY < innerHeight')),
      );

      for (const { id, home } of fixtures.filter((_, index) => index % LAYOUTS.length === turn)) {
        await page.evaluate('window.seenFixtures.clear()');
        await page.getByLabel('Search teams').fill(home);
        // "Home of e1" also matches "Home of e10", so the fixture may be some pages further down.
        await until(`${home} is found`, async () => {
          if (((await page.evaluate(SEEN)) as string[]).includes(id)) return true;
          await page.mouse.wheel(0, (await page.evaluate(IS_AT_END)) ? -10_000 : 500);
          return false;
        });
      }

      await page.getByLabel('Search teams').fill('');
      await page.evaluate('scrollTo(0, 0)');
      await until('the first is back', async () =>
        ((await page.evaluate(IN_SIGHT)) as string[]).includes(focused[0]!),
      );
      await page.evaluate('window.seenFixtures.clear()');
      await page.mouse.move(viewport.width / 2, viewport.height / 2);
      let step = 0;
      await untilEnd(page, async () => {
        for (let index = step % 3; index < FIXTURES; index += 3) setMarket(index, step % 2 === 0);
        const more = page.locator('.more-lines');
        if (step % 5 === 0 && (await more.count()) > 0) await more.first().click({ timeout: 5_000 });
        await page.mouse.wheel(0, 420);
        step += 1;
      });
      await expectAllSeen(page);
      for (let index = 0; index < FIXTURES; index++) setMarket(index, true);
    });
  }

  test('Back from a match restores the position on the board, and the match links to the same view', async () => {
    for (const viewport of LAYOUTS) {
      await using page = await browser.open(`${service.url}/?sport=football`, { key: service.key, viewport });
      await page.waitForSelector('.fixture');
      await page.mouse.move(viewport.width / 2, viewport.height / 2);
      for (let step = 0; step < 6; step++) {
        await page.mouse.wheel(0, 500);
        await page.evaluate('new Promise((done) => setTimeout(done, 100))');
      }
      const left = (await page.evaluate(IN_SIGHT)) as string[];
      expect(left.length).toBeGreaterThan(0);
      await page.locator(`.fixture[data-id="${left[0]}"] .teams`).click();
      await page.waitForURL('**/events/*');
      const link = page.getByRole('link', { name: 'All fixtures' });
      expect(await link.getAttribute('href')).toBe('/?sport=football');
      await page.goBack();
      await until('the same fixture is in sight', async () =>
        ((await page.evaluate(IN_SIGHT)) as string[]).includes(left[0]!),
      );
    }
  });
});

/**
 * All bookmakers close or reopen a market of a fixture, so that its row on the board becomes lower or higher.
 */
function setMarket(index: number, isOpen: boolean): void {
  for (const bookmaker of ['crown', 'sbobet', 'pinnacle']) {
    const name = { at: nowText(), bookmaker, market_type: '1x2', line: null };
    const event = `e${index}`;
    feed.send(isOpen ? quoteWire(0, event, { ...name, prices: [2.2, 3.3, 3.4] }) : closeWire(0, event, name));
  }
}
