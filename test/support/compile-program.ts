// Bundles the program of the suite before the tests start, with its workers as bytecode. A server starts
// several workers, and half the cost of its start is loading their modules, which takes half as long from
// bytecode. The package and the executable, which have their own tests, are built without bytecode.

import { bundleEntries, SPLIT, writePages } from '../../scripts/package.ts';
import { PROGRAM_ENTRIES } from '../../scripts/program-bundle.ts';
import { TEST_PROGRAM_MODULES } from './test-program.ts';

/**
 * The entry of the command line. It is not compiled to bytecode, because bytecode allows no `await` at the
 * top level.
 */
const COMMAND_LINE = 'main.ts';
const WORKERS = PROGRAM_ENTRIES.filter((path) => path !== COMMAND_LINE);

/** Writes the program and its pages into a folder. Each worker is one file with all its modules. */
export async function compileProgram(folder: string): Promise<void> {
  const replaced = TEST_PROGRAM_MODULES;
  await bundleEntries(folder, { paths: [COMMAND_LINE], replaced, ...SPLIT });
  const { outputs } = await bundleEntries(folder, {
    ...{ paths: WORKERS, replaced },
    ...{ format: 'cjs', bytecode: true, naming: '[name].[ext]' },
    // Without this expression, `import.meta.url` would be the address of the source in CommonJS.
    base: JSON.stringify(Bun.pathToFileURL(`${folder}/`).href),
  });
  const compiled = outputs.filter(({ kind }) => kind === 'bytecode');
  if (compiled.length !== WORKERS.length)
    throw new Error(`Cannot compile the workers: bytecode of ${compiled.length} of ${WORKERS.length}`);
  await writePages(folder);
}
