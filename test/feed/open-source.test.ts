// Every source can be chosen. A source is a folder of src/feed/ with a client.ts.

import { expect, test } from 'bun:test';
import { loadConfig } from '../../src/settings/config.ts';

const FEED_FOLDER = new URL('../../src/feed/', import.meta.url).pathname;
/** The beginning of FEED's value for a source's folder, if it is not the folder's name. */
const FORMS: Readonly<Record<string, string>> = { websocket: 'wss://' };

test('each source is opened by open-source.ts and offered by the FEED setting', async () => {
  const folders = [...new Bun.Glob('*/client.ts').scanSync(FEED_FOLDER)].map((path) => path.split('/')[0]!);
  const opener = await Bun.file(`${FEED_FOLDER}open-source.ts`).text();
  for (const folder of folders) {
    expect(opener).toContain(`'./${folder}/client.ts'`);
    expect(() => loadConfig({ FEED: '?' })).toThrow(FORMS[folder] ?? folder);
  }
});
