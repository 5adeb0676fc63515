// Plays one of the real series of shared/data through a store, and collects the steam that the kernel finds
// at each answer. kinds/moves.test.ts runs it in a process of its own, because it needs the roster of US
// bookmakers. Prints the cases that differ from the list that is stored beside the series.

import { readFileSync } from 'node:fs';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { bookmakersOf, installRoster } from '../../src/domain/roster.ts';
import type { Listed, Outcome } from '../history/plain-series.ts';

const [name = '', series = ''] = process.argv.slice(2);
const rosterText = await Bun.file(new URL('../../rosters/the-odds-api-us.json', import.meta.url)).text();
installRoster({ origin: 'the-odds-api-us', bookmakers: bookmakersOf(JSON.parse(rosterText)) });

// These modules are loaded after the roster, because the catalogue reads the roster only once.
const catalogue = await import('../../src/domain/catalogue.ts');
const { REFERENCE_SHARP } = await import('../../src/domain/reference.ts');
const { fixtureKinds } = await import('../../src/scoring/kinds/score-kinds.ts');
const { NO_KINDS } = await import('../../src/scoring/kinds/kind-criteria.ts');
const { KIND_STEAM } = await import('../../src/scoring/kinds/kind-rows.ts');
const { createStore } = await import('../../src/store/layout.ts');
const { packQuoteKey } = await import('../../src/store/quote-key.ts');
const { SlateReader } = await import('../../src/store/reader.ts');
const { WindowKeeper } = await import('../../src/store/writer/window-keeper.ts');
const { SlateWriter } = await import('../../src/store/writer/writer.ts');
const { decimalOf } = await import('../history/plain-series.ts');
const { fixtureOf } = await import('../store/small-store.ts');

type Case = [string, string, number | null, number, number, number, number, number, ...unknown[]];

const truth = JSON.parse(
  gunzipSync(readFileSync(`${series}/truth/truth-${name}-shared.json.gz`)).toString(),
) as { readonly events: Record<string, { readonly kickoff: number }>; readonly steam: readonly Case[] };
const lines = zstdDecompressSync(readFileSync(`${series}/${name}-2026.ndjson.zst`))
  .toString()
  .split('\n');
const sport = name === 'wnba' ? 1 : 0;
const MARKETS: Record<string, string> = { h2h: '1x2', spreads: 'asian_handicap', totals: 'totals' };

const buffer = createStore(0, {
  ...{ fixtures: 128, quotesPerFixture: 128, openingsPerFixture: 4, entities: 512, arenaBytes: 65_536 },
  ...{ gracePublishes: 64, departures: 64 },
});
const writer = new SlateWriter(buffer);
const reader = new SlateReader(buffer);
const keeper = new WindowKeeper(buffer);
writer.setSnapshotComplete();
const ids = Object.keys(truth.events);
const criteria = {
  ...{ marketMask: 7, periodMask: 3, bookmakerMask: catalogue.ALL_BOOKMAKERS_MASK, seesSharp: true },
  ...{ reference: REFERENCE_SHARP, minEdge: 0, maxEdge: 0.1, minMargin: 0, maxMargin: 0.1, maxAgeMs: null },
  kinds: { ...NO_KINDS, steam: { change: 0.015, withinS: 1_800, owners: 3 } },
};

/** The prices of a market in outcome order, and its line; null when an outcome is missing. */
function pricesOf(event: Listed, key: string, outcomes: readonly Outcome[]) {
  const names =
    key === 'totals'
      ? ['Over', 'Under']
      : key === 'h2h' && sport === 0
        ? [event.home_team, 'Draw', event.away_team]
        : [event.home_team, event.away_team];
  const found = names.map((each) => outcomes.find((outcome) => outcome.name === each));
  if (found.some((outcome) => outcome === undefined)) return null;
  return {
    line: key === 'h2h' ? 0 : found[0]!.point! * 4,
    prices: found.map((outcome) => Math.round(decimalOf(outcome!.price) * 10_000)),
  };
}

function put(slot: number, event: Listed, atMs: number): Set<number> {
  const listed = new Set<number>();
  for (const { key: bookmaker, markets } of event.bookmakers) {
    for (const { key, outcomes } of markets) {
      const market = catalogue.MARKET_TYPES.indexOf(MARKETS[key] as '1x2');
      const found = market < 0 ? null : pricesOf(event, key, outcomes);
      if (found === null) continue;
      const quoteKey = packQuoteKey(market, 0, found.line, catalogue.BOOKMAKER_KEYS.indexOf(bookmaker));
      const [a = 0, b = 0, c = 0] = found.prices;
      writer.quotes.putQuote(slot, quoteKey, a, b, c, 0, atMs);
      listed.add(quoteKey);
    }
  }
  return listed;
}

const cases: Case[] = [];
let open = new Map<string, Case>();
for (const text of lines) {
  if (text === '') continue;
  const { timestamp, data } = JSON.parse(text) as { timestamp: string; data: Listed[] };
  const nowMs = Date.parse(timestamp);
  for (const event of data) {
    const eventNumber = ids.indexOf(event.id) + 1;
    const scheduledAtMs = truth.events[event.id]!.kickoff * 1_000;
    const slot = writer.putFixture({ ...fixtureOf(eventNumber, nowMs), sport, scheduledAtMs });
    const listed = put(slot, event, nowMs);
    for (const key of writer.quotes.quoteKeysOf(slot))
      if (!listed.has(key)) writer.quotes.closeQuote(slot, key, nowMs);
  }
  const seen = new Set(data.map(({ id }) => ids.indexOf(id) + 1));
  for (const eventNumber of [...writer.eventNumbers()]) {
    const slot = writer.slotOf(eventNumber);
    if (seen.has(eventNumber)) continue;
    for (const key of writer.quotes.quoteKeysOf(slot)) writer.quotes.closeQuote(slot, key, nowMs);
  }
  writer.facts.setHeartbeatAt(nowMs);
  writer.publish(nowMs);
  keeper.step(nowMs);
  const now = new Map<string, Case>();
  const windows = { liveMs: 60_000, prematchMs: 60_000 };
  const moment = { nowMs, confirmedAtMs: reader.confirmations(), windows };
  for (const { id } of data) {
    for (const hit of fixtureKinds(reader, ids.indexOf(id) + 1, criteria, moment).hits) {
      if (hit.kind !== KIND_STEAM) continue;
      const line = hit.market === 0 ? null : hit.lineQuarters / 4;
      const place = [id, catalogue.MARKET_TYPES[hit.market]!, line, hit.outcome, hit.way] as const;
      const former = open.get(String(place));
      const found: Case = former ?? [...place, nowMs / 1_000, 0, 0];
      if (former === undefined) cases.push(found);
      found[6] = nowMs / 1_000;
      found[7] = Math.max(found[7], hit.owners);
      now.set(String(place), found);
    }
  }
  open = now;
}

const wanted = new Set(truth.steam.map((each) => JSON.stringify(each.slice(0, 8))));
const got = new Set(cases.map((each) => JSON.stringify(each)));
console.log(
  JSON.stringify({
    count: cases.length,
    missing: [...wanted].filter((each) => !got.has(each)),
    tooMany: [...got].filter((each) => !wanted.has(each)),
  }),
);
