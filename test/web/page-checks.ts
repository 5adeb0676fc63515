// Checks for tests of several pages: axe finds nothing in either colour scheme, and a phone shows the page
// without scrolling sideways.

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { COLOUR_RULES, findings } from '../support/axe.ts';

export const PHONE = { width: 390, height: 844 };

const BACKGROUND = 'getComputedStyle(document.body).backgroundColor';
/** Resolves when no colour is in a transition any more. */
const COLOURS_CHANGED = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
).then(() => true)`;

/**
 * Checks a page that was opened in light colours, in both colour schemes.
 * @param rules the rules of axe; by default all
 */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  const light = await page.evaluate(BACKGROUND);
  expect(await findings(page, rules)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await page.evaluate(BACKGROUND)).not.toBe(light);
  await page.evaluate(COLOURS_CHANGED);
  expect(await findings(page, COLOUR_RULES)).toEqual([]);
}

/** By how much the page is wider than its window, not counting regions that scroll on their own. */
export async function excessOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - document.body.clientWidth'));
}

/** Checks that the page fits a window as narrow as a phone's, both unchanged and with everything expanded. */
export async function expectFitsPhone(page: Page, ready: string): Promise<void> {
  await page.setViewportSize(PHONE);
  // The viewer of /docs is two megabytes of script and may take over half a minute while other tests run.
  await page.waitForSelector(ready, { timeout: 100_000 });
  expect(await excessOf(page)).toBe(0);
  for (const name of ['All bookmakers', 'Show table']) {
    const button = page.getByRole('button', { name });
    while ((await button.count()) > 0) await button.first().click();
  }
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  expect(await excessOf(page)).toBe(0);
}
