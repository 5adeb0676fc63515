// How words about a market are read, when the answer is a question instead of a guess, and that no name of a
// club is read as a market.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ServiceError } from '../../../src/errors.ts';
import { allClubs } from '../../../src/names/club-table.ts';
import { NEEDS_NUMBER } from '../../../src/names/market/market-items.ts';
import { type MarketWords, NO_MARKET_WORDS } from '../../../src/names/market/market-meaning.ts';
import { MEANINGS } from '../../../src/names/market/market-vocabulary.ts';
import { readMarketWords } from '../../../src/names/market/market-words.ts';
import { foldText } from '../../../src/names/text/fold-text.ts';
import { listOf } from '../../support/list-of.ts';

type Said = Partial<Omit<MarketWords, 'written'>>;
const AH = 'asian_handicap';

function of(words: string): Said {
  return { team: { words }, outcome: 'win' };
}

test.each<[string, string, Said]>([
  ['arsenal', 'arsenal', {}],
  ['arsenal -0.75', 'arsenal', { market: AH, line: -0.75, ...of('arsenal') }],
  ['chelsea -1,5', 'chelsea', { market: AH, line: -1.5, ...of('chelsea') }],
  ['arsenal−1½', 'arsenal', { market: AH, line: -1.5, ...of('arsenal') }],
  ['arsenal -0.5/1', 'arsenal', { market: AH, line: -0.75, ...of('arsenal') }],
  ['arsenal v chelsea +1 ht', 'arsenal v chelsea', { market: AH, line: 1, period: 'half_time' }],
  ['man city -1.5 v palace', 'man city v palace', { market: AH, line: -1.5, ...of('man city') }],
  ['Chelsea v Wolves, Wolves +1', 'Chelsea v Wolves', { market: AH, line: 1, ...of('Wolves') }],
  ['lakers spread', 'lakers', { market: AH }],
  ['first half handicap lakers', 'lakers', { market: AH, period: 'half_time' }],
  [
    'philadelphia 76ers -3.5 points',
    'philadelphia 76ers',
    { market: AH, line: -3.5, ...of('philadelphia 76ers') },
  ],
  ['inter napoli over 2.5', 'inter napoli', { market: 'totals', line: 2.5, outcome: 'over' }],
  ['over 2,5 benfica', 'benfica', { market: 'totals', line: 2.5, outcome: 'over' }],
  ['2.5 under goals benfica', 'benfica', { market: 'totals', line: 2.5, outcome: 'under' }],
  ['inter u2.25', 'inter', { market: 'totals', line: 2.25, outcome: 'under' }],
  ['lakers u 230.5', 'lakers', { market: 'totals', line: 230.5, outcome: 'under' }],
  ['inter o/u 2.5/3', 'inter', { market: 'totals', line: 2.75 }],
  ['inter total 3', 'inter', { market: 'totals', line: 3 }],
  ['how many goals in inter napoli', 'how many in inter napoli', { market: 'totals' }],
  [
    'fewer than two and a half goals in inter napoli',
    'in inter napoli',
    { market: 'totals', line: 2.5, outcome: 'under' },
  ],
  ['arsenal total 21 nov', 'arsenal 21 nov', { market: 'totals' }],
  ['arsenal u21 over 2.5', 'arsenal u21', { market: 'totals', line: 2.5, outcome: 'over' }],
  ['lakers celtics 1x2 1H', 'lakers celtics', { market: '1x2', period: 'half_time' }],
  ['lakers moneyline', 'lakers', { market: '1x2' }],
  ['psg ml', 'psg', { market: '1x2' }],
  ['psg -1 asian', 'psg', { market: AH, line: -1, ...of('psg') }],
  ['asian psg', 'psg', { market: AH }],
  ['japan asian cup', 'japan asian cup', {}],
  [
    'über 2,5 Tore bayern 1. Halbzeit',
    'bayern',
    { market: 'totals', line: 2.5, outcome: 'over', period: 'half_time' },
  ],
  ['más de 2,5 goles real madrid', 'real madrid', { market: 'totals', line: 2.5, outcome: 'over' }],
  ['beste Quote Inter gewinnt', 'beste Quote Inter', { market: '1x2', ...of('Inter') }],
  ['psg to win', 'psg', { market: '1x2', ...of('psg') }],
  ['odds on psg winning', 'odds on psg', { market: '1x2', ...of('psg') }],
  ['psg winning against lens', 'psg v lens', { market: '1x2', ...of('psg') }],
  ['Chelsea v Wolves, Chelsea to win', 'Chelsea v Wolves', { market: '1x2', ...of('Chelsea') }],
  ['Arsenal to beat Chelsea', 'Arsenal v Chelsea', { market: '1x2', ...of('Arsenal') }],
  ['Will Chelsea beat Arsenal?', 'Will Chelsea v Arsenal', { market: '1x2', ...of('Chelsea') }],
  ['chelsea to lose', 'chelsea', { market: '1x2', team: { words: 'chelsea' }, outcome: 'lose' }],
  [
    'will chelsea lose to arsenal',
    'will chelsea v arsenal',
    { market: '1x2', team: { words: 'chelsea' }, outcome: 'lose' },
  ],
  ['chelsea 2-1', 'chelsea', { isScore: true }],
  ['2-1 chelsea', 'chelsea', { isScore: true }],
  ['chance of chelsea 2-1 please', 'chance of chelsea please', { isScore: true }],
  ['chelsea win 0:1', 'chelsea', { market: '1x2', isScore: true, ...of('chelsea') }],
  ['chelsea 2-1 arsenal', 'chelsea 2-1 arsenal', {}],
  ['chelsea v arsenal 1', 'chelsea v arsenal 1', { prices: [{ value: 1, form: 'decimal' }] }],
  ['schalke 04', 'schalke 04', {}],
  ['arsenal 23.11.', 'arsenal 23.11.', {}],
  ['chelsea pk', 'chelsea', { market: AH, line: 0, ...of('chelsea') }],
  ["chelsea pick'em", 'chelsea', { market: AH, line: 0, ...of('chelsea') }],
  ['chelsea minus 1.5', 'chelsea', { market: AH, line: -1.5, ...of('chelsea') }],
  ['chelsea under three goals', 'chelsea', { market: 'totals', line: 3, outcome: 'under' }],
  [
    'home win in arsenal chelsea',
    'in arsenal chelsea',
    { market: '1x2', outcome: 'win', team: { side: 'home' } },
  ],
  ['arsenal chelsea x', 'arsenal chelsea', { market: '1x2', outcome: 'draw' }],
  ['arsenal chelsea correct score', 'arsenal chelsea', { isScore: true }],
  [
    'lakers -3.5 at -110',
    'lakers',
    { market: AH, line: -3.5, ...of('lakers'), prices: [{ value: -110, form: 'american' }] },
  ],
  [
    'Is 2.10 on over 2.5 in Man City against Crystal Palace a good price?',
    'Is on in Man City against Crystal Palace',
    { market: 'totals', line: 2.5, outcome: 'over', prices: [{ value: 2.1, form: 'decimal' }] },
  ],
])('%s', (text, rest, said) => {
  const { written: _written, ...words } = readMarketWords(text).words;
  const { written: _nothing, ...none } = NO_MARKET_WORDS;
  expect<unknown>({ rest: readMarketWords(text).rest, ...words }).toEqual({ ...none, rest, ...said });
});

test.each([
  ...listOf('schalke 04, over, inter 2026-03-01, arsenal u21, england under 21, 1860 munich, Odd v Brann'),
  ...['arsenal x chelsea', 'Arsenal vs Chelsea', 'Great Olympics', 'Total Chalaco v Sport Boys'],
])('%s says nothing of a market', (text) => {
  expect(readMarketWords(text)).toEqual({ words: NO_MARKET_WORDS, rest: text });
});

test.each([
  ['arsenal -0.3', 'lines are in quarters', '-0.5 and -0.25'],
  ['arsenal over 2.6', 'lines are in quarters', '2.5 and 2.75'],
  ['arsenal handicap 1.5', 'given or taken', '+1.5 or -1.5'],
  ['chelsea +2.5 goals', 'a handicap or a total', 'over 2.5'],
  ['arsenal over 2.5 moneyline', 'totals or 1x2', 'one market'],
  ['arsenal over 2.5 under 3.5', 'could be 2.5 or 3.5', 'one line'],
  ['chelsea to win over 2.5', 'could mean', 'one market'],
  ['arsenal btts', 'both teams to score', 'asian_handicap'],
  ['arsenal corners over 9.5', 'corners', 'asian_handicap'],
  ['arsenal at least 3 goals', 'counts without a line', 'totals'],
  ['arsenal more than 2 goals', 'counts without a line', 'totals'],
  ['arsenal fewer than three goals', 'counts without a line', 'totals'],
  ['arsenal by 2 goals', 'winning margins', 'totals'],
  ['arsenal by more than 1.5', 'winning margins', 'totals'],
  ['arsenal to win, chelsea to lose', 'a win and a defeat', 'one team'],
  ['arsenal to lose -1.5', 'or 1x2', 'one market'],
  ['chelsea or draw', 'double chance', 'asian_handicap'],
  ['arsenal to win the league', 'outrights', 'asian_handicap'],
  ['lakers second half', 'the second half', 'half_time'],
])('%s leads to a question', (text, message, fix) => {
  try {
    expect(readMarketWords(text)).toBeUndefined();
  } catch (failure) {
    expect(failure).toBeInstanceOf(ServiceError);
    expect((failure as ServiceError).message).toContain(message);
    expect((failure as ServiceError).fix).toContain(fix);
  }
});

describe('names of clubs', () => {
  const names = [...new Set(allClubs().flatMap((club) => club.names))];
  const folded = (text: string): string =>
    foldText(text, 200)
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();

  test('no name of a club is read as a market', () => {
    const taken = names.filter((name) => readMarketWords(name).rest !== name);
    expect(taken).toEqual([]);
  });

  test('each name of a club stays complete beside a total, a handicap and a winner', () => {
    const broken: string[] = [];
    for (const name of names) {
      for (const [text, market] of [
        [`${name} over 2.5`, 'totals'],
        [`first half spread ${name}`, AH],
        [`${name} moneyline`, '1x2'],
      ] as const) {
        const { words, rest } = readMarketWords(text);
        if (words.market !== market || folded(rest) !== folded(name)) broken.push(`${text}: ${rest}`);
      }
    }
    expect(broken).toEqual([]);
  }, 120_000);

  test('a name on the slate that contains a market word is not read as a market', () => {
    const isName = (words: string): boolean => words === 'over wilhelmsburg' || words === 'ml vitebsk';
    for (const name of ['Over Wilhelmsburg', 'ML Vitebsk']) {
      expect(readMarketWords(`${name} v Altona`, isName).words.market).toBeNull();
      const { words, rest } = readMarketWords(`over 2.5 ${name} v Altona`, isName);
      expect([words.line, rest]).toEqual([2.5, `${name} v Altona`]);
    }
  });
});

test('every phrase of the vocabulary is understood before and after a name, or refused', () => {
  for (const [phrase, meaning] of MEANINGS) {
    if (/^(?:x|by|fewer than)$/.test(phrase) || NEEDS_NUMBER.has(phrase) || meaning.kind === 'neutral')
      continue;
    for (const text of [`benfica ${phrase}`, `${phrase} benfica`]) {
      try {
        const { words, rest } = readMarketWords(text);
        expect([text, words === NO_MARKET_WORDS, rest.replace(' v', '')]).toEqual([text, false, 'benfica']);
        expect([text, meaning.kind]).not.toEqual([text, 'refused']);
      } catch (failure) {
        if (!(failure instanceof ServiceError)) throw failure;
        expect([text, meaning.kind]).toEqual([text, 'refused']);
      }
    }
  }
});

test('any line in quarters is read as written, with a sign or after "over", with a point or a comma', () => {
  const name = fc
    .stringMatching(/^[bcdfgjk]{3,9}( [bcdfgjk]{3,9}){0,3}$/)
    .filter((text) => readMarketWords(text).words === NO_MARKET_WORDS);
  fc.assert(
    fc.property(name, fc.integer({ min: -160, max: 160 }), fc.boolean(), (words, quarters, isComma) => {
      const line = quarters / 4;
      const shown = (number: number): string => String(number).replace('.', isComma ? ',' : '.');
      const signed = quarters < 0 ? shown(line) : `+${shown(line)}`;
      const handicap = readMarketWords(`${words} ${signed}`);
      expect(handicap).toMatchObject({ rest: words, words: { market: AH, line: line === 0 ? 0 : line } });
      if (line < 0) return;
      const total = readMarketWords(`${words} over ${shown(line)}`);
      expect(total).toMatchObject({ rest: words, words: { market: 'totals', line, outcome: 'over' } });
    }),
  );
});

test('a line that is not in quarters is refused instead of rounded', () => {
  fc.assert(
    fc.property(fc.integer({ min: -4_000, max: 4_000 }), (hundredths) => {
      fc.pre(hundredths % 25 !== 0);
      const line = hundredths / 100;
      const text = line > 0 ? `+${line}` : String(line);
      expect(() => readMarketWords(`benfica ${text}`)).toThrow('lines are in quarters');
    }),
  );
});
