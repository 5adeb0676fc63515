// `bun scripts/screenshots.ts` takes the pictures of docs/images. `bun scripts/screenshots.ts <folder>
// [word]` takes one of every page and state in page-states.ts, at three widths and in both colour schemes;
// with a word, only of the states whose name contains it. Uses the simulator with a fixed seed, and Chromium.
// All pictures are written at the end, so a failure leaves the folder as it was. The simulator's market
// depends on the seed and the hour, so pictures of two days show different fixtures.

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { until } from '../test/support/condition.ts';
import { codeOfMail } from '../test/support/outbox.ts';
import { ServerProcess } from '../test/support/server-process.ts';
import { gifOf } from './moving-picture.ts';
import { PAGE_STATES, type PageState, type Visitor } from './page-states.ts';

const CHROMIUM = '/usr/bin/chromium';
const ROOT = new URL('../', import.meta.url).pathname;
const IMAGES = join(ROOT, 'docs/images');
const SEED = '7';
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
/** By this time, the pages show that prices have moved. */
const WATCHED_MS = 20_000;
/** The number of frames of the moving picture, and the time between two. */
const FRAMES = 24;
const FRAME_MS = 500;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Charts are redrawn within this time after the window has changed its size. */
const SETTLE_MS = 250;

/** Pictures by file name. */
type Pictures = Map<string, Uint8Array>;
type Open = (
  path: string,
  options?: BrowserContextOptions,
  visitor?: { readonly as?: Visitor | undefined; readonly before?: PageState['before'] },
) => Promise<Page>;

if (!existsSync(CHROMIUM)) throw new Error(`Cannot take screenshots: there is no ${CHROMIUM}`);
await using server = new ServerProcess({
  ...{ SIMULATOR_SEED: SEED, OPERATOR_EMAILS: EMAIL },
  ...{ SIMULATOR_FOOTBALL_FIXTURES: '', SIMULATOR_BASKETBALL_FIXTURES: '', HISTORY_DAYS: '' },
});
let browser: Browser | undefined;
try {
  const url = await server.serving();
  const [, key] = await server.logged(/development_key key="([^"]+)"/);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const [, , folder, word = ''] = process.argv;
  const pictures: Pictures = new Map();
  const open = openerOf(browser, url, key!);
  if (folder === undefined) await drawImages(open, browser, url, pictures);
  else await drawStates(open, url, pictures, word);
  writeSet(folder ?? IMAGES, pictures);
  console.log(`${pictures.size} pictures are in ${folder ?? IMAGES}`);
} finally {
  await browser?.close();
}

/** Opens pages as one of the visitors; the account is made when it is first needed. */
function openerOf(chromiumOf: Browser, url: string, key: string): Open {
  let session: BrowserContextOptions['storageState'] | undefined;
  const open: Open = async (path, options = {}, { as = 'key', before } = {}) => {
    if (as === 'account') session ??= await signUp(await open('/console', {}, { as: 'nobody' }));
    const context = await chromiumOf.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      viewport: { width: 1280, height: 800 },
      ...(as === 'account' ? { storageState: session! } : {}),
      ...options,
    });
    if (as === 'key') {
      await context.addInitScript(`localStorage.setItem('overround.key', ${JSON.stringify(key)})`);
    }
    const page = await context.newPage();
    await before?.(page);
    await page.goto(url + path);
    return page;
  };
  return open;
}

/** Takes the pictures for the documentation. */
async function drawImages(open: Open, chromiumOf: Browser, url: string, pictures: Pictures): Promise<void> {
  const moving = await open('/', { colorScheme: 'light', viewport: { width: 1100, height: 620 } });
  await moving.waitForSelector('.fixture');
  await moving.waitForTimeout(WATCHED_MS / 4);
  pictures.set('board.gif', await movingPicture(chromiumOf, moving));
  const boards: readonly (readonly [string, BrowserContextOptions])[] = [
    ['board-light', { colorScheme: 'light' }],
    ['board-dark', { colorScheme: 'dark' }],
    ['board-phone', { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }],
  ];
  for (const [name, options] of boards) {
    const page = await open('/', options);
    await page.waitForSelector('.fixture');
    await page.waitForTimeout(WATCHED_MS);
    await draw(page, name, pictures);
  }
  const value = await open('/?tab=value', { viewport: { width: 1280, height: 560 } });
  await value.waitForSelector('.size');
  await draw(value, 'value', pictures);
  const match = await open(`/events/${(await fixtureIds(url)).get('scheduled')}`);
  await match.waitForSelector('.heat-map');
  await match.waitForTimeout(WATCHED_MS);
  await draw(match, 'match', pictures, true);
  const keys = await open('/console', {}, { as: 'account' });
  await keys.getByLabel('Label').fill('laptop');
  await keys.getByRole('button', { name: 'Create a key' }).click();
  await keys.waitForSelector('.secret-key');
  await draw(keys, 'console', pictures);
  const operator = await open('/console/operator', {}, { as: 'account' });
  await operator.waitForSelector('.plot');
  await draw(operator, 'operator', pictures);
}

/** Opens every state once, and takes a picture at each window size and in each colour scheme. */
async function drawStates(open: Open, url: string, pictures: Pictures, word: string): Promise<void> {
  const ids = await fixtureIds(url);
  await Bun.sleep(WATCHED_MS);
  const past = new Date(Date.parse(await serverTime(url)) - WATCHED_MS / 2).toISOString();
  for (const state of PAGE_STATES.filter(({ name }) => name.includes(word))) {
    const path = state.path
      .replace(/:(live|scheduled|finished)/, (_, status) => ids.get(status) ?? 'none')
      .replace(':past', encodeURIComponent(past));
    const page = await open(path, { viewport: SIZES[0] }, { as: state.as, before: state.before });
    await page.locator(state.ready).first().waitFor();
    await state.act?.(page);
    await drawSizes(page, state, pictures);
    await page.context().close();
    console.log(state.name);
  }
}

async function drawSizes(page: Page, { name, isFull }: PageState, pictures: Pictures): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(SETTLE_MS);
      const picture = await page.screenshot({ fullPage: isFull ?? false });
      pictures.set(`${name}-${size.width}-${colorScheme}.png`, picture);
    }
  }
}

/** The id of a football fixture of each status, by status. */
async function fixtureIds(url: string): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const status of ['live', 'scheduled', 'finished']) {
    const answer = await fetch(`${url}/v1/events?status=${status}&sport=football&limit=1`);
    const { data } = (await answer.json()) as { data: readonly { id: string }[] };
    if (data[0] !== undefined) ids.set(status, data[0].id);
  }
  return ids;
}

async function serverTime(url: string): Promise<string> {
  const answer = await fetch(`${url}/health`);
  await answer.arrayBuffer();
  return answer.headers.get('date')!;
}

/** Takes screenshots of a page at regular intervals, as a moving picture. */
async function movingPicture(chromiumOf: Browser, page: Page): Promise<Uint8Array> {
  const frames: Buffer[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    frames.push(await page.screenshot());
    await page.waitForTimeout(FRAME_MS);
  }
  await page.context().close();
  return await gifOf(await chromiumOf.newPage(), frames, FRAME_MS);
}

/** Signs up; entering the mailed code also logs in. @returns the session, for other pages */
async function signUp(page: Page): Promise<BrowserContextOptions['storageState']> {
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.getByLabel('Code').waitFor();
  await page.getByLabel('Code').fill(await mailedCode());
  await page.locator('button[type=submit]').click();
  await page.getByLabel('Label').waitFor();
  const session = await page.context().storageState();
  await page.context().close();
  return session;
}

/** Waits for the mail, which is written soon after the form is sent, and returns the code in it. */
async function mailedCode(): Promise<string> {
  await until('the mail is there', () => codeOfMail(server.dataDir, EMAIL) !== null);
  return codeOfMail(server.dataDir, EMAIL)!;
}

async function draw(page: Page, name: string, pictures: Pictures, isFull = false): Promise<void> {
  pictures.set(`${name}.png`, await page.screenshot({ fullPage: isFull }));
  await page.context().close();
}

/** Writes all pictures under temporary names first, and then renames them. */
function writeSet(folder: string, pictures: Pictures): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of pictures) writeFileSync(join(folder, `${name}.part`), bytes);
  for (const name of pictures.keys()) renameSync(join(folder, `${name}.part`), join(folder, name));
}
