// Every source can be chosen. A source is a folder of src/feed/ with a client.ts.

import { expect, test } from 'bun:test';
import { loadConfig } from '../../src/settings/config.ts';

const FEED_FOLDER = new URL('../../src/feed/', import.meta.url).pathname;
/** By a source's folder: how the value of FEED begins, where that is not the folder's name. */
const FORMS: Readonly<Record<string, string>> = { websocket: 'wss://' };
/** Sources under construction, which FEED does not offer yet. */
const UNDER_CONSTRUCTION: readonly string[] = [];

test('each source is opened by open-source.ts and offered by the FEED setting, unless it is under construction', async () => {
  const folders = [...new Bun.Glob('*/client.ts').scanSync(FEED_FOLDER)].map((path) => path.split('/')[0]!);
  const opener = await Bun.file(`${FEED_FOLDER}open-source.ts`).text();
  const unopened = folders.filter((folder) => !opener.includes(`'./${folder}/client.ts'`));
  expect(unopened.sort()).toEqual(UNDER_CONSTRUCTION.toSorted());
  for (const folder of folders.filter((name) => !unopened.includes(name)))
    expect(() => loadConfig({ FEED: '?' })).toThrow(FORMS[folder] ?? folder);
});
