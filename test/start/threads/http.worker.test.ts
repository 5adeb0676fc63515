// The modules that threads load when they start. An HTTP thread must not load modules that only other threads
// use, because polls wait while its garbage collector runs over its heap. Packages that take ten megabytes or
// more and that few servers use are loaded at their first use.

import { expect, test } from 'bun:test';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');
const ELSEWHERE =
  /^(?:src\/(?:names|tools|mcp|web|http\/docs|ingest|feed)\/|node_modules\/(?:elysia|any-ascii|@modelcontextprotocol)\/)/;
/**
 * The maximum number of bytes that the code of an HTTP thread may have, with its libraries. It has 1.0 MB, of
 * which a third is the validator and MessagePack. The modules for names or tools would add 0.2 MB or more.
 */
const BYTES_MAX = 1_050_000;

const RARELY_USED = /^node_modules\/(?:nodemailer|@zxcvbn-ts|@modelcontextprotocol)\//;
/** The history thread loads the modules for names only when it gets a question in words. */
const RARELY_USED_BY_HISTORY = /^(?:src\/names|node_modules\/any-ascii)\//;

interface Imports {
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

interface Metafile {
  readonly inputs: Readonly<Record<string, Imports>>;
  readonly outputs: Readonly<Record<string, { readonly bytes: number }>>;
}

test('an HTTP thread loads no router, no names, no tools and no pages', async () => {
  const { inputs, outputs } = await metafileOf('src/start/threads/http.worker.ts');
  const modules = Object.keys(inputs).map(inRoot);
  expect(modules).toContain('src/http/polled-app.ts');
  expect(modules.filter((path) => ELSEWHERE.test(path))).toEqual([]);
  expect(Object.values(outputs)[0]!.bytes).toBeLessThan(BYTES_MAX);
});

test.each(['accounts', 'alerts', 'history', 'query'])(
  'the %s thread loads rarely used packages at their first use',
  async (name) => {
    const entry = `src/start/threads/${name}.worker.ts`;
    const { inputs } = await metafileOf(entry);
    const seen = new Set(Object.keys(inputs).filter((path) => inRoot(path) === entry));
    for (const path of seen) {
      for (const { path: imported, kind } of inputs[path]?.imports ?? [])
        if (kind !== 'dynamic-import') seen.add(imported);
    }
    expect(seen.size).toBeGreaterThan(100);
    const modules = [...seen].map(inRoot);
    expect(modules.filter((path) => RARELY_USED.test(path))).toEqual([]);
    if (name === 'history') expect(modules.filter((path) => RARELY_USED_BY_HISTORY.test(path))).toEqual([]);
  },
);

async function metafileOf(entry: string): Promise<Metafile> {
  const built = await Bun.build({ entrypoints: [join(ROOT, entry)], target: 'bun', metafile: true });
  return (built as unknown as { readonly metafile: Metafile }).metafile;
}

function inRoot(path: string): string {
  return relative(ROOT, join(process.cwd(), path));
}
