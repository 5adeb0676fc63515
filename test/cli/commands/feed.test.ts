// `overround import football-data`, and what the feed commands refuse. `feed serve` is tested in
// test/service/feed-follow.test.ts, recording in test/service/recording.test.ts.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { parseMessage } from '../../../src/feed/parse-message.ts';
import { checkRecording } from '../../../src/feed/replay/recording.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runForText } from '../text-run.ts';

async function run(...words: string[]) {
  const { code, errors } = await runForText(words);
  return { code, errors };
}

test('import football-data makes one recording from several files', async () => {
  using folder = temporaryFolder();
  const header = 'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,B365H,B365D,B365A,PSH,PSD,PSA';
  const paths = ['a.csv', 'b.csv'].map((name) => join(folder.path, name));
  await Bun.write(paths[0]!, `${header}\nE0,16/08/2025,12:30,Red,Blue,1,0,2,3,4,2.1,3.1,4.1\n`);
  await Bun.write(
    paths[1]!,
    `${header}\nD1,17/08/2025,14:30,Rot,Blau,0,0,2,3,4,,,\nD1,99/08/2025,,Rot,Blau\n`,
  );
  const out = join(folder.path, 'out.ndjson.gz');
  const { code, errors } = await run(
    'import',
    'football-data',
    ...paths,
    '--out',
    out,
    '--books',
    'B365=crown',
  );
  expect({ code, errors }).toEqual({ code: 0, errors: 'Wrote 2 matches and 6 quotes; 1 rows were refused' });
  const text = new TextDecoder().decode(Bun.gunzipSync(await Bun.file(out).bytes()));
  const types = text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types.filter((type) => type === 'event')).toHaveLength(2);
});

test('feed simulate writes the same recording for the same seed; it can be replayed and contains a whole match', async () => {
  using folder = temporaryFolder();
  const [one, two, other] = ['1.ndjson', '2.ndjson', '3.ndjson'].map((name) => join(folder.path, name));
  for (const [path, seed] of [
    [one!, '7'],
    [two!, '7'],
    [other!, '8'],
  ] as const) {
    expect((await run('feed', 'simulate', path, '--seed', seed)).code).toBe(0);
  }
  await checkRecording(one!);
  const text = await Bun.file(one!).text();
  expect([text === (await Bun.file(two!).text()), text === (await Bun.file(other!).text())]).toEqual([
    true,
    false,
  ]);
  const messages = text
    .trimEnd()
    .split('\n')
    .map((line) => parseMessage(JSON.parse(line)));
  expect(messages.filter((message) => typeof message === 'string')).toEqual([]);
  const parsed = messages.filter((message) => typeof message === 'object');
  const kickedOff = parsed.filter(
    (message) => message.type === 'event' && message.scheduledAtMs >= Date.parse('2026-03-07T14:45:00Z'),
  );
  const finished = new Set(parsed.flatMap((message) => (message.type === 'result' ? [message.event] : [])));
  expect(kickedOff.some((message) => message.type === 'event' && finished.has(message.event))).toBe(true);
});

test.each([
  [['import', 'football-data', '--out', 'x'], '<csv...> is missing'],
  [
    ['import', 'football-data', 'a.csv', '--out', 'x', '--books', 'B365=bet365'],
    'allowed is a prefix of the file',
  ],
  [['record'], '<file> is missing'],
  [['record', 'x', '--rotate-mb', '0'], 'allowed is a number above 0'],
  [['feed', 'serve'], 'is missing'],
  [['feed', 'simulate', 'x', '--minutes', '0'], 'allowed is a whole number from 1 to 240'],
  [['feed', 'serve', 'simulator', 'twice'], 'one argument too many'],
])('the command %p is refused with exit code 2', async (words, message) => {
  const { code, errors } = await run(...words);
  expect(errors).toContain(message);
  expect(code).toBe(2);
});

test.each([
  [['import', 'football-data', 'nowhere.csv', '--out', 'x'], 'Cannot import nowhere.csv'],
  [['feed', 'serve', 'nowhere.ndjson', '--port', '0'], 'nowhere.ndjson is no file'],
  [
    ['record', '/nowhere/at-all.ndjson'],
    'Cannot record: /nowhere is not a folder that this process can write to',
  ],
  [['record', import.meta.path], `Cannot record: ${import.meta.path} exists`],
])('the command %p fails with exit code 1 and names the reason', async (words, message) => {
  const { code, errors } = await run(...words);
  expect(errors).toContain(message);
  expect(code).toBe(1);
});
