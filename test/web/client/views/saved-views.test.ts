// Saved views in a real browser: the view of the board is saved in the account under a name, and is opened
// again after a reload and in another browser.

import { describe, expect, test } from 'bun:test';
import { AccountClient } from '../../../support/account-client.ts';
import { findings } from '../../../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { pageFeed } from '../../../support/page-slate.ts';
import { browser, servePages, service } from '../../../support/pages.ts';

servePages(() => pageFeed(6), { NODE_ENV: 'development', TRUSTED_PROXIES: '127.0.0.1' });

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

    for (const visited of [page, await openAs(person)]) {
      await visited.reload();
      await visited.waitForSelector('.fixture');
      expect(await visited.getByLabel('Order').inputValue()).toBe('league');
      await visited.locator('summary', { hasText: 'Views' }).click();
      await visited.getByRole('link', { name: 'Totals & soon' }).click();
      await visited.waitForURL(/sort=kickoff/);
      await visited.waitForSelector('.fixture');
      expect(await visited.getByLabel('Order').inputValue()).toBe('kickoff');
      expect(await visited.locator('button[aria-pressed=true]', { hasText: 'Totals' }).count()).toBe(1);
    }

    await page.locator('summary', { hasText: 'Views' }).click();
    await page.getByRole('button', { name: 'Delete Totals & soon' }).click();
    await page.getByText('No saved views yet').waitFor();
  });

  test('a visitor without an account has no list of views', async () => {
    await using page = await browser.open(service.url);
    await page.waitForSelector('.fixture');
    expect(await page.locator('summary', { hasText: 'Views' }).count()).toBe(0);
  });
});
