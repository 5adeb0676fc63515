// Misleading slates: prices that look like a signal but are not one, or that need a caveat. Each slate is
// built from feed messages and tested through the tools. Excluded signals are counted by reason, and a note
// names the reasons (docs/reference/signals.md).

import { describe, expect, test } from 'bun:test';
import { OWNER_MASKS } from '../../src/domain/catalogue.ts';
import { quoteOf, state, T0 } from './made-up-slate.ts';
import {
  arbPair,
  betsOf,
  expectNothing,
  HOUR,
  legsOf,
  MINUTE,
  match,
  NONE,
  over,
  SECOND,
  searchAll,
  sent,
  valuePair,
} from './misleading-scene.ts';
import { toolsOver } from './scanning-slate.ts';
import { type Answer, FREE, WireSlate } from './wire-slate.ts';

describe('bets at an old price, and on a match whose state is out of date', () => {
  test('a soft price of 20 hours ago against a sharp price of a minute ago counts while it is confirmed, and is called lagging', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', 180),
      ...valuePair('a', { softAgeMs: 20 * HOUR, sharpAgeMs: MINUTE }),
    ];
    const { value, scan } = await searchAll(over(wires));
    expect(betsOf(value)[0]).toMatchObject({
      as_of: new Date(T0 - 20 * HOUR).toISOString(),
      confirmed_at: new Date(T0).toISOString(),
      age_s: 72_000,
      lagging: true,
    });
    expect(value.summary).toContain('last moved 20 hours ago');
    expect(scan.summary).toContain('last moved 20 hours ago');
    expectNothing(
      await searchAll(over(wires), { max_age_s: 3_600 }),
      { stale: 1, single_book: 1 },
      '1 stale quote',
    );
    // The old price was not confirmed, so it may no longer exist.
    expectNothing(await searchAll(over(wires, false)), { stale: 1, single_book: 1 }, '1 stale quote');
  });

  test('a match that kicked off 30 minutes ago and is still listed as scheduled has no signal', async () => {
    const wires = [match('a', 'Reading', 'Stoke', -30), ...valuePair('a'), ...arbPair('a', -1)];
    const found = await searchAll(over(wires));
    expectNothing(found, { not_started_late: 1 }, 'past its kickoff');
    expect(found.value.fair_source).toBeNull();
    const line = await over(wires)('get_sharp_line', { query: 'Reading' });
    expect(line.comparison).toMatchObject({ best_prices: [], fair_odds: null });
    expect(line.summary).toContain('kickoff has passed');
  });

  test('a first-half market that is still open at 60 minutes has no signal', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', -75),
      state('a', 'live', [1, 0], '2h 60'),
      ...valuePair('a', { period: 'half_time' }),
    ];
    expectNothing(await searchAll(over(wires)), { period_over: 2 }, '2 quotes of a period that is over');
    const line = await over(wires)('get_sharp_line', { query: 'Reading', period: 'half_time' });
    expect(line.comparison).toMatchObject({ best_prices: [], fair_odds: null, book_count: 0 });
    expect(line.summary).toContain('the first half is over');
    expect((line.comparison as { books: unknown[] }).books).toHaveLength(2);
  });

  test('a finished match that still has quotes has no signal', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', -120),
      state('a', 'finished', [2, 1], '2h 90'),
      ...valuePair('a'),
      ...arbPair('a', -1),
    ];
    expectNothing(await searchAll(over(wires)), { finished: 1 }, '1 finished fixture');
    const fair = await over(wires)('compare_prob', {
      query: 'Reading',
      external_prob: 0.4,
      market_type: 'asian_handicap',
    });
    expect(fair).toMatchObject({ status: 'no_line', fair_prob: null, verdict: null });
  });
});

describe('age', () => {
  test('in play, a price that has not moved for more than five minutes counts only if the caller allows older ones', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', -20),
      state('a', 'live', [0, 0], '1h 20'),
      ...valuePair('a', { softAgeMs: 5 * MINUTE + SECOND }),
    ];
    expectNothing(await searchAll(over(wires)), { stale: 1, single_book: 1 }, '1 stale quote');
    expect(betsOf((await searchAll(over(wires), { max_age_s: 600 })).value)).toHaveLength(1);
    const onTime = [...wires.slice(0, 2), ...valuePair('a', { softAgeMs: 5 * MINUTE })];
    expect(betsOf((await searchAll(over(onTime))).value)).toHaveLength(1);
  });

  test('neither an outdated sharp price nor an outdated soft price is used', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', -20),
      state('a', 'live', [0, 0], '1h 20'),
      ...valuePair('a', { sharpAgeMs: 20 * MINUTE }),
      quoteOf('a', 'sbobet', 'asian_handicap', -0.5, [1.9, 1.9]),
    ];
    const { value } = await searchAll(over(wires));
    expect(value).toMatchObject({ value_bets: [], fair_source: null });
    expect(value.excluded).toEqual({ ...NONE, stale: 1, no_sharp: 1 });
  });

  test('an arbitrage has a caveat if the price of one leg is two hours older than the sharp price', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', 180),
      ...arbPair('a', -0.5, { second: 2 * HOUR }),
      quoteOf('a', 'pinnacle', 'asian_handicap', -0.5, [1.95, 1.95]),
    ];
    const { arbitrage } = await searchAll(over(wires));
    expect(legsOf(arbitrage).map((leg) => [leg.bookmaker, leg.age_s, leg.lagging])).toEqual([
      ['crown', 0, false],
      ['sbobet', 7_200, true],
    ]);
    expect(arbitrage.summary).toContain(
      "the price of Sbobet last moved over an hour before the sharp book's",
    );
    // Without the sharp bookmaker nothing can lag behind it, and its times are not shown.
    const free = await over(wires)('find_arbitrage', { query: 'Reading' }, T0, FREE);
    expect(legsOf(free).map((leg) => leg.lagging)).toEqual([false, false]);
  });

  test('best prices and book lines show their age, and those of suspended quotes are not confirmed', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', 180),
      ...valuePair('a', { softAgeMs: 90 * MINUTE, sharpAgeMs: MINUTE }),
      sent(quoteOf('a', 'hkjc', 'asian_handicap', -0.5, [2.5, 1.5], { status: 'suspended' }), 10 * MINUTE),
    ];
    const answer = await over(wires)('get_sharp_line', { query: 'Reading' });
    const { best_prices, books } = answer.comparison as { best_prices: Answer[]; books: Answer[] };
    expect(best_prices.map((price) => [price.bookmaker, price.age_s, price.lagging])).toEqual([
      ['crown', 5_400, true],
      ['pinnacle', 60, false],
    ]);
    expect(answer.summary).toContain("The price of Crown last moved over an hour before the sharp book's");
    const confirmed = new Date(T0).toISOString();
    const left = new Date(T0 - 10 * MINUTE).toISOString();
    expect(books.map((book) => [book.bookmaker, book.confirmed_at])).toEqual([
      ['crown', confirmed],
      ['pinnacle', confirmed],
      ['hkjc', left],
    ]);
  });
});

describe('state of play', () => {
  test('a match counts as late from its kickoff on, until its clock runs', async () => {
    const wires = [match('a', 'Reading', 'Stoke', 1), ...valuePair('a')];
    const slate = new WireSlate();
    slate.feed(wires, T0);
    const ask = toolsOver(slate);
    expect(betsOf(await ask('find_value', { query: 'Reading' }, T0 + MINUTE - 1))).toHaveLength(1);
    expect((await ask('find_value', { query: 'Reading' }, T0 + MINUTE)).excluded).toEqual({
      ...NONE,
      not_started_late: 1,
    });
    slate.feed(
      [{ ...state('a', 'live', [0, 0], '1h 1'), at: new Date(T0 + 2 * MINUTE).toISOString() }],
      T0 + 2 * MINUTE,
    );
    expect(betsOf(await ask('find_value', { query: 'Reading' }, T0 + 2 * MINUTE))).toHaveLength(1);
  });

  test('a scan counts the signals that are left out of each match, and ranks matches by the rest', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', 180),
      ...valuePair('a'),
      match('b', 'Hull', 'Derby', -30),
      ...valuePair('b'),
      match('c', 'Leeds', 'Wolves', -140),
      state('c', 'finished', [0, 0], '2h 90'),
      ...arbPair('c', -1),
      match('d', 'Burnley', 'Luton', -75),
      state('d', 'live', [1, 0], '2h 60'),
      ...valuePair('d', { period: 'half_time' }),
    ];
    const scan = await over(wires)('scan_slate', {});
    expect(scan).toMatchObject({ count: 4, with_signal: 1 });
    expect((scan.entries as Answer[])[0]).toMatchObject({ home_team: 'Reading', value_count: 1 });
    expect(scan.excluded).toEqual({ ...NONE, not_started_late: 1, finished: 1, period_over: 2 });
  });
});

describe('quotes and lines', () => {
  test('suspended quotes, withdrawn prices, single books and lines without the sharp book are counted', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', 180),
      quoteOf('a', 'crown', '1x2', null, [9, 9, 9], { status: 'suspended' }),
      quoteOf('a', 'hkjc', '1x2', null, [2.5, 3.4, 0]),
      quoteOf('a', 'sbobet', '1x2', null, [2.5, 3.4, 3.1]),
      quoteOf('a', 'crown', 'totals', 2.5, [1.9, 1.9]),
      quoteOf('a', 'sbobet', 'totals', 2.5, [1.95, 1.85]),
    ];
    const { value, arbitrage, scan } = await searchAll(over(wires));
    expect(value.excluded).toEqual({ ...NONE, suspended: 2, single_book: 1, no_sharp: 1 });
    expect(arbitrage.excluded).toEqual({ ...NONE, suspended: 2, single_book: 1 });
    expect(scan.excluded).toEqual({ ...NONE, suspended: 2, single_book: 1, no_sharp: 1 });
    expect(value.note).toContain(
      "2 suspended quotes, 1 line with one owner's prices alone and 1 line without a price of the sharp book",
    );
  });

  test('arbitrage between two books of one owner is only counted; with a leg at another owner it is reported', async () => {
    const before = Int32Array.from(OWNER_MASKS);
    try {
      OWNER_MASKS[0] = OWNER_MASKS[1] = 0b11; // Crown and Sbobet belong to one owner
      const wires = [match('a', 'Reading', 'Stoke', 180), ...arbPair('a', -0.5)];
      const pair = await over(wires)('find_arbitrage', { query: 'Reading' });
      expect(pair.opportunities).toEqual([]);
      expect(pair.excluded).toEqual({ ...NONE, single_book: 1 });
      expect(pair.note).toContain("one owner's prices alone");
      const third = quoteOf('a', 'hkjc', 'asian_handicap', -0.5, [1.7, 2.01]);
      const moved = await over([...wires, third])('find_arbitrage', { query: 'Reading' });
      expect(legsOf(moved).map((leg) => leg.bookmaker)).toEqual(['crown', 'hkjc']);
      expect(moved.excluded).toEqual({ ...NONE, single_book: 1 });
    } finally {
      OWNER_MASKS.set(before);
    }
    const wires = [match('a', 'Reading', 'Stoke', 180), ...arbPair('a', -0.5)];
    expect(legsOf(await over(wires)('find_arbitrage', { query: 'Reading' }))).toHaveLength(2);
  });
});
