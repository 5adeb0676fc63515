// The least work that a cache miss needs, written by hand. It does what reference-server.ts does for a hit
// (key, bucket, version, tag, ten headers), and encodes the URL's fixture as the service does. No router, no
// freshness checks, no cache, no metrics. `bun bench/http/miss-reference-server.ts <fixtures> <keys, one a
// line>` prints its port.

import { HOUR_MS } from '../../src/clock.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import { OddsEncoder } from '../../src/query/odds/odds-encoder.ts';
import { oddsFilter } from '../../src/query/odds/odds-filter.ts';
import type { FixtureNow } from '../../src/query/slate/fixture-view.ts';
import { Slate } from '../../src/query/slate/slate.ts';
import { createStore } from '../../src/store/layout.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { benchFixtures } from '../scoring-slate.ts';
import { SITE_SEED } from '../tools-site.ts';
import { ReferenceGate, referenceInit } from './reference-parts.ts';

const CALLER: Principal = { tier: 'enterprise', seesSharp: true, keyId: 'key_bench' };

const nowMs = Date.now();
const buffer = createStore(nowMs);
const writer = new SlateWriter(buffer);
for (const { eventNumber, sport, quotes } of benchFixtures(Number(process.argv[2]), SITE_SEED)) {
  const slot = writer.putFixture({
    eventNumber,
    sport,
    league: { number: 1, name: 'Bench League' },
    home: { number: 2 * eventNumber, name: `Home ${eventNumber}` },
    away: { number: 2 * eventNumber + 1, name: `Away ${eventNumber}` },
    scheduledAtMs: nowMs + HOUR_MS,
    atMs: nowMs,
  });
  for (const { market, period, lineQuarters, bookmaker, pricesE4, status } of quotes) {
    const [a = 0, b = 0, c = 0] = pricesE4;
    writer.quotes.putQuote(
      slot,
      packQuoteKey(market, period, lineQuarters, bookmaker),
      a,
      b,
      c,
      status,
      nowMs,
    );
  }
}
writer.publish(0);
const reader = new SlateReader(buffer);
const fixtures = new Slate(reader, { liveMs: HOUR_MS, prematchMs: HOUR_MS }).peek(nowMs);
const encoder = new OddsEncoder(reader);
const filter = oddsFilter({}, CALLER);
const gate = new ReferenceGate(await Bun.file(process.argv[3]!).text());
const fixtureByUrl = new Map<string, FixtureNow>();
let serial = 0;

/** The fixture for a URL: any one, but always the same. */
function fixtureOf(url: string): FixtureNow {
  let fixture = fixtureByUrl.get(url);
  if (fixture === undefined) {
    fixture = fixtures[fixtureByUrl.size % fixtures.length]!;
    fixtureByUrl.set(url, fixture);
  }
  return fixture;
}

function answer(request: Request): Response {
  const { headers } = request;
  const fullInMs = gate.take(headers.get('authorization'));
  if (typeof fullInMs !== 'number') return fullInMs;
  const fixture = fixtureOf(request.url);
  const etag = `"${reader.versionOf(reader.slotOf(fixture.view.eventNumber)).toString(36)}"`;
  const isUnchanged = headers.get('if-none-match') === etag;
  serial += 1;
  const body = isUnchanged ? null : encoder.encode(fixture, filter);
  return new Response(body, referenceInit({ etag, isUnchanged, serial, fullInMs }));
}

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer });
console.log(server.port);
