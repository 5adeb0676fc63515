// `bun run build:binary [file]`: builds the server as one executable that contains all workers, pages,
// rosters and name tables.
//
// Inside an executable, Bun finds no worker or file by its path. So the build replaces both: a worker's
// address becomes that of its entry point, and the two modules that read or compile files become modules that
// contain them.

import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { PROGRAM_FOLDERS, programFile, programFileNames } from '../src/program-files.ts';
import { ENTRY_PATHS } from '../src/web/bundle.ts';
import { compilePages } from '../src/web/compile-pages.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const SOURCE = join(ROOT, 'src');
/** The path of entry points inside an executable. */
const INSIDE = 'file:///$bunfs/root';
const WORKER_ADDRESS = /new URL\('(\.{1,2}\/[^']+worker\.ts)', import\.meta\.url\)/g;

export interface BinaryOptions {
  readonly outfile: string;
  /** Such as `bun-linux-arm64`; the default is this machine's. */
  readonly target?: Bun.Build.CompileTarget;
}

/** Builds the executable. @throws AggregateError when something does not compile */
export async function buildBinary({ outfile, target }: BinaryOptions): Promise<void> {
  // The pages' service worker is one of the compiled pages.
  const workers = [...new Bun.Glob('**/*worker.ts').scanSync(SOURCE)]
    .filter((path) => !path.startsWith('web/client/'))
    .sort();
  const modules = new Map([
    ['program-files.ts', programFilesModule()],
    [
      'web/compile-pages.ts',
      `const PAGES = ${JSON.stringify(await compilePages(ENTRY_PATHS))};\nexport const compilePages = async () => PAGES;`,
    ],
  ]);
  const named = new Set<string>();
  await Bun.build({
    entrypoints: ['main.ts', ...workers].map((path) => join(SOURCE, path)),
    root: SOURCE,
    compile: {
      outfile: resolve(outfile),
      // The executable must not read files from the folder in which it is started.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target }),
    },
    plugins: [
      {
        name: 'what is inside an executable',
        setup(build) {
          build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
            const name = relative(SOURCE, path);
            const text = modules.get(name) ?? readFileSync(path, 'utf8');
            const contents = text.replaceAll(WORKER_ADDRESS, (_, target: string) => {
              named.add(relative(SOURCE, resolve(path, '..', target)));
              const entry = relative(SOURCE, resolve(path, '..', target)).replace(/\.ts$/, '.js');
              return `new URL('${INSIDE}/${entry}')`;
            });
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  const lost = workers.filter((worker) => !named.has(worker));
  if (lost.length > 0) {
    throw new Error(
      `Cannot build: the address of ${lost.join(', ')} is not written as new URL('...', import.meta.url)`,
    );
  }
}

/** A version of src/program-files.ts that contains the files. */
function programFilesModule(): string {
  const files = Object.fromEntries(
    PROGRAM_FOLDERS.map((folder) => [
      folder,
      Object.fromEntries(programFileNames(folder).map((name) => [name, programFile(folder, name)])),
    ]),
  );
  return `const FILES = ${JSON.stringify(files)};
export const PROGRAM_COMMAND = 'overround';
export const programFileNames = (folder) => Object.keys(FILES[folder]);
export const programFile = (folder, name) => FILES[folder][name];
export const programBlob = (folder, name) => new Blob([FILES[folder][name]]);`;
}

if (import.meta.main) {
  const [, , outfile = 'dist/overround', target] = process.argv;
  await buildBinary({
    outfile,
    ...(target === undefined ? {} : { target: target as Bun.Build.CompileTarget }),
  });
  console.log(`wrote ${outfile}`);
}
