import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { OddsQuote } from '../../src/contract/odds.ts';
import { choiceOfQuotes, isChosen, type QuoteChoice } from '../../src/terminal/prices-asked.ts';

const Quote = fc.record({
  market_type: fc.constantFrom('1x2', 'totals', 'asian_handicap'),
  period: fc.constantFrom('full_time', 'half_time'),
  line: fc.constantFrom(null, 2.5, 3),
}) as fc.Arbitrary<OddsQuote>;
const Choice = fc.record(
  {
    market_type: fc.constantFrom('1x2', 'totals'),
    period: fc.constantFrom('full_time', 'half_time'),
    line: fc.constantFrom(2.5, 3),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<QuoteChoice>;

test('the choice that is made from a selection selects the same quotes as the selection', () => {
  fc.assert(
    fc.property(fc.array(Quote, { maxLength: 12 }), Choice, (whole, asked) => {
      const selected = whole.filter((quote) => isChosen(quote, asked));
      fc.pre(selected.length > 0);
      const choice = choiceOfQuotes(selected, whole);
      expect(whole.filter((quote) => isChosen(quote, choice))).toEqual(selected);
    }),
  );
});

test('the choice that is made from a selection of everything leaves every field open', () => {
  const quote = { market_type: '1x2', period: 'full_time', line: null } as OddsQuote;
  expect(choiceOfQuotes([quote], [quote])).toEqual({});
  expect(choiceOfQuotes([], [])).toEqual({});
});
