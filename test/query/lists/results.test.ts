// The note on an empty list of results names the first fixture with the requested name that has not finished.
// Finding it does not delay other requests.

import { expect, test } from 'bun:test';
import { NOTE_CHECKS_PER_STEP, ResultQueries } from '../../../src/query/lists/results.ts';
import { fixtureWire, SlateDesk } from '../slate-desk.ts';

const FIXTURES = 3 * NOTE_CHECKS_PER_STEP + 5;
const KICKOFF_MS = Date.UTC(2026, 2, 2);

/** An archive without results. */
const EMPTY = {
  results: async () => [],
  result: async () => null,
  lookUp: async () => ({ status: 'not_found', best: null, candidates: [], dateChoices: null }) as const,
};

const nameOf = (index: number): string =>
  `Side ${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}`;

function deskOfMany(): SlateDesk {
  const desk = new SlateDesk();
  desk.snapshot(
    ...Array.from({ length: FIXTURES }, (_, index) =>
      fixtureWire(`e${index}`, new Date(KICKOFF_MS + 60_000 * (index % 100)).toISOString(), {
        home: { key: `h${index}`, name: nameOf(index) },
        away: { key: `a${index}`, name: `Guest ${index}` },
      }),
    ),
  );
  return desk;
}

/** The note, and how many turns of the event loop passed before the answer came. */
async function noteOf(desk: SlateDesk, team: string): Promise<{ note: string | null; turns: number }> {
  const results = new ResultQueries(EMPTY, desk.slate);
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const { note } = await results.list({ team, limit: 10 }, desk.nowMs);
  isDone = true;
  return { note, turns };
}

test('every fixture that has not finished is found by its name, whichever step searches it', async () => {
  const desk = deskOfMany();
  for (let index = 0; index < FIXTURES; index++) {
    const { note } = await noteOf(desk, nameOf(index));
    expect(note).toBe(`${nameOf(index)} vs Guest ${index} has not been played yet; it has no result so far.`);
  }
});

test('a name that nobody has is searched for in steps, and other requests run between them', async () => {
  const { note, turns } = await noteOf(deskOfMany(), 'nobody');
  expect(note).toBeNull();
  expect(turns).toBeGreaterThanOrEqual(Math.floor(FIXTURES / NOTE_CHECKS_PER_STEP));
});
