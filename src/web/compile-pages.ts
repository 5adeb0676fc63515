// Compiles the pages' scripts and styles. Bun does this on its own threads, so the calling thread keeps
// serving. The executable and the npm package contain the result instead of this module (scripts/binary.ts,
// scripts/package.ts).

import { basename, join } from 'node:path';

const CLIENT = join(import.meta.dir, 'client');

/**
 * This script is compiled alone, so that the page that opens most often loads one script instead of seven.
 */
const BOARD = 'board/board.tsx';

export interface CompiledFile {
  /** For example `board-1a2b3c4d.js`; it contains a hash of the content. */
  readonly name: string;
  readonly text: string;
}

/**
 * @param entries paths below client/
 * @throws AggregateError when one does not compile, which is a bug
 */
export async function compilePages(entries: readonly string[]): Promise<readonly CompiledFile[]> {
  const { board = [], others = [] } = Object.groupBy(entries, (path) =>
    path === BOARD ? 'board' : 'others',
  );
  return [...(await compileTogether(board)), ...(await compileTogether(others))];
}

/** Scripts that are compiled together share their common parts as files of their own. */
async function compileTogether(entries: readonly string[]): Promise<readonly CompiledFile[]> {
  if (entries.length === 0) return [];
  const { outputs } = await Bun.build({
    entrypoints: entries.map((path) => join(CLIENT, path)),
    root: CLIENT,
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    naming: { entry: '[name]-[hash].[ext]', chunk: 'shared-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return await Promise.all(
    outputs.map(async (output) => ({ name: basename(output.path), text: await output.text() })),
  );
}
