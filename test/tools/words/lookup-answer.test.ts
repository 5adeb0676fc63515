// Tools never guess. If two fixtures fit, every query tool asks which is meant, and a date, an opponent or a
// sport decides. If no match is found, the answer suggests the list for today; if one is found, it suggests
// the prices of the match.

import { describe, expect, test } from 'bun:test';
import { basketball, football, quote, T0 } from '../made-up-slate.ts';
import { toolsOver } from '../scanning-slate.ts';
import { type Answer, type Wire, WireSlate } from '../wire-slate.ts';

interface QueryTool {
  readonly tool: string;
  readonly more: Record<string, unknown>;
  /** Fields without an answer while the match is unknown, and the values that they have in that case. */
  readonly empty: Record<string, unknown>;
}

const QUERY_TOOLS: readonly QueryTool[] = [
  { tool: 'find_match', more: {}, empty: {} },
  { tool: 'get_sharp_line', more: {}, empty: { comparison: null } },
  { tool: 'match_info', more: {}, empty: { favorite: null, implied_probabilities: null } },
  { tool: 'get_opening_line', more: {}, empty: { lines: [] } },
  { tool: 'find_value', more: {}, empty: { value_bets: [], fair_source: null } },
  { tool: 'find_arbitrage', more: {}, empty: { opportunities: [] } },
  { tool: 'compare_prob', more: { external_prob: 0.5 }, empty: { fair_prob: null, verdict: null } },
  { tool: 'score_prob', more: {}, empty: { scores: [], lambda_home: null } },
];

function priced(event: Wire): Wire[] {
  const key = String(event.event);
  return [
    event,
    ...quote(key, 'crown', '1x2', null, event.sport === 'football' ? [2, 3.4, 3.9] : [1.9, 1.95]),
    ...quote(key, 'pinnacle', 'totals', 2.5, [1.95, 1.97]),
    ...quote(key, 'sbobet', 'asian_handicap', -0.5, [2, 1.92]),
  ];
}

function over(...events: readonly Wire[]) {
  const slate = new WireSlate();
  slate.feed(events.flatMap(priced), T0);
  return toolsOver(slate);
}

function labelsOf(answer: Answer): string[] {
  return (answer.alternatives as { label: string }[]).map(({ label }) => label).sort();
}

function okOf(tool: string): string {
  return tool === 'find_match' ? 'matched' : 'ok';
}

const NO_MATCH = { match: null, as_of: null, stale: null };

for (const { tool, more, empty } of QUERY_TOOLS) {
  describe(tool, () => {
    const opponents = over(
      football('ars-che', 'Arsenal', 'Chelsea'),
      football('ars-ful', 'Fulham', 'Arsenal', '2026-03-08T15:00:00Z'),
      football('liv-eve', 'Liverpool', 'Everton'),
    );
    const ask = (query: string, rest: Record<string, unknown> = {}, asked = opponents) =>
      asked(tool, { query, ...more, ...rest }, T0);

    test('two Arsenal fixtures are ambiguous: both are listed as alternatives, and the answer asks which is meant', async () => {
      const answer = await ask('Arsenal');
      expect(answer.status).toBe('ambiguous');
      expect(labelsOf(answer)).toEqual(['Arsenal vs Chelsea', 'Fulham vs Arsenal']);
      const question = expect.stringMatching(/^Which match do you mean.*Chelsea.*Fulham.*\?$/);
      expect(answer.decision).toMatchObject({
        safe_to_proceed: false,
        ask_user: question,
        next_action: null,
      });
      expect(answer).toMatchObject(empty);
      if (tool === 'find_match') return;
      expect(answer).toMatchObject({ ...NO_MATCH, ask_user: question });
      expect(answer.summary).toMatch(/^2 fixtures fit "Arsenal"/);
    });

    test('an opponent, a date in or beside the query, or an id decides', async () => {
      const first = await ask('Arsenal Chelsea');
      const id = (first.match as { event_id: string }).event_id;
      const cases: [string, Record<string, unknown>, string][] = [
        ['Arsenal v Chelsea', {}, 'Chelsea'],
        ['Chelsea vs Arsenal', {}, 'Chelsea'],
        ['fulham against the arsenal', {}, 'Arsenal'],
        ['Arsenal', { date: '2026-03-08' }, 'Arsenal'],
        ['Arsenal', { date: '2026-03-01' }, 'Chelsea'],
        ['Arsenal 2026-03-08', {}, 'Arsenal'],
        ['2026-03-01 Arsenal', {}, 'Chelsea'],
        [id, {}, 'Chelsea'],
      ];
      for (const [query, rest, away] of cases) {
        const answer = await ask(query, rest);
        expect([query, answer.status]).toEqual([query, okOf(tool)]);
        const { away_team, event_id } = answer.match as { away_team: string; event_id: string };
        expect(away_team).toBe(away);
        expect(answer.decision).toMatchObject({
          safe_to_proceed: true,
          ask_user: null,
          next_action: { tool: 'get_match_odds', args: { event_id } },
        });
      }
    });

    test('if the same two teams meet twice, only a date decides', async () => {
      const twice = over(
        football('first', 'Arsenal', 'Chelsea'),
        football('second', 'Arsenal', 'Chelsea', '2026-03-04T19:45:00Z'),
      );
      for (const query of ['Arsenal', 'Arsenal vs Chelsea', 'Chelsea']) {
        const answer = await ask(query, {}, twice);
        expect([query, answer.status]).toEqual([query, 'ambiguous']);
        expect(labelsOf(answer)).toEqual(['Arsenal vs Chelsea', 'Arsenal vs Chelsea']);
        expect((answer.decision as { ask_user: string }).ask_user).toMatch(/2026-03-01.*2026-03-04/);
      }
      const dated = await ask('Arsenal vs Chelsea 2026-03-04', {}, twice);
      expect((dated.match as { scheduled_at: string }).scheduled_at).toBe('2026-03-04T19:45:00.000Z');
    });

    test('an unknown team, or one that does not play on the date, is not found: the answer suggests the list for today', async () => {
      for (const [query, rest] of [
        ['Zzyzx Rovers', {}],
        ['Arsenal', { date: '2026-05-01' }],
        ['Arsenal 2026-05-01', {}],
        ['Arsenal 2026-03-01', { date: '2026-03-08' }],
      ] as const) {
        const answer = await ask(query, rest);
        expect([query, answer.status]).toEqual([query, 'not_found']);
        expect(answer.decision).toMatchObject({
          safe_to_proceed: false,
          next_action: { tool: 'list_today_matches' },
        });
        expect(answer).toMatchObject(empty);
        if (tool !== 'find_match') expect(answer).toMatchObject(NO_MATCH);
      }
    });

    test("women's and youth sides are other teams", async () => {
      const sides = over(
        football('men', 'Arsenal', 'Chelsea'),
        football('women', 'Arsenal Women', 'Chelsea Women'),
        football('youth', 'Arsenal U21', 'Chelsea U21'),
      );
      for (const [query, home] of [
        ['Arsenal', 'Arsenal'],
        ['Arsenal vs Chelsea', 'Arsenal'],
        ['Arsenal W', 'Arsenal Women'],
        ['Arsenal Ladies v Chelsea Ladies', 'Arsenal Women'],
        ['arsenal u21', 'Arsenal U21'],
      ]) {
        const answer = await ask(query!, {}, sides);
        expect([query, answer.status]).toEqual([query, okOf(tool)]);
        expect((answer.match as { home_team: string }).home_team).toBe(home!);
      }
    });

    if (tool !== 'score_prob') {
      test('if a football team and a basketball team have the same name, the sport decides', async () => {
        const sports = over(
          football('f', 'Real Madrid', 'Getafe'),
          basketball('b', 'Real Madrid', 'Baskonia'),
        );
        expect((await ask('Real Madrid', {}, sports)).status).toBe('ambiguous');
        const answer = await ask('Real Madrid', { sport: 'basketball' }, sports);
        expect((answer.match as { away_team: string }).away_team).toBe('Baskonia');
      });
    }
  });
}

describe('a name in a script of which few names are known', () => {
  // Thai, and Arabic letters that name no club of the table.
  const queries = ['อาร์เซนอล', 'نادي الغيوم'];
  const advice = 'Few names are known in this script: write them in Latin letters';
  const slate = new WireSlate();
  slate.feed(priced(football('ars-che', 'Arsenal', 'Chelsea')), T0);
  const ask = toolsOver(slate);

  test.each(QUERY_TOOLS)(
    'a name in another script makes $tool ask for Latin letters',
    async ({ tool, more }) => {
      for (const query of queries) {
        const { decision } = await ask(tool, { query, ...more });
        expect((decision as { ask_user: string }).ask_user).toContain(advice);
      }
    },
  );

  test.each(['get_match_odds', 'compare_lines'])(
    'a name in another script makes %s refuse and ask for Latin letters',
    async (tool) => {
      for (const query of queries)
        await expect(ask(tool, { query })).rejects.toMatchObject({ fix: expect.stringContaining(advice) });
      await expect(ask(tool, { query: 'Zzyzx' })).rejects.toMatchObject({
        fix: expect.not.stringContaining(advice),
      });
    },
  );
});

test('the answer about a long series counts only the fixtures that its list of alternatives has', async () => {
  const games = Array.from({ length: 9 }, (_, day) =>
    basketball(`game-${day}`, 'Lakers', 'Celtics', `2026-03-${String(day + 2).padStart(2, '0')}T01:00:00Z`),
  );
  const ask = over(...games);
  const answer = await ask('get_sharp_line', { query: 'Lakers vs Celtics' });
  expect(answer.summary).toMatch(/^At least 6 fixtures fit/);
  expect(answer.alternatives).toHaveLength(6);
  const dated = await ask('get_sharp_line', { query: 'Lakers vs Celtics 2026-03-09' });
  expect(dated.status).toBe('ok');
});

test('a not_found answer repeats the requested sport', async () => {
  const ask = over(football('f', 'Arsenal', 'Chelsea'));
  const answer = await ask('find_match', { query: 'Arsenal', sport: 'basketball' });
  expect(answer.decision).toMatchObject({ next_action: { args: { sport: 'basketball' } } });
});

test('for words about a league and a day, the answer suggests the tool that lists such fixtures, even if the league is uncertain', async () => {
  const ask = over(
    { ...football('a', 'Cadiz', 'Huesca'), league: { key: 'es2', name: 'Spain LaLiga 2' } },
    { ...football('b', 'Arsenal', 'Chelsea'), league: { key: 'pl', name: 'England Premier League' } },
  );
  const next = async (query: string): Promise<unknown> => {
    const { status, decision } = await ask('find_match', { query });
    expect(status).toBe('not_found');
    return (decision as { next_action: unknown }).next_action;
  };
  expect(await next('who plays in the premier league on 2026-03-02')).toMatchObject({
    tool: 'list_events',
    args: { date: '2026-03-02', league: 'England Premier League' },
  });
  for (const query of ['who plays in la liga on 2026-03-02', 'matches on 2026-03-02 in la liga'])
    expect(await next(query)).not.toMatchObject({ tool: 'list_today_matches' });
});
