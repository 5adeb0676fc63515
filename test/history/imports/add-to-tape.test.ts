// Answers of The Odds API may be imported in pieces, in any order, twice, or first in part: the files are
// those of one run over all of them, also if a club was renamed meanwhile.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../../src/clock.ts';
import { type FolderEntry, type HistoryFolder, PRICES_PREFIX } from '../../../src/history/files/folder.ts';
import { addToTape } from '../../../src/history/imports/add-to-tape.ts';
import { OddsApiImport, oddsAnswerOf } from '../../../src/history/imports/the-odds-api.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { tapeIn } from '../tape-folder.ts';

const START_MS = Date.UTC(2026, 5, 19, 3);
const BOOKMAKERS = new Map([
  ['one', 'crown'],
  ['two', 'sbobet'],
]);

/** What an answer lists of a fixture: the price of each bookmaker, null for none. */
interface Listed {
  readonly fixture: number;
  readonly delay: number;
  /** Whether the home side has its newer name. */
  readonly isRenamed: boolean;
  readonly one: number | null;
  readonly two: number | null;
}
interface DrawnAnswer {
  readonly hours: number;
  readonly listed: readonly Listed[];
}

const drawnAnswers = fc.array(
  fc.record({
    hours: fc.integer({ min: 1, max: 9 }),
    listed: fc.uniqueArray(
      fc.record({
        fixture: fc.nat(2),
        delay: fc.constantFrom(0, 0, 0, 1),
        isRenamed: fc.boolean(),
        one: fc.constantFrom(null, 1.9, 2, 2.1),
        two: fc.constantFrom(null, 1.9, 2),
      }),
      { selector: ({ fixture }) => fixture, maxLength: 3 },
    ),
  }),
  { minLength: 4, maxLength: 16 },
);

/**
 * Answers as the source sends them. One fixture is in each of them, because an empty answer does not name its
 * sport.
 */
function answersOf(drawn: readonly DrawnAnswer[]): unknown[] {
  let atMs = START_MS;
  return drawn.map(({ hours, listed }, index) => {
    atMs += hours * HOUR_MS;
    const always = { fixture: 9, delay: 0, isRenamed: false, one: 1.5 + (index % 3) / 10, two: null };
    const timestamp = new Date(atMs).toISOString();
    return { timestamp, data: [always, ...listed].map((each) => eventOf(each, timestamp)) };
  });
}

function eventOf({ fixture, delay, isRenamed, one, two }: Listed, timestamp: string) {
  const [home, away] = [isRenamed ? `New home ${fixture}` : `Home ${fixture}`, `Away ${fixture}`];
  const bookmaker = (key: string, price: number | null) => {
    if (price === null) return [];
    const outcomes = [
      { name: home, price },
      { name: away, price: 1.8 },
    ];
    return [
      {
        key,
        title: key,
        last_update: timestamp,
        markets: [{ key: 'h2h', last_update: timestamp, outcomes }],
      },
    ];
  };
  return {
    ...{ id: `fixture${fixture}`, sport_key: 'basketball_wnba', sport_title: 'WNBA' },
    ...{ home_team: home, away_team: away },
    commence_time: new Date(START_MS + (24 * fixture + delay) * HOUR_MS).toISOString(),
    bookmakers: [...bookmaker('one', one), ...bookmaker('two', two)],
  };
}

function msAt(hours: number): number {
  return START_MS + hours * HOUR_MS;
}

function timeAt(hours: number): string {
  return new Date(msAt(hours)).toISOString();
}

async function runOf(folder: HistoryFolder, answers: readonly unknown[]): Promise<number> {
  const reading = new OddsApiImport(BOOKMAKERS);
  for (const each of answers) {
    const answer = oddsAnswerOf(each)!;
    reading.add(answer.timestampMs, [answer]);
  }
  return (await addToTape(folder, reading.finish())).added;
}

/**
 * The files after these runs; a file's name follows from its bytes. Also checks that a repetition adds
 * nothing.
 */
async function filesAfter(runs: readonly (readonly unknown[])[]): Promise<readonly FolderEntry[]> {
  const folder = new MemoryFolder();
  for (const run of runs) await runOf(folder, run);
  const files = await folder.list(PRICES_PREFIX);
  for (const run of runs) expect(await runOf(folder, run)).toBe(0);
  expect(await folder.list(PRICES_PREFIX)).toEqual(files);
  return files;
}

test('pieces of a series, imported in any order, give the files of one run', async () => {
  await fc.assert(
    fc.asyncProperty(
      drawnAnswers,
      fc.array(fc.nat(15), { maxLength: 3 }),
      fc.nat(),
      async (drawn, cuts, turn) => {
        const answers = answersOf(drawn);
        const bounds = [
          0,
          ...cuts.filter((cut) => cut < answers.length).sort((a, b) => a - b),
          answers.length,
        ];
        const pieces = bounds.slice(1).map((end, index) => answers.slice(bounds[index], end));
        const filled = pieces.filter((piece) => piece.length > 0);
        const order = filled.map((_, index) => filled[(index + turn) % filled.length]!);
        const ordered = turn % 2 === 0 ? order : order.toReversed();
        expect(await filesAfter(ordered)).toEqual(await filesAfter([answers]));
      },
    ),
    { numRuns: 30, endOnFailure: true },
  );
});

test('a kickoff that an answer moved without changing a price stays, whatever is imported after it', async () => {
  const answers = answersOf(
    [0, 0, 1].map((delay) => ({
      hours: 1,
      listed: [{ fixture: 0, delay, isRenamed: false, one: 1.9, two: null }],
    })),
  );
  const [first, second, third] = answers.map((answer) => [answer]);
  expect(await filesAfter([first!, third!, second!])).toEqual(await filesAfter([answers]));
});

test('lines of a league stay on the slate over a day that has answers only about another league', async () => {
  const answerAt = (hours: number, league: string): unknown => {
    const timestamp = timeAt(hours);
    const listed = { fixture: 0, delay: 0, isRenamed: false, one: 1.9, two: null };
    const event = { ...eventOf(listed, timestamp), id: league, sport_key: league };
    return { timestamp, data: [event] };
  };
  const [wnba, euroleague] = ['basketball_wnba', 'basketball_euroleague'];
  const first = [answerAt(1, wnba), answerAt(2, euroleague), answerAt(30, euroleague)];
  const second = [answerAt(49, euroleague), answerAt(50, wnba)];
  expect(await filesAfter([first, second])).toEqual(await filesAfter([[...first, ...second]]));
});

test('a day on which every answer lists nothing is known: its file has the answers and no rows', async () => {
  const empty = (hours: number): unknown => ({ timestamp: timeAt(hours), data: [] });
  const answers = [...answersOf([{ hours: 1, listed: [] }]), ...[2, 3, 4, 5, 30, 34, 58, 62].map(empty)];
  const folder = new MemoryFolder();
  await runOf(folder, answers);
  const tape = tapeIn(folder);
  const known = await Promise.all([4, 30, 40, 60, 63].map((hours) => tape.isKnownAt(msAt(hours), 'common')));
  expect(known).toEqual([true, true, true, true, false]);
  expect((await tape.days('all')).map(({ day }) => day)).toEqual(['2026-06-19']);
});

test('importing some of the answers first and then all of them gives the files of one run', async () => {
  await fc.assert(
    fc.asyncProperty(drawnAnswers, fc.infiniteStream(fc.boolean()), async (drawn, coins) => {
      const answers = answersOf(drawn);
      const part = answers.filter(() => coins.next().value);
      expect(await filesAfter(part.length === 0 ? [answers] : [part, answers])).toEqual(
        await filesAfter([answers]),
      );
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
