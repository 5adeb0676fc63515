// The program as one bundle, which the servers of the whole suite run: test/all.ts builds it once, as for the
// npm package. A start from the source spends a third of its processor time on compiling modules. A test file
// that is run alone starts the source.

import { join } from 'node:path';
import { bundledName } from '../../scripts/program-bundle.ts';

const SOURCE = join(import.meta.dir, '../../src/');

/** The environment variable that names the bundle's folder. */
export const TEST_PROGRAM = 'TEST_PROGRAM';
const folder = process.env[TEST_PROGRAM] ?? null;

/** The program's entry: in the bundle if there is one, otherwise in the source. */
export const PROGRAM_PATH = folder === null ? 'src/main.ts' : join(folder, bundledName('main.ts'));

/**
 * Modules that the bundle replaces, by their path below src/. Rosters and documents are those of this
 * checkout. The first query that needs names makes the tables of clubs and the index of the slate's names,
 * which would be a quarter of what a start costs; few tests ask by name. Tests of the package and of the
 * executable run the module itself.
 */
export const TEST_PROGRAM_MODULES = {
  'program-files.ts': `export const { PROGRAM_COMMAND, programBlob, programFile, programFileNames } =
    require([${JSON.stringify(join(SOURCE, 'program-files.ts'))}].join());`,
  'query/lookup/warm-names.ts':
    'export const warmNames = () => undefined; export const keepIndexed = () => () => undefined;',
};

/** Lets a server in the test's own process start its threads from the bundle. */
export function useTestProgram(): void {
  if (folder === null || globalThis.Worker.name === 'BundledWorker') return;
  const program = folder;
  const source = Bun.pathToFileURL(SOURCE).href;
  globalThis.Worker = class BundledWorker extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      const { href } = new URL(url);
      const isEntry = href.startsWith(source) && href.endsWith('worker.ts');
      super(isEntry ? join(program, bundledName(href.slice(source.length))) : href, options);
    }
  };
}
