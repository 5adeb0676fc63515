// What a caller may not see must not be felt either: a service whose feed has the sharp book and one whose feed never had
// it give a free caller the same answers to everything, tools, counts, best prices and sentences included.

import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOOKMAKER_KEYS } from '../../src/domain/catalogue.ts';
import { Random } from '../../src/domain/random.ts';
import { PROXY_SETTINGS } from '../support/callers.ts';
import {
  eventMessage,
  HELLO_AT,
  type Message,
  quoteMessage,
  writeRecording,
} from '../support/recording-file.ts';
import { type Answered, Surface } from '../support/surface.ts';

const FIXTURES = 8;
const SHARP = 'pinnacle';
const FIRST_AT = '2026-03-09T06:00:00.000Z';
const LAST_AT = '2026-03-10T11:59:50.000Z';

test('a free caller is answered alike whether the feed has the sharp book or not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'overround-test-'));
  const messages = slateOfAllBooks();
  const withSharp = join(folder, 'with.ndjson');
  const withoutSharp = join(folder, 'without.ndjson');
  await writeRecording(withSharp, messages);
  await writeRecording(
    withoutSharp,
    messages.filter((message) => message.bookmaker !== SHARP),
  );
  {
    await using full = await Surface.on(settingsOf(withSharp), { freeKeys: 60 });
    await using poor = await Surface.on(settingsOf(withoutSharp), { freeKeys: 60 });
    expect(poor.eventIds).toEqual(full.eventIds);
    const felt = { keyless: new Set<string>(), free: new Set<string>(), standard: new Set<string>() };
    for (const operation of full.document.operations) {
      // /health counts the slate for everybody, /v1/usage the caller; accounts hold no quotes.
      if (operation.isAccount || ['getHealth', 'getUsage'].includes(operation.operationId)) continue;
      for (const request of full.samples.good(operation)) {
        for (const caller of ['keyless', 'free', 'standard'] as const) {
          const [left, right] = [await full.send(caller, request), await poor.send(caller, request)];
          if (contentOf(left, full) !== contentOf(right, poor)) felt[caller].add(operation.operationId);
        }
      }
    }
    expect([...felt.keyless]).toEqual([]);
    expect([...felt.free]).toEqual([]);
    // The slates do differ, and who may see it does.
    const expected = ['getEventOdds', 'getEventMarketOdds', 'getEventOpening', 'batchOdds'];
    expect([...felt.standard]).toEqual(expect.arrayContaining(expected));
    expect(felt.standard.size).toBeGreaterThan(8);
  }
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

function settingsOf(path: string): Record<string, string> {
  return { FEED: `replay:${path}`, FEED_NOW: HELLO_AT, ...PROXY_SETTINGS };
}

/** An answer without what names the service. */
function contentOf({ status, text }: Answered, { running }: Surface): string {
  return `${status} ${text.replaceAll(running.url, '')}`;
}

/** Fixtures before, during and after play, on which every book quotes every market; the sharp book is often the best. */
function slateOfAllBooks(): Message[] {
  const random = new Random(7);
  const price = (base: number) => Math.round(100 * base * (0.97 + 0.06 * random.unit())) / 100;
  const messages: Message[] = [];
  for (let index = 0; index < FIXTURES; index++) {
    const key = `fixture-${index}`;
    const hours = String(8 + index).padStart(2, '0');
    const scheduledAt = `2026-03-10T${hours}:30:00.000Z`;
    messages.push(
      eventMessage(
        { key, home: `Home ${index}`, away: `Away ${index}`, league: 'League', scheduledAt },
        FIRST_AT,
      ),
    );
    for (const at of [FIRST_AT, LAST_AT]) {
      for (const bookmaker of BOOKMAKER_KEYS) {
        for (const line of [-0.75, -0.5, 0]) {
          messages.push(quoteMessage(key, { bookmaker, line, prices: [price(1.95), price(1.95)] }, at));
        }
        const quote = { type: 'quote', at, event: key, bookmaker, period: 'full_time', status: 'open' };
        const prices = [price(2.2), price(3.3), price(3.4)];
        messages.push({ ...quote, market_type: '1x2', prices });
        messages.push({ ...quote, market_type: 'totals', line: 2.5, prices: [price(1.95), price(1.95)] });
      }
    }
    if (index > 1 && index < 4) {
      messages.push({
        type: 'state',
        at: LAST_AT,
        event: key,
        status: 'live',
        clock: "2H 60'",
        score: [1, 0],
      });
    }
  }
  return messages.sort((left, right) => String(left.at).localeCompare(String(right.at)));
}
