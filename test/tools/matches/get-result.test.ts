// Matches that are over and have left the slate, over HTTP: who won, from the stored results.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { football, quote, state, T0 } from '../made-up-slate.ts';
import { ToolService } from '../tool-service.ts';
import type { Answer, Wire } from '../wire-slate.ts';

const NOW = new Date(T0).toISOString();

/** A match that was played `daysAgo` days ago and has left the slate. */
function played(
  event: string,
  [home, away]: [string, string],
  score: [number, number],
  daysAgo: number,
): Wire[] {
  const kickoffMs = T0 - daysAgo * DAY_MS;
  const at = new Date(kickoffMs + 115 * MINUTE_MS).toISOString();
  const named = football(event, home, away, new Date(kickoffMs).toISOString());
  const result = { type: 'result', event, score, red_cards: [0, 1], finished_at: at };
  return [named, result, { type: 'remove', event }].map((wire) => ({ ...wire, at }));
}

const WIRES: Wire[] = [
  ...played('old', ['Sunderland', 'Burnley'], [3, 0], 31),
  ...played('leeds-1', ['Leeds', 'Wolves'], [1, 3], 9),
  ...played('tie', ['Real Betis', 'Cádiz'], [2, 2], 3),
  ...played('leeds-2', ['Everton', 'Leeds'], [0, 2], 2),
  ...played('arsenal', ['Arsenal', 'Fulham'], [4, 1], 1),
  football('ars-che', 'Arsenal', 'Chelsea', '2026-03-01T19:00:00Z'),
  football('liv-eve', 'Liverpool', 'Spurs', '2026-03-01T10:00:00Z'),
  ...quote('liv-eve', 'crown', '1x2', null, [2, 3, 4]),
  state('liv-eve', 'finished', [5, 4], '2h 90'),
];

let service: ToolService;
const RESULT_COUNT = 4;

beforeAll(async () => {
  service = await ToolService.play(WIRES, NOW);
  await service.untilResults(RESULT_COUNT);
});
afterAll(() => service[Symbol.asyncDispose]());

function list(args: Record<string, unknown>): Promise<Answer> {
  return service.answer('keyless', 'list_results', args);
}

function info(query: string, more: Record<string, unknown> = {}): Promise<Answer> {
  return service.answer('keyless', 'match_info', { query, ...more });
}

test('match_info names the winner of a match that has left the slate', async () => {
  const answer = await info('who won Leeds against Wolves?', { timezone: 'Asia/Tokyo' });
  expect(answer).toMatchObject({
    status: 'ok',
    summary: 'Leeds vs Wolves, football league: finished 1-3. Wolves won.',
    match: { status: 'finished', score: { home: 1, away: 3 }, clock: null, confidence: null },
    alternatives: [],
    ask_user: null,
    as_of: '2026-02-20T13:55:00.000Z',
    stale: false,
    scheduled_at_local: '2026-02-20T21:00:00+09:00',
    favorite: null,
    implied_probabilities: null,
  });
  const { event_id } = answer.match as { event_id: string };
  expect(answer.decision).toMatchObject({
    safe_to_proceed: true,
    next_action: { tool: 'get_result', args: { event_id } },
  });
  const byId = await info(event_id);
  expect(byId.summary).toBe(answer.summary);
  const result = await service.answer('keyless', 'get_result', { event_id });
  const { results } = await list({ team: 'wolves' });
  expect(result).toEqual({ status: 'found', event_id, result: (results as unknown[])[0] });
});

test('a draw is reported as a draw, whether the names have accents or not', async () => {
  expect((await info('Betis Cadiz')).summary).toBe(
    'Real Betis vs Cádiz, football league: finished 2-2. It was a draw.',
  );
});

test('if several finished matches fit, the answer is ambiguous, until the opponent or the day decides', async () => {
  const answer = await info('Leeds');
  expect(answer).toMatchObject({ status: 'ambiguous', match: null, as_of: null, stale: null });
  expect((answer.alternatives as { label: string }[]).map(({ label }) => label).sort()).toEqual([
    'Everton vs Leeds',
    'Leeds vs Wolves',
  ]);
  expect(answer.ask_user).toMatch(/^Which match do you mean: .*2026-02-2\d.*\?$/);
  expect(answer.decision).toMatchObject({
    safe_to_proceed: false,
    ask_user: answer.ask_user,
    next_action: null,
  });
  expect((await info('Leeds Everton')).summary).toContain('0-2. Leeds won.');
  expect((await info('Leeds 2026-02-20')).summary).toContain('1-3. Wolves won.');
  expect((await info('Leeds', { date: '2026-02-27' })).summary).toContain('0-2. Leeds won.');
});

test('a match on the slate takes precedence over one that has left it, which is found by its day', async () => {
  expect((await info('Arsenal')).match).toMatchObject({ away_team: 'Chelsea' });
  expect((await info('Arsenal 2026-02-28')).summary).toContain('4-1. Arsenal won.');
  expect((await info('Arsenal v Fulham')).summary).toContain('4-1. Arsenal won.');
});

test('the answer about a match that is over but still on the slate comes from the slate', async () => {
  expect((await info('Liverpool')).summary).toBe(
    'Liverpool vs Spurs, football league: finished 5-4. Liverpool won.',
  );
});

test('after 30 days a result is gone, and a match that was never played has no result', async () => {
  expect((await info('Sunderland Burnley')).status).toBe('not_found');
  expect((await list({ team: 'sunderland' })).count).toBe(0);
  const unknown = encodeId('event', 12_345);
  expect(await service.answer('keyless', 'get_result', { event_id: unknown })).toEqual({
    status: 'not_found',
    event_id: unknown,
    result: null,
  });
  const { event_id } = (await info('Arsenal Chelsea')).match as { event_id: string };
  expect((await service.answer('keyless', 'get_result', { event_id })).status).toBe('not_found');
});

test('list_results has the most recent match first and filters by kickoff day, parts of names and limit; a note explains an empty list', async () => {
  const all = await list({});
  const homes = (all.results as { home_team: string }[]).map((result) => result.home_team);
  expect(homes.slice(-4)).toEqual(['Arsenal', 'Everton', 'Real Betis', 'Leeds']);
  expect((await list({ limit: 1 })).results as unknown[]).toEqual((all.results as unknown[]).slice(0, 1));
  expect((await list({ team: 'CADIZ' })).count).toBe(1);
  expect((await list({ league: 'FOOTBALL' })).count).toBe(all.count as number);
  expect((await list({ date: '2026-02-27' })).count).toBe(1);
  expect(await list({ team: 'chelsea' })).toEqual({
    count: 0,
    results: [],
    note: 'Arsenal vs Chelsea has not been played yet; it has no result so far.',
  });
  expect((await list({ team: 'nobody' })).note).toBeNull();
});
