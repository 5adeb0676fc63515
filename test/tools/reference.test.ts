// The reference for value, through the tools: the sharp book, the consensus of the other books, or one book.

import { describe, expect, test } from 'bun:test';
import { compareProbTool } from '../../src/tools/prices/compare-prob.ts';
import { findValueTool } from '../../src/tools/signals/find-value.ts';
import { football, quote, T0 } from './made-up-slate.ts';
import { FREE, PAID, WireSlate } from './wire-slate.ts';

const QUERY = { query: 'Arsenal vs Chelsea' };
/** Two equal prices: proportional scaling makes the fair price of each 2.0. */
const EVEN = [1.95, 1.95];

function slateOf(...books: readonly (readonly [string, readonly number[]])[]): WireSlate {
  const slate = new WireSlate();
  slate.feed(
    [
      football('ars-che', 'Arsenal', 'Chelsea'),
      ...books.flatMap(([book, prices]) => quote('ars-che', book, 'totals', 2.5, [...prices])),
    ],
    T0,
  );
  return slate;
}

const FOUR = slateOf(
  ['crown', [2.08, 1.8]],
  ['sbobet', EVEN],
  ['macau', [1.9, 1.9]],
  ['m8bet', EVEN],
  ['pinnacle', [2.02, 1.9]],
);

describe('reference', () => {
  test('find_value: the consensus leaves out the judged book, and needs no sharp book', async () => {
    const ask = FOUR.caller(findValueTool);
    const answer = await ask({ ...QUERY, reference: 'consensus' }, T0, FREE);
    expect(answer).toMatchObject({ reference: 'consensus', fair_source: null });
    // Without the sharp book, three other books remain. The fair price of each is 2.0, so the edge of 2.08 is
    // exactly 4 %.
    expect(answer.value_bets).toMatchObject([{ bookmaker: 'crown', fair_price: 2, edge_pct: 4 }]);
    expect(answer.excluded).toMatchObject({ no_sharp: 0, no_reference: 0 });
  });

  test('find_value: three owners are too few for a consensus, because only two remain without the judged one', async () => {
    const slate = slateOf(['crown', [2.08, 1.8]], ['sbobet', EVEN], ['macau', EVEN]);
    const answer = await slate.caller(findValueTool)({ ...QUERY, reference: 'consensus' }, T0, FREE);
    expect(answer).toMatchObject({ value_bets: [], excluded: { no_reference: 1, no_sharp: 0 } });
    expect(answer.note).toContain('fewer than three other owners');
  });

  test('find_value names the reference that it used; a single book can be the reference', async () => {
    const ask = FOUR.caller(findValueTool);
    expect(await ask(QUERY)).toMatchObject({ reference: 'sharp', fair_source: 'pinnacle' });
    const macau = await ask({ ...QUERY, reference: 'macau', min_edge_pct: 0.5 });
    expect(macau).toMatchObject({ reference: 'macau', fair_source: 'macau' });
    expect(macau.value_bets).toMatchObject([{ bookmaker: 'crown', fair_price: 2, edge_pct: 4 }]);
  });

  test('compare_prob: a price from elsewhere is compared with the consensus of all books', async () => {
    const ask = FOUR.caller(compareProbTool);
    const bet = { ...QUERY, outcome: 'over', line: 2.5, price: 2.1 };
    const answer = await ask({ ...bet, reference: 'consensus' }, T0, FREE);
    expect(answer).toMatchObject({ status: 'ok', reference: 'consensus', fair_from: null });
    // The log-odds of Crown's fair price are ln(1.8 / 2.08), and those of the three others are 0. Each has a
    // weight of a quarter.
    const expected = 1 / (1 + Math.exp(-Math.log(1.8 / 2.08) / 4));
    expect(answer.fair_prob).toBeCloseTo(expected, 4);
    expect(await ask(bet)).toMatchObject({ reference: 'pinnacle', fair_from: 'pinnacle' });
    expect(await ask({ ...bet, reference: 'hkjc' })).toMatchObject({
      status: 'no_line',
      reference: null,
    });
  });

  test('compare_prob names the book with the lowest margin only if no reference is named', async () => {
    const ask = FOUR.caller(compareProbTool);
    const bet = { ...QUERY, outcome: 'over', line: 2.5, price: 2.1 };
    for (const principal of [PAID, FREE]) {
      // Macau has the highest margin of the five.
      const named = await ask({ ...bet, reference: 'macau' }, T0, principal);
      expect(named.caveats).toEqual([
        expect.any(String),
        'The fair price is from Macau, the book named as the reference, and not from a sharp book, so confidence is reduced.',
      ]);
    }
    expect(String((await ask({ ...bet, reference: 'pinnacle' })).caveats)).not.toContain(
      'fair price is from',
    );
    expect(String((await ask(bet, T0, FREE)).caveats)).toContain('Sbobet, the tightest book left');
  });

  test('a caller who does not see the sharp book cannot name it as the reference', async () => {
    const asked = { ...QUERY, reference: 'pinnacle' };
    const calls = [
      FOUR.caller(findValueTool)(asked, T0, FREE),
      FOUR.caller(compareProbTool)({ ...asked, external_prob: 0.5 }, T0, FREE),
    ];
    for (const { reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[])
      expect(reason).toMatchObject({ code: 'forbidden' });
  });
});
