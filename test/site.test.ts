// The static site: every link leads to a file and a heading of the site, nothing is loaded from elsewhere,
// and the site works when it is opened from a folder.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '../scripts/contract/changes.ts';
import { contractOnFile } from '../scripts/contract/files.ts';
import { writeSite } from '../scripts/site/site.ts';
import { BROWSER_NOTE, NO_BROWSER, TestBrowser } from './support/browser.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const folder = temporaryFolder();
let pages: readonly string[];

beforeAll(async () => {
  const { paths, ...rest } = (await contractOnFile('openapi')) as { paths: Record<string, Json> };
  // The viewer renders every operation of the document, and the tests look for one.
  const few = Object.entries(paths).filter(([path]) => ['/v1/odds', '/v1/events'].includes(path));
  pages = await writeSite(folder.path, { ...rest, paths: Object.fromEntries(few) });
}, 60_000);
afterAll(() => folder[Symbol.dispose]());

function htmlOf(path: string): Promise<string> {
  return Bun.file(join(folder.path, path)).text();
}

/** The reason why a link of a page leads nowhere; null if it leads somewhere. */
async function problemOf(page: string, link: string): Promise<string | null> {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  const file = join(folder.path, target);
  if (link.startsWith('/') || !existsSync(file) || !statSync(file).isFile()) return `${page}: ${link}`;
  if (anchor === undefined || (await htmlOf(target)).includes(`id="${anchor}"`)) return null;
  return `${page}: ${link} names no heading`;
}

test('every link of every page leads to a file, and to a heading if the link has an anchor', async () => {
  const problems: (string | null)[] = [];
  let count = 0;
  for (const page of pages) {
    const links = [...(await htmlOf(page)).matchAll(/ (?:href|src)="([^"]+)"/g)].map((match) => match[1]!);
    const own = links.filter((link) => !/^(?:https?|mailto):/.test(link));
    count += own.length;
    problems.push(...(await Promise.all(own.map((link) => problemOf(page, link)))));
  }
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
  expect(count).toBeGreaterThan(500);
});

test('every document is a page, and no page loads anything from elsewhere', async () => {
  expect(pages).toContain('index.html');
  for (const path of new Bun.Glob('docs/**/*.md').scanSync(join(import.meta.dir, '..')))
    expect(pages).toContain(path.replace(/\.md$/, '.html'));
  for (const page of pages)
    expect([
      page,
      (await htmlOf(page)).match(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//g),
    ]).toEqual([page, null]);
});

test.skipIf(NO_BROWSER !== null)(
  `the site works when it is opened from a folder: search leads to a heading, and the API reference is there${BROWSER_NOTE}`,
  async () => {
    await using browser = await TestBrowser.launch();
    const page = await browser.open(`file://${join(folder.path, 'docs/guide/streaming.html')}`);
    await page.getByLabel('Search the documents').fill('retention heartbeat nonsense-word');
    await page.getByText('Nothing found.').waitFor();
    await page.getByLabel('Search the documents').fill('goal grid');
    await page.locator('#results a', { hasText: 'The goal grid' }).first().click();
    await page.waitForURL(/\/docs\/reference\/signals\.html#the-goal-grid$/);
    await page.goto(`file://${join(folder.path, 'api.html')}`);
    await page.getByText('/v1/odds', { exact: true }).first().waitFor();
    expect(browser.complaints).toEqual([]);
  },
  120_000,
);
