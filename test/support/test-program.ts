// The program as one bundle, which the servers of the whole suite run. test/all.ts builds it once, in the
// same way as for the npm package, because a start from the source spends a third of its processor time on
// compiling modules. A test file that runs alone starts the source.

import { join } from 'node:path';
import { bundledName } from '../../scripts/program-bundle.ts';
import { HASH_COST } from '../../src/accounts/credentials/hash-cost.ts';

const SOURCE = join(import.meta.dir, '../../src/');

/** The environment variable that names the bundle's folder. */
export const TEST_PROGRAM = 'TEST_PROGRAM';
/** The environment variable that, if it is 1, makes the bundle hash passwords at the real cost. */
export const TEST_REAL_HASHES = 'TEST_REAL_HASHES';
const folder = process.env[TEST_PROGRAM] ?? null;
/** The environment that a process of the tests needs to run the same program as this process. */
export const PROGRAM_ENVIRONMENT: Readonly<Record<string, string>> =
  folder === null ? {} : { [TEST_PROGRAM]: folder };

/** The entry of the program: the bundle's entry if there is a bundle, otherwise that of the source. */
export const PROGRAM_PATH = folder === null ? 'src/main.ts' : join(folder, bundledName('main.ts'));

/**
 * Modules that the bundle replaces, by their path below src/. Rosters and documents are read from this
 * checkout. The tables of clubs and the index of the slate's names are made only when a query needs names,
 * because they would be a quarter of the cost of a start, and few tests search by name. At its start, a
 * thread rehearses no polls, because that only makes its first poll faster. A password hash takes a tenth of
 * a millisecond instead of 67 ms, unless TEST_REAL_HASHES is 1. Tests of the package and of the executable
 * use the real modules.
 */
export const TEST_PROGRAM_MODULES = {
  'accounts/credentials/hash-cost.ts': `export const HASH_COST = process.env.${TEST_REAL_HASHES} === '1'
    ? ${JSON.stringify(HASH_COST)} : { memoryCost: 8, timeCost: 1 };`,
  'http/edge/rehearsal.ts': 'export const rehearse = () => undefined;',
  'program-files.ts': `export const { PROGRAM_COMMAND, programBlob, programFile, programFileNames } =
    require([${JSON.stringify(join(SOURCE, 'program-files.ts'))}].join());`,
  'query/lookup/warm-names.ts': `export const warmNames = () => undefined; export const keepIndexed = () => () => undefined;`,
};

/** Makes a service in the test's own process start its threads from the bundle. */
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

/**
 * Runs a worker of the program in the thread that calls this.
 * @param entry its path below src/
 */
export function runWorker(entry: string): void {
  require(folder === null ? join(SOURCE, entry) : join(folder, bundledName(entry)));
}
