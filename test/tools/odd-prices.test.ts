// Answers of tools when prices are odd: the inverse prices of the sharpest bookmaker sum to less than 1.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { football, quote, T0 } from './made-up-slate.ts';
import { ToolService } from './tool-service.ts';
import type { Wire } from './wire-slate.ts';

type Json = Record<string, unknown>;

const TIGHT = [2.1, 3.6, 3.9]; // inverse sum 1.01
const BELOW_ONE = [2.3, 3.8, 4.1]; // inverse sum 0.94
const LOOSE = [2.0, 3.4, 3.7]; // inverse sum 1.06

let service: ToolService;
beforeAll(async () => {
  const quotes = (key: string, bookmaker: string, result: readonly number[], two: number): Wire[] => [
    ...quote(key, bookmaker, '1x2', null, result),
    ...quote(key, bookmaker, 'totals', 2.5, [two, two]),
    ...quote(key, bookmaker, 'asian_handicap', -0.5, [two, two]),
  ];
  const wires = [
    football('soft', 'Reading', 'Stoke'),
    ...quotes('soft', 'crown', BELOW_ONE, 2.1),
    ...quotes('soft', 'sbobet', TIGHT, 1.97),
    ...quotes('soft', 'macau', LOOSE, 1.85),
    football('sharp', 'Burnley', 'Hull'),
    ...quotes('sharp', 'pinnacle', BELOW_ONE, 2.1),
    ...quotes('sharp', 'crown', LOOSE, 1.9),
  ];
  service = await ToolService.play(wires, new Date(T0).toISOString());
});
afterAll(() => service[Symbol.asyncDispose]());

function ask(name: string, args: Json): Promise<Json> {
  return service.answer('enterprise', name, args);
}

const LEFT_OUT = 'Crown is left out of the fair odds: the inverse of its own prices sums below 1.';

test('a book whose inverse prices sum to less than 1 is left out of fair odds with a note, and the next sharpest book is used', async () => {
  const query = 'Reading';
  const lines = await ask('compare_lines', { query });
  expect(lines).toMatchObject({ fair_from: 'sbobet', fair_odds: { home: 2, away: 2 } });
  expect(lines.summary).toContain(LEFT_OUT);
  const sharp = await ask('get_sharp_line', { query, market_type: '1x2' });
  expect(sharp.comparison).toMatchObject({ fair_from: 'sbobet' });
  expect(sharp.summary).toContain(LEFT_OUT);
  const info = await ask('match_info', { query });
  expect(info.favorite).toMatchObject({ outcome: 'home', source: 'sbobet' });
  expect(info.summary).toContain(LEFT_OUT);
  const prob = await ask('compare_prob', { query, external_prob: 0.5 });
  expect(prob).toMatchObject({ status: 'ok', fair_from: 'sbobet' });
  expect(prob.caveats).toContain(LEFT_OUT);
  const scores = await ask('score_prob', { query });
  expect(scores).toMatchObject({ status: 'ok', fair_from: 'sbobet' });
  expect(scores.summary).toContain(LEFT_OUT);
});

test('find_value reports no value on a line at which the inverse prices of the sharp book sum to less than 1, and the note counts these lines', async () => {
  const value = await ask('find_value', { query: 'Burnley' });
  expect(value).toMatchObject({ status: 'ok', value_bets: [], fair_source: null });
  expect(value.note).toContain("3 lines were left out: the inverse of Pinnacle's own prices sums below 1");
});
