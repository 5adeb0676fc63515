// The note on an empty list of results names the first fixture with the requested name that has not finished.
// Finding it does not delay other requests.

import { expect, test } from 'bun:test';
import { NOTE_CHECKS_PER_STEP, ResultQueries } from '../../../src/query/lists/results.ts';
import { turnsDuring } from '../../support/turns-during.ts';
import { awayOf, homeOf } from '../many-matches.ts';
import { fixtureWire, SlateDesk } from '../slate-desk.ts';

const FIXTURES = 3 * NOTE_CHECKS_PER_STEP + 5;
const KICKOFF_MS = Date.UTC(2026, 2, 2);

/** An archive without results. */
const EMPTY = {
  results: async () => [],
  result: async () => null,
};

function deskOfMany(): SlateDesk {
  const desk = new SlateDesk();
  desk.snapshot(
    ...Array.from({ length: FIXTURES }, (_, index) =>
      fixtureWire(`e${index}`, new Date(KICKOFF_MS + 60_000 * (index % 100)).toISOString(), {
        home: { key: `h${index}`, name: homeOf(index) },
        away: { key: `a${index}`, name: awayOf(index) },
      }),
    ),
  );
  return desk;
}

async function noteOf(desk: SlateDesk, team: string): Promise<string | null> {
  const results = new ResultQueries(EMPTY, desk.slate);
  return (await results.list({ team, limit: 10 }, desk.nowMs)).note;
}

test('every fixture that has not finished is found by its name, whichever step searches it', async () => {
  const desk = deskOfMany();
  for (let index = 0; index < FIXTURES; index++) {
    expect(await noteOf(desk, homeOf(index))).toBe(
      `${homeOf(index)} vs ${awayOf(index)} has not been played yet; it has no result so far.`,
    );
  }
});

test('a name that nobody has is searched for in steps, and other requests run between them', async () => {
  const desk = deskOfMany();
  const turns = await turnsDuring(async () => expect(await noteOf(desk, 'nobody')).toBeNull());
  expect(turns).toBeGreaterThanOrEqual(Math.floor(FIXTURES / NOTE_CHECKS_PER_STEP));
});
