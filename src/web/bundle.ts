// The pages' scripts and styles. Each thread compiles them on first use (compile-pages.ts). A file name
// contains a hash of the content, so it is the same on every thread.

import { assert } from '../errors.ts';
import { compilePages } from './compile-pages.ts';

/** The scripts that pages load, the service worker, and the one style sheet of all pages. */
const ENTRIES = {
  first: 'first.ts',
  board: 'board/board.tsx',
  match: 'match/match.tsx',
  record: 'record/record.tsx',
  console: 'console/console.tsx',
  operator: 'operator/operator.tsx',
  viewer: 'viewer.ts',
  worker: 'worker.ts',
  text: 'text.ts',
  style: 'style.css',
} as const;
export type EntryName = keyof typeof ENTRIES;
/** Paths below client/. */
export const ENTRY_PATHS: readonly string[] = Object.values(ENTRIES);

/** The icon of the browser tab. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e4f"/><path d="M9 9h14M9 16h14M9 23h8" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/></svg>`;

const ICON_NAME = `icon-${Bun.hash(ICON).toString(36)}.svg`;

/** What browsers need to install the pages as an app. */
export const MANIFEST = JSON.stringify({
  name: 'Overround',
  short_name: 'Overround',
  start_url: '/',
  display: 'standalone',
  background_color: '#0e1113',
  theme_color: '#0b6e4f',
  icons: [{ src: `/assets/${ICON_NAME}`, sizes: 'any', type: 'image/svg+xml', purpose: 'any maskable' }],
});

/** The URL path under which the files are served. */
export const ASSETS_PATH = '/assets';
export const ICON_PATH = `${ASSETS_PATH}/${ICON_NAME}`;

export interface Asset {
  readonly body: Blob;
  readonly contentType: string;
}

export interface Bundle {
  /** Files by file name. */
  readonly files: ReadonlyMap<string, Asset>;
  readonly entries: ReadonlyMap<EntryName, BundledEntry>;
}

export interface BundledEntry {
  /** For example `/assets/board-1a2b3c4d.js`. */
  readonly path: string;
  /** Paths of the chunks that the script imports, for preloading. */
  readonly imports: readonly string[];
}

let bundling: Promise<Bundle> | null = null;

/** This thread's bundle. @throws AggregateError when a page does not compile, which is a bug */
export function pageBundle(): Promise<Bundle> {
  bundling ??= build();
  return bundling;
}

async function build(): Promise<Bundle> {
  const files = new Map<string, Asset>();
  const imports = new Map<string, readonly string[]>();
  for (const { name, text } of await compilePages(ENTRY_PATHS)) {
    const isScript = name.endsWith('.js');
    files.set(name, {
      body: new Blob([text]),
      contentType: isScript ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
    });
    imports.set(name, isScript ? importsOf(text) : []);
  }
  files.set(ICON_NAME, { body: new Blob([ICON]), contentType: 'image/svg+xml' });
  const nameOf = (entry: EntryName): string => {
    const name = [...files.keys()].find((file) => file.startsWith(`${entry}-`));
    assert(name !== undefined, `the bundle has a file for ${entry}`);
    return name;
  };
  const entries = (Object.keys(ENTRIES) as EntryName[]).map((entry) => {
    const name = nameOf(entry);
    return { entry, path: pathOf(name), imports: (imports.get(name) ?? []).map(pathOf) };
  });
  return {
    files,
    entries: new Map(entries.map(({ entry, ...file }) => [entry, file])),
  };
}

function pathOf(name: string): string {
  return `${ASSETS_PATH}/${name}`;
}

/** The chunks that a script imports, by file name. */
function importsOf(script: string): string[] {
  return [...script.matchAll(/from\s*"\.{1,2}\/(shared-\w+\.js)"/g)].map((match) => match[1]!);
}
