// The console's alerts in a real browser: a rule is made, tested against an endpoint, paused and deleted.

import { afterAll, describe, expect, test } from 'bun:test';
import { AccountClient } from '../../../support/account-client.ts';
import { findings } from '../../../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { until } from '../../../support/condition.ts';
import { pageFeed } from '../../../support/page-slate.ts';
import { browser, servePages, service } from '../../../support/pages.ts';

const EMAIL = 'ada@example.com';

let endpoint: ReturnType<typeof Bun.serve>;
const received: string[] = [];

servePages(
  () => pageFeed(3),
  {
    ...{ NODE_ENV: 'development', OPERATOR_EMAILS: EMAIL },
    ...{ ALERTS_ALLOW: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1', HISTORY_DAYS: '1' },
  },
  async () => {
    endpoint = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1' },
      fetch: async (request) => {
        received.push(await request.text());
        return new Response('<b>thanks</b>');
      },
    });
  },
);
afterAll(() => endpoint?.stop(true));

describe.skipIf(NO_BROWSER !== null)(`alerts in the console${BROWSER_NOTE}`, () => {
  test('a link fills the form, except the address that alerts are sent to; the rule is changed in the same form', async () => {
    const person = new AccountClient(service, { email: 'bob@example.com', address: '203.0.113.8' });
    await person.enter();
    const fields =
      'kind=move&of=price&pct=4&within_s=900&markets=totals,1x2&in_play=false&url=https://evil.test/';
    await using page = await browser.open(`${service.url}/console?${fields}#alerts`, { allowed: /401/ });
    await page.getByLabel('E-mail').fill('bob@example.com');
    await page.getByLabel('Password').fill(person.password);
    await page.locator('button[type=submit]').click();
    expect(await page.locator('input[name=url]').inputValue()).toBe('');
    await page.locator('input[name=url]').fill(`http://127.0.0.1:${endpoint.port}/`);
    await page.getByRole('button', { name: 'Try it on the last day' }).click();
    await page.getByText('It would have reported 0 times').waitFor();
    await page.getByRole('button', { name: 'Create rule' }).click();
    const where = `before kickoff, to 127.0.0.1:${endpoint.port}`;
    await page
      .getByText(`A price that moves by 4 % or more within 15 min, in totals and 1x2, ${where}`)
      .waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Change: My alert' }).click();
    await page.locator('select[name=kind]').selectOption('price');
    await page.locator('select[name=market]').selectOption('asian_handicap');
    await page.locator('select[name=outcome]').selectOption('away');
    await page.locator('input[name=line]').fill('-0.75');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(`A price of 2 or more for asian_handicap away -0.75, ${where}`).waitFor();
  }, 120_000);

  test('a rule is made, tested, paused and deleted; its delivery is shown with escaped text', async () => {
    const person = new AccountClient(service, { email: EMAIL, address: '203.0.113.7' });
    await person.enter();
    await using page = await browser.open(`${service.url}/console#alerts`, { allowed: /401|400/ });
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(person.password);
    await page.locator('button[type=submit]').click();
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.locator('input[name=url]').fill('https://10.0.0.1/');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('ask the operator').waitFor();
    await page.locator('input[name=name]').fill('Early <value>');
    await page.locator('input[name=url]').fill(`http://127.0.0.1:${endpoint.port}/`);
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('whsec_').waitFor();
    await page.getByText(`Value of 3 % or more, to 127.0.0.1:${endpoint.port}`).waitFor();
    expect(await page.locator('input[name=url]').inputValue()).toBe('');
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send a test: Early <value>' }).click();
    await until('the test arrives', () => received.length > 0);
    // The list of deliveries shows how each ended, and the endpoint's answer as text.
    await page.getByText('<b>thanks</b>').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Pause: Early <value>' }).click();
    await page.getByRole('button', { name: 'Resume: Early <value>' }).waitFor();
    await page.getByRole('button', { name: 'Delete: Early <value>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete: Early <value>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No rules yet.').waitFor();
  }, 120_000);
});
