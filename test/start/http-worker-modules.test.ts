// The modules that an HTTP thread loads. Its garbage collector runs while polls wait, so nothing that only
// other threads use may be in its heap.

import { expect, test } from 'bun:test';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const ELSEWHERE =
  /^(?:src\/(?:names|tools|mcp|web|http\/docs|ingest|feed)\/|node_modules\/(?:elysia|any-ascii|@modelcontextprotocol)\/)/;
/** Bytes of its code, libraries included: 0.8 MB, of which a third is the validator and MessagePack. */
const BYTES_MAX = 1_000_000;

interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly bytes: number }>>;
}

test('an HTTP thread loads no router, no names, no tools and no pages', async () => {
  const entrypoints = [join(ROOT, 'src/start/threads/http.worker.ts')];
  const built = await Bun.build({ entrypoints, target: 'bun', metafile: true });
  const { inputs, outputs } = (built as unknown as { readonly metafile: Metafile }).metafile;
  const modules = Object.keys(inputs).map((path) => relative(ROOT, join(process.cwd(), path)));
  expect(modules).toContain('src/http/polled-app.ts');
  expect(modules.filter((path) => ELSEWHERE.test(path))).toEqual([]);
  expect(Object.values(outputs)[0]!.bytes).toBeLessThan(BYTES_MAX);
});
