// A market has one fair price: every tool returns the same number for the same instant, and each answer names
// the method that computed it.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { NAMED_NOW, type NamedIds, namedIds, namedWires } from './named-slate.ts';
import { ToolService } from './tool-service.ts';

let service: ToolService;
let ids: NamedIds;

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  ids = await namedIds(service);
});
afterAll(() => service[Symbol.asyncDispose]());

interface Fair {
  readonly fair_odds: Readonly<Record<string, number>>;
  readonly fair_method: string;
}

test.each([
  ['Arsenal', ['home', 'draw', 'away']],
  ['Lakers @ Celtics', ['home', 'away']],
] as const)('the 1x2 of %s', async (query, outcomes) => {
  const asked = { query, market_type: '1x2' };
  const info = await service.answer('enterprise', 'match_info', { query });
  const { comparison } = (await service.answer('enterprise', 'get_sharp_line', asked)) as {
    comparison: Fair;
  };
  expect([info.fair_method, comparison.fair_method]).toEqual(['power', 'power']);
  for (const outcome of outcomes) {
    const implied = (info.implied_probabilities as Record<string, number>)[outcome]!;
    const judged = { ...asked, outcome, external_prob: 0.5 };
    const compared = await service.answer('enterprise', 'compare_prob', judged);
    expect(compared).toMatchObject({ fair_prob: implied, devig_method: 'power' });
    expect(comparison.fair_odds[outcome]).toBe(compared.fair_decimal as number);
  }
});

test.each(['asian_handicap', 'totals'])('%s', async (market_type) => {
  const outcome = market_type === 'totals' ? 'over' : 'home';
  const lines = (await service.answer('enterprise', 'compare_lines', {
    event_id: ids.arsenal,
    market_type,
  })) as unknown as Fair;
  const asked = { query: 'Arsenal', market_type, outcome, external_prob: 0.5 };
  const compared = await service.answer('enterprise', 'compare_prob', asked);
  expect([lines.fair_method, compared.devig_method]).toEqual(['proportional', 'proportional']);
  expect(lines.fair_odds[outcome]).toBe(compared.fair_decimal as number);
});

test('the fair prices of find_value, list_movers and score_prob name their method', async () => {
  const { value_bets } = (await service.answer('enterprise', 'find_value', {
    query: 'Arsenal',
    min_edge_pct: 0,
  })) as { value_bets: { market_type: string; fair_method: string }[] };
  expect(value_bets.length).toBeGreaterThan(0);
  for (const { market_type, fair_method } of value_bets)
    expect(fair_method).toBe(market_type === '1x2' ? 'power' : 'proportional');
  expect(await service.answer('enterprise', 'list_movers', {})).toMatchObject({ fair_method: 'power' });
  const scores = await service.answer('enterprise', 'score_prob', { query: 'Arsenal' });
  expect(scores).toMatchObject({ status: 'ok', fair_method: 'power' });
});
