// In every tool that accepts words, every word of a question is used or refused, because an answer to a
// different question would look like an answer to this one.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { call } from '../../support/call.ts';
import { AnswerSchemas } from '../answer-schemas.ts';
import { NAMED_NOW, type NamedIds, namedIds, namedWires } from '../named-slate.ts';
import { type Args, ToolService } from '../tool-service.ts';

let service: ToolService;
let ids: NamedIds;
let toolsOfWords: readonly string[];

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  ids = await namedIds(service);
  const { tools } = await AnswerSchemas.of(service.url);
  toolsOfWords = tools
    .filter(({ input_schema }) => 'query' in (input_schema as { properties: object }).properties)
    .map(({ name }) => name)
    // This service keeps no history.
    .filter((name) => name !== 'line_history' && name !== 'get_closing_line');
});
afterAll(() => service[Symbol.asyncDispose]());

async function refusal(tool: string, args: Args) {
  const { status, body } = await service.ask('enterprise', tool, args);
  const { error } = body as { error?: { message: string; fix: string } };
  return { status, message: error?.message ?? '', fix: error?.fix ?? '' };
}

/** Every object in an answer that has a market_type, at any depth. */
function* marketsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  if ('market_type' in value) yield value as Readonly<Record<string, unknown>>;
  for (const child of Object.values(value)) yield* marketsIn(child);
}

const QUESTIONS = [
  ['Arsenal moneyline', { market_type: '1x2' }],
  ['ml arsenal', { market_type: '1x2' }],
  ['Arsenal first half 1x2', { market_type: '1x2', period: 'half_time' }],
  ['spread arsenal', { market_type: 'asian_handicap' }],
  ['Arsenal -0.5', { market_type: 'asian_handicap', line: -0.5 }],
  ['Chelsea +0,5', { market_type: 'asian_handicap', line: -0.5 }],
  ['Arsenal over 2,5', { market_type: 'totals', line: 2.5 }],
  ['o/u goals arsenal ht', { market_type: 'totals', period: 'half_time' }],
  ['Arsenal Chelsea draw', { market_type: '1x2' }],
  ['Arsenal to win', { market_type: '1x2' }],
] as const;

/** Tools that only search for the fixture. Words for a market make no difference to them. */
const OF_FIXTURES = ['find_match'];

test.each(QUESTIONS)('every tool answers "%s" about exactly that, or refuses it', async (query, asked) => {
  let answered = 0;
  for (const tool of toolsOfWords) {
    const args = tool === 'compare_prob' ? { query, external_prob: 0.5 } : { query };
    const { status, body } = await service.ask('enterprise', tool, args);
    if (status === 400) continue;
    expect([tool, status]).toEqual([tool, 200]);
    const shown = [...marketsIn(body)];
    for (const each of shown) expect([tool, each]).toEqual([tool, expect.objectContaining(asked)]);
    const isOfTheWinner = asked.market_type === '1x2' && !('period' in asked);
    const isOfTheMatch =
      isOfTheWinner || ('period' in asked ? false : asked.market_type === 'totals' && !('line' in asked));
    const mayShowNone = [
      'find_value',
      'find_arbitrage',
      'find_middles',
      'get_opening_line',
      ...OF_FIXTURES,
    ].includes(tool);
    const mayAnswer = isOfTheMatch && ['match_info', 'score_prob'].includes(tool);
    expect([tool, shown.length > 0 || mayShowNone || mayAnswer]).toEqual([tool, true]);
    answered += 1;
  }
  expect(answered).toBeGreaterThan(3);
});

test.each([
  ['Arsenal btts', 'both teams to score'],
  ['corners over 9.5 Arsenal', 'corners'],
  ['Arsenal Chelsea cards', 'cards'],
  ['Arsenal double chance', 'double chance'],
  ['Arsenal second half over 1.5', 'the second half'],
])('every tool refuses "%s", and names what it cannot answer', async (query, name) => {
  for (const tool of toolsOfWords) {
    const more = tool === 'compare_prob' ? { price: 2 } : {};
    const refused = await refusal(tool, { query, ...more });
    expect([tool, refused.status]).toEqual([tool, 400]);
    expect(refused.message).toContain(name);
  }
  const { status } = await call(`${service.url}/v1/resolve/event`, {
    method: 'POST',
    headers: { ...(await service.headersOf('enterprise')), 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  expect(status).toBe(400);
});

test.each([
  [{ query: 'Arsenal over 2.5', market_type: 'asian_handicap' }, 'market_type'],
  [{ query: 'Arsenal first half', period: 'full_time' }, 'period'],
  [{ query: 'Chelsea +0.5', line: 0.5 }, 'line'],
  [{ query: 'Arsenal over 2.6' }, 'quarters'],
  [{ query: 'Arsenal 2.5' }, 'a handicap or a total'],
  [{ query: 'Arsenal Chelsea -0.5' }, 'either team'],
  [{ query: 'Lakers draw' }, 'no such outcome'],
  [{ query: 'Arsenal 2-1' }, 'has no scores'],
  [{ query: 'Arsenal v Chelsea 1' }, 'number 1: it could be'],
])('get_sharp_line refuses %p', async (args, message) => {
  const refused = await refusal('get_sharp_line', args);
  expect(refused.status).toBe(400);
  expect(refused.message).toContain(message);
  expect(refused.fix.length).toBeGreaterThan(10);
});

test.each([
  ['Will Arsenal beat Chelsea?', 'home'],
  ['Will Chelsea beat Arsenal?', 'away'],
  ['Chelsea to win', 'away'],
  ['Chelsea to lose', 'home'],
  ['Will Arsenal lose to Chelsea?', 'away'],
  ['Arsenal', 'home'],
  ['Chelsea v Arsenal', 'home'],
])('compare_prob reads "%s" as a question about the outcome %p', async (query, outcome) => {
  const { body } = await service.ask('enterprise', 'compare_prob', { query, external_prob: 0.5 });
  const { outcome: judged, caveats } = body as { outcome: string; caveats: string[] };
  expect(judged).toBe(outcome);
  expect(caveats.join()).not.toContain('by default');
});

test('compare_prob reports that the default outcome is home, even if the words name only the away team', async () => {
  const { body } = await service.ask('enterprise', 'compare_prob', { query: 'Chelsea', external_prob: 0.5 });
  const { outcome, caveats } = body as { outcome: string; caveats: string[] };
  expect(outcome).toBe('home');
  expect(caveats[0]).toContain('send outcome away for Chelsea');
});

test('the sentence says "1 fixture fits" if the only candidate is not certain', async () => {
  const { body } = await service.ask('enterprise', 'get_sharp_line', { query: 'Chelsea underdog' });
  expect((body as { summary: string }).summary).toStartWith('1 fixture fits "Chelsea underdog"');
});

test('a filter of markets that excludes the market in the words is refused', async () => {
  const args = { query: 'Arsenal totals', markets: ['1x2'] };
  for (const tool of ['find_value', 'find_arbitrage', 'get_opening_line', 'get_match_odds'])
    expect((await refusal(tool, args)).message).toContain('markets 1x2');
});

describe('lines by sport', () => {
  test.each([
    ['Lakers over 230.5', 200],
    ['Lakers over 500', 200],
    ['Lakers over 500.5', 422],
    ['Lakers -100', 400],
    ['Arsenal over 100', 200],
    ['Arsenal over 230.5', 422],
    ['Arsenal -99.75', 200],
    ['Arsenal -100.25', 422],
  ])('"%s" is answered with status %i', async (query, status) => {
    const asked = await service.ask('enterprise', 'get_sharp_line', { query });
    expect(asked.status).toBe(status); // 400 for -100, which may also be an American price
    const { comparison } = asked.body as { comparison?: { line: number } };
    if (status === 200) expect(Math.abs(comparison!.line)).toBe(Number(/[\d.]+$/.exec(query)![0]));
  });

  test.each([
    [{ query: 'Lakers', market_type: 'totals', line: 230.5 }, 200],
    [{ query: 'Lakers', market_type: 'totals', line: -0.5 }, 422],
    [{ query: 'Lakers', market_type: 'asian_handicap', line: 100.25 }, 422],
    [{ query: 'Arsenal', market_type: 'totals', line: 230.5 }, 422],
    [{ query: 'Arsenal', line: -100 }, 200],
    [{ query: 'Arsenal', line: 500.25 }, 422],
  ])('the arguments %p are answered with status %i', async (args, status) => {
    const sharp = await service.ask('enterprise', 'get_sharp_line', args);
    expect(sharp.status).toBe(status);
    // A line that nobody offers is not replaced by another line.
    if (status === 200) expect(sharp.body).toMatchObject({ comparison: { line: args.line, book_count: 0 } });
    const judged = {
      ...args,
      outcome: 'market_type' in args && args.market_type === 'totals' ? 'over' : 'home',
    };
    const market = 'market_type' in args ? args.market_type : 'asian_handicap';
    const compared = await service.ask('enterprise', 'compare_prob', {
      ...judged,
      market_type: market,
      price: 2,
    });
    expect(compared.status).toBe(status);
  });
});

describe('compare_prob', () => {
  test.each([
    [
      'Is 2.10 on over 2.5 in Arsenal against Chelsea a good price?',
      2.1,
      { market_type: 'totals', outcome: 'over', line: 2.5 },
    ],
    ['Chelsea to win', 3.5, { market_type: '1x2', outcome: 'away' }],
    ['Arsenal v Chelsea, Chelsea to win', 3.5, { market_type: '1x2', outcome: 'away' }],
    ['Arsenal Chelsea draw', 3.5, { market_type: '1x2', outcome: 'draw' }],
    ['Chelsea +0,25', 1.9, { market_type: 'asian_handicap', outcome: 'away', line: -0.25 }],
    [
      'under 2.5 first half arsenal',
      1.9,
      { market_type: 'totals', outcome: 'under', period: 'half_time', line: 2.5 },
    ],
    ['Lakers to beat Celtics', 1.9, { market_type: '1x2', outcome: 'home' }],
  ])('reads market, outcome and line from "%s" with the price %p', async (query, price, expected) => {
    const answer = await service.answer('enterprise', 'compare_prob', { query, price });
    expect(answer).toMatchObject({ status: 'ok', price, ...expected });
    expect(answer.verdict).not.toBeNull();
  });

  test.each([
    [{ query: 'Arsenal v Chelsea' }, 'outcome'],
    [{ query: 'Arsenal' }, 'outcome'],
    [{ query: 'Arsenal v Chelsea -0.5' }, 'outcome'],
    [{ query: 'Arsenal over' }, 'needs a line'],
    [{ query: 'Arsenal', outcome: 'under' }, 'needs a line'],
    [{ query: 'Arsenal', outcome: 'home', market_type: 'asian_handicap' }, 'needs a line'],
    [{ query: 'Arsenal over 2.5', outcome: 'home' }, 'outcome'],
    [{ query: 'Arsenal to win', outcome: 'away' }, 'outcome'],
    [{ query: 'Arsenal to win at 2.2' }, 'the price asked about is 7.5'],
  ])('refuses a price if it is not clear which outcome it is for: %p', async (args, message) => {
    const refused = await refusal('compare_prob', { ...args, price: 7.5 });
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(message);
  });

  test('without words for a market, the defaults are home, 1x2, full time, and the consensus line', async () => {
    const plain = await service.answer('enterprise', 'compare_prob', {
      query: 'Arsenal',
      external_prob: 0.4,
    });
    expect(plain).toMatchObject({ status: 'ok', market_type: '1x2', outcome: 'home', period: 'full_time' });
    const totals = { query: 'Arsenal', external_prob: 0.4, market_type: 'totals', outcome: 'over' };
    expect(await service.answer('enterprise', 'compare_prob', totals)).toMatchObject({
      status: 'ok',
      line: 2.5,
    });
  });

  test('an edge beyond the cap is never called good or safe, but implausible', async () => {
    const asked = { query: 'Arsenal', outcome: 'home', market_type: '1x2' };
    const { fair_prob } = await service.answer('enterprise', 'compare_prob', {
      ...asked,
      external_prob: 0.4,
    });
    const fair = fair_prob as number;
    for (let external = 0.02; external < 0.98; external += 0.005) {
      const answer = await service.answer('enterprise', 'compare_prob', {
        ...asked,
        external_prob: external,
      });
      const [pp, roi] = [fair - external, fair / external - 1];
      if (Math.abs(roi - 0.1) < 0.001 || Math.abs(pp - 0.01) < 0.001 || Math.abs(pp - 0.02) < 0.001) continue;
      const isImplausible = pp >= 0.01 && roi > 0.1;
      const verdict = pp < 0.01 ? 'no_edge' : pp < 0.02 || isImplausible ? 'marginal' : 'good';
      expect([external, answer.verdict]).toEqual([external, verdict]);
      const { safe_to_proceed } = answer.decision as { safe_to_proceed: boolean };
      const isSaid = (answer.caveats as string[]).some((caveat) => caveat.includes('implausibly large'));
      expect([external, safe_to_proceed, isSaid]).toEqual([external, !isImplausible, isImplausible]);
    }
  });
});

test('get_match_odds and find_value show only the line and the outcome that the words name', async () => {
  const { odds } = (await service.answer('enterprise', 'get_match_odds', { query: 'Chelsea +0.25' })) as {
    odds: { market_type: string; line: number }[];
  };
  expect(odds.length).toBeGreaterThan(0);
  for (const quote of odds) expect(quote).toMatchObject({ market_type: 'asian_handicap', line: -0.25 });
  interface Bet {
    readonly market_type: string;
    readonly outcome: string;
    readonly line: number | null;
  }
  const betsOn = async (words: string): Promise<readonly Bet[]> => {
    const args = { query: `${words} Arsenal v Chelsea`, min_edge_pct: 0 };
    return ((await service.answer('enterprise', 'find_value', args)) as { value_bets: Bet[] }).value_bets;
  };
  const all = await betsOn('');
  let found = 0;
  for (const [words, isAsked] of [
    ['draw', (bet: Bet) => bet.outcome === 'draw'],
    ['home win', (bet: Bet) => bet.market_type === '1x2' && bet.outcome === 'home'],
    ['over 2.5', (bet: Bet) => bet.outcome === 'over' && bet.line === 2.5],
    ['under', (bet: Bet) => bet.outcome === 'under'],
    ['over 3.5', () => false],
    ['spread', (bet: Bet) => bet.market_type === 'asian_handicap'],
  ] as const) {
    expect([words, await betsOn(words)]).toEqual([words, all.filter(isAsked)]);
    found += all.filter(isAsked).length;
  }
  expect(found).toBeGreaterThan(0);
});

test('a query may be an id and a line; the line is then that of the home side', async () => {
  const { comparison } = (await service.answer('enterprise', 'get_sharp_line', {
    query: `${ids.arsenal} -0.5`,
  })) as { comparison: unknown };
  expect(comparison).toMatchObject({ event_id: ids.arsenal, market_type: 'asian_handicap', line: -0.5 });
});

describe('a price in the words', () => {
  const spellings = ['2.5', '2,50', '+150', '6/4', '3/2', 'six to four', '40%', '40 cents', '40¢'];

  test.each(spellings)('"%s" is read as a price of 40 %, wherever in the words it is', async (price) => {
    const given = { query: 'Arsenal', outcome: 'home', external_prob: 0.4 };
    const { body: expected } = await service.ask('enterprise', 'compare_prob', given);
    for (const query of [
      `is ${price} on arsenal worth it`,
      `Arsenal at ${price}`,
      `${price} for Arsenal to win, good price?`,
      `my bookie has arsenal at ${price} moneyline, is it value`,
    ]) {
      const { status, body } = await service.ask('enterprise', 'compare_prob', { query });
      expect({ query, status, body }).toMatchObject({
        query,
        status: 200,
        body: { outcome: 'home', external_prob: 0.4, edge_pp: (expected as { edge_pp: number }).edge_pp },
      });
    }
  });

  test('"evens" is a price of 2 for the total or the draw that the words name', async () => {
    for (const [query, outcome] of [
      ['evens on chelsea', 'away'],
      ['over 2.5 in arsenal v chelsea at evens', 'over'],
      ['the draw in arsenal v chelsea at even money', 'draw'],
    ]) {
      const { body } = await service.ask('enterprise', 'compare_prob', { query });
      expect(body).toMatchObject({ price: 2, format: 'decimal', outcome });
    }
  });

  test.each(['2.10 on Arsenal v Chelsea', 'Arsenal 2.10 or 2.20', 'Arsenal v Chelsea 7/4'])(
    '"%s" leads to a question, because it is not clear which outcome the price is for',
    async (query) => {
      expect(await refusal('compare_prob', { query })).toMatchObject({ status: 400 });
    },
  );
});

test('if the question takes a line from the wrong side, the explanation names the teams of both sides', async () => {
  const { body } = await service.ask('enterprise', 'get_sharp_line', { query: 'Arsenal +0.5' });
  expect(body).toMatchObject({
    summary: expect.stringContaining(
      'It is offered with the other sign: Arsenal -0.5 (Chelsea +0.5)',
    ) as unknown,
  });
});

test.each([
  ['find_value', 'value', 'value'],
  ['find_arbitrage', 'arbitrage', 'arbs'],
])(
  'for %s of a whole day the answer suggests scan_slate, with arguments that can be used as they are',
  async (tool, signal, words) => {
    const { body } = await service.ask('enterprise', tool, { query: `any ${words} this weekend` });
    const { tool: next, args } = (body as { decision: { next_action: { tool: string; args: Args } } })
      .decision.next_action;
    expect({ next, args }).toMatchObject({ next: 'scan_slate', args: { signal } });
    const [from, to] = [Date.parse(String(args.date)), Date.parse(String(args.date_to))];
    expect(to - from).toBe(86_400_000);
    expect(await service.ask('enterprise', next, args)).toMatchObject({ status: 200 });
  },
);
