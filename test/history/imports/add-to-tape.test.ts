// Answers of The Odds API may be imported in pieces, in any order, twice, or first in part. The files are
// those of one run over all answers, even if a club was renamed meanwhile.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import {
  dayPrefix,
  type FolderEntry,
  type HistoryFolder,
  PRICES_PREFIX,
} from '../../../src/history/files/folder.ts';
import { encodeTickFile, openTickFile } from '../../../src/history/files/parquet-file.ts';
import { addToTape } from '../../../src/history/imports/add-to-tape.ts';
import { rowsOf } from '../../../src/history/imports/imported-days.ts';
import { type ImportedFixture, ImportRecorder } from '../../../src/history/imports/tape-recorder.ts';
import { OddsApiImport, oddsAnswerOf } from '../../../src/history/imports/the-odds-api.ts';
import { compareTickLines, dayOf, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { runs } from '../../support/runs.ts';
import { tapeIn } from '../tape-folder.ts';

const START_MS = Date.UTC(2026, 5, 19, 3);
const BOOKMAKERS = new Map([
  ['one', 'crown'],
  ['two', 'sbobet'],
]);

/**
 * The part of an answer about one fixture: the price of each bookmaker, null if the bookmaker has no price.
 */
interface Listed {
  readonly fixture: number;
  readonly delay: number;
  /** Whether the home side has its later name. */
  readonly isRenamed: boolean;
  /** Whether home and away are swapped. */
  readonly isTurned: boolean;
  readonly one: number | null;
  readonly two: number | null;
  /** How old the prices are. */
  readonly ageMinutes: number;
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
        isTurned: fc.boolean(),
        one: fc.constantFrom(null, 1.9, 2, 2.1),
        two: fc.constantFrom(null, 1.9, 2),
        ageMinutes: fc.nat(14),
      }),
      { selector: ({ fixture }) => fixture, maxLength: 3 },
    ),
  }),
  { minLength: 4, maxLength: 16 },
);

/**
 * Answers as the source sends them. Each lists a fixture, because an empty answer does not name its sport.
 */
function answersOf(drawn: readonly DrawnAnswer[]) {
  let atMs = START_MS;
  const answers = drawn.map(({ hours, listed }, index) => {
    atMs += hours * HOUR_MS;
    const always = {
      fixture: 9,
      delay: 0,
      isRenamed: false,
      isTurned: false,
      one: 1.5 + (index % 3) / 10,
      two: null,
      ageMinutes: index,
    };
    const timestamp = new Date(atMs).toISOString();
    return { timestamp, data: [always, ...listed].map((each) => eventOf(each, timestamp)) };
  });
  return answers.map((answer, index) => ({
    ...answer,
    previous_timestamp: answers[index - 1]?.timestamp ?? null,
    next_timestamp: answers[index + 1]?.timestamp ?? null,
  }));
}

function eventOf(listed: Listed, timestamp: string) {
  const { fixture, delay, isRenamed, isTurned, one, two, ageMinutes } = listed;
  const updated = new Date(Date.parse(timestamp) - ageMinutes * MINUTE_MS).toISOString();
  const [home, away] = [isRenamed ? `New home ${fixture}` : `Home ${fixture}`, `Away ${fixture}`];
  const bookmaker = (key: string, price: number | null) => {
    if (price === null) return [];
    const outcomes = [
      { name: home, price },
      { name: away, price: 1.8 },
    ];
    const spreads = outcomes.map((outcome, side) => ({ ...outcome, point: side === 0 ? -2.5 : 2.5 }));
    return [
      {
        key,
        title: key,
        last_update: updated,
        markets: [
          { key: 'h2h', last_update: updated, outcomes },
          { key: 'spreads', last_update: updated, outcomes: spreads },
        ],
      },
    ];
  };
  return {
    ...{ id: `fixture${fixture}`, sport_key: 'basketball_wnba', sport_title: 'WNBA' },
    ...(isTurned ? { home_team: away, away_team: home } : { home_team: home, away_team: away }),
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

async function rowsIn(folder: HistoryFolder): Promise<Tick[]> {
  const files = (await folder.list(PRICES_PREFIX)).map(async ({ path }) =>
    openTickFile(await folder.open(path)),
  );
  const rows = (await Promise.all(files)).map(rowsOf);
  return (await Promise.all(rows)).flat().sort(compareTickLines);
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
 * The files after these runs; the name of a file has a hash of its bytes. Also checks that a repeated run
 * adds nothing.
 */
async function filesAfter(runs: readonly (readonly unknown[])[]): Promise<readonly FolderEntry[]> {
  const folder = new MemoryFolder();
  for (const run of runs) await runOf(folder, run);
  const files = await filesIn(folder);
  for (const run of runs) expect(await runOf(folder, run)).toBe(0);
  expect(await filesIn(folder)).toEqual(files);
  return files;
}

/** The files, without the numbers in their names, which say how often each was replaced. */
async function filesIn(folder: HistoryFolder): Promise<readonly FolderEntry[]> {
  const files = await folder.list(PRICES_PREFIX);
  return files.map(({ path, bytes }) => ({ path: path.replace(/import-\d+-/, 'import-'), bytes }));
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
    { numRuns: runs(30), endOnFailure: true },
  );
});

test.each(['the import is killed', 'the folder refuses'])(
  'a file of an import that was replaced and could not be removed does not count: %s',
  async (why) => {
    const always = {
      fixture: 9,
      delay: 0,
      isRenamed: false,
      isTurned: false,
      one: 1.9,
      two: 2,
      ageMinutes: 0,
    };
    const drawn = [1.9, 2, 2.1, 2.2].map((one) => ({ hours: 1, listed: [{ ...always, fixture: 1, one }] }));
    const answers = answersOf(drawn);
    const folder = new MemoryFolder();
    await runOf(folder, answers.slice(0, 2));
    const [former] = await folder.list(PRICES_PREFIX);
    const refusing = Object.assign(new MemoryFolder(), {
      list: (prefix: string) => folder.list(prefix),
      read: (path: string) => folder.read(path),
      open: (path: string) => folder.open(path),
      write: (path: string, bytes: Uint8Array) => folder.write(path, bytes),
      remove: async () => {
        if (why === 'the import is killed') throw new Error('killed');
        throw Object.assign(new Error('not allowed'), { code: 'AccessDenied' });
      },
    });
    const importedFrom = async (into: HistoryFolder) => {
      const reading = new OddsApiImport(BOOKMAKERS);
      for (const each of answers) reading.add(oddsAnswerOf(each)!.timestampMs, [oddsAnswerOf(each)!]);
      return await addToTape(into, reading.finish());
    };
    if (why === 'the import is killed') await expect(importedFrom(refusing)).rejects.toThrow('killed');
    else
      for (let time = 0; time < 2; time++) {
        expect((await importedFrom(refusing)).left).toEqual([former!.path]);
      }
    expect(await folder.list(PRICES_PREFIX)).toHaveLength(2);
    const whole = new MemoryFolder();
    await runOf(whole, answers);
    const readBy = async (tape: ReturnType<typeof tapeIn>) => ({
      days: await tape.days('all'),
      fixtures: await tape.fixtures('all', null),
      ticks: (await Array.fromAsync(tape.everyTick({ fromMs: 0, toMs: msAt(100) }, 'all'))).flat(),
    });
    const expected = await readBy(tapeIn(whole));
    expect(await readBy(tapeIn(folder))).toEqual(expected);
    expect((await importedFrom(folder)).added).toBe(0);
    expect(await folder.list(PRICES_PREFIX)).toHaveLength(1);
    expect(await readBy(tapeIn(folder))).toEqual(expected);
  },
);

test('a new kickoff from an answer that changes no price is kept, whatever is imported after it', async () => {
  const answers = answersOf(
    [0, 0, 1].map((delay) => ({
      hours: 1,
      listed: [{ fixture: 0, delay, isRenamed: false, isTurned: false, one: 1.9, two: null, ageMinutes: 0 }],
    })),
  );
  const [first, second, third] = answers.map((answer) => [answer]);
  expect(await filesAfter([first!, third!, second!])).toEqual(await filesAfter([answers]));
});

test('a price that disappears and returns in the first answer of an import has its source time, in whatever order the imports run', async () => {
  for (const hours of [1, 20]) {
    const answers = answersOf(
      [1.9, 1.9, 2, 1.9, 1.9].map((one, index) => ({
        hours,
        listed: [
          { fixture: 0, delay: 0, isRenamed: false, isTurned: false, one, two: 2, ageMinutes: 3 + index },
        ],
      })),
    );
    const pieces = [answers.slice(0, 2), answers.slice(2, 3), answers.slice(3)];
    const whole = await filesAfter([answers]);
    for (const order of [
      [0, 2, 1],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      expect(await filesAfter(order.map((index) => pieces[index]!))).toEqual(whole);
    }
  }
});

test('rows of a match that is later listed with its sides swapped have the sides that were stated last', async () => {
  const answers = answersOf(
    [false, true, true, false, true].map((isTurned, index) => ({
      hours: 9,
      listed: [
        {
          fixture: 0,
          delay: 0,
          isRenamed: index > 2,
          isTurned,
          one: index < 2 ? 1.9 : 2,
          two: null,
          ageMinutes: 0,
        },
      ],
    })),
  );
  const folder = new MemoryFolder();
  for (const answer of answers) await runOf(folder, [answer]);
  const rows = (await rowsIn(folder)).filter(({ home, away }) => `${home} ${away}`.includes(' 0'));
  expect(new Set(rows.map(({ home, away }) => `${home} - ${away}`))).toEqual(
    new Set(['Away 0 - New home 0']),
  );
  const changes = rows.filter(({ standing }) => !standing);
  expect(
    changes.map(({ marketType, line, pricesE4: { home, away } }) => [marketType, line, home, away]),
  ).toEqual([
    ['1x2', null, 18_000, 19_000],
    ['1x2', null, 18_000, 20_000],
    ['asian_handicap', 2.5, 18_000, 19_000],
    ['asian_handicap', 2.5, 18_000, 20_000],
  ]);
});

test('lines of a league stay on the slate over a day that only has answers about another league', async () => {
  const answerAt = (hours: number, league: string): unknown => {
    const timestamp = timeAt(hours);
    const listed = {
      fixture: 0,
      delay: 0,
      isRenamed: false,
      isTurned: false,
      one: 1.9,
      two: null,
      ageMinutes: 0,
    };
    const event = { ...eventOf(listed, timestamp), id: league, sport_key: league };
    return { timestamp, data: [event] };
  };
  const [wnba, euroleague] = ['basketball_wnba', 'basketball_euroleague'];
  const first = [answerAt(1, wnba), answerAt(2, euroleague), answerAt(30, euroleague)];
  const second = [answerAt(49, euroleague), answerAt(50, wnba)];
  expect(await filesAfter([first, second])).toEqual(await filesAfter([[...first, ...second]]));
});

test('an answer that is imported later counts among the four that miss a fixture, also after a day without answers', async () => {
  const wnba = 'basketball_wnba';
  const answerAt = (hours: number, fixtures: readonly number[]): unknown => {
    const timestamp = timeAt(hours);
    const common = { delay: 0, isRenamed: false, isTurned: false, two: null, ageMinutes: 0 };
    const data = fixtures.map((fixture) => {
      const one = fixture === 0 ? 1.9 : null;
      return { ...eventOf({ ...common, fixture, one }, timestamp), sport_key: wnba };
    });
    return { timestamp, data };
  };
  // Fixture 1 has no lines. So if an answer of day 1 misses it, the file of day 2, a day without answers, is
  // the same. The import must still continue to day 3, on which the missed answers add up to four.
  const listing = answerAt(1, [1]);
  const later = [60, 61, 62, 63].map((hours) => answerAt(hours, [0]));
  const [first, second] = [
    [listing, ...later],
    [listing, answerAt(2, [])],
  ];
  const folder = new MemoryFolder();
  for (const answers of [first, second]) await runOf(folder, answers);
  const tape = tapeIn(folder);
  const listedAt = async (hours: number) => [...(await tape.slateAt(msAt(hours), 'all')).fixtures()].length;
  expect([await listedAt(50), await listedAt(61.5), await listedAt(62.5)]).toEqual([1, 2, 1]);
  expect(await filesAfter([first, second])).toEqual(await filesAfter([[...second, ...later]]));
});

test('a day on which all answers are empty counts as known: its file has the answers and no rows', async () => {
  const empty = (hours: number): unknown => ({ timestamp: timeAt(hours), data: [] });
  const answers = [...answersOf([{ hours: 1, listed: [] }]), ...[2, 3, 4, 5, 30, 34, 58, 62].map(empty)];
  const folder = new MemoryFolder();
  await runOf(folder, answers);
  const tape = tapeIn(folder);
  const known = await Promise.all(
    [4, 30, 40, 60, 63].map((hours) => tape.time.isKnownAt(msAt(hours), 'common')),
  );
  expect(known).toEqual([true, true, true, true, false]);
  expect((await tape.days('all')).map(({ day }) => day)).toEqual(['2026-06-19']);
});

test('answers about one fixture, mixed with answers about its league and imported in any order, give the rows of one run', async () => {
  let only = 0;
  await fc.assert(
    fc.asyncProperty(
      drawnAnswers,
      fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
      fc.array(fc.nat(15), { maxLength: 3 }),
      fc.nat(2),
      async (drawn, isOnly, cuts, turn) => {
        const answers = answersOf(drawn).map((answer, index) => {
          if (isOnly[index] !== true) return answer;
          only++;
          return { ...answer, data: answer.data.at(-1) };
        });
        const bounds = [0, ...cuts.map((cut) => cut % answers.length).sort((a, b) => a - b), answers.length];
        const pieces = bounds.slice(1).map((end, index) => answers.slice(bounds[index], end));
        const filled = pieces.filter((piece) => piece.length > 0);
        const folders = [new MemoryFolder(), new MemoryFolder()] as const;
        await runOf(folders[0], answers);
        const order = filled.map((_, index) => filled[(index + turn) % filled.length]!).toReversed();
        for (const piece of order) await runOf(folders[1], piece);
        // An answer about a league does not name answers about a fixture, and the reverse. So a source time
        // may be lost.
        const [whole, inPieces] = await Promise.all(folders.map(rowsIn));
        const timeless = (rows: readonly Tick[]) => rows.map((row) => ({ ...row, atMs: 0 }));
        expect(timeless(inPieces!)).toEqual(timeless(whole!));
        for (const piece of order) expect(await runOf(folders[1], piece)).toBe(0);
      },
    ),
    { numRuns: runs(20), endOnFailure: true },
  );
  expect(only).toBeGreaterThan(20);
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
    { numRuns: runs(20), endOnFailure: true },
  );
});

/** A market of a match in a stream. Minutes count from the kickoff; at `minutes` it had a new price. */
interface StreamedMarket {
  readonly marketType: '1x2' | 'totals';
  readonly liveMinute: number;
  readonly minutes: readonly number[];
}

const STREAM_KICKOFF_MS = Date.UTC(2026, 5, 19, 23, 58);
const STREAMED: ImportedFixture = {
  key: 'streamed',
  ...{ sport: 0, sportKey: 'football' },
  ...{ league: { key: 'l', name: 'L' }, home: { key: 'h', name: 'H' }, away: { key: 'a', name: 'A' } },
  kickoffMs: STREAM_KICKOFF_MS,
};

/** Imports markets of one match, one after another, in one run. */
async function streamInto(folder: HistoryFolder, markets: readonly StreamedMarket[]): Promise<number> {
  const recorder = new ImportRecorder();
  for (const { marketType, liveMinute, minutes } of markets) {
    const atMinute = (minute: number): number => STREAM_KICKOFF_MS + minute * MINUTE_MS;
    recorder.fixture(STREAMED, atMinute(-90));
    for (const minute of minutes.toSorted((a, b) => a - b)) {
      const atMs = atMinute(minute);
      if (minute >= liveMinute) recorder.live(STREAMED.key, atMinute(liveMinute));
      const prices = { home: 20_000 + minute, draw: 30_000, away: 40_000 };
      const totals = { over: 20_000 + minute, under: 19_000 };
      const pricesE4 = { ...NO_PRICES, ...(marketType === 'totals' ? totals : prices) };
      const line = marketType === 'totals' ? 2.5 : null;
      const quote = { bookmaker: 'crown', marketType, period: 'full_time', line, status: 'open' } as const;
      recorder.put(STREAMED.key, { ...quote, pricesE4, atMs }, atMs);
    }
  }
  return (await addToTape(folder, recorder.finish())).added;
}

test('markets of one match that are streamed separately are in play from the earliest time that one of them states', async () => {
  const late: StreamedMarket = { marketType: '1x2', liveMinute: 12, minutes: [-60, 1, 9, 11, 12, 30] };
  const early: StreamedMarket = { marketType: 'totals', liveMinute: 10, minutes: [-30, 3, 9, 10, 30] };
  const filesOf = async (runs: readonly (readonly StreamedMarket[])[]) => {
    const folder = new MemoryFolder();
    for (const run of runs) await streamInto(folder, run);
    const files = await filesIn(folder);
    for (const run of runs) expect(await streamInto(folder, run)).toBe(0);
    expect(await filesIn(folder)).toEqual(files);
    const rows = (await rowsIn(folder)).filter(({ standing }) => !standing);
    const inPlay = rows.filter((tick) => tick.inPlay).map(({ receivedAtMs }) => receivedAtMs);
    return { files, minutes: inPlay.map((atMs) => (atMs - STREAM_KICKOFF_MS) / MINUTE_MS).sort() };
  };
  const atOnce = await filesOf([[late, early]]);
  expect(atOnce.files).toHaveLength(2);
  expect(atOnce.minutes).toEqual([10, 11, 12, 30, 30]);
  for (const runs of [[[early, late]], [[late], [early]], [[early], [late]]]) {
    expect(await filesOf(runs)).toEqual(atOnce);
  }
});

test('an import into an older day reads no later days because of answers of earlier imports about other leagues', async () => {
  const answerAt = (hours: number, league: string, fixture: number): unknown => {
    const timestamp = timeAt(hours);
    const common = { delay: 0, isRenamed: false, isTurned: false, two: null, ageMinutes: 0 };
    const event = eventOf({ ...common, fixture, one: 1.9 }, timestamp);
    return { timestamp, data: [{ ...event, id: `${league}${fixture}`, sport_key: league }] };
  };
  let reads = 0;
  class CountingFolder extends MemoryFolder {
    override open(path: string): ReturnType<MemoryFolder['open']> {
      if (path.endsWith('-a.parquet')) reads++;
      return super.open(path);
    }
  }
  const folder = new CountingFolder();
  // Each day's answer lists another fixture and misses those of the days before.
  await runOf(
    folder,
    [0, 1, 2, 3, 4, 5].map((day) => answerAt(24 * day + 1, 'basketball_wnba', day)),
  );
  const lastMs = msAt(24 * 5);
  await folder.write(`${dayPrefix(dayOf(lastMs))}${lastMs}-a.parquet`, encodeTickFile([], new Map()));
  expect(await runOf(folder, [answerAt(2, 'basketball_euroleague', 0)])).toBeGreaterThan(0);
  expect(reads).toBe(0);
  expect(await runOf(folder, [answerAt(2, 'basketball_wnba', 0)])).toBe(0);
  expect(reads).toBeGreaterThan(0);
});
