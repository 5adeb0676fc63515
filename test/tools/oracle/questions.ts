// Questions to every tool about one slate, each with the answer that the oracle expects. The arguments change
// with the number of the fixture, so that a slate covers every market, period, format and filter.

import { Rounded, Sentence } from './expected.ts';
import { comparison, fairMarket, matchInfo, matchOdds, openingLines } from './fixture-answers.ts';
import { BOOKS, classOf, FORMATS, MARKETS, methodOf, outcomesOf, PERIODS } from './odds.ts';
import { headerOf, type OracleFixture, type OracleSlate, resultOf, summaryOf } from './slate.ts';
import { findArbitrage, findValue } from './slate-answers.ts';

export interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * Undefined if the oracle has no rule for the whole answer. Then only the schema of the answer is checked.
   */
  readonly expected?: unknown;
}

interface Asked {
  readonly slate: OracleSlate;
  readonly fixture: OracleFixture;
  readonly seesSharp: boolean;
}

/** @param turn any whole number; questions differ from turn to turn */
export function fixtureQuestions(asked: Asked, turn: number): Question[] {
  const { slate, fixture } = asked;
  const format = FORMATS[turn % FORMATS.length]!;
  const market_type = MARKETS[turn % MARKETS.length]!;
  const period = PERIODS[Math.floor(turn / 3) % PERIODS.length]!;
  const verbosity = turn % 4 === 3 ? 'terse' : 'full';
  const market = { market_type, period, format, verbosity };
  const query = fixture.id;
  const odds = oddsFilterOf(turn);
  const asking = { min_edge_pct: turn % 5 === 4 ? 0 : 1, min_margin_pct: turn % 7 === 6 ? 0.5 : 0 };
  const filter = turn % 3 === 2 ? { markets: [market_type], period } : {};
  const hits = {
    ...asked,
    query,
    format,
    asked: { ...filter, minEdgePct: asking.min_edge_pct, minMarginPct: asking.min_margin_pct },
  };
  const header = headerOf(slate, query, fixture);
  return [
    { tool: 'compare_lines', args: { event_id: query, ...market }, expected: comparison(asked, market) },
    {
      tool: 'get_sharp_line',
      args: { query, ...market },
      expected: { ...header, comparison: comparison(asked, market) },
    },
    {
      tool: 'get_match_odds',
      args: { event_id: query, format, ...odds },
      expected: matchOdds(asked, { format, ...odds }),
    },
    { tool: 'find_match', args: { query }, expected: foundOf(header, fixture) },
    { tool: 'match_info', args: { query }, expected: matchInfo(asked, query) },
    {
      tool: 'get_opening_line',
      args: { query, format, ...odds },
      expected: { ...header, lines: openingLines(asked, { format, ...odds }), source: 'first_seen' },
    },
    {
      tool: 'find_value',
      args: { query, format, min_edge_pct: asking.min_edge_pct, ...filter },
      expected: findValue(hits),
    },
    {
      tool: 'find_arbitrage',
      args: { query, format, min_margin_pct: asking.min_margin_pct, ...filter },
      expected: findArbitrage(hits),
    },
    probabilityQuestion(asked, turn),
    ...(fixture.model.sport === 'football'
      ? [{ tool: 'score_prob', args: { query, top: 1 + (turn % 10) } }]
      : []),
    { tool: 'get_result', args: { event_id: query }, expected: resultAnswer(slate, fixture) },
  ];
}

function oddsFilterOf(turn: number) {
  const bookmakers =
    turn % 4 === 1 ? { bookmakers: BOOKS.filter((book) => classOf(book) !== 'sharp').slice(0, 2) } : {};
  const markets = turn % 4 === 2 ? { markets: ['1x2', 'totals'] } : {};
  return { ...bookmakers, ...markets, ...(turn % 5 === 3 ? { period: 'full_time' } : {}) };
}

function foundOf(header: ReturnType<typeof headerOf>, fixture: OracleFixture) {
  const { query, alternatives, decision } = header;
  return {
    status: 'matched',
    query,
    match: { ...summaryOf(fixture), confidence: 1 },
    alternatives,
    decision,
  };
}

function resultAnswer(slate: OracleSlate, fixture: OracleFixture) {
  const result = slate.results.find((candidate) => candidate.fixture === fixture);
  return {
    status: result === undefined ? 'not_found' : 'found',
    event_id: fixture.id,
    result: result === undefined ? null : resultOf(result),
  };
}

function probabilityQuestion(asked: Asked, turn: number): Question {
  const { slate, fixture } = asked;
  const market_type = MARKETS[Math.floor(turn / 2) % MARKETS.length]!;
  const period = PERIODS[turn % PERIODS.length]!;
  const outcomes = outcomesOf(fixture.model.sport, market_type);
  const index = turn % outcomes.length;
  const external = (10 + (turn % 80)) / 100;
  const label = turn % 2 === 0 ? 'Polymarket' : null;
  const market = fairMarket(asked, { market_type, period });
  const fair = market?.fair[index] ?? null;
  const echo = {
    market_type,
    period,
    outcome: outcomes[index]!,
    external_prob: external,
    external_label: label,
  };
  const args = { query: fixture.id, ...echo };
  const shown = { ...echo, price: null, format: 'decimal' };
  const header = headerOf(slate, fixture.id, fixture);
  const answered =
    fair === null
      ? {
          status: 'no_line',
          line: null,
          fair_prob: null,
          fair_decimal: null,
          fair_from: null,
          edge_pp: null,
          ev_roi: null,
          verdict: null,
          reference: null,
          devig_method: null,
        }
      : {
          line: market!.line,
          fair_prob: new Rounded(fair, 4),
          fair_decimal: new Rounded(1 / fair, 4),
          fair_from: market!.bookmaker,
          edge_pp: new Rounded((fair - external) * 100, 2),
          ev_roi: new Rounded(fair / external - 1, 4),
          verdict: verdictOf(fair, external),
          reference: market!.bookmaker,
          devig_method: methodOf(market_type),
        };
  const decision =
    fair !== null && isImplausible(fair, external)
      ? { ...header.decision, safe_to_proceed: false, ask_user: new Sentence('implausibly large') }
      : header.decision;
  return { tool: 'compare_prob', args, expected: { ...header, decision, ...shown, ...answered } };
}

/** An expected return above 10 %, which is the cap of value bets, if there is an edge. */
function isImplausible(fair: number, external: number): boolean {
  return fair - external >= 0.01 && fair / external - 1 > 0.1 + 1e-9;
}

function verdictOf(fair: number, external: number): string {
  if (fair - external < 0.01) return 'no_edge';
  return fair - external < 0.02 || isImplausible(fair, external) ? 'marginal' : 'good';
}
