// Finding fixtures of the tape by a person's words: a stored index finds the same fixtures as a new one.

import { expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { FixturesOnTape } from '../../../src/history/past/find-on-tape.ts';
import type { FixtureSummary } from '../../../src/history/past/fixture-summaries.ts';
import { FixtureIndex } from '../../../src/names/fixture-index.ts';
import { NameCache } from '../../../src/names/text/parse-name.ts';
import { runs } from '../../support/runs.ts';

const TEAMS = ['Arsenal', 'Chelsea', 'Real Madrid', 'Real Sociedad', 'Inter Milan', 'Boca Juniors'];
const NOW_MS = Date.parse('2026-03-02T12:00:00Z');

test('a stored index finds the same as a new one, whatever fixtures came and went, even while other questions are answered', async () => {
  const name = fc.constantFrom(...TEAMS);
  const match = fc.tuple(fc.integer({ min: 1, max: 20 }), name, name, fc.integer({ min: 0, max: 3 }));
  const asked = fc.record({
    matches: fc.array(match, { maxLength: 10 }),
    query: fc.constantFrom('Arsenal vs Chelsea', 'Real Madrid', 'Inter v Boca', 'Chelsea yesterday'),
    date: fc.constantFrom('2026-03-01', '2026-03-02'),
    part: fc.constantFrom('all null', 'common 2026-03-01'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 6 }), async (questions) => {
      const kept = new FixturesOnTape(new NameCache(), 1);
      const answers = questions.map(async ({ matches, query, date, part }) => {
        const summaries = new Map(
          matches.map((words) => summaryOf(...words)).map((each) => [each.eventId, each]),
        );
        const ofClass = part === 'all null' ? ('paid' as const) : ('free' as const);
        const question = { part, ofClass, summaries, question: { query, date }, nowMs: NOW_MS };
        const expected = await new FixturesOnTape(new NameCache()).find(question);
        expect(await kept.find(question)).toEqual(expected);
      });
      await Promise.all(answers);
    }),
    { numRuns: runs(100) },
  );
});

test('a fixture of a named day is found among any number of later fixtures', async () => {
  const wanted = { ...summaryOf(1, 'Arsenal', 'Chelsea', 0), kickoffMs: NOW_MS - 20 * DAY_MS };
  const later = Array.from({ length: 5_500 }, (_, index) => summaryOf(index + 2, `Home ${index}`, 'Away', 0));
  const summaries = new Map([wanted, ...later].map((each) => [each.eventId, each]));
  const kept = new FixturesOnTape(new NameCache());
  const seen = { part: 'all', ofClass: 'paid' as const, summaries, nowMs: NOW_MS };
  const questions = [
    { query: 'Arsenal vs Chelsea', date: '2026-02-10' },
    { query: 'Arsenal vs Chelsea 2026-02-10' },
    { query: 'Arsenal vs Chelsea on 10 Feb' },
  ];
  for (const question of questions) {
    const { status, best } = await kept.find({ ...seen, question });
    expect([question, status, best?.event.id]).toEqual([question, 'matched', wanted.eventId]);
  }
  const other = { query: 'Arsenal vs Chelsea', date: '2026-02-20' };
  expect((await kept.find({ ...seen, question: other })).status).toBe('not_found');
});

test('questions of callers who pay nothing do not evict the index of customers', async () => {
  const summaries = new Map(
    [1, 2, 3]
      .map((number) => summaryOf(number, 'Arsenal', `Away ${number}`, 0))
      .map((each) => [each.eventId, each]),
  );
  const kept = new FixturesOnTape(new NameCache(), 16, { paid: 5, unpaid: 5 });
  const set = spyOn(FixtureIndex.prototype, 'set');
  const indexedFor = async (part: string, ofClass: 'paid' | 'free' | 'keyless') => {
    set.mockClear();
    await kept.find({ part, ofClass, summaries, question: { query: 'Arsenal' }, nowMs: NOW_MS });
    return set.mock.calls.length;
  };
  try {
    expect(await indexedFor('all', 'paid')).toBe(3);
    expect(await indexedFor('common a day', 'keyless')).toBe(3);
    expect(await indexedFor('common a week', 'free')).toBe(3);
    expect(await indexedFor('all', 'paid')).toBe(0);
    expect(await indexedFor('another part', 'paid')).toBe(3);
    expect(await indexedFor('all', 'paid')).toBe(3);
  } finally {
    set.mockRestore();
  }
});

test('while the first questions by words read the tables of names, the thread does other work', async () => {
  const path = `${import.meta.dir}/first-words.child.ts`;
  const child = Bun.spawn([process.execPath, path], { stdout: 'pipe', stderr: 'inherit' });
  const [teams, find, ...later] = JSON.parse(await child.stdout.text()) as number[];
  // Thousands of clubs are read, and then indexed, in steps of some dozens.
  expect(teams).toBeGreaterThan(30);
  expect(find).toBeGreaterThan(30);
  expect(Math.max(...later)).toBeLessThan(3);
}, 60_000);

function summaryOf(number: number, home: string, away: string, hours: number): FixtureSummary {
  return {
    ...{ eventId: encodeId('event', number), sport: 'football', league: 'League', home, away },
    ...{ kickoffMs: NOW_MS - (1 + 10 * hours) * 3_600_000, inPlay: false, wasInPlay: true },
    ...{ ticks: 1, firstAtMs: NOW_MS - 1, lastAtMs: NOW_MS, ids: undefined, mark: null },
  };
}
