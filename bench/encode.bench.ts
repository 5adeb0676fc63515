// Encodes one OddsBlock of 75 quotes as JSON bytes: straight from columns, compared with objects and
// JSON.stringify.

import { bench, do_not_optimize, group } from 'mitata';
import { ODDS_FORMATS, type OddsFormat } from '../src/domain/catalogue.ts';
import { Random } from '../src/domain/random.ts';
import type { Principal } from '../src/domain/tiers.ts';
import { assert } from '../src/errors.ts';
import { OddsQueries } from '../src/query/odds/odds.ts';
import { OddsEncoder } from '../src/query/odds/odds-encoder.ts';
import { type OddsFilter, oddsFilter } from '../src/query/odds/odds-filter.ts';
import type { FixtureNow } from '../src/query/slate/fixture-view.ts';
import { Slate } from '../src/query/slate/slate.ts';
import { createStore, DEFAULT_CAPACITY } from '../src/store/layout.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchKeys } from './store-slate.ts';

const SEED = 20_260_301;
const QUOTES = 75;
const NOW_MS = Date.UTC(2026, 2, 1, 12);
const CALLER: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_bench' };
const FORMATS_SHOWN: readonly OddsFormat[] = ['decimal', 'american', 'malay'];

interface EncodeBench {
  readonly reader: SlateReader;
  readonly odds: OddsQueries;
  readonly fixtures: readonly FixtureNow[];
  readonly filters: ReadonlyMap<OddsFormat, OddsFilter>;
}

export function define(size: 'smoke' | 'full'): void {
  const setting = makeBench(size === 'smoke' ? 4 : 256);
  const { reader, odds, fixtures, filters } = setting;
  const encoder = new OddsEncoder(reader);
  checkAnswers(setting, encoder);
  for (const format of FORMATS_SHOWN) {
    const filter = filters.get(format)!;
    let next = 0;
    group(`encode: an OddsBlock of ${QUOTES} quotes, ${format}`, () => {
      bench('OddsEncoder, columns to bytes', () => {
        next = (next + 1) % fixtures.length;
        do_not_optimize(encoder.encode(fixtures[next]!, filter));
      });
      const utf8 = new TextEncoder();
      bench('plain: objects, JSON.stringify, TextEncoder', () => {
        next = (next + 1) % fixtures.length;
        do_not_optimize(utf8.encode(JSON.stringify(odds.block(fixtures[next]!, filter))));
      }).baseline(true);
    });
  }
}

/** Fixtures with the same lines and different prices, as `Slate` shows them. */
function makeBench(fixtureCount: number): EncodeBench {
  const buffer = createStore(1, { ...DEFAULT_CAPACITY, fixtures: fixtureCount });
  const writer = new SlateWriter(buffer);
  const random = new Random(SEED);
  const keys = benchKeys(QUOTES);
  for (let index = 0; index < fixtureCount; index++) {
    const slot = writer.putFixture({
      eventNumber: index + 1,
      sport: 0,
      league: { number: 1, name: 'League' },
      home: { number: 10 + index * 2, name: `Home ${index}` },
      away: { number: 11 + index * 2, name: `Away ${index}` },
      scheduledAtMs: NOW_MS + 3_600_000,
      atMs: NOW_MS,
    });
    for (const key of keys) {
      const atMs = NOW_MS - random.index(600_000);
      writer.quotes.putQuote(
        slot,
        key,
        15_000 + 100 * random.index(200),
        15_000 + 50 * random.index(400),
        0,
        0,
        atMs,
      );
    }
  }
  writer.publish(0);
  const reader = new SlateReader(buffer);
  const slate = new Slate(reader, { liveMs: 60_000, prematchMs: 300_000 });
  const odds = new OddsQueries(reader);
  const fixtures = slate.peek(NOW_MS);
  const filters = new Map(ODDS_FORMATS.map((format) => [format, oddsFilter({ format }, CALLER)]));
  return { reader, odds, fixtures, filters };
}

function checkAnswers({ odds, fixtures, filters }: EncodeBench, encoder: OddsEncoder): void {
  const decoder = new TextDecoder();
  for (const fixture of fixtures) {
    for (const filter of filters.values()) {
      const block = odds.block(fixture, filter);
      assert(block.odds.length === QUOTES, `the bench block has ${QUOTES} quotes`);
      assert(
        decoder.decode(encoder.encode(fixture, filter)) === JSON.stringify(block),
        'bytes equal objects',
      );
    }
  }
}
