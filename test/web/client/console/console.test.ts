// The console in a real browser: from sign-up to a working key, rotation, revocation, usage and log-out, and
// on a phone.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { COLOUR_RULES, findings } from '../../../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../../../support/browser.ts';
import { until } from '../../../support/condition.ts';
import { statusWithKey } from '../../../support/key-holder.ts';
import { codeOfMail, lastMail as lastMailOf } from '../../../support/outbox.ts';
import { pageFeed } from '../../../support/page-slate.ts';
import { browser, servePages, service } from '../../../support/pages.ts';
import { excessOf, PHONE } from '../../page-checks.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
const OPERATOR = 'grace@example.com';
const NEW_ADDRESS = 'hopper@example.com';
const SECOND_PASSWORD = 'of tin and copper';

servePages(() => pageFeed(3), { NODE_ENV: 'development', OPERATOR_EMAILS: OPERATOR });

function lastMail(address: string): string {
  return lastMailOf(service.dataDir, address);
}

/** Calls the API as a program does. */
async function post(path: string, body: unknown, more: Record<string, string> = {}): Promise<void> {
  const headers = { 'content-type': 'application/json', ...more };
  const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([path, answer.status, await answer.text()]).toEqual([path, 200, expect.any(String)]);
}

async function shownKey(page: Page, besides: string | null): Promise<string> {
  let key = '';
  await until('a new key is shown', async () => {
    key = (await page.locator('.secret-key').textContent()) ?? '';
    return key !== '' && key !== besides;
  });
  return key;
}

/** The violations that axe finds on the page, in light and in dark colours. */
async function findingsInBoth(page: Page): Promise<string[]> {
  const light = await findings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findings(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
}

describe.skipIf(NO_BROWSER !== null)(`the console${BROWSER_NOTE}`, () => {
  test('a visitor can sign up, verify, log in, create a key, rotate it, revoke it, see its usage and log out', async () => {
    await using page = await browser.open(`${service.url}/console`, { allowed: /422|401|ERR_FAILED/ });
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill('short');
    await page.locator('button[type=submit]').click();
    await page.locator('input[name=password][aria-invalid=true]').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.locator('button[type=submit]').click();
    await page.getByLabel('Code').waitFor();
    await until('the mail is there', () => lastMail(EMAIL) !== '');
    await page.getByLabel('Code').fill(codeOfMail(service.dataDir, EMAIL)!);
    await page.locator('button[type=submit]').click();

    // Entering the code is enough, because it also logs in a visitor who has just signed up.
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByLabel('Plan').selectOption('realtime');
    await page.getByRole('button', { name: 'Set the plan' }).click();
    await page.locator('dd', { hasText: 'realtime' }).waitFor();

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByLabel('Label').fill('laptop');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const first = await shownKey(page, null);
    expect(first).toMatch(/^isk_[0-9A-Za-z]{32}$/);
    expect(await statusWithKey(service.url, first)).toBe(200);

    await page.getByRole('button', { name: 'Rotate laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const second = await shownKey(page, first);
    await until('the old key is dead', async () => (await statusWithKey(service.url, first)) === 401);
    expect(await statusWithKey(service.url, second)).toBe(200);

    await page.getByRole('link', { name: 'Usage' }).click();
    await until('its requests are counted', async () => {
      await page.reload();
      const text = (await page.locator('table').first().textContent()) ?? '';
      return /laptop\s*[1-9]/.test(text);
    });

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.locator('td', { hasText: 'revoked' }).waitFor();
    await until('the key is dead', async () => (await statusWithKey(service.url, second)) === 401);

    // On the board, a logged-in visitor sees what the plan includes, here the sharp bookmaker.
    const board = await page.context().newPage();
    await board.goto(service.url);
    await board.locator('.head-price', { hasText: 'Pinnacle' }).waitFor();

    // There are two more sessions: one of a program, one of another browser.
    await post('/platform/login', { email: EMAIL, password: PASSWORD }, { 'user-agent': 'curl/8.14.1' });
    const elsewhere = await browser.open(`${service.url}/console`, { allowed: /401/ });
    await elsewhere.getByLabel('E-mail').fill(EMAIL);
    await elsewhere.getByLabel('Password').fill(PASSWORD);
    await elsewhere.locator('button[type=submit]').click();
    await elsewhere.getByRole('link', { name: 'Account' }).waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.locator('summary', { hasText: 'Sessions' }).click();
    const action = page.locator('details', { hasText: 'End all other sessions' });
    await until('all sessions are listed', async () => (await action.locator('tbody tr').count()) === 3);
    expect(await action.getByText('this session', { exact: true }).count()).toBe(1);
    expect(await action.locator('tbody th', { hasText: /^Chrome on Linux$/ }).count()).toBe(2);
    expect(await findingsInBoth(page)).toEqual([]);
    const dialog = page.getByRole('dialog');
    const end = dialog.getByRole('button', { name: 'End', exact: true });
    await action.getByRole('button', { name: 'End curl' }).click();
    await dialog.getByLabel('Current password').fill('wrong');
    await end.click();
    await dialog.getByRole('alert').waitFor();
    expect(await findingsInBoth(page)).toEqual([]);
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await end.click();
    await action.getByText('Sessions ended: 1.', { exact: true }).waitFor();
    await until('it is gone', async () => (await action.locator('tbody tr').count()) === 2);
    await action.getByRole('button', { name: 'End Chrome on Linux' }).click();
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await end.click();
    await until('it is gone', async () => (await action.locator('tbody tr').count()) === 1);
    await elsewhere.getByRole('link', { name: 'Usage' }).click();
    await elsewhere.getByLabel('Password').waitFor();
    await elsewhere[Symbol.asyncDispose]();

    // A key that the visitor entered on the board is removed together with the session, in every window, even
    // if the server does not answer. The board reloads, and ends the session that the log-out could not end.
    await page.evaluate((key) => localStorage.setItem('overround.key', key), second);
    await page.reload();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    await page.route('**/platform/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('You are logged out in this browser').waitFor();
    await page.getByLabel('Password').waitFor();
    await board.locator('.head-price', { hasText: 'Pinnacle' }).waitFor({ state: 'detached' });
    await board.locator('.fixture').first().waitFor();
    expect(await board.locator('.head-price', { hasText: 'Pinnacle' }).count()).toBe(0);
    // Only the request of the board's view is stored. It contains no key.
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['overround.stream']);
    await page.reload();
    await page.getByLabel('Password').waitFor();
  });

  test('an operator can reset the password by mail, limit a key, see every page on a phone without scrolling sideways, change password and address, and delete the account', async () => {
    await post('/platform/signup', { email: OPERATOR, password: PASSWORD });
    await until('the mail is there', () => lastMail(OPERATOR) !== '');
    const code = /\b\d{6}\b/.exec(lastMail(OPERATOR))![0];
    await post('/platform/verify', { email: OPERATOR, code });
    await using page = await browser.open(`${service.url}/console`, { allowed: /4\d\d/ });
    const submit = (name: string) => page.getByRole('button', { name, exact: true }).click();

    await submit('Forgot your password?');
    await page.getByLabel('E-mail').fill(OPERATOR);
    await submit('Send e-mail');
    await page.getByText(/a code is on its way/).waitFor();
    let link = '';
    await until('the link is there', () => {
      link = /\S+\/console#reset=\S+/.exec(lastMail(OPERATOR))?.[0] ?? '';
      return link !== '';
    });
    await page.goto('about:blank');
    await page.goto(service.url + link.slice(link.indexOf('/console')));
    expect(await page.getByLabel('Code').inputValue()).not.toBe('');
    expect(new URL(page.url()).hash).toBe('');
    await page.getByLabel('New password').fill(SECOND_PASSWORD);
    await submit('Set the password and log in');

    await page.getByText('Limit the key').click();
    await page.getByLabel('Label').fill('a label of some length, as people write them');
    await page.getByLabel('Expires').fill('2099-01-02T03:04');
    await page.getByLabel('Allowed IP addresses').fill('not an address');
    await submit('Create a key');
    await page.locator('form [role=alert]').waitFor();
    await page.getByLabel('Allowed IP addresses').fill('192.0.2.7, 2001:db8::/32');
    await submit('Create a key');
    await page.locator('td', { hasText: 'only from 192.0.2.7, 2001:db8::/32' }).waitFor();
    expect(await statusWithKey(service.url, await shownKey(page, null))).toBe(403);
    expect(await findingsInBoth(page)).toEqual([]);

    const desk = page.viewportSize()!;
    await page.setViewportSize(PHONE);
    for (const name of ['Keys', 'Usage', 'Account', 'Operator']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForSelector('main h2');
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
      expect([name, await excessOf(page), await findings(page)]).toEqual([name, 0, []]);
    }
    await page.setViewportSize(desk);

    await page.getByRole('heading', { name: 'Operator' }).waitFor();
    expect(await findingsInBoth(page)).toEqual([]);
    await page.goBack();

    await page.getByRole('link', { name: 'Account' }).click();
    await page.locator('summary', { hasText: 'Change the password' }).click();
    const form = page.locator('details', { hasText: 'Change the password' });
    await form.getByLabel('Current password').fill('wrong');
    await form.getByLabel('New password').fill(PASSWORD);
    await form.locator('button').click();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Current password').fill(SECOND_PASSWORD);
    await form.locator('button').click();
    await form.getByText('Password changed').waitFor();

    await page.locator('summary', { hasText: 'Change the e-mail address' }).click();
    const move = page.locator('details', { hasText: 'Change the e-mail address' });
    await move.getByLabel('New e-mail').fill(NEW_ADDRESS);
    await move.getByLabel('Current password').fill('wrong');
    await move.locator('button').click();
    await move.getByRole('alert').waitFor();
    await move.getByLabel('Current password').fill(PASSWORD);
    await move.locator('button').click();
    await move.getByText('Enter the code that we sent to the new address').waitFor();
    expect(await findingsInBoth(page)).toEqual([]);
    await until('both addresses are written to', () => {
      return lastMail(NEW_ADDRESS) !== '' && lastMail(OPERATOR).includes('address');
    });
    expect(await page.locator('dd', { hasText: OPERATOR }).count()).toBe(1);
    await move.getByLabel('Code').fill(/(?:\w{5}-){5}\w{5}/.exec(lastMail(NEW_ADDRESS))![0]);
    await move.locator('button').click();
    await move.getByText(`Your address is now ${NEW_ADDRESS}.`).waitFor();
    await page.locator('dd', { hasText: NEW_ADDRESS }).waitFor();
    await page.reload();
    await page.locator('dd', { hasText: NEW_ADDRESS }).waitFor();

    await page.locator('summary', { hasText: 'Sessions' }).click();
    const action = page.locator('details', { hasText: 'End all other sessions' });
    await action.getByLabel('Current password').fill(PASSWORD);
    await submit('End all other sessions');
    await page.getByText('Sessions ended: 0.', { exact: true }).waitFor();
    await page.locator('summary', { hasText: 'Delete the account' }).click();
    expect(await findingsInBoth(page)).toEqual([]);
    await page
      .locator('details', { hasText: 'Delete the account' })
      .getByLabel('Current password')
      .fill(PASSWORD);
    await submit('Delete permanently');
    await page.getByLabel('Password', { exact: true }).waitFor();
  });

  test('a wrong password is reported below the form, with advice', async () => {
    await using page = await browser.open(`${service.url}/console`, { allowed: /401/ });
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByLabel('Password').fill('not the password');
    await page.locator('button[type=submit]').click();
    expect(await page.locator('form [role=alert]').textContent()).toContain('Cannot');
  });
});
