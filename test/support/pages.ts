// The feed, the service and the browser of a file that tests pages. Test files run one after another, so the
// file that runs has them for itself.

import { afterAll, beforeAll, expect } from 'bun:test';
import { NO_BROWSER, TestBrowser } from './browser.ts';
import { type RunningService, runService } from './running-service.ts';
import type { ScriptedFeed } from './scripted-feed.ts';

export let feed: ScriptedFeed;
export let service: RunningService;
export let browser: TestBrowser;

/**
 * Starts them before the tests of the calling file and stops them after; does nothing without a browser. In
 * the end no page may have complained.
 * @param settings of the service
 * @param prepare called once they are there
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
    browser = await TestBrowser.launch();
    await prepare?.();
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
    feed.stop();
    expect(browser.complaints).toEqual([]);
  });
}
