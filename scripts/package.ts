// `bun run build package [folder]`: writes the npm package into a folder (dist/package), ready for `npm pack`
// and `npm publish`. It contains the program as JavaScript, compiled pages and data files, and a launcher for
// Node. Its only dependency is Bun: the packages with Bun's executable, of which npm installs the one that
// fits the machine. The package `bun` would need a postinstall script, which package managers no longer run
// unasked.
//
// The repository's own package.json stays private, so that nobody publishes the source by mistake.

import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { PROGRAM_FOLDERS, programFile, programFileNames } from '../src/program-files.ts';
import { ENTRY_PATHS } from '../src/web/bundle.ts';
import { compilePages } from '../src/web/compile-pages.ts';
import { bundledName, PROGRAM_ENTRIES, programBundle, ROOT } from './program-bundle.ts';
import { runtimePackages } from './runtime-packages.ts';

/** The folder in which the entries seem to be; they exist only in memory. */
const ENTRIES = join(ROOT, 'scripts');
/** The machines on which the program runs, as Bun names them. */
const MACHINES = [
  'linux-x64',
  'linux-aarch64',
  'linux-x64-musl',
  'linux-aarch64-musl',
  'darwin-x64',
  'darwin-aarch64',
];
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Writes the package. @throws AggregateError when something does not compile */
export async function buildPackage(folder: string): Promise<void> {
  const program = join(folder, 'program');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  await bundleProgram(program);
  await writeProgramFiles(program);
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE'])
    copyFileSync(join(ROOT, name), join(folder, name));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), await licencesOfBundled());
  copyFileSync(join(ROOT, 'scripts/launcher.js'), join(folder, 'bin/overround.js'));
  chmodSync(join(folder, 'bin/overround.js'), 0o755);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packedManifest(), null, 2)}\n`);
}

/**
 * Bundles the entries, and compiles the pages. All files are in one folder, where they find each other by
 * name.
 */
async function bundleProgram(program: string): Promise<void> {
  const replaced = { 'program-files.ts': PROGRAM_FILES_MODULE };
  const { outputs, checkWorkers } = await bundleEntries(program, {
    paths: PROGRAM_ENTRIES,
    replaced,
    ...SPLIT,
  });
  checkWorkers();
  if (outputs.length < PROGRAM_ENTRIES.length) throw new Error('Cannot build: an entry is missing');
  await writePages(program);
}

/** Options of a bundle whose entries share their common modules as files of their own. */
export const SPLIT = {
  splitting: true,
  naming: { entry: '[name].[ext]', chunk: 'part-[hash].[ext]' },
} as const;

/** Compiles the pages into the folder of a bundle. */
export async function writePages(program: string): Promise<void> {
  mkdirSync(join(program, 'pages'));
  for (const { name, text } of await compilePages(ENTRY_PATHS))
    writeFileSync(join(program, 'pages', name), text);
}

interface EntriesOptions
  extends Partial<Pick<Bun.BuildConfig, 'splitting' | 'naming' | 'format' | 'bytecode'>> {
  /** Entries, by their paths below src/. */
  readonly paths: readonly string[];
  /** Modules to use instead, by their path below src/. */
  readonly replaced: Readonly<Record<string, string>>;
  /**
   * The expression for the address of the bundle's files. Default: that of the file that contains the
   * expression.
   */
  readonly base?: string;
}

/** Bundles some of the entries into a folder. @throws AggregateError when something does not compile */
export async function bundleEntries(
  folder: string,
  { paths, replaced, base = 'import.meta.url', ...options }: EntriesOptions,
) {
  const { plugin, checkWorkers } = programBundle({
    modules: { ...replaced, 'web/compile-pages.ts': pagesModule(base) },
    workerAddress: (entry) => `new URL('./${bundledName(entry)}', ${base})`,
  });
  const entries = Object.fromEntries(
    paths.map((path) => [
      join(ENTRIES, bundledName(path)),
      `import ${JSON.stringify(join(ROOT, 'src', path))};`,
    ]),
  );
  const { outputs } = await Bun.build({
    ...options,
    entrypoints: Object.keys(entries),
    files: entries,
    root: ENTRIES,
    outdir: folder,
    target: 'bun',
    plugins: [plugin],
  });
  return { outputs, checkWorkers };
}

/**
 * Writes the files that the program reads while it runs: rosters, pages of the documentation, the API viewer.
 */
async function writeProgramFiles(program: string): Promise<void> {
  for (const folder of PROGRAM_FOLDERS) {
    mkdirSync(join(program, folder), { recursive: true });
    for (const name of programFileNames(folder))
      writeFileSync(join(program, folder, name), programFile(folder, name));
  }
  // Bun reads this file instead of a bunfig.toml in the working directory.
  writeFileSync(join(program, 'bunfig.toml'), 'env = false\n');
}

/** The package.json of the npm package. */
function packedManifest(): Record<string, unknown> {
  const { name, version, description, license, engines } = manifest;
  return {
    name,
    version,
    description,
    license,
    keywords: ['odds', 'betting-odds', 'sports', 'api', 'mcp', 'self-hosted'],
    type: 'module',
    bin: { overround: 'bin/overround.js' },
    files: ['bin', 'program', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES'],
    engines: { node: '>=18' },
    os: ['linux', 'darwin'],
    optionalDependencies: Object.fromEntries(
      MACHINES.map((machine) => [`@oven/bun-${machine}`, engines.bun.replace('>=', '')]),
    ),
    publishConfig: { access: 'public', provenance: true },
  };
}

/** The licences of the packages whose code is in the bundle: they must be distributed with it. */
async function licencesOfBundled(): Promise<string> {
  const texts = (await runtimePackages()).map(({ name, version, licence }) => {
    const folder = join(ROOT, 'node_modules', name);
    const file = existsSync(folder)
      ? readdirSync(folder).find((found) => LICENCE_FILE.test(found))
      : undefined;
    const text = file === undefined ? Promise.resolve('') : Bun.file(join(folder, file)).text();
    return text.then((found) => `${name} ${version}, ${licence}\n\n${found.trim()}\n`);
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

/** src/program-files.ts for the package, where the files are in a folder beside the program. */
const PROGRAM_FILES_MODULE = `import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const path = (folder, name = '') => fileURLToPath(new URL('./' + folder + '/' + name, import.meta.url));
// npx puts no command on the PATH.
export const PROGRAM_COMMAND = process.env.npm_command === 'exec' ? 'npx -y overround' : 'overround';
export const programFileNames = (folder) => readdirSync(path(folder)).sort();
export const programFile = (folder, name) => readFileSync(path(folder, name), 'utf8');
export const programBlob = (folder, name) => Bun.file(path(folder, name));`;

/** src/web/compile-pages.ts for the package: reads pages that are already compiled. */
function pagesModule(base: string): string {
  return `import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const folder = fileURLToPath(new URL('./pages/', ${base}));
export const compilePages = async () =>
  readdirSync(folder).sort().map((name) => ({ name, text: readFileSync(folder + name, 'utf8') }));`;
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist/package'));
  await buildPackage(folder);
  console.log(`wrote ${folder}: npm pack ${folder}`);
}
