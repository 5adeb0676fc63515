// Imports of football-data.co.uk and Betfair into the history, from folders and packed files. The two prices
// of a season file are the opening and the close, a second run adds nothing, and rows that cannot be used are
// counted.

import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DAY_MS, HOUR_MS } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { tapeBatches } from '../../../src/history/replay/tape-replay.ts';
import { NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { exportTape, replayTape, tapeCoverage } from '../../../src/start/history/export-tape.ts';
import { importOddsApi, importSeasons, importText } from '../../../src/start/history/import-to-tape.ts';
import { readTape, tapeCalls, tapeIn } from '../../history/tape-folder.ts';
import { TapeWorld } from '../../history/tape-world.ts';
import { childEnvironment } from '../../support/child-environment.ts';
import { MemoryFolder } from '../../support/memory-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../../support/test-program.ts';

const SEASON = `Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,PSH,PSD,PSA,PSCH,PSCD,PSCA
E0,16/08/2024,20:00,Man United,Fulham,1,0,H,1.63,4.38,5.30,1.65,4.23,5.28
E0,17/08/2024,12:30,Ipswich,Liverpool,0,2,A,8.14,5.84,1.39,9.05,6.11,1.35
`;
const CALLER = {
  principal: { tier: 'enterprise', seesSharp: true, keyId: 'key' },
  nowMs: Date.UTC(2026, 10, 23),
} as const;

/** The answers of a new reader over the folder. */
const answersOf = (history: LocalFolder) => tapeCalls(tapeIn(history));

/** Imports the season, as one file, into a new history in the folder. */
async function importedIn(path: string, season = SEASON): Promise<LocalFolder> {
  const history = new LocalFolder(join(path, 'history'));
  await importFile(history, path, season);
  return history;
}

/** Writes a season file and imports it. @returns the counts of the import */
async function importFile(history: LocalFolder, path: string, season = SEASON) {
  const file = join(path, 'E0.csv');
  await Bun.write(file, season);
  return await importSeasons(history, { paths: [file], bookmakers: [['PS', 'pinnacle']] });
}

const read = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

test('a compressed season is imported as opening and closing prices, and a second run adds nothing', async () => {
  using folder = temporaryFolder();
  const files = join(folder.path, 'seasons');
  await Bun.write(join(files, '2024/E0.csv.gz'), gzipSync(SEASON));
  await Bun.write(join(files, 'README.txt'), 'not a season');
  const history = new LocalFolder(join(folder.path, 'history'));
  const options = { paths: [files], bookmakers: [['PS', 'pinnacle']] as const };
  expect(await importSeasons(history, options)).toMatchObject({ fixtures: 2 });
  expect(await importSeasons(history, options)).toMatchObject({ added: 0 });
  const calls = answersOf(history);
  const { data } = read((await calls.events({ ...CALLER, words: { limit: 10 } })).bytes) as {
    data: { event: { id: string; home_team: { name: string } } }[];
  };
  const event = data.find(({ event: { home_team } }) => home_team.name === 'Man United')!.event;
  const closing = read((await calls.closing({ ...CALLER, eventId: event.id, words: {} })).bytes);
  expect(closing).toMatchObject({
    kickoff_at: '2024-08-16T19:00:00.000Z',
    closing: [{ bookmaker: 'pinnacle', prices: { home: 1.65, draw: 4.23, away: 5.28 } }],
  });
  const words = { resolution: 'tick', limit: 100 } as const;
  const { series } = read((await calls.ticks({ ...CALLER, eventId: event.id, words })).bytes) as {
    series: { ticks: { prices: unknown }[] }[];
  };
  expect(series[0]!.ticks[0]!.prices).toEqual({ home: 1.63, draw: 4.38, away: 5.3 });
});

describe('an answer of The Odds API without fixtures, alone in its file', () => {
  const answer = (time: string, sport: string | null, next: string | null = null): string => {
    const last_update = `2026-07-01T${time}Z`;
    const outcomes = ['Home', 'Away'].map((name) => ({ name, price: 1.9 }));
    const pinnacle = { key: 'pinnacle', title: 'Pinnacle', last_update };
    const fixture = {
      ...{ id: sport, sport_key: sport, sport_title: 'A league', commence_time: '2026-07-02T18:00:00Z' },
      ...{ home_team: 'Home', away_team: 'Away' },
      bookmakers: [{ ...pinnacle, markets: [{ key: 'h2h', last_update, outcomes }] }],
    };
    const next_timestamp = next === null ? null : `2026-07-01T${next}Z`;
    return JSON.stringify({ timestamp: last_update, next_timestamp, data: sport === null ? [] : [fixture] });
  };
  const WNBA = 'basketball_wnba';

  /** Imports each list of answers in a run of its own. @returns the tape's changes, and what was left out */
  async function imported(...runs: readonly (readonly string[])[]): Promise<readonly [string[], object]> {
    using folder = temporaryFolder();
    const history = new LocalFolder(join(folder.path, 'history'));
    let leftOut: object = {};
    for (const [run, answers] of runs.entries()) {
      const paths = answers.map((_, index) => join(folder.path, `${run}-${index}.json`));
      await Promise.all(paths.map((path, index) => Bun.write(path, answers[index]!)));
      leftOut = Object.fromEntries((await importOddsApi(history, paths)).leftOut);
    }
    const range = { fromMs: 0, toMs: Date.UTC(2026, 7, 1) };
    const ticks = (await Array.fromAsync(tapeIn(history).everyTick(range, 'all'))).flat();
    const texts = ticks.map(
      ({ receivedAtMs, status }) => `${new Date(receivedAtMs).toISOString().slice(11, 16)} ${status}`,
    );
    return [texts, leftOut];
  }

  test('withdraws the lines of earlier imports also when it is the first answer of its run', async () => {
    const changes = ['10:00 open', '10:05 withdrawn', '10:10 open'];
    const [first, empty, last] = [
      answer('10:00:00', WNBA),
      answer('10:05:00', null),
      answer('10:10:00', WNBA),
    ];
    expect(await imported([first, empty, last])).toEqual([changes, {}]);
    expect(await imported([first], [empty, last])).toEqual([changes, {}]);
    expect(await imported([last, empty], [first])).toEqual([changes, {}]);
  });

  test('withdraws nothing when it may belong to a sport that is first listed later', async () => {
    const [first, empty, last] = [
      answer('10:00:00', WNBA),
      answer('10:05:00', null),
      answer('10:10:00', WNBA),
    ];
    const other = answer('10:20:00', 'basketball_nba');
    expect(await imported([first, empty, last, other])).toEqual([
      ['10:00 open', '10:20 open'],
      { empty_answer: 1 },
    ]);
  });

  test('withdraws nothing of a sport whose next answer is stated to be later', async () => {
    const [first, empty] = [answer('10:00:00', WNBA, '10:10:00'), answer('10:05:00', null)];
    expect(await imported([first, empty])).toEqual([['10:00 open'], { empty_answer: 1 }]);
  });
});

test('a replay of an imported season ends its matches with score and red cards', async () => {
  using folder = temporaryFolder();
  const [head, first, second] = SEASON.split('\n');
  const history = await importedIn(folder.path, `${head},HR,AR\n${first},0,1\n${second}`);
  const tape = tapeIn(history);
  const range = { fromMs: Number.NEGATIVE_INFINITY, toMs: Date.UTC(2024, 8, 1) };
  const results: object[] = [];
  const replay = { tape, range, stamps: 'source', results: await tape.results(range) } as const;
  for await (const { messages } of tapeBatches(replay)) {
    results.push(...messages.filter(({ type }) => type === 'result'));
  }
  expect(results).toMatchObject([
    { score: [1, 0], red_cards: [0, 1] },
    { score: [0, 2], red_cards: null },
  ]);
});

test('after a server has stopped, the commands also show imports of later times', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(HOUR_MS);
  await world.tape.step();
  await world.tape.close();
  const folder = new LocalFolder(world.path);
  const exported = async (): Promise<number> => {
    const path = join(world.path, 'ticks.csv');
    const range = { fromMs: 0, toMs: world.nowMs + 30 * DAY_MS };
    return await exportTape({ folder, range, event: null, league: null, format: 'csv', path });
  };
  expect(await exported()).toBe(1);
  const season = SEASON.replaceAll('08/2024', '07/2026');
  const { added } = await importFile(folder, world.path, season);
  expect(added).toBeGreaterThan(0);
  expect(await exported()).toBe(1 + added);
  expect((await tapeCoverage(folder))[0]).toContain(`: ${1 + added} ticks in `);
});

test('an import says how many of its ticks are of times that the server recorded itself', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.publishPrice(10_100);
  world.settle(HOUR_MS);
  await world.tape.step();
  // The closing prices of the match are of these hours, the opening prices are not.
  const season = SEASON.split('\n').slice(0, 2).join('\n').replace('16/08/2024,20:00', '19/06/2026,23:59');
  const done = await importFile(new LocalFolder(world.path), world.path, season);
  const shown = await world.reading((tape) =>
    Array.fromAsync(tape.everyTick({ fromMs: 0, toMs: world.nowMs }, 'all')),
  );
  expect(done.hidden).toBeGreaterThan(0);
  expect(shown.flat()).toHaveLength(1 + done.added - done.hidden);
  expect(importText(done, 0)).toContain(
    `${done.hidden} of them are of times that the server recorded itself; answers do not show them`,
  );
  const earlier = await importFile(new LocalFolder(world.path), world.path);
  expect(earlier.added).toBeGreaterThan(0);
  expect(earlier.hidden).toBe(0);
  expect(importText(earlier, 0).join()).not.toContain('recorded itself');
});

test('an export selects a league by the name that the API shows, and refuses a league that is not on the tape', async () => {
  using folder = temporaryFolder();
  const history = await importedIn(folder.path);
  const exported = (league: string | null) =>
    exportTape({
      ...{ folder: history, event: null, league, format: 'csv', path: join(folder.path, 'ticks.csv') },
      range: { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY },
    });
  const all = await exported(null);
  expect(all).toBeGreaterThan(0);
  expect(await exported('premier league')).toBe(all);
  await expect(exported('bundesliga')).rejects.toThrow('no league of the price history has that name');
});

test('a history of bookmakers that are not on the roster is not reported as empty, and can be replayed', async () => {
  const folder = new MemoryFolder();
  expect(await tapeCoverage(folder)).toEqual(['Nothing is kept in memory']);
  const range = { fromMs: Number.NEGATIVE_INFINITY, toMs: Date.UTC(2024, 8, 1) };
  const replayed = async (): Promise<unknown[]> =>
    (await Array.fromAsync(replayTape(folder, range))).map(
      (line) => (JSON.parse(line) as { type: unknown }).type,
    );
  expect(await replayed()).toEqual(['hello']);
  const receivedAtMs = Date.UTC(2024, 7, 16);
  const tick: Tick = {
    ...{ eventId: encodeId('event', 1), sport: 'football', league: 'League', home: 'One', away: 'Two' },
    ...{ kickoffMs: null, bookmaker: 'elsewhere', marketType: '1x2', period: 'full_time', line: null },
    ...{ status: 'open', pricesE4: { ...NO_PRICES, home: 20_000, draw: 30_000, away: 40_000 } },
    ...{ atMs: receivedAtMs, receivedAtMs, inPlay: false, scoreHome: null, scoreAway: null, standing: false },
  };
  await folder.write(
    `${dayPrefix('2024-08-16')}${receivedAtMs}-a.parquet`,
    encodeTickFile([tick], new Map()),
  );
  expect(await tapeCoverage(folder)).toEqual([
    'memory has only bookmakers that are not on the roster. Set BOOKMAKERS to a roster that has them',
  ]);
  expect(await replayed()).toEqual(['hello', 'event', 'quote']);
});

test('in a CSV export no name can run as a formula of a spreadsheet, and numbers stay as they are', async () => {
  using folder = temporaryFolder();
  const names = ['=cmd()', '+1', '-2+3', '@SUM(A1)', ' =1', '\uFF1D1', 'Fulham', '"=quoted'];
  const rows = names.map(
    (name, index) =>
      `E0,16/08/2024,1${index}:00,"${name.replaceAll('"', '""')} ${index}",Away ${index},1,0,H,1.63,4.38,5.30,1.65,4.23,5.28`,
  );
  const history = await importedIn(folder.path, [SEASON.split('\n')[0], ...rows, ''].join('\n'));
  const path = join(folder.path, 'ticks.csv');
  await exportTape({
    ...{ folder: history, event: null, league: null, format: 'csv', path },
    range: { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY },
  });
  const cells = (await Bun.file(path).text()).split('\n').flatMap((line) => line.split(','));
  expect(cells).toContain('5.3');
  expect(cells).toContain('Fulham 6');
  expect(cells).toContain(`"'=cmd() 0"`);
  expect(cells.filter((cell) => /^"?\s*[=+@\uFF1D]/.test(cell))).toEqual([]);
  expect(cells.filter((cell) => /^"?-/.test(cell) && Number.isNaN(Number(cell)))).toEqual([]);
});

test('while one import adds to a folder, another import is refused and adds nothing', async () => {
  using folder = temporaryFolder();
  const history = new LocalFolder(join(folder.path, 'history'));
  const run = () => importFile(history, folder.path);
  const both = await Promise.allSettled([run(), run()]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = both.find((one): one is PromiseRejectedResult => one.status === 'rejected')!;
  expect(String(refused.reason)).toContain('another import adds to');
  expect(await run()).toMatchObject({ added: 0 });
});

test('a reader whose files are replaced by an import answers from the new files, and sets none aside as damaged', async () => {
  using folder = temporaryFolder();
  const [head, first, second] = SEASON.split('\n');
  const history = await importedIn(folder.path, [head, first].join('\n'));
  const calls = answersOf(history);
  const slateOf = async (own: ReturnType<typeof answersOf>) =>
    read((await own.slate({ ...CALLER, words: {}, at: '2024-08-16T18:00:00Z' })).bytes);
  const coverageOf = async (own: ReturnType<typeof answersOf>) => read((await own.coverage(CALLER)).bytes);
  await slateOf(calls); // the reader lists the folder and opens its files
  await coverageOf(calls);
  const longer = [head, first, second!.replace('17/08/2024,12:30', '16/08/2024,19:30')].join('\n');
  expect((await importFile(history, folder.path, longer)).added).toBeGreaterThan(0);
  expect(await slateOf(calls)).toEqual(await slateOf(answersOf(history)));
  expect(await coverageOf(calls)).toEqual(await coverageOf(answersOf(history)));
});

test('an import of a folder without a usable file, or of a missing file, is refused, and the error names it', async () => {
  using folder = temporaryFolder();
  await Bun.write(join(folder.path, 'files/notes.txt'), 'x');
  const history = new LocalFolder(join(folder.path, 'history'));
  const run = (path: string) => importSeasons(history, { paths: [path], bookmakers: [] });
  await expect(run(join(folder.path, 'files'))).rejects.toThrow(
    'the folder has no file with a name that ends in .csv',
  );
  await expect(run(join(folder.path, 'none.csv'))).rejects.toThrow('there is no such file');
});

const KICKOFF_MS = Date.UTC(2026, 2, 1, 15);

/**
 * A market of Betfair's historical stream with the prices that can be backed (`atb`), as its paid files have
 * them.
 */
function betfairFile(): string {
  const time = new Date(KICKOFF_MS).toISOString();
  const runners = ['Red', 'Blue', 'The Draw'].map((name, index) => ({
    ...{ status: 'ACTIVE', sortPriority: index + 1, name, id: [10, 20, 58_805][index] },
  }));
  const definition = {
    ...{ bettingType: 'ODDS', marketType: 'MATCH_ODDS', eventId: '28796969', eventTypeId: '1' },
    ...{ eventName: 'Red v Blue', name: 'Match Odds', marketTime: time, openDate: time, runners },
    ...{ status: 'OPEN', inPlay: false, numberOfWinners: 1 },
  };
  const back = (id: number, ...atb: readonly (readonly [price: number, size: number])[]) => ({ id, atb });
  const changes: readonly (readonly [minute: number, change: object])[] = [
    [
      -120,
      {
        ...{ img: true, marketDefinition: definition },
        rc: [back(10, [2, 50], [1.98, 9]), back(20, [3.9, 9]), back(58_805, [3.5, 9])],
      },
    ],
    [-60, { rc: [back(10, [2, 0], [2.1, 5])] }],
    [-30, { rc: [back(20, [3.8, 4])] }], // not the best price, so it changes nothing
    [-1, { rc: [back(10, [2.1, 0])] }],
    [1, { marketDefinition: { ...definition, status: 'SUSPENDED', inPlay: true } }],
  ];
  const lines = changes.map(([minute, change]) => {
    const pt = KICKOFF_MS + minute * 60_000;
    return JSON.stringify({ op: 'mcm', clk: String(pt), pt, mc: [{ id: '1.7', ...change }] });
  });
  return `${lines.join('\n')}\n`;
}

/**
 * Runs the import in a child process, which can use the roster with the exchange.
 * @returns its output
 */
async function importBetfair(path: string, dataDir: string): Promise<string> {
  const child = Bun.spawn([process.execPath, PROGRAM_PATH, 'import', 'betfair-history', path], {
    env: { ...childEnvironment(), BOOKMAKERS: 'betfair', DATA_DIR: dataDir, HISTORY_DAYS: '36500' },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const output = await child.stderr.text();
  expect(await child.exited).toBe(0);
  return output;
}

test('a Betfair file with prices to back gives each change of the best price, and a second run adds nothing', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, '1.7.gz');
  await Bun.write(path, gzipSync(betfairFile()));
  const dataDir = join(folder.path, 'data');
  expect(await importBetfair(path, dataDir)).toContain('Added 4 ticks of 1 fixtures');
  expect(await importBetfair(path, dataDir)).toContain('Added 0 ticks');
  const { ticks } = await readTape(join(dataDir, 'history'));
  const shown = ticks.map(({ receivedAtMs, status, pricesE4, inPlay }) => [
    ...[(receivedAtMs - KICKOFF_MS) / 60_000, status, inPlay],
    ...[pricesE4.home, pricesE4.draw, pricesE4.away],
  ]);
  expect(shown).toEqual([
    [-120, 'open', false, 20_000, 35_000, 39_000],
    [-60, 'open', false, 21_000, 35_000, 39_000],
    [-1, 'open', false, 19_800, 35_000, 39_000],
    [1, 'suspended', true, 19_800, 35_000, 39_000],
  ]);
});

const BETFAIR = new URL('../../../../shared/data/series/betfair-history', import.meta.url).pathname;

describe.skipIf(!existsSync(BETFAIR))('Betfair (skipped without shared/data)', () => {
  test('free files of other markets and sports add nothing, and each is counted with its reason', async () => {
    using folder = temporaryFolder();
    const output = await importBetfair(BETFAIR, folder.path);
    expect(output).toContain('Added 0 ticks of 0 fixtures');
    expect(output).toMatch(/Left out: \d+ other_sport/);
    expect(output).toMatch(/Left out: \d+ no_price_to_back/);
  });
});
