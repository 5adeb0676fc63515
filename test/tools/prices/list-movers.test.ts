// list_movers with kind steam and kind price: what it finds in the prices of the last half hour.

import { describe, expect, test } from 'bun:test';
import { football, quoteOf, T0 } from '../made-up-slate.ts';
import { toolsOver } from '../scanning-slate.ts';
import { FREE, PAID, type Wire, WireSlate } from '../wire-slate.ts';

const HALF_HOUR_MS = 1_800_000;

function totals(bookmaker: string, prices: readonly number[], atMs: number): Wire {
  return { ...quoteOf('a', bookmaker, 'totals', 2.5, prices), at: new Date(atMs).toISOString() };
}

/**
 * Each given bookmaker quotes 1.9 on both sides of a total. Half an hour later it quotes the given price on
 * over.
 */
function movedTo(over: Readonly<Record<string, number>>) {
  const slate = new WireSlate();
  const wires = Object.keys(over).map((bookmaker) => totals(bookmaker, [1.9, 1.9], T0));
  slate.feed([football('a', 'Reading', 'Stoke'), ...wires], T0);
  const laterMs = T0 + HALF_HOUR_MS;
  slate.feed(
    Object.entries(over).map(([bookmaker, price]) => totals(bookmaker, [price, 1.9], laterMs)),
    laterMs,
  );
  const ask = toolsOver(slate);
  return (input: Record<string, unknown>, principal = PAID) =>
    ask('list_movers', input, laterMs, principal) as Promise<Record<string, unknown>>;
}

describe('list_movers', () => {
  test('steam is a move of one price by three owners in the same direction, by 1.5 % or more', async () => {
    const ask = movedTo({ crown: 1.8, hkjc: 1.81, sbobet: 1.8715 });
    const { steam, summary } = await ask({ kind: 'steam' });
    expect(steam).toMatchObject([
      { market_type: 'totals', line: 2.5, outcome: 'over', way: 'shortening', owners: 3, book_count: 3 },
    ]);
    expect(summary).toContain('1 price moved by several owners');
    expect((await ask({ kind: 'steam', owners: 4 })).steam).toEqual([]);
    expect((await ask({ kind: 'steam', pct: 2 })).steam).toEqual([]);
    // The first prices are half an hour old. For a longer time there is nothing to compare with.
    expect((await ask({ kind: 'steam', within_s: 1_860 })).steam).toEqual([]);
  });

  test('owners that move in different directions, or too few owners, are no steam', async () => {
    expect((await movedTo({ crown: 1.8, hkjc: 1.8, sbobet: 2 })({ kind: 'steam' })).steam).toEqual([]);
    expect((await movedTo({ crown: 1.8, hkjc: 1.8 })({ kind: 'steam' })).steam).toEqual([]);
  });

  test('the sharp bookmaker counts only for callers who may see it', async () => {
    const ask = movedTo({ pinnacle: 1.8, crown: 1.8, hkjc: 1.8 });
    expect((await ask({ kind: 'steam' })).count).toBe(1);
    expect((await ask({ kind: 'steam' }, FREE)).count).toBe(0);
    expect((await ask({ kind: 'price', pct: 5 }, FREE)).moves).toMatchObject([
      { bookmaker: 'crown', change: -5.26 },
      { bookmaker: 'hkjc', change: -5.26 },
    ]);
  });

  test('minutes can be set only for fair probabilities', async () => {
    await expect(movedTo({ crown: 1.8 })({ kind: 'steam', minutes: 30 })).rejects.toThrow('within_s');
  });
});
