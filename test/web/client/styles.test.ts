// Every length that a component's style computes has a unit.

import { expect, test } from 'bun:test';

const CLIENT_ROOT = new URL('../../../src/web/client/', import.meta.url).pathname;

test('styles in components are strings, because Preact adds no unit to a number, and the browser ignores a length without one', async () => {
  const found: string[] = [];
  for (const path of new Bun.Glob('**/*.tsx').scanSync(CLIENT_ROOT)) {
    const text = await Bun.file(CLIENT_ROOT + path).text();
    for (const [style] of text.matchAll(/\bstyle=\{(?:`[^`]*`|[^}]*)\}/g)) {
      const isText = /^style=\{(`|')/.test(style);
      const lengths = [...style.matchAll(/\$\{\w+\}(\w*)/g)].map(([, unit]) => unit);
      if (!isText || lengths.includes('')) found.push(`${path}: ${style}`);
    }
  }
  expect(found).toEqual([]);
});
