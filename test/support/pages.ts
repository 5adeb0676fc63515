// The feed, the service and the browser for a file that tests pages. Test files run one after another, so
// only one file uses them at a time. In a run of the whole suite, the browser is kept for the next file of
// the same process and ends with the process. Chromium exits when its pipe closes and leaves its profile,
// which test/all.ts deletes.

import { afterAll, beforeAll, expect } from 'bun:test';
import { NO_BROWSER, TestBrowser } from './browser.ts';
import { type RunningService, runService } from './running-service.ts';
import type { ScriptedFeed } from './scripted-feed.ts';
import { TEST_PROGRAM } from './test-program.ts';

export let feed: ScriptedFeed;
export let service: RunningService;
export let browser: TestBrowser;
let launched: Promise<TestBrowser> | null = null;
const staysOpen = process.env[TEST_PROGRAM] !== undefined;

/**
 * Starts the feed, the service and the browser before the tests of the calling file, and stops the service
 * and the feed after them. Does nothing without a browser. At the end, checks that no page has done what
 * TestBrowser records as forbidden.
 * @param settings the settings of the service
 * @param prepare called after the start
 */
export function servePages(
  startFeed: () => ScriptedFeed,
  settings: Readonly<Record<string, string>> = {},
  prepare?: () => Promise<void>,
): void {
  if (NO_BROWSER !== null) return;
  beforeAll(async () => {
    feed = startFeed();
    service = await runService({ FEED: feed.url, ...settings });
    launched ??= TestBrowser.launch();
    browser = await launched;
    await prepare?.();
  });
  afterAll(async () => {
    await (staysOpen ? browser.closePages() : browser[Symbol.asyncDispose]());
    if (!staysOpen) launched = null;
    await service[Symbol.asyncDispose]();
    feed.stop();
    expect(browser.complaints.splice(0)).toEqual([]);
  });
}
