// A batch of odds while the feed moves its fixtures: between any two look-ups another price may be published.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { BatchOdds, type BatchOddsEntry, type OddsBlock } from '../../src/contract/odds.ts';
import { encodeId, entityNumber } from '../../src/domain/ids.ts';
import { KEYLESS, type Principal } from '../../src/domain/tiers.ts';
import { PLAIN } from '../../src/http/kit/representation.ts';
import { OddsAnswers } from '../../src/http/odds-answers.ts';
import { OddsEncoder } from '../../src/query/odds/odds-encoder.ts';
import { oddsFilter } from '../../src/query/odds/odds-filter.ts';
import { FixtureWatch } from '../../src/query/slate/fixture-watch.ts';
import { quoteWire, wireTime } from '../feed/wire.ts';
import { fixtureWire, SlateDesk, WINDOWS } from '../query/slate-desk.ts';
import { misfitOf } from '../support/shape.ts';

const STANDARD: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
const KICKOFF = '2026-03-01T15:00:00Z';
const EVENTS = ['e1', 'e2', 'gone'];
const IDS = EVENTS.map((event) => encodeId('event', entityNumber('event', 0, event)));

/**
 * Checks that prices and stamps of a block belong together: each price of this feed encodes the minute of its
 * stamp.
 */
function expectWhole({ odds, as_of }: OddsBlock): void {
  for (const { prices, as_of: quotedAt } of odds) {
    expect(quotedAt).toBe(as_of);
    expect(prices.home).toBe(1 + new Date(quotedAt).getUTCMinutes() / 100);
  }
}

test('each entry of a batch is of one version, and a repeated id gets the same answer twice', () => {
  const asked = fc.array(fc.constantFrom(...IDS, 'evt_none'), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(asked, (eventIds) => {
      const desk = new SlateDesk();
      let minute = 1;
      const quotes = () => {
        const at = wireTime(Date.UTC(2026, 2, 1, 12, minute));
        const prices = [1 + minute / 100, 2];
        return ['e1', 'e2'].map((event) => quoteWire(0, event, { at, prices }));
      };
      desk.snapshot(fixtureWire('e1', KICKOFF), fixtureWire('e2', KICKOFF), ...quotes());
      const { reader } = desk.ingest;
      const moving = new Proxy(desk.slate, {
        get: (slate, name) => {
          if (name === 'fixtureById') {
            minute += 1;
            desk.send(...quotes());
          }
          const value: unknown = Reflect.get(slate, name, slate);
          return typeof value === 'function' ? value.bind(slate) : value;
        },
      });
      const answers = new OddsAnswers({
        slate: moving,
        encoder: new OddsEncoder(reader),
        watch: new FixtureWatch(reader, WINDOWS),
      });
      const { body } = answers.batch(eventIds, oddsFilter({}, STANDARD), desk.nowMs);
      const answer: unknown = JSON.parse(new TextDecoder().decode(body as Uint8Array));
      expect(misfitOf(BatchOdds, answer)).toBeNull();
      const { data } = answer as { data: BatchOddsEntry[] };
      expect(data.map(({ event_id }) => event_id)).toEqual([...eventIds]);
      for (const entry of data) {
        if (entry.odds !== null) expectWhole(entry.odds);
        expect(entry).toEqual(data.find(({ event_id }) => event_id === entry.event_id)!);
      }
    }),
    { numRuns: 50 },
  );
});

test('answers to callers who pay are cached apart from answers to others, even if they are equal', () => {
  const desk = new SlateDesk();
  desk.snapshot(fixtureWire('e1', KICKOFF), quoteWire(0));
  const { slate, nowMs } = desk;
  const { reader } = desk.ingest;
  const answers = new OddsAnswers({
    ...{ slate, encoder: new OddsEncoder(reader), watch: new FixtureWatch(reader, WINDOWS) },
  });
  const ask = (principal: Principal): void => {
    answers.find(IDS[0]!, oddsFilter({ bookmakers: ['crown'] }, principal), nowMs).body(PLAIN);
  };
  for (let count = 0; count < 3; count++) ask(KEYLESS);
  expect([answers.cache.of(false).size, answers.cache.of(true).size]).toEqual([1, 0]);
  for (let count = 0; count < 3; count++) ask(STANDARD);
  expect([answers.cache.of(false).size, answers.cache.of(true).size]).toEqual([1, 1]);
  expect([answers.cache.hits, answers.cache.misses]).toEqual([2, 4]);
});
