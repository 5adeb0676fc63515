// Answers of tools when prices are odd or missing: the tightest bookmaker's own prices sum below 1, a match
// has no prices at all, and there are more fixtures than a scan scores.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventMessage, HELLO_AT, type Message } from '../support/recording-file.ts';
import { ToolService } from './tool-service.ts';

type Json = Record<string, unknown>;

const FIXTURES = 120;
const AT = '2026-03-10T11:59:50.000Z';
const TIGHT = [2.1, 3.6, 3.9]; // inverse sum 1.01
const BELOW_ONE = [2.3, 3.8, 4.1]; // inverse sum 0.94
const LOOSE = [2.0, 3.4, 3.7]; // inverse sum 1.06

let service: ToolService;
beforeAll(async () => {
  service = await ToolService.play(slate(), HELLO_AT);
});
afterAll(() => service[Symbol.asyncDispose]());

/**
 * Every fixture has a name of its own. The first has odd prices, the second has no prices, the third has only
 * prices of one odd bookmaker.
 */
function slate(): Message[] {
  const quotes = (key: string, bookmaker: string, result: readonly number[], two: readonly number[]) => {
    const shared = { type: 'quote', at: AT, event: key, bookmaker, period: 'full_time', status: 'open' };
    return [
      { ...shared, market_type: '1x2', prices: result },
      { ...shared, market_type: 'totals', line: 2.5, prices: two },
      { ...shared, market_type: 'asian_handicap', line: -0.5, prices: two },
    ];
  };
  const events = Array.from({ length: FIXTURES }, (_, index) =>
    eventMessage(
      {
        key: `f${index}`,
        home: `${nameOf(index)} Rovers`,
        away: `${nameOf(index)} Wanderers`,
        league: 'League',
        scheduledAt: `2026-03-11T${String(index % 24).padStart(2, '0')}:00:00.000Z`,
      },
      AT,
    ),
  );
  return [
    ...events,
    ...quotes('f0', 'crown', BELOW_ONE, [2.1, 2.1]),
    ...quotes('f0', 'sbobet', TIGHT, [1.97, 1.97]),
    ...quotes('f0', 'macau', LOOSE, [1.85, 1.85]),
    ...quotes('f2', 'pinnacle', BELOW_ONE, [2.1, 2.1]),
    ...quotes('f2', 'crown', LOOSE, [1.9, 1.9]),
    ...Array.from({ length: FIXTURES - 3 }, (_, index) =>
      quotes(`f${index + 3}`, 'crown', LOOSE, [1.9, 1.9]),
    ).flat(),
  ];
}

/** "Ababa", "Acaca": names unlike any other. */
function nameOf(index: number): string {
  const letters = 'bcdfghklmnprst';
  const first = letters[Math.floor(index / letters.length)]!;
  const second = letters[index % letters.length]!;
  return `${first.toUpperCase()}a${second}o${second}${first}u`;
}

function ask(name: string, args: Json): Promise<Json> {
  return service.answer('enterprise', name, args);
}

async function eventIdOf(index: number): Promise<string> {
  const events = await service.events();
  return events.find((event) => event.home_team.name === `${nameOf(index)} Rovers`)!.id;
}

const LEFT_OUT = 'Crown is left out of the fair odds: the inverse of its own prices sums below 1.';

test('a book whose own prices sum below 1 is left out of fair odds with a note, and the next tightest is taken', async () => {
  const query = await eventIdOf(0);
  const lines = await ask('compare_lines', { event_id: query });
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

test('find_value: no line is judged at which the sharp book sums below 1, and the note counts these lines', async () => {
  const value = await ask('find_value', { query: await eventIdOf(2) });
  expect(value).toMatchObject({ status: 'ok', value_bets: [], fair_source: null });
  expect(value.note).toContain("3 lines were left out: the inverse of Pinnacle's own prices sums below 1");
});

test('score_prob without usable prices is no_line, without scores, and says why', async () => {
  const answer = await ask('score_prob', { query: await eventIdOf(1) });
  expect(answer).toMatchObject({ status: 'no_line', scores: [], top_cum: null, fair_from: null });
  expect(answer.match).not.toBeNull();
  expect(answer.summary).toContain('no book has a usable open full-time totals price');
});

test('scan_slate: truncated is about the limit alone, not_scored about the hundred, and entries have a favourite', async () => {
  const all = await ask('scan_slate', { limit: 100 });
  expect(all).toMatchObject({ count: FIXTURES, returned: 100, truncated: false, not_scored: 20 });
  const cut = await ask('scan_slate', { limit: 5 });
  expect(cut).toMatchObject({ count: FIXTURES, returned: 5, truncated: true, not_scored: 20 });
  const signals = await ask('scan_slate', { only_signal: true, limit: 100 });
  expect(signals).toMatchObject({ truncated: false, not_scored: 20, returned: signals.with_signal });
  const entries = all.entries as { home_team: string; favorite: Json | null }[];
  const favoriteOf = (index: number) =>
    entries.find((entry) => entry.home_team === `${nameOf(index)} Rovers`)?.favorite;
  expect(favoriteOf(0)).toMatchObject({ outcome: 'home', team: `${nameOf(0)} Rovers`, source: 'sbobet' });
  expect(favoriteOf(1)).toBeNull();
});

test('list_bookmakers says of each book whether the tier of the caller covers it', async () => {
  const paid = (await ask('list_bookmakers', {})).bookmakers as { key: string; covered: boolean }[];
  expect(paid.every((book) => book.covered)).toBe(true);
  const answered = await service.answer('keyless', 'list_bookmakers', {});
  const free = answered.bookmakers as { key: string; covered: boolean }[];
  expect(free.filter((book) => !book.covered).map((book) => book.key)).toEqual(['pinnacle']);
});
