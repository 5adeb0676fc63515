// Compiles the workers of the suite's program to bytecode before the tests start. A server starts several of
// them, and half the cost of its start is loading their modules, which takes half as long from bytecode. The
// package and the executable, which have their own tests, are built without bytecode.

import { bundleEntries } from '../../scripts/package.ts';
import { PROGRAM_ENTRIES } from '../../scripts/program-bundle.ts';
import { TEST_PROGRAM_MODULES } from './test-program.ts';

/** The entry of the command line is not compiled, because bytecode allows no `await` at the top level. */
const WORKERS = PROGRAM_ENTRIES.filter((path) => path !== 'main.ts');

/** Replaces the workers in the folder of a bundle. Each is one file with all its modules. */
export async function compileWorkers(folder: string): Promise<void> {
  const { outputs } = await bundleEntries(folder, {
    ...{ paths: WORKERS, replaced: TEST_PROGRAM_MODULES },
    ...{ format: 'cjs', bytecode: true, naming: '[name].[ext]' },
    // The expression is needed because in CommonJS `import.meta.url` is the address of the source.
    base: JSON.stringify(Bun.pathToFileURL(`${folder}/`).href),
  });
  const compiled = outputs.filter(({ kind }) => kind === 'bytecode');
  if (compiled.length !== WORKERS.length)
    throw new Error(`Cannot compile the workers: bytecode of ${compiled.length} of ${WORKERS.length}`);
}
