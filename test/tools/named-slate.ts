// A small slate with well-known names, every kind of market and match, and at least one question for each
// tool.

import { listOf } from '../support/list-of.ts';
import { football, quoteOf, state, T0 } from './made-up-slate.ts';
import type { Args, ToolService } from './tool-service.ts';
import type { Wire } from './wire-slate.ts';

export const NAMED_NOW = new Date(T0).toISOString();

const BOOKS = ['crown', 'sbobet', 'pinnacle', 'hkjc'];

/** Quotes of several bookmakers on every market, around the same prices. */
export function marketsOf(event: string, sport: 'football' | 'basketball' = 'football'): Wire[] {
  const win = sport === 'football' ? [2.1, 3.4, 3.6] : [1.9, 1.95];
  return BOOKS.flatMap((bookmaker, index) => {
    const shifted = (prices: number[]) =>
      prices.map((price, outcome) => Math.round((price + 0.03 * ((index + outcome) % 3)) * 100) / 100);
    return ['full_time', 'half_time'].flatMap((period) => [
      quoteOf(event, bookmaker, '1x2', null, shifted(win), { period }),
      quoteOf(event, bookmaker, 'asian_handicap', -0.25, shifted([1.9, 1.96]), { period }),
      quoteOf(event, bookmaker, 'asian_handicap', -0.5, shifted([2.06, 1.8]), { period }),
      quoteOf(event, bookmaker, 'totals', 2.5, shifted([1.92, 1.94]), { period }),
    ]);
  });
}

export function namedWires(): Wire[] {
  return [
    football('ars-che', 'Arsenal', 'Chelsea'),
    ...marketsOf('ars-che'),
    { ...football('lal-bos', 'Los Angeles Lakers', 'Boston Celtics'), sport: 'basketball' },
    ...marketsOf('lal-bos', 'basketball'),
    football('liv-eve', 'Liverpool', 'Everton', '2026-03-01T11:20:00Z'),
    ...marketsOf('liv-eve'),
    state('liv-eve', 'live', [1, 0], '1h 38'),
    football('lee-wol', 'Leeds', 'Wolves', '2026-03-01T08:00:00Z'),
    state('lee-wol', 'finished', [2, 1], '2h 90'),
    {
      type: 'result',
      at: NAMED_NOW,
      event: 'lee-wol',
      score: [2, 1],
      red_cards: [0, 1],
      finished_at: '2026-03-01T09:52:00Z',
    },
  ];
}

export interface Asked {
  readonly tool: string;
  readonly args: Args;
}

export interface NamedIds {
  readonly arsenal: string;
  readonly leeds: string;
}

export async function namedIds(service: ToolService): Promise<NamedIds> {
  const events = await service.events();
  const idOf = (home: string) => events.find((event) => event.home_team.name === home)!.id;
  return { arsenal: idOf('Arsenal'), leeds: idOf('Leeds') };
}

/** Questions that get an answer: each tool at least once, and each argument used at least once. */
export function goodQuestions({ arsenal, leeds }: NamedIds): Asked[] {
  return [
    { tool: 'get_sharp_line', args: { query: 'Arsenal vs Chelsea', market_type: 'totals', format: 'malay' } },
    { tool: 'get_sharp_line', args: { query: 'Lakers @ Celtics', verbosity: 'terse', sport: 'basketball' } },
    { tool: 'find_match', args: { query: 'chelsea - arsenal 2026-03-01' } },
    { tool: 'find_match', args: { query: 'Zzyzx Rovers' } },
    { tool: 'match_info', args: { query: 'who won Leeds v Wolves', timezone: 'America/New_York' } },
    { tool: 'match_info', args: { query: 'Liverpool', date: '2026-03-01' } },
    { tool: 'get_match_odds', args: { event_id: arsenal, markets: ['1x2'], bookmakers: ['crown'] } },
    { tool: 'compare_lines', args: { event_id: arsenal, period: 'half_time', format: 'american' } },
    { tool: 'explain_handicap', args: { line: -1.25 } },
    { tool: 'list_today_matches', args: { status: 'live', timezone: 'Europe/Madrid' } },
    { tool: 'list_events', args: { date: '2026-03-01', date_to: '2026-03-02', limit: 2 } },
    { tool: 'list_bookmakers', args: {} },
    { tool: 'get_opening_line', args: { query: 'Arsenal', markets: ['asian_handicap'] } },
    // This service keeps no history; test/history has answers from one that has it.
    { tool: 'get_closing_line', args: { query: 'Zzyzx Rovers', markets: ['1x2'] } },
    { tool: 'line_history', args: { query: 'Zzyzx Rovers', market_type: 'totals', line: 2.5 } },
    { tool: 'signal_record', args: { group_by: 'bookmaker', min_edge_pct: 2, in_play: false } },
    { tool: 'find_value', args: { query: 'Arsenal', min_edge_pct: 0, format: 'hk' } },
    { tool: 'find_arbitrage', args: { query: 'Arsenal', min_margin_pct: 0 } },
    { tool: 'find_middles', args: { query: 'Arsenal', min_ev_pct: -5, max_hold_pct: 5 } },
    { tool: 'compare_prob', args: { query: 'Arsenal', external_prob: 0.4, external_label: 'Polymarket' } },
    { tool: 'score_prob', args: { query: 'Liverpool', top: 3 } },
    { tool: 'scan_slate', args: { only_signal: true, min_edge_pct: 0 } },
    { tool: 'list_movers', args: { market_type: 'totals', sport: 'football' } },
    { tool: 'list_movers', args: { minutes: 30 } },
    { tool: 'compare_books', args: { status: 'scheduled', market_type: 'asian_handicap' } },
    { tool: 'list_leagues', args: { date: 'today', limit: 1 } },
    { tool: 'list_results', args: { team: 'leeds' } },
    { tool: 'list_results', args: { team: 'arsenal' } },
    { tool: 'get_result', args: { event_id: leeds } },
    { tool: 'get_result', args: { event_id: arsenal } },
  ];
}

interface Refused extends Asked {
  readonly status: number;
  readonly code: string;
}

/** Questions that are refused: each tool that can refuse, in every way in which it can. */
export function badQuestions(arsenal: string): Refused[] {
  const invalid = { status: 400, code: 'invalid_request' };
  const unreadable = { status: 422, code: 'validation_error' };
  const gone = 'evt_00000000';
  return [
    ...listOf(`
      find_match, match_info, get_sharp_line, get_opening_line, get_closing_line, line_history
      find_value, find_arbitrage, find_middles
    `).flatMap((tool) => [
      { tool, args: {}, ...unreadable },
      { tool, args: { query: 7 }, ...unreadable },
      { tool, args: { query: 'x'.repeat(201) }, ...unreadable },
      { tool, args: { query: 'Arsenal 2026-02-30' }, ...invalid },
      { tool, args: { query: 'Arsenal', sport: 'cricket' }, ...invalid },
      { tool, args: { query: 'Arsenal', date: '31 February' }, ...invalid },
      { tool, args: { query: gone }, ...invalid },
    ]),
    ...['get_match_odds', 'compare_lines', 'get_result'].flatMap((tool) => [
      { tool, args: {}, ...unreadable },
      { tool, args: { event_id: gone }, ...invalid },
      { tool, args: { event_id: 'tm_12345678' }, ...invalid },
    ]),
    { tool: 'get_match_odds', args: { event_id: arsenal, markets: ['corners'] }, ...invalid },
    { tool: 'get_match_odds', args: { event_id: arsenal, markets: '1x2' }, ...unreadable },
    { tool: 'compare_lines', args: { event_id: arsenal, format: 'roman' }, ...invalid },
    { tool: 'find_value', args: { query: 'Arsenal', min_edge_pct: -0.01 }, ...unreadable },
    { tool: 'find_arbitrage', args: { query: 'Arsenal', min_margin_pct: -1 }, ...unreadable },
    { tool: 'find_middles', args: { query: 'Arsenal', max_hold_pct: 11 }, ...unreadable },
    { tool: 'signal_record', args: { group_by: 'team' }, ...invalid },
    { tool: 'signal_record', args: { min_edge_pct: -1 }, ...unreadable },
    { tool: 'scan_slate', args: { limit: 0 }, ...unreadable },
    { tool: 'scan_slate', args: { limit: 101 }, ...unreadable },
    { tool: 'scan_slate', args: { min_edge_pct: 'much' }, ...unreadable },
    { tool: 'scan_slate', args: { league: 'no such league' }, ...invalid },
    { tool: 'list_movers', args: { minutes: 61 }, ...unreadable },
    { tool: 'list_movers', args: { market_type: 'corners' }, ...invalid },
    { tool: 'compare_books', args: { league: 'no such league' }, ...invalid },
    { tool: 'list_leagues', args: { date: 'someday' }, ...invalid },
    { tool: 'list_today_matches', args: { limit: 201 }, ...unreadable },
    { tool: 'list_today_matches', args: { timezone: 'Mars/Olympus' }, ...invalid },
    { tool: 'list_events', args: {}, ...unreadable },
    { tool: 'list_events', args: { date: '2026-03-01', date_to: '2026-04-02' }, ...invalid },
    { tool: 'list_events', args: { date: '2026-03-01', date_to: '2026-02-28' }, ...invalid },
    { tool: 'list_results', args: { limit: 0 }, ...unreadable },
    { tool: 'list_results', args: { date: '2026-3-1' }, ...invalid },
    { tool: 'explain_handicap', args: { line: 0.3 }, ...unreadable },
    { tool: 'compare_prob', args: { query: 'Arsenal', external_prob: 1 }, ...unreadable },
    { tool: 'compare_prob', args: { query: 'Arsenal', external_prob: 0.5, outcome: 'over' }, ...invalid },
    { tool: 'score_prob', args: { query: 'Lakers' }, ...invalid },
    { tool: 'get_sharp_line', args: { query: 'Arsenal', markt: '1x2' }, ...invalid },
    { tool: 'score_prob', args: { query: 'Arsenal', top: 11 }, ...unreadable },
  ];
}
