// No number that a tool returns to the free tier depends on the sharp bookmaker: whatever that bookmaker
// quotes, the free answers stay the same to the byte, and the paid answers change.

import { expect, test } from 'bun:test';
import { Random } from '../../src/domain/random.ts';
import { listOf } from '../support/list-of.ts';
import { TOOL_NAMES } from '../support/tool-names.ts';
import { football, quoteOf, state, T0 } from './made-up-slate.ts';
import { type AskTool, randomPrices, toolsOver } from './scanning-slate.ts';
import { FREE, PAID, type Wire, WireSlate } from './wire-slate.ts';

const ASIAN = ['crown', 'sbobet', 'macau', 'm8bet', 'nova88', 'hkjc'];
const EVENTS = ['reading', 'burnley', 'preston'] as const;
const LINES = { '1x2': [null], asian_handicap: [-0.5, -0.25, 0], totals: [2.25, 2.5] } as const;
const ROUNDS = 6;

function fixtures(): Wire[] {
  return [
    football('reading', 'Reading', 'Stoke'),
    football('burnley', 'Burnley', 'Hull', '2026-03-01T11:10:00Z'),
    state('burnley', 'live', [1, 1], '1h 44'),
    football('preston', 'Preston', 'Derby', '2026-03-02T15:00:00Z'),
  ];
}

function quotes(random: Random, books: readonly string[], share: number): Wire[] {
  return EVENTS.flatMap((event) =>
    Object.entries(LINES).flatMap(([market, lines]) =>
      ['full_time', 'half_time'].flatMap((period) =>
        lines.flatMap((line) =>
          books.flatMap((book) => {
            const prices = randomPrices(random, market === '1x2' ? 3 : 2);
            const status = random.unit() < 0.1 ? 'suspended' : 'open';
            return random.unit() < share
              ? [quoteOf(event, book, market, line, prices, { period, status })]
              : [];
          }),
        ),
      ),
    ),
  );
}

/** Every tool, in every market and period that it accepts. */
function questions(ids: readonly string[]): [tool: string, input: Record<string, unknown>][] {
  const markets = Object.keys(LINES);
  const perFixture = ids.flatMap((id) => [
    ...['find_match', 'match_info', 'get_opening_line', 'score_prob'].map((tool) => [tool, { query: id }]),
    ['find_value', { query: id, min_edge_pct: 0 }],
    ['find_arbitrage', { query: id }],
    ['find_middles', { query: id, min_ev_pct: -10, max_hold_pct: 10 }],
    ['get_match_odds', { event_id: id }],
    ['get_match_odds', { event_id: id, format: 'malay', markets: ['totals'] }],
    ...markets.flatMap((market_type) =>
      ['full_time', 'half_time'].flatMap((period) => [
        ['compare_lines', { event_id: id, market_type, period }],
        ['get_sharp_line', { query: id, market_type, period, verbosity: 'terse' }],
        [
          'compare_prob',
          {
            query: id,
            market_type,
            period,
            outcome: market_type === 'totals' ? 'over' : 'away',
            external_prob: 0.4,
          },
        ],
      ]),
    ),
    ['get_result', { event_id: id }],
  ]);
  const rest = [
    ['scan_slate', { min_edge_pct: 0 }],
    ['scan_slate', { only_signal: true, status: 'live', markets: ['1x2'] }],
    ['list_today_matches', {}],
    ['list_events', { date: '2026-03-01', date_to: '2026-03-02' }],
    ['list_movers', {}],
    ['list_movers', { market_type: 'totals', minutes: 30 }],
    ['list_movers', { kind: 'steam' }],
    ['list_movers', { kind: 'price', pct: 0.1 }],
    ['compare_books', {}],
    ['list_leagues', {}],
    ['list_bookmakers', {}],
    ['list_results', {}],
    ['explain_handicap', { line: 0.25 }],
    // This slate has no history; test/history/past/past-answers.test.ts compares the answers of the next
    // three on a slate that has one.
    ['get_closing_line', { query: 'Zzyzx Rovers' }],
    ['line_history', { query: 'Zzyzx Rovers' }],
    ['signal_record', { group_by: 'bookmaker' }],
  ];
  return [...perFixture, ...rest] as [string, Record<string, unknown>][];
}

interface Asked {
  readonly ask: AskTool;
  readonly ids: readonly string[];
}

function slateOf(wires: readonly Wire[]): Asked {
  const slate = new WireSlate();
  slate.feed(wires, T0);
  const ids = slate.queries.slate.peek(T0).map((fixture) => fixture.view.id);
  return { ask: toolsOver(slate), ids: ids.sort() };
}

test('free answers of every tool are the same whatever the sharp book quotes; paid answers are not', async () => {
  const changed = new Set<string>();
  const tools = new Set<string>();
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const asian = [...fixtures(), ...quotes(new Random(seed), ASIAN, 0.5)];
    const without = slateOf(asian);
    const sharps = [seed * 100 + 1, seed * 100 + 2].map((sharpSeed) =>
      slateOf([...asian, ...quotes(new Random(sharpSeed), ['pinnacle'], 0.8)]),
    );
    for (const [tool, input] of questions(without.ids)) {
      tools.add(tool);
      const expected = await without.ask(tool, input, T0, FREE);
      for (const { ask } of sharps) expect(await ask(tool, input, T0, FREE)).toEqual(expected);
      const paid = await Promise.all(sharps.map(({ ask }) => ask(tool, input, T0, PAID)));
      if (JSON.stringify(paid[0]) !== JSON.stringify(paid[1])) changed.add(tool);
    }
  }
  expect([...tools].sort()).toEqual([...TOOL_NAMES].sort());
  // The other tools return nothing that comes from prices. list_movers does, but no price moves here
  // (over-the-slate.test.ts tests it).
  expect([...changed].sort()).toEqual(
    listOf(`
    compare_books, compare_lines, compare_prob, find_arbitrage, find_middles, find_value, get_match_odds
    get_opening_line, get_sharp_line, match_info, scan_slate, score_prob
  `),
  );
});

test('a fixture that only the sharp book quotes has no prices for the free tier', async () => {
  const { ask, ids } = slateOf([...fixtures(), ...quotes(new Random(7), ['pinnacle'], 1)]);
  const query = ids[0]!;
  expect((await ask('get_match_odds', { event_id: query }, T0, FREE)).odds).toEqual([]);
  expect((await ask('compare_lines', { event_id: query }, T0, FREE)).book_count).toBe(0);
  expect((await ask('match_info', { query }, T0, FREE)).favorite).toBeNull();
  expect((await ask('get_opening_line', { query }, T0, FREE)).lines).toEqual([]);
  expect((await ask('score_prob', { query }, T0, FREE)).scores).toEqual([]);
  const scan = (await ask('scan_slate', {}, T0, FREE)) as { entries: { book_count: number }[] };
  expect(scan.entries.map((entry) => entry.book_count)).toEqual([0, 0, 0]);
});
