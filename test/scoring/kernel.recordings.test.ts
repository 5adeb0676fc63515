// The kernels on real prices: both recordings are played up to several moments, and every fixture is compared
// with the naive version. The recordings are not in the repository; without them the test is skipped.

import { expect, test } from 'bun:test';
import {
  BOOKMAKER_KEYS,
  indexIn,
  MARKET_TYPES,
  PERIODS,
  QUOTE_STATUSES,
  SPORT_KEYS,
} from '../../src/domain/catalogue.ts';
import { fixtureHits } from '../../src/scoring/fixture-hits.ts';
import { recordingPath } from '../support/recordings.ts';
import { naiveScore } from './naive.ts';
import { type PlainFixture, type PlainQuote, slateOf } from './slate.ts';
import { BEFORE_KICKOFF, USUAL_CRITERIA } from './usual-criteria.ts';

interface Wire {
  readonly type: string;
  readonly event: string;
  readonly sport: string;
  readonly bookmaker: string;
  readonly market_type: string;
  readonly period: string;
  readonly line: number | null;
  readonly prices: readonly number[];
  readonly status: string;
}

/** Every fixture of the slate once the beginning of the recording was played: `share` of its messages. */
function playTo(messages: readonly Wire[], share: number): PlainFixture[] {
  const fixtures = new Map<string, { sport: number; quotes: Map<string, PlainQuote> }>();
  for (const message of messages.slice(0, Math.floor(messages.length * share))) {
    if (message.type === 'event') {
      fixtures.set(message.event, {
        sport: indexIn(SPORT_KEYS, message.sport),
        quotes: new Map(),
      });
    }
    if (message.type !== 'quote' && message.type !== 'close') continue;
    const quote = {
      market: indexIn(MARKET_TYPES, message.market_type),
      period: indexIn(PERIODS, message.period),
      lineQuarters: Math.round((message.line ?? 0) * 4),
      bookmaker: indexIn(BOOKMAKER_KEYS, message.bookmaker),
      pricesE4: message.prices?.map((price) => Math.round(price * 10_000)) ?? [],
      status: indexIn(QUOTE_STATUSES, message.status),
    };
    const key = `${quote.market}/${quote.period}/${quote.lineQuarters}/${quote.bookmaker}`;
    if (message.type === 'quote') fixtures.get(message.event)!.quotes.set(key, quote);
    else fixtures.get(message.event)!.quotes.delete(key);
  }
  return [...fixtures.values()].map(({ sport, quotes }, index) => ({
    eventNumber: index + 1,
    sport,
    quotes: [...quotes.values()],
  }));
}

for (const name of ['brazil-2022', 'premier-league-2024-25']) {
  const path = recordingPath(`${name}.ndjson`);
  test.skipIf(path === null)(
    `fixtureHits finds what the naive version finds in ${name}${path === null ? ' (no recording)' : ''}`,
    async () => {
      const text = await Bun.file(path!).text();
      const messages = text
        .trim()
        .split('\n')
        .map((line): Wire => JSON.parse(line));
      let hitCount = 0;
      let quoteCount = 0;
      for (const share of [0.2, 0.5, 0.8]) {
        const fixtures = playTo(messages, share);
        const { reader } = slateOf(fixtures);
        for (const fixture of fixtures) {
          quoteCount += fixture.quotes.length;
          for (const seesSharp of [true, false]) {
            const hits = fixtureHits(
              reader,
              fixture.eventNumber,
              { ...USUAL_CRITERIA, seesSharp },
              BEFORE_KICKOFF,
            )!;
            const naive = naiveScore(fixture, { ...USUAL_CRITERIA, seesSharp });
            hitCount += naive.valueHits.length + naive.arbHits.length;
            expect(hits.bookCount).toBe(naive.bookCount);
            expect(hits.droppedValueCount).toBe(naive.droppedValueCount);
            expect(hits.droppedArbCount).toBe(naive.droppedArbCount);
            expect(
              hits.valueHits.map((hit) => [hit.market, hit.lineQuarters, hit.outcome, hit.priceE4]),
            ).toEqual(naive.valueHits.map((hit) => [hit.market, hit.lineQuarters, hit.outcome, hit.priceE4]));
            hits.valueHits.forEach((hit, index) => {
              expect(hit.edge).toBeCloseTo(naive.valueHits[index]!.edge, 10);
            });
            expect(hits.arbHits.map((hit) => hit.legs)).toEqual(naive.arbHits.map((hit) => [...hit.legs]));
          }
        }
      }
      expect(quoteCount).toBeGreaterThan(1_000);
      expect(hitCount).toBeGreaterThan(0);
    },
  );
}
