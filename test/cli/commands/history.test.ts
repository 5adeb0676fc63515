import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { runCommand } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY = ['--from', '2026-03-01T00:00:00Z', '--to', '2026-03-02T00:00:00Z'];

test.each([['--out'], ['--to']])('an export is written to the file after %s', async (flag) => {
  using folder = temporaryFolder();
  const file = `${folder.path}/march.csv`;
  const words = ['history', 'export', ...DAY, '--format', 'csv', flag, file, '--data-dir', folder.path];
  const { code, errors } = await runCommand(words, {});
  expect([code, errors]).toEqual([0, [`Wrote 0 ticks to ${file}`]]);
  expect(existsSync(file)).toBe(true);
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

test('with HISTORY_DAYS=0 an import says that the history is off, not that a server removes old days', async () => {
  using folder = temporaryFolder();
  const outcomes = [2, 3.4, 3.8].map((price, index) => ({ name: ['One', 'Draw', 'Two'][index], price }));
  const at = '2026-03-05T12:00:00Z';
  const markets = [{ key: 'h2h', last_update: at, outcomes }];
  const event = {
    ...{ id: 'e1', sport_key: 'soccer_epl', sport_title: 'Premier League', commence_time: at },
    ...{ home_team: 'One', away_team: 'Two' },
    bookmakers: [{ key: 'pinnacle', title: 'Pinnacle', last_update: at, markets }],
  };
  const file = `${folder.path}/answers.json`;
  await Bun.write(file, JSON.stringify({ timestamp: at, data: [event] }));
  const lastLine = async (days: string): Promise<string | undefined> => {
    const words = ['import', 'the-odds-api', file, '--data-dir', `${folder.path}/${days}`];
    return (await runCommand(words, { HISTORY_DAYS: days })).errors.at(-1);
  };
  expect(await lastLine('1')).toStartWith('HISTORY_DAYS keeps days from ');
  expect(await lastLine('0')).toStartWith('HISTORY_DAYS is 0, so the history is switched off');
});
