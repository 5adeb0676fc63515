// The pages as an installed app: their manifest, and what they show without a network.

import { describe, expect, test } from 'bun:test';
import { BROWSER_NOTE, NO_BROWSER } from '../support/browser.ts';
import { pageFeed } from '../support/page-slate.ts';
import { browser, servePages, service } from '../support/pages.ts';

servePages(() => pageFeed(2));

describe.skipIf(NO_BROWSER !== null)(`the installed pages${BROWSER_NOTE}`, () => {
  test('the manifest names an icon that is served, and where to start', async () => {
    const response = await fetch(`${service.url}/manifest.webmanifest`);
    expect(response.headers.get('content-type')).toBe('application/manifest+json');
    const { start_url, display, icons } = (await response.json()) as {
      readonly start_url: string;
      readonly display: string;
      readonly icons: readonly { readonly src: string; readonly type: string }[];
    };
    expect({ start_url, display }).toEqual({ start_url: '/', display: 'standalone' });
    const icon = await fetch(service.url + icons[0]!.src);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, icons[0]!.type]);
    await icon.arrayBuffer();
  });

  test('a page that is opened without a network says that it is offline, and loads when the network is back', async () => {
    await using page = await browser.open(service.url, {
      key: service.key,
      allowed: /ERR_INTERNET|Failed to load/,
    });
    await page.waitForSelector('.fixture');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.context().setOffline(true);
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.waitForSelector('.fixture');
  });
});
