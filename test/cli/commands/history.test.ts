import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { GapList } from '../../../src/history/files/gap-list.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { runCommand } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY = ['--from', '2026-03-01T00:00:00Z', '--to', '2026-03-02T00:00:00Z'];

test.each([['--out'], ['--to']])('an export is written to the file that %s names', async (flag) => {
  using folder = temporaryFolder();
  const file = `${folder.path}/march.csv`;
  const words = ['history', 'export', ...DAY, '--format', 'csv', flag, file, '--data-dir', folder.path];
  const { code, errors } = await runCommand(words, {});
  expect([code, errors]).toEqual([0, [`Wrote 0 ticks to ${file}`]]);
  expect(existsSync(file)).toBe(true);
});

test.each([
  ['march.xlsx', 'its name says no format. Let it end in .parquet, .csv, .ndjson, or add --format'],
  ['march', 'its name says no format. Let it end in .parquet, .csv, .ndjson, or add --format'],
])('an export to %s without --format is refused, because the name says no format', async (name, why) => {
  using folder = temporaryFolder();
  const file = `${folder.path}/${name}`;
  const words = ['history', 'export', ...DAY, '--out', file, '--data-dir', folder.path];
  const { code, errors } = await runCommand(words, {});
  expect([code, errors[0]]).toEqual([2, `Cannot use --out "${file}": ${why}`]);
  expect(existsSync(file)).toBe(false);
});

test('an export reads the format from a name in capitals', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/MARCH.CSV`;
  await runCommand(['history', 'export', ...DAY, '--out', file, '--data-dir', folder.path], {});
  expect(await Bun.file(file).text()).toStartWith('event_id,sport,');
});

test.each(['csv', 'parquet'])(
  'an export to a folder that does not exist is refused as %s',
  async (format) => {
    using folder = temporaryFolder();
    const refused = async (file: string): Promise<unknown> => {
      const words = ['history', 'export', ...DAY, '--out', file, '--format', format];
      const { code, errors } = await runCommand([...words, '--data-dir', folder.path], {});
      return [code, errors[0]];
    };
    const fix = 'Use a file in a folder that exists';
    const inside = `${folder.path}/none/march`;
    expect(await refused(inside)).toEqual([
      2,
      `Cannot write ${inside}: ${folder.path}/none is not a folder. ${fix}`,
    ]);
    expect(existsSync(`${folder.path}/none`)).toBe(false);
    expect(await refused(folder.path)).toEqual([2, `Cannot write ${folder.path}: it is a folder. ${fix}`]);
  },
);

test('an export from a time in the future is refused with that reason', async () => {
  const words = ['history', 'export', '--from', '2999-01-01T00:00:00Z', '--out', 'march.csv'];
  const { code, errors } = await runCommand(words, {});
  expect([code, errors[0]]).toEqual([2, 'Cannot use --from "2999-01-01T00:00:00Z": it is in the future']);
});

test('an export with two values of --from is refused', async () => {
  const { code, errors } = await runCommand(['history', 'export', ...DAY, ...DAY, '--to', 'march.csv'], {});
  expect([code, errors[0]]).toEqual([2, 'Cannot use --from: it is given twice']);
});

test('what an import leaves out is printed without the control characters of its file', async () => {
  using folder = temporaryFolder();
  const event = {
    ...{ id: 'e1', sport_key: 'golf\u001b[31m', sport_title: 'Golf', commence_time: '2026-03-07T15:00:00Z' },
    ...{ home_team: 'One', away_team: 'Two', bookmakers: [] },
  };
  const file = `${folder.path}/answers.json`;
  await Bun.write(file, JSON.stringify({ timestamp: '2026-03-05T12:00:00Z', data: [event] }));
  const words = ['import', 'the-odds-api', file, '--data-dir', folder.path];
  const { code, errors } = await runCommand(words, {});
  expect([code, errors.at(-1)]).toEqual([0, 'Left out: 1 other_sport golf [31m']);
});

/** Runs an import of one answer in which these bookmakers quote, and returns what it prints. */
async function importOf(bookmakers: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  using folder = temporaryFolder();
  const at = '2026-03-05T12:00:00Z';
  const outcomes = [2, 3.4, 3.8].map((price, index) => ({ name: ['One', 'Draw', 'Two'][index], price }));
  const markets = [{ key: 'h2h', last_update: at, outcomes }];
  const event = {
    ...{ id: 'e1', sport_key: 'soccer_epl', sport_title: 'Premier League', commence_time: at },
    ...{ home_team: 'One', away_team: 'Two' },
    bookmakers: bookmakers.map((key) => ({ key, title: key, last_update: at, markets })),
  };
  const file = `${folder.path}/answers.json`;
  await Bun.write(file, JSON.stringify({ timestamp: at, data: [event] }));
  return await runCommand(['import', 'the-odds-api', file, '--data-dir', folder.path], environment);
}

test('with HISTORY_DAYS=0 an import says that the history is off, not that a server removes old days', async () => {
  const lastLine = async (days: string): Promise<string | undefined> =>
    (await importOf(['pinnacle'], { HISTORY_DAYS: days })).errors.at(-1);
  expect(await lastLine('1')).toStartWith('HISTORY_DAYS keeps days from ');
  expect(await lastLine('0')).toStartWith('HISTORY_DAYS is 0, so the history is switched off');
});

test('an import of bookmakers that the roster lacks names the ready roster that has the most of them', async () => {
  const lacking = (await importOf(['fanduel', 'draftkings', 'nobody'])).errors;
  expect(lacking.at(-1)).toBe(
    'The roster lacks 3 bookmakers of these files; BOOKMAKERS=the-odds-api-us has 2 of them. Import and start the server with it',
  );
  expect(lacking[0]).toStartWith('Added 0 ticks');
  const unknown = (await importOf(['nobody'])).errors;
  expect(unknown.at(-1)).toEndWith('; docs/guide/feeds.md says how to write a roster');
  const { errors } = await importOf(['pinnacle']);
  expect(errors.join(' ')).not.toContain('roster');
});

test('an import of a season names the flag for bookmakers that it left out', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/E0.csv`;
  await Bun.write(
    file,
    'Div,Date,HomeTeam,AwayTeam,B365H,B365D,B365A,PSH,PSD,PSA\nE0,01/03/2026,One,Two,2,3.4,3.8,2,3.4,3.8\n',
  );
  const { errors } = await runCommand(['import', 'football-data', file, '--data-dir', folder.path], {});
  expect(errors.join('\n')).toContain('name one of the roster for it: --books B365=crown');
});

const NOON_MS = Date.UTC(2026, 2, 1, 12);

const TICK: Tick = {
  ...{ eventId: 'evt_aaaaaaaa', sport: 'football', league: 'League', home: 'One', away: 'Two' },
  ...{ kickoffMs: null, bookmaker: 'crown', marketType: '1x2', period: 'full_time', line: null },
  ...{ status: 'open', pricesE4: { ...NO_PRICES, home: 20_000 }, atMs: NOON_MS, receivedAtMs: NOON_MS },
  ...{ inPlay: false, scoreHome: null, scoreAway: null, standing: false },
};

test('the history command shows how many gaps there are, how long they are together, and the newest one', async () => {
  const shown = async (count: number): Promise<readonly string[]> => {
    using place = temporaryFolder();
    const folder = new LocalFolder(`${place.path}/history`);
    await folder.write(`${dayPrefix('2026-03-01')}${NOON_MS}.parquet`, encodeTickFile([TICK], new Map()));
    const gaps = new GapList(folder);
    const before = { fromMs: NOON_MS - 2 * HOUR_MS, toMs: NOON_MS - HOUR_MS, reason: 'stopped' } as const;
    const after = Array.from({ length: count }, (_, index) => {
      const fromMs = NOON_MS + (index + 1) * HOUR_MS;
      return { fromMs, toMs: fromMs + 10 * MINUTE_MS, reason: 'feed_lost' as const };
    });
    gaps.add([before, ...after]);
    await gaps.save(null);
    const { code, output } = await runCommand(['history', '--data-dir', place.path], {});
    expect(code).toBe(0);
    return output.slice(3); // after the range and a table of one day
  };
  expect(await shown(0)).toEqual(['No gaps']);
  expect(await shown(1)).toEqual([
    'Gaps: 1, together 10 min:',
    '  from 2026-03-01T13:00:00.000Z to 2026-03-01T13:10:00.000Z: feed_lost',
  ]);
  const many = await shown(7);
  expect(many[0]).toBe('Gaps: 7, together 70 min; the newest 5:');
  expect(many.slice(1)).toHaveLength(5);
  expect(many.at(-1)).toBe('  from 2026-03-01T19:00:00.000Z to 2026-03-01T19:10:00.000Z: feed_lost');
});

test.each([
  ['cut short', (bytes: Uint8Array) => bytes.subarray(0, bytes.length >> 1)],
  ['damaged in a page', (bytes: Uint8Array) => bytes.fill(0x78, 8, 60)],
])('an export of a file that is %s is refused, and the error names the file', async (_, damaged) => {
  using place = temporaryFolder();
  const folder = new LocalFolder(`${place.path}/history`);
  const path = `${dayPrefix('2026-03-01')}${NOON_MS}.parquet`;
  await folder.write(path, damaged(encodeTickFile([TICK], new Map())));
  const out = `${place.path}/march.csv`;
  const words = ['history', 'export', ...DAY, '--out', out, '--data-dir', place.path];
  const { code, errors } = await runCommand(words, {});
  expect([code, errors.length]).toEqual([1, 1]);
  expect(errors[0]).toStartWith(`Cannot read ${path} of ${place.path}/history: `);
});
