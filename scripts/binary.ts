// `bun run build binary [file] [target]`: builds the server as one executable that contains all workers,
// pages, rosters and name tables.
//
// Inside an executable, Bun finds no worker or file by its path. So the address of each worker is replaced by
// the address of its entry point in the executable, and the two modules that read or compile files are
// replaced by modules that contain the files.

import { join, resolve } from 'node:path';
import { PROGRAM_FOLDERS, programFile, programFileNames } from '../src/program-files.ts';
import { ENTRY_PATHS } from '../src/web/bundle.ts';
import { compilePages } from '../src/web/compile-pages.ts';
import { PROGRAM_ENTRIES, programBundle, ROOT } from './program-bundle.ts';

/** The path of entry points inside an executable. */
const INSIDE = 'file:///$bunfs/root';

export interface BinaryOptions {
  readonly outfile: string;
  /** A target of Bun, such as `bun-linux-arm64`; the default is this machine's. */
  readonly target?: Bun.Build.CompileTarget;
}

/** Builds the executable. @throws AggregateError when something does not compile */
export async function buildBinary({ outfile, target }: BinaryOptions): Promise<void> {
  const pages = JSON.stringify(await compilePages(ENTRY_PATHS));
  const { plugin, checkWorkers } = programBundle({
    modules: {
      'program-files.ts': programFilesModule(),
      'web/compile-pages.ts': `const PAGES = ${pages};\nexport const compilePages = async () => PAGES;`,
    },
    workerAddress: (entry) => `new URL('${INSIDE}/${entry}.js')`,
  });
  await Bun.build({
    entrypoints: PROGRAM_ENTRIES.map((path) => join(ROOT, 'src', path)),
    root: join(ROOT, 'src'),
    compile: {
      outfile: resolve(outfile),
      // The executable must not read files from the folder in which it is started.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target }),
    },
    plugins: [plugin],
  });
  checkWorkers();
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
