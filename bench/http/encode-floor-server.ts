// The floor of a miss that is made: it encodes the next fixture of a slate as the service does and sends it with ten headers. No
// URL, key, bucket, tag or count. `bun bench/http/encode-floor-server.ts <fixtures>` prints its port.

import type { Principal } from '../../src/domain/tiers.ts';
import { OddsEncoder } from '../../src/query/odds-encoder.ts';
import { oddsFilter } from '../../src/query/odds-filter.ts';
import { Slate } from '../../src/query/slate.ts';
import { createStore } from '../../src/store/layout.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer.ts';
import { benchFixtures } from '../scoring-slate.ts';
import { SITE_SEED } from '../tools-site.ts';

const HOUR_MS = 3_600_000;
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
    writer.putQuote(slot, packQuoteKey(market, period, lineQuarters, bookmaker), a, b, c, status, nowMs);
  }
}
writer.publish(0);
const reader = new SlateReader(buffer);
const fixtures = new Slate(reader, { liveMs: HOUR_MS, prematchMs: HOUR_MS }).peek(nowMs);
const encoder = new OddsEncoder(reader);
const filter = oddsFilter({}, CALLER);
const headers = new Headers({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
  vary: 'Authorization',
  'x-request-id': '0-1',
  'x-ratelimit-limit': '60000',
  'x-ratelimit-remaining': '59999',
  'x-ratelimit-reset': '1700000000',
  'server-timing': 'app;dur=0.01',
  etag: '"floor"',
});

let turn = 0;
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch() {
    turn = (turn + 1) % fixtures.length;
    return new Response(encoder.encode(fixtures[turn]!, filter), { headers });
  },
});
console.log(server.port);
