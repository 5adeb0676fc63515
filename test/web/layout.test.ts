// The layout of the pages: none scrolls sideways on a phone, and every length computed by a script has a
// unit.

import { describe, expect, test } from 'bun:test';
import { findings } from '../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../support/browser.ts';
import { until } from '../support/condition.ts';
import { codeOfMail } from '../support/outbox.ts';
import { pageFeed } from '../support/page-slate.ts';
import { browser, servePages, service } from '../support/pages.ts';
import { excessOf, expectFitsPhone, PHONE } from './page-checks.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
const CLIENT_ROOT = new URL('../../src/web/client/', import.meta.url).pathname;

servePages(() => pageFeed(6), { NODE_ENV: 'development', OPERATOR_EMAILS: EMAIL });

test('styles in components are strings: Preact adds no unit to a number, and the browser ignores a length without one', async () => {
  const found: string[] = [];
  for (const path of new Bun.Glob('**/*.tsx').scanSync(CLIENT_ROOT)) {
    const text = await Bun.file(CLIENT_ROOT + path).text();
    for (const [style] of text.matchAll(/\bstyle=\{(?:`[^`]*`|[^}]*)\}/g)) {
      const isText = /^style=\{(`|')/.test(style);
      const lengths = [...style.matchAll(/\$\{\w+\}(\w*)/g)].map(([, unit]) => unit);
      if (!isText || lengths.includes('')) found.push(`${path}: ${style}`);
    }
  }
  expect(found).toEqual([]);
});

test.skipIf(NO_BROWSER !== null)(
  'at 1,024 pixels the filters share one line, and none covers another',
  async () => {
    const page = await browser.open(service.url, { viewport: { width: 1024, height: 768 } });
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
    await page.context().close();
  },
);

describe.skipIf(NO_BROWSER !== null)(`a phone${BROWSER_NOTE}`, () => {
  // access.test.ts checks the other pages.
  for (const [path, ready] of [
    ['/?format=american&period=all', '.phone-card'],
    ['/events/:id?format=probability', '.heat-map'],
  ] as const) {
    test(`${path} does not scroll sideways`, async () => {
      const { data } = await service.get<{ data: readonly { id: string }[] }>('/v1/events?status=live');
      const url = service.url + path.replace(':id', data[0]!.id);
      await using page = await browser.open(url, { key: service.key, viewport: PHONE });
      await expectFitsPhone(page, ready);
    });
  }

  test('the console does not scroll sideways: keys, usage, account and operator', async () => {
    await using page = await browser.open(`${service.url}/console`, { viewport: PHONE });
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.locator('button[type=submit]').click();
    await page.getByLabel('Code').waitFor();
    await until('the mail is there', () => codeOfMail(service.dataDir, EMAIL) !== null);
    await page.getByLabel('Code').fill(codeOfMail(service.dataDir, EMAIL)!);
    await page.locator('button[type=submit]').click();
    await page.getByLabel('Label').fill('a label of some length, as people write them');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.waitForSelector('.secret-key');
    for (const name of ['Keys', 'Usage', 'Account', 'Operator']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForSelector('main h2');
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
      expect([name, await excessOf(page), await findings(page)]).toEqual([name, 0, []]);
    }
  });
});
