// Where a fix of REST names a path, the same fix over MCP names a tool, so that an agent can follow it.

import { expect, test } from 'bun:test';
import { inToolWords } from '../../src/mcp/tool-words.ts';
import { TOOL_NAMES } from '../support/tool-names.ts';

const SOURCE = new URL('../../src/', import.meta.url).pathname;
/** A method and a path of the service, as they are written in the text of a fix. */
const PATH_IN_TEXT = /(?:GET|POST) \/v1\/[\w/{}]+/g;

test('every path in a fix of the queries and tools is replaced by the name of a tool', async () => {
  const paths = new Set<string>();
  for (const room of ['query', 'tools', 'names', 'domain', 'contract']) {
    for (const file of new Bun.Glob('**/*.ts').scanSync(SOURCE + room)) {
      const text = await Bun.file(`${SOURCE}${room}/${file}`).text();
      const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
      for (const [path] of code.matchAll(PATH_IN_TEXT)) paths.add(path);
    }
  }
  expect(paths.size).toBeGreaterThan(3);
  for (const path of paths) expect([path, TOOL_NAMES.includes(inToolWords(path))]).toEqual([path, true]);
});
