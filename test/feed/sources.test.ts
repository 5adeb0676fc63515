// Every folder of src/feed/ is a source, and every source can be chosen.

import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { loadConfig } from '../../src/config.ts';

const FEED_FOLDER = new URL('../../src/feed/', import.meta.url).pathname;

test('each source has a folder, a case in open-source.ts and a form of the FEED setting', async () => {
  const folders = readdirSync(FEED_FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const opened = await Bun.file(`${FEED_FOLDER}open-source.ts`).text();
  const config = await Bun.file(new URL('../../src/config.ts', import.meta.url).pathname).text();
  const names = folders.map(({ name }) => name).sort();
  expect(names.filter((name) => !opened.includes(`case '${name}':`))).toEqual([]);
  expect(names.filter((name) => !config.includes(`kind: '${name}'`))).toEqual([]);
  expect(() => loadConfig({ FEED: '?' })).toThrow(new RegExp(names.toReversed().join('.*')));
});
