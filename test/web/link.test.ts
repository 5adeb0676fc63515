// The link in the start log opens the board with the view that the server's key allows. The view carries over
// between pages and survives a lost connection, and the page reports when that view has ended.

import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { findings } from '../support/axe.ts';
import { BROWSER_NOTE, NO_BROWSER } from '../support/browser.ts';
import { createRevocableKey } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { pageFeed } from '../support/page-slate.ts';
import { browser, servePages, service } from '../support/pages.ts';
import { SocketClient } from '../support/socket-client.ts';

const ENDED = 'The link’s view has ended';
/** Messages that a browser logs when a connection is refused or cut. */
const REFUSALS = /Authentication failed|ERR_|Failed to load|WebSocket/;

servePages(() => pageFeed(3));

async function ticketOf(key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${service.url}/v1/tickets`, { method: 'POST', headers });
  return ((await answer.json()) as { readonly ticket: string }).ticket;
}

/** The sharp bookmaker's column: visitors without a key do not see it. */
const sharpOnBoard = (page: Page) => page.locator('.head-price', { hasText: 'Pinnacle' });
const sharpOnMatch = (page: Page) => page.locator('.table-head th', { hasText: 'Pinnacle' });

/** Waits until the ticket for the next connection is stored, so that another page may be opened. */
async function untilRenewed(page: Page, former: string | null): Promise<string> {
  let ticket: unknown;
  await until('there is a ticket for the next page', async () => {
    ticket = await page.evaluate(`localStorage.getItem('overround.ticket')`);
    return ticket !== null && ticket !== former;
  });
  return String(ticket);
}

describe.skipIf(NO_BROWSER !== null)(`the link of a start${BROWSER_NOTE}`, () => {
  test('the view of a link carries over to filters, tabs, a match, back, a reload and another browser tab', async () => {
    await using page = await browser.open(`${service.url}/?ticket=${await ticketOf(service.key)}`);
    await sharpOnBoard(page).waitFor();
    expect(page.url()).not.toContain('ticket');
    await page.getByRole('button', { name: 'Key from link' }).waitFor();
    for (const status of ['live', 'scheduled', '']) {
      await page.getByLabel('Status', { exact: true }).selectOption(status);
      await page.waitForSelector('.connection-loading', { state: 'detached' });
      await until('the fixtures of this filter are shown, as the key sees them', async () => {
        const fixtures = await page.locator('.fixture').count();
        return (
          fixtures > 0 &&
          (await page.locator('.live-dot').count()) > 0 === (status !== 'scheduled') &&
          (await sharpOnBoard(page).count()) > 0
        );
      });
    }
    let ticket = await untilRenewed(page, null);
    await page.locator('.fixture .teams').first().click();
    await page.waitForURL('**/events/*');
    await sharpOnMatch(page).waitFor();
    await page.getByRole('button', { name: 'Key from link' }).waitFor();
    ticket = await untilRenewed(page, ticket);
    await page.goBack();
    await sharpOnBoard(page).waitFor();
    ticket = await untilRenewed(page, ticket);
    await page.reload();
    await sharpOnBoard(page).waitFor();
    ticket = await untilRenewed(page, ticket);
    const other = await page.context().newPage();
    await other.goto(service.url);
    await sharpOnBoard(other).waitFor();
    await page.getByRole('button', { name: 'Value' }).click();
    await page.waitForSelector('.signals td');
    expect(await page.getByText(ENDED).count()).toBe(0);
    await page.getByRole('button', { name: 'Key from link' }).click();
    await page.getByText('You opened the link').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('the view of a link survives a lost connection, and continues when the server answers again', async () => {
    await using proxy = await CuttableProxy.to(service.url);
    await using page = await browser.open(`${proxy.url}/?ticket=${await ticketOf(service.key)}`, {
      allowed: REFUSALS,
    });
    await sharpOnBoard(page).waitFor();
    let ticket: string | null = null;
    for (let turn = 0; turn < 2; turn++) {
      ticket = await untilRenewed(page, ticket);
      proxy.cut();
      await page.waitForSelector('.connection-reconnecting');
      await page.getByText('The server is not responding').waitFor();
      proxy.restore();
      await page.waitForSelector('.board:not(.is-stale) .connection-live');
      expect([await sharpOnBoard(page).count(), await page.getByText(ENDED).count()]).toEqual([1, 0]);
    }
  });

  test('if a link was already used, the board, its tabs and a match report that its view has ended', async () => {
    const ticket = await ticketOf(service.key);
    const first = await SocketClient.open(service.url, { ticket, protocols: ['overround.v1.json'] });
    expect(first.closed).toBeNull();
    await first.close();
    await using page = await browser.open(`${service.url}/?ticket=${ticket}`, { allowed: REFUSALS });
    await page.getByText(ENDED).waitFor();
    await page.waitForSelector('.fixture');
    expect(await sharpOnBoard(page).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Value' }).click();
    await page.getByRole('heading', { name: 'Value' }).waitFor();
    expect(await page.getByText(ENDED).count()).toBe(1);
    const { data } = await service.get<{ data: readonly { id: string }[] }>('/v1/events');
    await page.goto(`${service.url}/events/${data[0]!.id}?ticket=${ticket}`);
    await page.getByText(ENDED).waitFor();
  });

  test('the view of a link ends when its key is revoked, and the page reports that', async () => {
    const doomed = await createRevocableKey(service.dataDir);
    await using page = await browser.open(`${service.url}/?ticket=${await ticketOf(doomed.text)}`, {
      allowed: REFUSALS,
    });
    await page.waitForSelector('.fixture');
    await untilRenewed(page, null);
    await doomed.revoke();
    await page.getByText(ENDED).waitFor();
    await page.waitForSelector('.connection-live, .connection-polling');
  });
});
