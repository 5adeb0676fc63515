// The console in a real browser: from sign-up to a working key, rotate, revoke, usage, log out.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { BROWSER_NOTE, NO_BROWSER, TestBrowser } from '../support/browser.ts';
import { until } from '../support/condition.ts';
import { pageFeed } from '../support/page-slate.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import type { ScriptedFeed } from '../support/scripted-feed.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';

let feed: ScriptedFeed;
let service: RunningService;
let browser: TestBrowser;

beforeAll(async () => {
  if (NO_BROWSER !== null) return;
  feed = pageFeed(3);
  service = await runService({ FEED: feed.url, NODE_ENV: 'development' });
  browser = await TestBrowser.launch();
});
afterAll(async () => {
  if (NO_BROWSER !== null) return;
  await browser[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  feed.stop();
  expect(browser.complaints).toEqual([]);
});

function codeOfMail(): string {
  const mails = readFileSync(join(service.dataDir, 'outbox.ndjson'), 'utf8').trim().split('\n');
  const { text } = JSON.parse(mails.at(-1)!) as { text: string };
  return /\b\d{6}\b/.exec(text)![0];
}

async function statusWith(key: string): Promise<number> {
  const response = await fetch(`${service.url}/v1/events/live`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await response.arrayBuffer();
  return response.status;
}

async function shownKey(page: Page, besides: string | null): Promise<string> {
  let key = '';
  await until('a new key is shown', async () => {
    key = (await page.locator('.secret-key').textContent()) ?? '';
    return key !== '' && key !== besides;
  });
  return key;
}

describe.skipIf(NO_BROWSER !== null)(`the console${BROWSER_NOTE}`, () => {
  test('sign up, verify, log in, make a key, rotate it, revoke it, see its usage, log out', async () => {
    const page = await browser.open(`${service.url}/console`, { allowed: /422|401/ });
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill('short');
    await page.locator('button[type=submit]').click();
    await page.locator('input[name=password][aria-invalid=true]').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.locator('button[type=submit]').click();
    await page.getByLabel('Code').waitFor();
    await until('the mail is there', () => existsSync(join(service.dataDir, 'outbox.ndjson')));
    await page.getByLabel('Code').fill(codeOfMail());
    await page.locator('button[type=submit]').click();
    await page.getByText('Verified. Now log in.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.locator('button[type=submit]').click();

    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByLabel('Plan').selectOption('realtime');
    await page.getByRole('button', { name: 'Set the plan' }).click();
    await page.locator('dd', { hasText: 'realtime' }).waitFor();

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByLabel('Label').fill('laptop');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const first = await shownKey(page, null);
    expect(first).toMatch(/^isk_[0-9A-Za-z]{32}$/);
    expect(await statusWith(first)).toBe(200);

    await page.getByRole('button', { name: 'Rotate laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const second = await shownKey(page, first);
    await until('the old key is dead', async () => (await statusWith(first)) === 401);
    expect(await statusWith(second)).toBe(200);

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
    await until('the key is dead', async () => (await statusWith(second)) === 401);

    // Who is signed in sees on the board what the plan sees: the sharp bookmaker is there.
    const board = await page.context().newPage();
    await board.goto(service.url);
    await board.locator('.head-price', { hasText: 'Pinnacle' }).waitFor();
    await board.close();

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    await page.context().close();
  });

  test('a wrong password is told under the form, with what to do', async () => {
    const page = await browser.open(`${service.url}/console`, { allowed: /401/ });
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByLabel('Password').fill('not the password');
    await page.locator('button[type=submit]').click();
    expect(await page.locator('form [role=alert]').textContent()).toContain('Cannot');
    await page.context().close();
  });
});
