import { expect, test } from 'bun:test';
import { createFixtureIndex, type FixtureIndex } from '../../src/names/fixture-index.ts';
import { resolveFixture } from '../../src/names/resolve-fixture.ts';

function slateWith(homeName: string): FixtureIndex {
  const row = { leagueName: 'UEFA Champions League', sport: 0, scheduledAtMs: 0 };
  return createFixtureIndex([
    { eventNumber: 1, homeName, awayName: 'Opponent', ...row },
    { eventNumber: 2, homeName: 'Somebody', awayName: 'Nobody', ...row },
  ]);
}

test.each([
  ['hibernoan', 'Hibernian'],
  ['evertn', 'Everton'],
  ['fc zurih', 'Zurich'],
])('a slip of the key, %p, is %p, although other clubs have a like name', (query, name) => {
  expect(resolveFixture(slateWith(name), query)).toMatchObject({ status: 'matched' });
});

test.each([
  ['psg marseille', 'Marseille'],
  ['marseille psg odds', 'Marseille'],
  ['qpr watford', 'Watford'],
])('%p names two clubs, so it is not matched by one of them, %p', (query, name) => {
  expect(resolveFixture(slateWith(name), query).status).not.toBe('matched');
});

test('a question about the weekend names no team', () => {
  expect(resolveFixture(slateWith('Genoa'), 'which games are there this weekend').names).toBe('');
});
