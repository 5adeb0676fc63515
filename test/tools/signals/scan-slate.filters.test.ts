// The filters of scan_slate: kind of signal, outcome, days, and all hits instead of the best. Its answers are
// compared with those of find_value and find_arbitrage for each fixture.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { football, quoteOf } from '../made-up-slate.ts';
import { NAMED_NOW, namedWires } from '../named-slate.ts';
import { type Args, ToolService } from '../tool-service.ts';

interface Bet {
  readonly outcome: string;
  readonly edge_pct: number;
  readonly bookmaker: string;
}
interface Entry {
  readonly home_team: string;
  readonly event_id: string;
  readonly value_count: number;
  readonly best_value: Bet | null;
  readonly arb_count: number;
  readonly best_arb: unknown;
  readonly hits: { readonly value_bets: Bet[]; readonly opportunities: unknown[] } | null;
}

let service: ToolService;
beforeAll(async () => {
  const late = football('bre', 'Brentford', 'Burnley', '2026-03-03T20:00:00Z');
  const prices = [
    quoteOf('bre', 'pinnacle', 'totals', 2.5, [1.95, 1.97]),
    quoteOf('bre', 'crown', 'totals', 2.5, [2.06, 1.8]),
    quoteOf('bre', 'sbobet', 'totals', 2.5, [1.8, 2.02]),
  ];
  service = await ToolService.play([...namedWires(), late, ...prices], NAMED_NOW);
});
afterAll(() => service[Symbol.asyncDispose]());

async function scan(args: Args): Promise<Entry[]> {
  const answer = await service.answer('enterprise', 'scan_slate', { min_edge_pct: 0.5, limit: 100, ...args });
  return answer.entries as Entry[];
}

async function hitsOf(event_id: string): Promise<{ value: Bet[]; arbitrage: unknown[] }> {
  const query = { query: event_id };
  const value = await service.answer('enterprise', 'find_value', { ...query, min_edge_pct: 0.5 });
  const arbitrage = await service.answer('enterprise', 'find_arbitrage', query);
  return { value: value.value_bets as Bet[], arbitrage: arbitrage.opportunities as unknown[] };
}

test('hits: all lists what find_value and find_arbitrage find; best lists only the best', async () => {
  for (const entry of await scan({ hits: 'all' })) {
    const { value, arbitrage } = await hitsOf(entry.event_id);
    expect(entry.hits).toEqual({ value_bets: value, opportunities: arbitrage } as never);
    expect([entry.value_count, entry.arb_count]).toEqual([value.length, arbitrage.length]);
  }
  for (const { hits } of await scan({})) expect(hits).toBeNull();
});

test('signal decides which kind of signal counts', async () => {
  for (const [signal, has] of [
    ['value', (found: Awaited<ReturnType<typeof hitsOf>>) => found.value.length > 0],
    ['arbitrage', (found: Awaited<ReturnType<typeof hitsOf>>) => found.arbitrage.length > 0],
    ['any', (found: Awaited<ReturnType<typeof hitsOf>>) => found.value.length + found.arbitrage.length > 0],
  ] as const) {
    const entries = await scan({ signal, only_signal: true });
    const expected: string[] = [];
    for (const { event_id } of await scan({})) if (has(await hitsOf(event_id))) expected.push(event_id);
    expect([signal, entries.map(({ event_id }) => event_id).sort()]).toEqual([signal, expected.sort()]);
    if (signal === 'value') for (const { best_arb } of entries) expect(best_arb).toBeNull();
    if (signal === 'arbitrage') for (const { best_value } of entries) expect(best_value).toBeNull();
  }
});

test('the filter outcome keeps only value on that outcome', async () => {
  const entries = await scan({ outcome: 'over', signal: 'value', hits: 'all' });
  for (const { event_id, hits, best_value, value_count } of entries) {
    const expected = (await hitsOf(event_id)).value.filter(({ outcome }) => outcome === 'over');
    expect(hits!.value_bets).toEqual(expected);
    expect([value_count, best_value]).toEqual([expected.length, expected[0] ?? null]);
  }
  expect(entries.some(({ value_count }) => value_count > 0)).toBe(true);
});

test('days select fixtures of the slate by their day in the requested zone', async () => {
  const teams = async (args: Args) => (await scan(args)).map(({ home_team }) => home_team).sort();
  const all = await teams({});
  expect(await teams({ date: '2026-03-03' })).toEqual(['Brentford']);
  expect(await teams({ date: 'tuesday' })).toEqual(['Brentford']);
  expect(await teams({ date: 'tonight' })).toEqual(all.filter((team) => team !== 'Brentford'));
  expect(await teams({ date: 'today', date_to: '2026-03-03' })).toEqual(all);
  expect(await teams({ date: '2026-03-04', timezone: 'Asia/Tokyo' })).toEqual(['Brentford']);
});

test('the filter bookmakers leaves only prices of these bookmakers, measured against the sharp book even if that is not among them', async () => {
  const asked = { hits: 'all', min_edge_pct: 0.25 };
  const all = await scan(asked);
  const crown = await scan({ ...asked, bookmakers: ['crown'] });
  const betOf = (entries: readonly Entry[]) =>
    entries.find(({ home_team }) => home_team === 'Brentford')!.hits!.value_bets;
  expect(betOf(all).map((bet) => [bet.outcome, bet.bookmaker])).toEqual([
    ['over', 'crown'],
    ['under', 'sbobet'],
  ]);
  expect(betOf(crown)).toEqual(betOf(all).filter(({ bookmaker }) => bookmaker === 'crown'));
  for (const { arb_count, hits } of crown) {
    expect(arb_count).toBe(0);
    for (const { bookmaker } of hits!.value_bets) expect(bookmaker).toBe('crown');
  }
  const { status } = await service.ask('free', 'scan_slate', { bookmakers: ['pinnacle'] });
  expect(status).toBe(403);
});

test('for a tier without the sharp bookmaker, the note names the tier and not lines', async () => {
  const { note, excluded } = await service.answer('free', 'scan_slate', {});
  const { no_sharp } = excluded as { no_sharp: number };
  expect(no_sharp).toBeGreaterThan(0);
  expect(note).toContain(
    `The sharp book is not part of the free tier, so ${no_sharp === 1 ? '1 line was' : `${no_sharp} lines were`} not searched for value.`,
  );
  expect(note).not.toContain('without a price');
});
