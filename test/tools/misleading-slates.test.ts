// Slates that mislead: prices that look like a signal and are none, or are one with a caveat. Each is built from feed
// messages and asked through the tools; what is left out is counted by reason and said in words (docs/signals.md).

import { describe, expect, test } from 'bun:test';
import { OWNER_MASKS } from '../../src/domain/catalogue.ts';
import { football, quoteOf, state, T0 } from './made-up-slate.ts';
import { type AskTool, toolsOver } from './scanning-slate.ts';
import { type Answer, FREE, type Wire, WireSlate } from './wire-slate.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NONE = {
  stale: 0,
  implausible: 0,
  suspended: 0,
  period_over: 0,
  not_started_late: 0,
  finished: 0,
  single_book: 0,
  no_sharp: 0,
};

/** A match that kicks off `minutes` from T0. */
function match(event: string, home: string, away: string, minutes: number): Wire {
  return football(event, home, away, new Date(T0 + minutes * MINUTE).toISOString());
}

/** A message as it was sent `ageMs` before T0. */
function sent(wire: Wire, ageMs: number): Wire {
  return { ...wire, at: new Date(T0 - ageMs).toISOString() };
}

/** A sharp and a soft price of a handicap; the soft home price is 3.6 % above fair 2.0. */
function valuePair(
  event: string,
  options: { period?: string; softAgeMs?: number; sharpAgeMs?: number } = {},
): Wire[] {
  const { period = 'full_time', softAgeMs = 0, sharpAgeMs = 0 } = options;
  return [
    sent(quoteOf(event, 'pinnacle', 'asian_handicap', -0.5, [1.95, 1.95], { period }), sharpAgeMs),
    sent(quoteOf(event, 'crown', 'asian_handicap', -0.5, [2.072, 1.8], { period }), softAgeMs),
  ];
}

/** An arbitrage of 2.5 % on a line, between two soft books. */
function arbPair(event: string, line: number, ages: { first?: number; second?: number } = {}): Wire[] {
  return [
    sent(quoteOf(event, 'crown', 'asian_handicap', line, [2.05, 1.8]), ages.first ?? 0),
    sent(quoteOf(event, 'sbobet', 'asian_handicap', line, [1.8, 2.05]), ages.second ?? 0),
  ];
}

function over(wires: readonly Wire[], confirms = true): AskTool {
  const slate = new WireSlate();
  slate.feed(wires, T0, confirms);
  return toolsOver(slate);
}

/** What the three searches say of a slate with one match, of Reading. */
async function searchAll(ask: AskTool, args: Record<string, unknown> = {}, nowMs = T0) {
  const value = await ask('find_value', { query: 'Reading', ...args }, nowMs);
  const arbitrage = await ask('find_arbitrage', { query: 'Reading', ...args }, nowMs);
  const scan = await ask('scan_slate', args, nowMs);
  return { value, arbitrage, scan };
}

function betsOf(answer: Answer): Answer[] {
  return answer.value_bets as Answer[];
}

function legsOf(answer: Answer): Answer[] {
  return (answer.opportunities as { legs: Answer[] }[])[0]!.legs;
}

/** No search finds anything; each counts this and says the word. */
function expectNothing(
  { value, arbitrage, scan }: Awaited<ReturnType<typeof searchAll>>,
  counts: Partial<typeof NONE>,
  word: string,
): void {
  expect(betsOf(value)).toEqual([]);
  expect(arbitrage.opportunities).toEqual([]);
  expect(scan.with_signal).toBe(0);
  for (const answer of [value, arbitrage, scan]) {
    expect(answer.excluded).toEqual({ ...NONE, ...counts });
    expect(answer.note).toContain(word);
  }
}

describe('the four slates of old, state and settlement', () => {
  test('a soft price 20 hours old against a sharp one of a minute ago: real while confirmed, and lagging', async () => {
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
    // Nobody confirmed the old price, so nobody knows whether it is still there.
    expectNothing(await searchAll(over(wires, false)), { stale: 1, single_book: 1 }, '1 stale quote');
  });

  test('a match that kicked off 30 minutes ago and is still called scheduled', async () => {
    const wires = [match('a', 'Reading', 'Stoke', -30), ...valuePair('a'), ...arbPair('a', -1)];
    const found = await searchAll(over(wires));
    expectNothing(found, { not_started_late: 1 }, 'past its kickoff');
    expect(found.value.fair_source).toBeNull();
    const line = await over(wires)('get_sharp_line', { query: 'Reading' }, T0);
    expect(line.comparison).toMatchObject({ best_prices: [], fair_odds: null });
    expect(line.summary).toContain('kickoff has passed');
  });

  test('a first-half market that is still open at 60 minutes', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', -75),
      state('a', 'live', [1, 0], '2h 60'),
      ...valuePair('a', { period: 'half_time' }),
    ];
    expectNothing(await searchAll(over(wires)), { period_over: 2 }, '2 quotes of a period that is over');
    const line = await over(wires)('get_sharp_line', { query: 'Reading', period: 'half_time' }, T0);
    expect(line.comparison).toMatchObject({ best_prices: [], fair_odds: null, book_count: 0 });
    expect(line.summary).toContain('the first half is over');
    expect((line.comparison as { books: unknown[] }).books).toHaveLength(2);
  });

  test('a finished match with quotes left over', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', -120),
      state('a', 'finished', [2, 1], '2h 90'),
      ...valuePair('a'),
      ...arbPair('a', -1),
    ];
    expectNothing(await searchAll(over(wires)), { finished: 1 }, '1 finished fixture');
    const fair = await over(wires)(
      'compare_prob',
      { query: 'Reading', external_prob: 0.4, market_type: 'asian_handicap' },
      T0,
    );
    expect(fair).toMatchObject({ status: 'no_line', fair_prob: null, verdict: null });
  });
});

describe('age', () => {
  test('in play a price that has not moved for more than five minutes counts no longer, unless it is asked for', async () => {
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

  test('an old sharp price is as little to be compared with as an old soft one', async () => {
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

  test('a feed that stopped confirming: prices of the last window count, older ones do not', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', 180),
      ...valuePair('a', { softAgeMs: 290 * SECOND, sharpAgeMs: 10 * SECOND }),
    ];
    const ask = over(wires, false);
    expect(betsOf(await ask('find_value', { query: 'Reading' }, T0))).toHaveLength(1);
    expect(betsOf(await ask('find_value', { query: 'Reading' }, T0 + 10 * SECOND))).toHaveLength(1);
    expect(betsOf(await ask('find_value', { query: 'Reading' }, T0 + 11 * SECOND))).toEqual([]);
  });

  test('an arbitrage of which one leg is two hours older than the sharp price says so', async () => {
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
    // Without the sharp book there is nothing to lag behind, and its times are not told.
    const free = await over(wires)('find_arbitrage', { query: 'Reading' }, T0, FREE);
    expect(legsOf(free).map((leg) => leg.lagging)).toEqual([false, false]);
  });

  test('best prices and book lines say how old they are, the ones of suspended quotes are not confirmed', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', 180),
      ...valuePair('a', { softAgeMs: 90 * MINUTE, sharpAgeMs: MINUTE }),
      sent(quoteOf('a', 'hkjc', 'asian_handicap', -0.5, [2.5, 1.5], { status: 'suspended' }), 10 * MINUTE),
    ];
    const answer = await over(wires)('get_sharp_line', { query: 'Reading' }, T0);
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
  test('at half-time the first half is over, and the match is not', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', -50),
      state('a', 'live', [1, 0], 'ht'),
      ...valuePair('a', { period: 'half_time' }),
      ...valuePair('a'),
    ];
    const { value } = await searchAll(over(wires));
    expect(betsOf(value).map((bet) => bet.period)).toEqual(['full_time']);
    expect(value.excluded).toEqual({ ...NONE, period_over: 2 });
  });

  test('a live match without a clock: the first half is over an hour after kickoff', async () => {
    const wires = (minutes: number): Wire[] => [
      match('a', 'Reading', 'Stoke', minutes),
      {
        type: 'state',
        seq: 1,
        at: new Date(T0).toISOString(),
        event: 'a',
        status: 'live',
        clock: null,
        score: [0, 0],
        cards: null,
      },
      ...valuePair('a', { period: 'half_time' }),
    ];
    expect(betsOf((await searchAll(over(wires(-59)))).value)).toHaveLength(1);
    expectNothing(await searchAll(over(wires(-60))), { period_over: 2 }, 'period that is over');
  });

  test('extra time: the ninety minutes are over', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', -125),
      state('a', 'live', [1, 1], 'et 100'),
      ...valuePair('a'),
    ];
    expectNothing(await searchAll(over(wires)), { period_over: 2 }, 'period that is over');
  });

  test('a match is late from the second of its kickoff, and no longer once a clock runs', async () => {
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

  test('a scan counts what each match leaves out, and ranks only what is left', async () => {
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
    const scan = await over(wires)('scan_slate', {}, T0);
    expect(scan).toMatchObject({ count: 4, with_signal: 1 });
    expect((scan.entries as Answer[])[0]).toMatchObject({ home_team: 'Reading', value_count: 1 });
    expect(scan.excluded).toEqual({ ...NONE, not_started_late: 1, finished: 1, period_over: 2 });
  });
});

describe('quotes and lines', () => {
  test('suspended quotes, pulled prices, single books and lines without the sharp book are counted', async () => {
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

  test('implausible prices are counted where they are searched for', async () => {
    const wires = [
      match('a', 'Reading', 'Stoke', 180),
      quoteOf('a', 'pinnacle', 'totals', 2.5, [1.95, 1.95]),
      quoteOf('a', 'crown', 'totals', 2.5, [3, 1.5]),
      quoteOf('a', 'sbobet', 'totals', 2.5, [1.5, 1.99]),
    ];
    const { value, arbitrage, scan } = await searchAll(over(wires));
    expect(value.excluded).toMatchObject({ implausible: 1 });
    expect(arbitrage.excluded).toMatchObject({ implausible: 1 });
    expect(scan.excluded).toMatchObject({ implausible: 2 });
    for (const answer of [value, arbitrage, scan]) expect(answer.note).toContain('implausibly large');
  });

  test('two books of one owner are no arbitrage: the pair is counted, and a leg elsewhere is taken where it pays', async () => {
    const before = Int32Array.from(OWNER_MASKS);
    try {
      OWNER_MASKS[0] = OWNER_MASKS[1] = 0b11; // Crown and Sbobet belong to one owner
      const wires = [match('a', 'Reading', 'Stoke', 180), ...arbPair('a', -0.5)];
      const pair = await over(wires)('find_arbitrage', { query: 'Reading' }, T0);
      expect(pair.opportunities).toEqual([]);
      expect(pair.excluded).toEqual({ ...NONE, single_book: 1 });
      expect(pair.note).toContain("one owner's prices alone");
      const third = quoteOf('a', 'hkjc', 'asian_handicap', -0.5, [1.7, 2.01]);
      const moved = await over([...wires, third])('find_arbitrage', { query: 'Reading' }, T0);
      expect(legsOf(moved).map((leg) => leg.bookmaker)).toEqual(['crown', 'hkjc']);
      expect(moved.excluded).toEqual({ ...NONE, single_book: 1 });
    } finally {
      OWNER_MASKS.set(before);
    }
    const wires = [match('a', 'Reading', 'Stoke', 180), ...arbPair('a', -0.5)];
    expect(legsOf(await over(wires)('find_arbitrage', { query: 'Reading' }, T0))).toHaveLength(2);
  });
});

describe('settlement', () => {
  test('an arbitrage on a whole line returns the stakes at worst, on a quarter line half the margin', async () => {
    const [whole, quarter, half] = await Promise.all(
      [-1, -0.75, -0.5].map(async (line) => {
        const ask = over([match('a', 'Reading', 'Stoke', 180), ...arbPair('a', line)]);
        return ((await ask('find_arbitrage', { query: 'Reading' }, T0)).opportunities as Answer[])[0]!;
      }),
    );
    expect([whole!.worst_pct, whole!.best_pct, whole!.margin_pct]).toEqual([0, 2.5, 2.5]);
    expect([quarter!.worst_pct, quarter!.best_pct]).toEqual([1.25, 2.5]);
    expect([half!.worst_pct, half!.best_pct]).toEqual([2.5, 2.5]);
  });

  /** A match with a goal grid, and value of 4 % on a whole, a quarter and a half total. */
  const priced = [
    match('a', 'Reading', 'Stoke', 180),
    quoteOf('a', 'pinnacle', '1x2', null, [2.0, 3.6, 4.1]),
    ...[2.5, 2.75, 3].flatMap((line) => [
      quoteOf('a', 'pinnacle', 'totals', line, [1.95 + (line - 2.5) * 0.6, 1.95 - (line - 2.5) * 0.6]),
      quoteOf('a', 'crown', 'totals', line, [1.3, 2.08 - (line - 2.5) * 0.6]),
    ]),
  ];

  test('the expected return is the edge on what the bet does not return', async () => {
    const answer = await over(priced)('find_value', { query: 'Reading', markets: ['totals'] }, T0);
    const bets = betsOf(answer).toSorted((left, right) => Number(left.line) - Number(right.line));
    const shares = bets.map((bet) => Number(bet.ev_pct) / Number(bet.edge_pct));
    expect(bets.map((bet) => bet.line)).toEqual([2.5, 2.75, 3]);
    expect(shares[0]).toBe(1);
    // About one match in five ends with three goals: a whole line returns all of that, a quarter line half.
    expect(shares[2]).toBeWithin(0.75, 0.82);
    expect(shares[1]! - (1 + shares[2]!) / 2).toBeWithin(-0.01, 0.01);
  });

  test('min_ev_pct asks for the return and not for the edge', async () => {
    const ask = over(priced);
    const all = betsOf(await ask('find_value', { query: 'Reading', markets: ['totals'] }, T0));
    const least = Number(all.find((bet) => bet.line === 2.75)!.ev_pct);
    const some = betsOf(
      await ask('find_value', { query: 'Reading', markets: ['totals'], min_ev_pct: least - 0.01 }, T0),
    );
    expect(some.map((bet) => bet.line).toSorted()).toEqual([2.5, 2.75]);
    const scan = await ask('scan_slate', { markets: ['totals'], min_ev_pct: least - 0.01 }, T0);
    expect((scan.entries as Answer[])[0]).toMatchObject({ value_count: 2 });
    const none = await ask('scan_slate', { markets: ['totals'], min_ev_pct: 50 }, T0);
    expect((none.entries as Answer[])[0]).toMatchObject({ value_count: 0, best_value: null });
  });

  test('without a goal grid there is no expected return, and none that is enough', async () => {
    const ask = over([match('a', 'Reading', 'Stoke', 180), ...valuePair('a')]);
    expect(betsOf(await ask('find_value', { query: 'Reading' }, T0))).toMatchObject([{ ev_pct: null }]);
    expect(betsOf(await ask('find_value', { query: 'Reading', min_ev_pct: 0 }, T0))).toEqual([]);
  });
});

describe('a goal grid that the handicap contradicts', () => {
  const wires = (handicapLine: number): Wire[] => [
    match('a', 'Reading', 'Stoke', 180),
    quoteOf('a', 'pinnacle', '1x2', null, [2.0, 3.6, 4.1]),
    quoteOf('a', 'pinnacle', 'totals', 2.75, [1.95, 1.95]),
    quoteOf('a', 'crown', 'totals', 2.75, [1.3, 2.05]),
    quoteOf('a', 'pinnacle', 'asian_handicap', handicapLine, [1.95, 1.95]),
  ];

  test('turns safe_to_proceed false with the reason, in score_prob and where min_ev_pct leans on it', async () => {
    const agreed = over(wires(-0.5));
    const scores = await agreed('score_prob', { query: 'Reading' }, T0);
    expect(Math.abs(Number(scores.ah_ev_check))).toBeLessThan(0.1);
    expect(scores.decision).toMatchObject({ safe_to_proceed: true, ask_user: null });
    expect((await agreed('find_value', { query: 'Reading', min_ev_pct: 0 }, T0)).decision).toMatchObject({
      safe_to_proceed: true,
    });

    const contradicted = over(wires(-1.5));
    const doubtful = await contradicted('score_prob', { query: 'Reading' }, T0);
    expect(Math.abs(Number(doubtful.ah_ev_check))).toBeGreaterThan(0.1);
    expect(doubtful.decision).toMatchObject({ safe_to_proceed: false });
    expect((doubtful.decision as Answer).ask_user).toContain('The Asian handicap disagrees');
    expect(doubtful.summary).toContain('The Asian handicap disagrees with these scores');
    const value = await contradicted('find_value', { query: 'Reading', min_ev_pct: 0 }, T0);
    expect(value.decision).toMatchObject({ safe_to_proceed: false });
    expect(value.note).toContain('ev_pct is rough');
    // By its edge alone a price needs no grid.
    const byEdge = await contradicted('find_value', { query: 'Reading' }, T0);
    expect(byEdge.decision).toMatchObject({ safe_to_proceed: true });
  });

  test('fair prices of one market by three methods, the same in get_sharp_line and match_info', async () => {
    const ask = over(wires(-0.5));
    const line = await ask('get_sharp_line', { query: 'Reading', market_type: '1x2' }, T0);
    const info = await ask('match_info', { query: 'Reading' }, T0);
    const compared = line.comparison as {
      fair_odds: Record<string, number>;
      fair_method: string;
      fair_methods: Answer;
    };
    expect([compared.fair_method, info.fair_method]).toEqual(['proportional', 'power']);
    expect(compared.fair_methods).toEqual(info.fair_methods as Answer);
    const methods = info.fair_methods as Record<string, Record<string, number>>;
    expect(methods.power).toEqual(info.implied_probabilities as Record<string, number>);
    expect(compared.fair_odds.home).toBeCloseTo(1 / methods.proportional!.home!, 2);
    expect(methods.shin!.home!).toBeGreaterThan(methods.proportional!.home!);
  });
});
