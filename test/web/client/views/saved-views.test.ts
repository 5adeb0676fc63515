// Saved views in a real browser: the view of the board is saved in the account under a name, and is opened
// again after a reload and in another browser.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { AccountClient } from '../../../support/account-client.ts';
import { findings } from '../../../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { pageFeed } from '../../../support/page-slate.ts';
import { browser, servePages, service } from '../../../support/pages.ts';

servePages(() => pageFeed(3), { NODE_ENV: 'development', TRUSTED_PROXIES: '127.0.0.1' });

/** A browser that is logged in to the account. */
async function openAs(person: AccountClient) {
  const page = await browser.open(`${service.url}/console`);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.locator('button[type=submit]').click();
  await page.getByRole('link', { name: 'Account' }).waitFor();
  await page.goto(service.url);
  await page.waitForSelector('.fixture');
  return page;
}

/** Opens the saved view on a board that is in the usual order. */
async function expectOpens(page: Page): Promise<void> {
  expect(await page.getByLabel('Order').inputValue()).toBe('league');
  await page.locator('summary', { hasText: 'Views' }).click();
  await page.getByRole('link', { name: 'Totals & soon' }).click();
  await page.waitForURL(/sort=kickoff/);
  await page.waitForSelector('.fixture');
  expect(await page.getByLabel('Order').inputValue()).toBe('kickoff');
  expect(await page.locator('button[aria-pressed=true]', { hasText: 'Totals' }).count()).toBe(1);
}

describe.skipIf(NO_BROWSER !== null)(`saved views${BROWSER_NOTE}`, () => {
  test('a view is saved, is listed after a reload and in another browser, opens unchanged, and is deleted', async () => {
    const person = new AccountClient(service, { email: 'ada@example.com', address: '192.0.2.7' });
    await person.enter();
    await person.send('POST', '/platform/account/plan', { plan: 'realtime' });
    await using page = await openAs(person);
    await page.getByLabel('Order').selectOption('kickoff');
    await page.getByRole('button', { name: 'Totals', exact: true }).click();
    const views = page.locator('summary', { hasText: 'Views' });
    await views.click();
    await page.getByText('No saved views yet').waitFor();
    await page.getByLabel('Name of this view').fill('Totals & soon');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Totals & soon' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: '1x2' }).click();
    await page.getByLabel('Order').selectOption('league');

    await page.reload();
    await page.waitForSelector('.fixture');
    await expectOpens(page);
    // The first page stays open, so this one has cookies and storage of its own.
    await using other = await openAs(person);
    await expectOpens(other);

    await other.locator('summary', { hasText: 'Views' }).click();
    await other.getByRole('button', { name: 'Delete Totals & soon' }).click();
    await other.getByText('No saved views yet').waitFor();
  });

  test('a visitor without an account has no list of views', async () => {
    await using page = await browser.open(service.url);
    await page.waitForSelector('.fixture');
    expect(await page.locator('summary', { hasText: 'Views' }).count()).toBe(0);
  });
});
