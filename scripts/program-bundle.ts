// What both builds of the program need, that of the executable (binary.ts) and that of the npm package
// (package.ts): the entry points, and a plugin that replaces the modules that read or compile files at run
// time.

import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const ROOT = new URL('../', import.meta.url).pathname;
const SOURCE = join(ROOT, 'src');
const WORKER_ADDRESS = /new URL\('(\.{1,2}\/[^']+worker\.ts)', import\.meta\.url\)/g;

/** Paths below src/ of the program's entry points: the command line and each worker. */
export const PROGRAM_ENTRIES: readonly string[] = [
  'main.ts',
  // The service worker in web/client/ is not an entry: it is compiled with the pages.
  ...[...new Bun.Glob('**/*worker.ts').scanSync(SOURCE)]
    .filter((path) => !path.startsWith('web/client/'))
    .sort(),
];

/** The name of an entry's file in a bundle of files. @param entry its path below src/ */
export function bundledName(entry: string): string {
  return `${entry.replace(/\.ts$/, '').replaceAll('/', '-')}.js`;
}

interface ProgramBundle {
  readonly plugin: Bun.BunPlugin;
  /**
   * Call it after the build. @throws Error when an address of a worker is written in a form that was not
   * replaced
   */
  checkWorkers(): void;
}

interface ProgramBundleOptions {
  /** Modules to replace, by their path below src/. */
  readonly modules: Readonly<Record<string, string>>;
  /**
   * Returns the expression for a worker's address in the bundle. @param entry its path below src/ without the
   * ending
   */
  readonly workerAddress: (entry: string) => string;
}

export function programBundle({ modules, workerAddress }: ProgramBundleOptions): ProgramBundle {
  const named = new Set<string>();
  return {
    plugin: {
      name: 'a program without its source',
      setup(build) {
        build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
          const text = modules[relative(SOURCE, path)] ?? readFileSync(path, 'utf8');
          const contents = text.replaceAll(WORKER_ADDRESS, (_, target: string) => {
            const worker = relative(SOURCE, resolve(path, '..', target));
            named.add(worker);
            return workerAddress(worker.replace(/\.ts$/, ''));
          });
          return { contents, loader: 'ts' };
        });
      },
    },
    checkWorkers() {
      const lost = PROGRAM_ENTRIES.slice(1).filter((worker) => !named.has(worker));
      if (lost.length === 0) return;
      throw new Error(
        `Cannot build: the address of ${lost.join(', ')} is not written as new URL('...', import.meta.url)`,
      );
    },
  };
}
