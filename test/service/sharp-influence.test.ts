// Prices that a caller may not see must not change an answer either. One service has a feed with the sharp
// bookmaker, another has a feed that never had it. A free caller gets the same answers to everything from
// both: tools, counts, best prices and sentences included.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Answered } from '../support/call.ts';
import { PROXY_SETTINGS } from '../support/callers.ts';
import { slateOfAllBooks } from '../support/made-up-slate.ts';
import { HELLO_AT, writeRecording } from '../support/recording-file.ts';
import { Surface } from '../support/surface.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SHARP = 'pinnacle';

test('a free caller gets the same answers whether the feed has the sharp book or not', async () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const messages = slateOfAllBooks();
  const withSharp = join(folder, 'with.ndjson');
  const withoutSharp = join(folder, 'without.ndjson');
  writeRecording(withSharp, messages);
  writeRecording(
    withoutSharp,
    messages.filter((message) => message.bookmaker !== SHARP),
  );
  const starting = [withSharp, withoutSharp].map((path) => Surface.on(settingsOf(path), { freeKeys: 60 }));
  const [full, poor] = (await Promise.all(starting)) as [Surface, Surface];
  await using _full = full;
  await using _poor = poor;
  expect(poor.eventIds).toEqual(full.eventIds);
  // Operations whose answers differ between the services, by caller.
  const changed = { keyless: new Set<string>(), free: new Set<string>(), standard: new Set<string>() };
  for (const operation of full.document.operations) {
    // The answers about usage and tickets are the caller's own, and those about accounts have no quotes.
    if (operation.isAccount || ['createTicket', 'getUsage'].includes(operation.operationId)) continue;
    for (const [index, request] of full.samples.good(operation).entries()) {
      // Callers without a key are in the free tier too, so every other request is sent without a key.
      const free = operation.needsKey || index % 2 === 0 ? 'free' : 'keyless';
      for (const caller of [free, 'standard'] as const) {
        // For a caller who may see the bookmaker, one difference per operation is enough.
        if (caller === 'standard' && changed.standard.has(operation.operationId)) continue;
        const [left, right] = await Promise.all([full.send(caller, request), poor.send(caller, request)]);
        if (contentOf(left, full) !== contentOf(right, poor)) changed[caller].add(operation.operationId);
      }
    }
  }
  expect([...changed.keyless]).toEqual([]);
  expect([...changed.free]).toEqual([]);
  // For callers who may see the bookmaker the slates do differ.
  const expected = ['getEventOdds', 'getEventMarketOdds', 'getEventOpening', 'batchOdds'];
  expect([...changed.standard]).toEqual(expect.arrayContaining(expected));
  expect(changed.standard.size).toBeGreaterThan(8);
}, 120_000);

function settingsOf(path: string): Record<string, string> {
  return { FEED: `replay:${path}`, FEED_NOW: HELLO_AT, ...PROXY_SETTINGS };
}

/** An answer without what identifies the service: its address, and its start in a cursor of odds. */
function contentOf({ status, text }: Answered, { running }: Surface): string {
  return `${status} ${text.replaceAll(running.url, '').replace(/"cursor":"[0-9a-z]+-/, '"cursor":"')}`;
}
