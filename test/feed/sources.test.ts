// Every folder of src/feed/ is a source, and every source can be chosen.

import { expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { loadConfig } from '../../src/config.ts';

const FEED_FOLDER = new URL('../../src/feed/', import.meta.url).pathname;

test('each source has a folder, a case in open-source.ts and a form of the FEED setting', async () => {
  const folders = readdirSync(FEED_FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const opened = await Bun.file(`${FEED_FOLDER}open-source.ts`).text();
  const config = await Bun.file(new URL('../../src/config.ts', import.meta.url).pathname).text();
  const names = folders
    .map(({ name }) => name)
    .filter(isSource)
    .sort();
  expect(names.filter((name) => !opened.includes(`case '${name}':`))).toEqual([]);
  expect(names.filter((name) => !config.includes(`kind: '${name}'`))).toEqual([]);
  // A source is named as FEED has it: by its folder, or by the address that chooses it.
  const forms = names.map((name) => (name === 'websocket' ? 'wss://' : name));
  for (const form of forms) expect(() => loadConfig({ FEED: '?' })).toThrow(form);
});

/** What sources share has no client. The pull sources are built and tested; FEED does not choose them yet. */
function isSource(folder: string): boolean {
  return existsSync(`${FEED_FOLDER}${folder}/client.ts`) && folder !== 'the-odds-api';
}
