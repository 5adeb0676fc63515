// `bun scripts/screenshots.ts`: makes the pictures in docs/images of the pages, with the simulator and a
// fixed seed, drawn by Chromium; `bun scripts/screenshots.ts board` only the moving one of README.md. The
// simulator's market depends on the seed and the hour, so pictures of two days show different fixtures.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { gifOf } from './moving-picture.ts';

const CHROMIUM = '/usr/bin/chromium';
const FOLDER = new URL('../docs/images/', import.meta.url).pathname;
const ROOT = new URL('../', import.meta.url).pathname;
const SEED = '7';
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
/** After this time, price moves are visible. */
const WATCHED_MS = 20_000;
/** Frames of the moving picture, and the time between two. */
const FRAMES = 24;
const FRAME_MS = 500;

if (!existsSync(CHROMIUM)) throw new Error(`Cannot take screenshots: there is no ${CHROMIUM}`);
mkdirSync(FOLDER, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'overround-screenshots-'));
const server = Bun.spawn([process.execPath, 'src/main.ts', 'start'], {
  cwd: ROOT,
  env: {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    DATA_DIR: dataDir,
    SIMULATOR_SEED: SEED,
    OPERATOR_EMAILS: EMAIL,
  },
  stdout: 'ignore',
  stderr: 'pipe',
});
try {
  const { url, key } = await started(server.stderr);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    await context.addInitScript(`localStorage.setItem('overround.key', ${JSON.stringify(key)})`);
    const page = await context.newPage();
    await page.goto(url + path);
    return page;
  };

  const moving = await open('/', { colorScheme: 'light', viewport: { width: 1100, height: 620 } });
  await moving.waitForSelector('.fixture');
  await moving.waitForTimeout(WATCHED_MS / 4);
  writeFileSync(`${FOLDER}board.gif`, await movingPicture(browser, moving));
  if (process.argv[2] !== 'board') await takeAll(open, url);
  await browser.close();
} finally {
  server.kill();
  await server.exited;
  rmSync(dataDir, { recursive: true, force: true });
}

type Open = (path: string, options?: BrowserContextOptions) => Promise<Page>;

/** All pictures that do not move. */
async function takeAll(open: Open, url: string): Promise<void> {
  const boards: readonly (readonly [string, BrowserContextOptions])[] = [
    ['board-light', { colorScheme: 'light' }],
    ['board-dark', { colorScheme: 'dark' }],
    ['board-phone', { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }],
  ];
  for (const [name, options] of boards) {
    const page = await open('/', options);
    await page.waitForSelector('.fixture');
    await page.waitForTimeout(WATCHED_MS);
    await save(page, name);
  }

  const value = await open('/?tab=value', { viewport: { width: 1280, height: 560 } });
  await value.waitForSelector('.size');
  await save(value, 'value');

  const scheduled = await fetch(`${url}/v1/events?status=scheduled&sport=football&limit=1`);
  const { data } = (await scheduled.json()) as { data: readonly { id: string }[] };
  const match = await open(`/events/${data[0]!.id}`);
  await match.waitForSelector('.heat-map');
  await match.waitForTimeout(WATCHED_MS);
  await save(match, 'match', true);

  const console = await open('/console');
  await enter(console);
  await console.getByLabel('Label').fill('laptop');
  await console.getByRole('button', { name: 'Create a key' }).click();
  await console.waitForSelector('.secret-key');
  await console.screenshot({ path: `${FOLDER}console.png` });
  await console.getByRole('link', { name: 'Operator' }).click();
  await console.waitForSelector('.plot');
  await save(console, 'operator');
}

/** Films a page. */
async function movingPicture(browser: Browser, page: Page): Promise<Uint8Array> {
  const frames: Buffer[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    frames.push(await page.screenshot());
    await page.waitForTimeout(FRAME_MS);
  }
  await page.context().close();
  return await gifOf(await browser.newPage(), frames, FRAME_MS);
}

/** Waits until the server serves a slate. Reads its log to the end, so that the pipe never fills up. */
function started(log: ReadableStream<Uint8Array>): Promise<{ readonly url: string; readonly key: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly url: string;
    readonly key: string;
  }>();
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of log) {
      text += decoder.decode(chunk, { stream: true });
      const url = /listening url="([^"]+)"/.exec(text)?.[1];
      const key = /development_key key="([^"]+)"/.exec(text)?.[1];
      if (url !== undefined && key !== undefined && text.includes('feed_snapshot_complete'))
        resolve({ url, key });
    }
    reject(new Error(`Cannot take screenshots: the server ended: ${text}`));
  };
  void read();
  return promise;
}

/** Signs up and logs in. */
async function enter(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.getByLabel('Code').waitFor();
  await page.waitForTimeout(1_000);
  const mails = readFileSync(join(dataDir, 'outbox.ndjson'), 'utf8').trim().split('\n');
  const { text } = JSON.parse(mails.at(-1)!) as { text: string };
  await page.getByLabel('Code').fill(/\b\d{6}\b/.exec(text)![0]);
  await page.locator('button[type=submit]').click();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.getByLabel('Label').waitFor();
}

async function save(page: Page, name: string, isFull = false): Promise<void> {
  await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: isFull });
  await page.context().close();
}
