// A line, a price or a fixture in words, for tools that take them in place of the consensus line, a
// probability or an id. The expected figures are computed from the quotes of get_match_odds.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { NAMED_NOW, type NamedIds, namedIds, namedWires } from './named-slate.ts';
import { type Args, ToolService } from './tool-service.ts';

let service: ToolService;
let ids: NamedIds;

beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
  ids = await namedIds(service);
});
afterAll(() => service[Symbol.asyncDispose]());

interface Quote {
  readonly bookmaker: string;
  readonly line: number;
  readonly prices: Readonly<Record<string, number>>;
}

async function ask<Answer>(tool: string, args: Args): Promise<Answer> {
  return (await service.answer('enterprise', tool, args)) as Answer;
}

async function refusal(tool: string, args: Args): Promise<{ status: number; code: string; fix: string }> {
  const { status, body } = await service.ask('enterprise', tool, args);
  const { error } = body as { error: { code: string; fix: string } };
  return { status, ...error };
}

async function handicaps(): Promise<readonly Quote[]> {
  const args = { event_id: ids.arsenal, markets: ['asian_handicap'], period: 'full_time' };
  return (await ask<{ odds: Quote[] }>('get_match_odds', args)).odds;
}

function overroundOf({ prices }: Quote): number {
  return Object.values(prices).reduce((sum, price) => sum + 1 / price, 0);
}

describe('line', () => {
  test('compare_lines and get_sharp_line compute their answer about a requested line from the quotes at that line, for every line offered', async () => {
    const quotes = await handicaps();
    const lines = [...new Set(quotes.map(({ line }) => line))];
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      const at = quotes.filter((quote) => quote.line === line);
      const [sharpest] = at.toSorted((left, right) => overroundOf(left) - overroundOf(right));
      const compared = await ask<Record<string, unknown>>('compare_lines', { event_id: ids.arsenal, line });
      expect(compared).toMatchObject({ line, book_count: at.length, fair_from: sharpest!.bookmaker });
      expect((compared.books as Quote[]).map(({ bookmaker }) => bookmaker)).toEqual(
        at.map(({ bookmaker }) => bookmaker),
      );
      const best = compared.best_prices as { outcome: string; decimal: number }[];
      for (const { outcome, decimal } of best) {
        expect(decimal).toBe(Math.max(...at.map(({ prices }) => prices[outcome]!)));
      }
      const fair = compared.fair_odds as Record<string, number>;
      expect(fair.home).toBeCloseTo(sharpest!.prices.home! * overroundOf(sharpest!), 4);
      const sharp = await ask<{ comparison: unknown }>('get_sharp_line', { query: 'Arsenal', line });
      expect(sharp.comparison).toEqual(compared);
    }
  });

  test('a line that nobody offers is reported as missing, and the offered lines are listed', async () => {
    const compared = await ask<Record<string, unknown>>('compare_lines', { event_id: ids.arsenal, line: 3 });
    expect(compared).toMatchObject({ line: 3, book_count: 0, best_prices: [], fair_odds: null, books: [] });
    expect(compared.summary).toContain(
      'no book has an open price at Arsenal +3 (Chelsea -3); offered for Arsenal are -0.5 and -0.25',
    );
    const judged = await ask<Record<string, unknown>>('compare_prob', {
      query: 'Arsenal',
      market_type: 'totals',
      outcome: 'over',
      line: 3.5,
      price: 2.1,
    });
    expect(judged).toMatchObject({ status: 'no_line', line: 3.5, verdict: null });
    expect(judged.summary).toContain('no book has an open price at 3.5');
  });

  test('a requested line is refused for a 1x2, and if it is not in quarters', async () => {
    const args = { event_id: ids.arsenal, market_type: '1x2', line: 0.5 };
    expect(await refusal('compare_lines', args)).toMatchObject({ status: 400, code: 'invalid_request' });
    const odd = await service.ask('enterprise', 'compare_lines', { event_id: ids.arsenal, line: 0.3 });
    expect(odd.status).toBe(422);
  });
});

describe('compare_prob', () => {
  const asked = { query: 'Arsenal', market_type: 'totals', outcome: 'over', line: 2.5 };

  test.each([
    ['decimal', 2.1, 2.1],
    ['hk', 1.1, 2.1],
    ['american', 110, 2.1],
    ['malay', -0.8, 2.25],
    ['indonesian', -1.25, 1.8],
    ['probability', 0.4, 2.5],
  ])('a price in %s is judged as the probability that it implies', async (format, price, decimal) => {
    const byPrice = await ask<Record<string, unknown>>('compare_prob', { ...asked, price, format });
    const byProbability = await ask<Record<string, unknown>>('compare_prob', {
      ...asked,
      external_prob: 1 / decimal,
    });
    const { summary, external_prob, ...same } = byProbability;
    expect(byPrice).toMatchObject({ ...same, price, format });
    expect(byPrice.external_prob).toBeCloseTo(external_prob as number, 4);
    expect(byPrice.summary).toContain(`(the price ${price})`);
    expect(byPrice.ev_roi).toBeCloseTo((byPrice.fair_prob as number) * decimal - 1, 3);
  });

  test('exactly one of price and external_prob is accepted, and only a price that its format has', async () => {
    expect((await service.ask('enterprise', 'compare_prob', asked)).status).toBe(422);
    for (const args of [
      { ...asked, price: 2.1, external_prob: 0.5 },
      { ...asked, price: 0.9 },
      { ...asked, price: 50, format: 'american' },
    ]) {
      expect(await refusal('compare_prob', args)).toMatchObject({ status: 400, code: 'invalid_request' });
    }
  });
});

describe.each(['get_match_odds', 'compare_lines'])('%s', (tool) => {
  test.each([
    ['sport', { sport: 'football' }],
    ['date', { date: '2026-03-01' }],
  ])('refuses %s beside an id, because the id names one fixture already', async (name, hint) => {
    expect(await refusal(tool, { event_id: ids.arsenal, ...hint })).toMatchObject({
      status: 400,
      code: 'invalid_request',
      fix: `Leave ${name} out, or send query in place of event_id`,
    });
  });

  test('accepts a query in place of the id', async () => {
    const byId = await ask<unknown>(tool, { event_id: ids.arsenal });
    expect(await ask<unknown>(tool, { query: 'Chelsea v Arsenal', date: '2026-03-01' })).toEqual(byId);
  });

  test('if several fixtures fit, the error lists their ids; if none fits, it is not_found; only one of query and id is accepted', async () => {
    const several = await refusal(tool, { query: 'Arsenal or Liverpool' });
    const none = await refusal(tool, { query: 'Zzyzx Rovers' });
    expect(none).toMatchObject({ status: 404, code: 'not_found' });
    expect([400, 404]).toContain(several.status);
    expect(several.fix).toMatch(/evt_|GET \/v1\/events/);
    expect(await refusal(tool, { event_id: ids.arsenal, query: 'Arsenal' })).toMatchObject({
      status: 400,
      fix: 'Send event_id alone, or query alone',
    });
    expect((await service.ask('enterprise', tool, {})).status).toBe(422);
  });
});
