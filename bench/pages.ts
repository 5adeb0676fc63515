// What the board costs and how soon it shows: `bun bench/pages.ts [seconds]`. Uses a real Chromium, a service
// in this process and a scripted feed of 150 fixtures with 10 changes a second, and 1,000 fixtures to scroll.
// Prints a table; needs Chromium.

import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { systemClock } from '../src/clock.ts';
import { pageBundle } from '../src/web/bundle.ts';
import { quoteWire } from '../test/feed/wire.ts';
import { NO_BROWSER, TestBrowser } from '../test/support/browser.ts';
import { createKeys } from '../test/support/callers.ts';
import { until } from '../test/support/condition.ts';
import { pageFeed, sendChanges } from '../test/support/page-slate.ts';
import { runService } from '../test/support/running-service.ts';
import { median, quantile } from './figures.ts';

const FIXTURES = 150;
const CHANGES_PER_S = 10;
const LOADS = 11;
const LATENCIES = 20;
const SECONDS_DEFAULT = 60;
const SCROLLED_FIXTURES = 1_000;
const SCROLLED_FRAMES = 300;
const FRAME_MS = 1_000 / 60;

/** Records each chunk of the page's stream, and when it came. */
const WATCH_STREAM = `
  window.frames_ = [];
  const fetchOf = window.fetch;
  window.fetch = async (...parameters) => {
    const response = await fetchOf(...parameters);
    if (!String(parameters[0]).startsWith('/v1/stream') || response.body === null) return response;
    const [own, copy] = response.body.tee();
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of copy) {
        const text = decoder.decode(chunk, { stream: true });
        window.frames_.push({ atMs: Date.now(), text });
        if (window.frames_.length > 50) window.frames_.shift();
      }
    })().catch(() => undefined);
    return new Response(own, { status: response.status, headers: response.headers });
  };
`;

if (NO_BROWSER !== null) throw new Error(`Cannot measure pages: ${NO_BROWSER}`);
const { positionals } = parseArgs({ allowPositionals: true });
const seconds = Number(positionals[0] ?? SECONDS_DEFAULT);

const rows: [string, string, string][] = [];
const feed = pageFeed(FIXTURES);
const service = await runService({ FEED: feed.url });
const [realtime] = await createKeys(service.dataDir, 'realtime', 1);
const browser = await TestBrowser.launch({ whole: true });
try {
  rows.push(['scripts of /, gzip', `${(await scriptBytes()) / 1000} KB`, 'at most 40 KB']);
  const loads: FirstRows[] = [];
  for (let load = 0; load < LOADS; load++) loads.push(await firstRows());
  const sincePage = median(loads.map((load) => load.sincePageMs));
  const sinceOdds = median(loads.map((load) => load.sinceOddsMs));
  rows.push(['odds answered to rows painted, median', `${sinceOdds} ms`, 'at most 300 ms']);
  rows.push(['page answered to rows painted, median', `${sincePage} ms`, '']);
  const still = await stillRowsMs();
  rows.push(['the same, of a page that has the rows in its HTML', `${still} ms`, '']);
  rows.push(['ratio of the two', (sincePage / still).toFixed(1), '']);
  const watched = (opened: Page): Promise<void> => opened.addInitScript(WATCH_STREAM).then(() => undefined);
  let page = await browser.open(service.url, { key: realtime!, prepare: watched });
  await page.waitForSelector('.connection-live');
  const { ms, p95, frame, frameP95 } = await latencies(page);
  rows.push(['stream frame to price in the board, median', `${frame} ms`, '']);
  rows.push(['the same, 95 of 100', `${frameP95} ms`, 'at most 100 ms']);
  rows.push(['feed message to price in the board, realtime key, median', `${ms} ms`, 'at most 200 ms']);
  rows.push(['the same, 95 of 100', `${p95} ms`, '']);
  await page.context().close();
  page = await browser.open(service.url, { key: realtime! });
  await page.waitForSelector('.connection-live');
  await watch(page);
  await page.context().close();
  await scroll();
} finally {
  await browser[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  feed.stop();
}
const width = Math.max(...rows.map(([what]) => what.length));
for (const [what, value, aim] of rows) console.log(`${what.padEnd(width)}  ${value.padEnd(16)} ${aim}`);
if (browser.complaints.length > 0) console.log(browser.complaints.join('\n'));

/** The size of all scripts that `/` loads. */
async function scriptBytes(): Promise<number> {
  const { entries, files } = await pageBundle();
  const { path, imports } = entries.get('board')!;
  let bytes = 0;
  for (const script of [entries.get('first')!.path, path, ...imports]) {
    const { body } = files.get(script.slice(script.lastIndexOf('/') + 1))!;
    bytes += Bun.gzipSync(new Uint8Array(await body.arrayBuffer())).byteLength;
  }
  return bytes;
}

/**
 * The times from the page's response, and from the answer with the odds, to the first frame that shows a row.
 */
interface FirstRows {
  readonly sincePageMs: number;
  readonly sinceOddsMs: number;
}

async function firstRows(): Promise<FirstRows> {
  const page = await browser.open(service.url, { key: service.key });
  await page.waitForSelector('.fixture');
  await page.addInitScript(`
    const fetchOf = window.fetch;
    window.fetch = async (...parameters) => {
      const response = await fetchOf(...parameters);
      if (String(parameters[0]).startsWith('/v1/stream')) window.oddsAt ??= performance.now();
      return response;
    };
    window.rowsAt = 0;
    new MutationObserver((_, observer) => {
      if (document.querySelector('.fixture') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => { window.rowsAt = performance.now(); }));
    }).observe(document, { childList: true, subtree: true });
  `);
  await page.reload();
  await until('rows are painted', async () => (await page.evaluate('window.rowsAt > 0')) === true);
  const [pageAt, oddsAt, rowsAt] = (await page.evaluate(
    `[performance.getEntriesByType('navigation')[0].responseEnd, window.oddsAt, window.rowsAt]`,
  )) as [number, number, number];
  await page.context().close();
  return { sincePageMs: Math.round(rowsAt - pageAt), sinceOddsMs: Math.round(rowsAt - oddsAt) };
}

/**
 * The same as `sincePageMs`, for a page whose HTML already contains the rows. It loads the same styles and
 * scripts but does not run the scripts.
 */
async function stillRowsMs(): Promise<number> {
  const page = await browser.open(service.url, { key: service.key });
  await page.waitForSelector('.fixture');
  const styles = (await page.evaluate(`[...document.styleSheets].map((one) => one.href)`)) as string[];
  const body = await page.evaluate('document.body.outerHTML');
  const { entries, files } = await pageBundle();
  const { path, imports } = entries.get('board')!;
  const links = [
    ...styles.map((href) => `<link rel="stylesheet" href="${new URL(href).pathname}">`),
    ...[path, ...imports].map((script) => `<link rel="modulepreload" href="${script}">`),
  ].join('');
  await page.context().close();
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const asset = files.get(url.slice(url.lastIndexOf('/') + 1));
      if (asset === undefined) {
        return new Response(`<!doctype html>${links}${body}`, { headers: { 'content-type': 'text/html' } });
      }
      const headers = { 'content-type': asset.contentType, 'cache-control': 'public, max-age=3600' };
      return new Response(asset.body, { headers });
    },
  });
  const still = await browser.open(server.url.href);
  const paints: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    await still.reload();
    await still.waitForFunction(`performance.getEntriesByName('first-contentful-paint').length > 0`);
    const ms = (await still.evaluate(
      `performance.getEntriesByName('first-contentful-paint')[0].startTime - performance.getEntriesByType('navigation')[0].responseEnd`,
    )) as number;
    paints.push(Math.max(1, Math.round(ms)));
  }
  await still.context().close();
  return median(paints);
}

interface Latencies {
  /** Measured from the feed's message. */
  readonly ms: number;
  readonly p95: number;
  /** Measured from the moment at which the page's stream got the frame with the price. */
  readonly frame: number;
  readonly frameP95: number;
}

/**
 * The delay until a price is in the document, in ms. All times are from this machine's clock. A frame is
 * observed in a copy of the response's body, before the page's own reader gets it.
 */
async function latencies(page: Page): Promise<Latencies> {
  const all: number[] = [];
  const frames: number[] = [];
  for (let index = 0; index < LATENCIES; index++) {
    const price = 5 + index / 100;
    const seen = page.evaluate(`new Promise((resolve) => {
      const look = () => {
        const cells = document.querySelectorAll('.fixture .price .value');
        if ([...cells].some((cell) => cell.textContent === '${price.toFixed(2)}')) resolve(Date.now());
        else requestAnimationFrame(look);
      };
      look();
    })`) as Promise<number>;
    await Bun.sleep(137);
    const sentMs = systemClock.wallMs();
    feed.send(
      quoteWire(0, 'e0', { bookmaker: 'crown', market_type: '1x2', line: null, prices: [price, 3.3, 3.4] }),
    );
    const seenMs = await seen;
    all.push(seenMs - sentMs);
    const framed = (await page.evaluate(
      `(window.frames_.findLast(({ text }) => text.includes('${price.toFixed(2)}')) ?? {}).atMs ?? null`,
    )) as number | null;
    if (framed !== null) frames.push(Math.max(0, seenMs - framed));
  }
  if (frames.length < LATENCIES / 2)
    throw new Error(`Cannot measure: only ${frames.length} frames were seen`);
  return {
    ms: Math.round(median(all)),
    p95: Math.round(quantile(all, 0.95)),
    frame: median(frames),
    frameP95: Math.round(quantile(frames, 0.95)),
  };
}

/** Scrolls through 1,000 fixtures, 20 pixels a frame for five seconds, while prices change. Counts frames. */
async function scroll(): Promise<void> {
  const many = pageFeed(SCROLLED_FIXTURES);
  const other = await runService({ FEED: many.url });
  const page = await browser.open(other.url, { key: other.key });
  await page.waitForSelector('.connection-live');
  const timer = setInterval(() => sendChanges(many, SCROLLED_FIXTURES, 1), 1_000 / CHANGES_PER_S);
  await Bun.sleep(3_000);
  const gaps = (await page.evaluate(`new Promise((resolve) => {
    const gaps = [];
    let last = null;
    const step = (now) => {
      if (last !== null) gaps.push(now - last);
      last = now;
      scrollBy(0, 20);
      if (gaps.length < ${SCROLLED_FRAMES}) requestAnimationFrame(step);
      else resolve(gaps);
    };
    requestAnimationFrame(step);
  })`)) as number[];
  clearInterval(timer);
  const fps = (1_000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0);
  const late = gaps.filter((gap) => gap > 1.5 * FRAME_MS).length;
  rows.push([
    `frames a second, scrolling through ${SCROLLED_FIXTURES} fixtures`,
    `${fps.toFixed(1)}, ${late} of ${gaps.length} late`,
    '60',
  ]);
  await page.context().close();
  await other[Symbol.asyncDispose]();
  many.stop();
}

/** The page's processor time and memory while prices move. */
async function watch(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  const heaps: number[] = [];
  const timer = setInterval(() => sendChanges(feed, FIXTURES, 1), 1_000 / CHANGES_PER_S);
  // Meanwhile the page does its one-time work (layouts, sparklines).
  await Bun.sleep(5_000);
  const threadTime = async (): Promise<number> => (await metrics(session)).get('ThreadTime')!;
  heaps.push(await heapBytes(session));
  const steps = 4;
  let busySeconds = 0;
  for (let step = 0; step < steps; step++) {
    // Processor time of the page's thread, without waiting for a processor and without the collections that
    // `heapBytes` forces.
    const before = await threadTime();
    await Bun.sleep((seconds * 1_000) / steps);
    busySeconds += (await threadTime()) - before;
    heaps.push(await heapBytes(session));
  }
  const after = await metrics(session);
  clearInterval(timer);
  const busy = busySeconds / seconds;
  rows.push([
    `main thread busy, ${FIXTURES} fixtures, ${CHANGES_PER_S} changes/s, ${seconds} s`,
    `${(busy * 100).toFixed(1)} %`,
    'below 8 %',
  ]);
  rows.push([
    'heap after a collection, over that time',
    heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(' '),
    'MB, no growth',
  ]);
  rows.push(['nodes of the document', String(after.get('Nodes')), '']);
}

async function metrics(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics: values } = await session.send('Performance.getMetrics');
  return new Map(values.map(({ name, value }) => [name, value]));
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await metrics(session)).get('JSHeapUsedSize')!;
}
