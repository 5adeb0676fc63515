// Builds misleading slates, calls the searches on them, and compares their reports.

import { expect } from 'bun:test';
import { football, quoteOf, T0 } from './made-up-slate.ts';
import { type AskTool, toolsOver } from './scanning-slate.ts';
import { type Answer, type Wire, WireSlate } from './wire-slate.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const NONE = {
  stale: 0,
  implausible: 0,
  suspended: 0,
  period_over: 0,
  not_started_late: 0,
  finished: 0,
  single_book: 0,
  no_sharp: 0,
  no_reference: 0,
};

/** A match that kicks off `minutes` from T0. */
export function match(event: string, home: string, away: string, minutes: number): Wire {
  return football(event, home, away, new Date(T0 + minutes * MINUTE).toISOString());
}

/** A message stamped `ageMs` before T0. */
export function sent(wire: Wire, ageMs: number): Wire {
  return { ...wire, at: new Date(T0 - ageMs).toISOString() };
}

/** A sharp and a soft price for a handicap. The soft home price is 3.6 % above the fair price of 2.0. */
export function valuePair(
  event: string,
  options: { period?: string; softAgeMs?: number; sharpAgeMs?: number } = {},
): Wire[] {
  const { period = 'full_time', softAgeMs = 0, sharpAgeMs = 0 } = options;
  return [
    sent(quoteOf(event, 'pinnacle', 'asian_handicap', -0.5, [1.95, 1.95], { period }), sharpAgeMs),
    sent(quoteOf(event, 'crown', 'asian_handicap', -0.5, [2.072, 1.8], { period }), softAgeMs),
  ];
}

/** An arbitrage of 2.5 % on a line, between two soft bookmakers. */
export function arbPair(event: string, line: number, ages: { first?: number; second?: number } = {}): Wire[] {
  return [
    sent(quoteOf(event, 'crown', 'asian_handicap', line, [2.05, 1.8]), ages.first ?? 0),
    sent(quoteOf(event, 'sbobet', 'asian_handicap', line, [1.8, 2.05]), ages.second ?? 0),
  ];
}

export function over(wires: readonly Wire[], confirms = true): AskTool {
  const slate = new WireSlate();
  slate.feed(wires, T0, confirms);
  return toolsOver(slate);
}

/** The answers of the three searches for a slate with one match, of Reading. */
export async function searchAll(ask: AskTool, args: Record<string, unknown> = {}, nowMs = T0) {
  const value = await ask('find_value', { query: 'Reading', ...args }, nowMs);
  const arbitrage = await ask('find_arbitrage', { query: 'Reading', ...args }, nowMs);
  const scan = await ask('scan_slate', args, nowMs);
  return { value, arbitrage, scan };
}

export function betsOf(answer: Answer): Answer[] {
  return answer.value_bets as Answer[];
}

export function legsOf(answer: Answer): Answer[] {
  return (answer.opportunities as { legs: Answer[] }[])[0]!.legs;
}

/**
 * Checks that no search finds anything, that each search counts these exclusions, and that its note contains
 * the word.
 */
export function expectNothing(
  { value, arbitrage, scan }: Awaited<ReturnType<typeof searchAll>>,
  counts: Partial<typeof NONE>,
  word: string,
): void {
  expect(betsOf(value)).toEqual([]);
  expect(arbitrage.opportunities).toEqual([]);
  expect(scan.with_signal).toBe(0);
  for (const answer of [value, arbitrage, scan]) {
    expect(answer.excluded).toEqual({ ...NONE, ...counts });
    expect(answer.note).toContain(word);
  }
}
