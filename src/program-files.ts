// Files that are part of the program without being code: bundled rosters, the pages of docs/ that agents
// read, and the API viewer. They are read from the program's folder; an executable has them embedded
// (scripts/binary.ts), and the npm package has them beside the program (scripts/package.ts).

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a person types before a command's name. */
export const PROGRAM_COMMAND = 'bun run overround';

/** Each folder: its path, and which of its files belong to the program. */
const FOLDERS = {
  rosters: { path: fileURLToPath(new URL('../rosters/', import.meta.url)), pattern: /^[\w-]+\.json$/ },
  guide: { path: fileURLToPath(new URL('../docs/guide/', import.meta.url)), pattern: /^agents\.md$/ },
  reference: {
    path: fileURLToPath(new URL('../docs/reference/', import.meta.url)),
    pattern: /^(?:decisions|limits|names|signals)\.md$/,
  },
  viewer: {
    path: Bun.resolveSync('swagger-ui-dist/swagger-ui.css', import.meta.dir).replace(/[^/]+$/, ''),
    pattern: /^(?:swagger-ui-bundle\.js|swagger-ui\.css)$/,
  },
} as const;
export type ProgramFolder = keyof typeof FOLDERS;
export const PROGRAM_FOLDERS = Object.keys(FOLDERS) as ProgramFolder[];

/** Names of the files of a folder, in order. */
export function programFileNames(folder: ProgramFolder): readonly string[] {
  const { path, pattern } = FOLDERS[folder];
  return readdirSync(path)
    .filter((name) => pattern.test(name))
    .sort();
}

/** The text of a file. @throws when the program has no such file */
export function programFile(folder: ProgramFolder, name: string): string {
  return readFileSync(FOLDERS[folder].path + name, 'utf8');
}

/** A file as the body of an answer, read when it is sent. */
export function programBlob(folder: ProgramFolder, name: string): Blob {
  return Bun.file(FOLDERS[folder].path + name);
}
