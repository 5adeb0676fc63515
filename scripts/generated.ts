// The list of generated files: pages of docs/, parts of pages between two markers, and the parts of clients/
// that follow the server's OpenAPI document.

import { asvsPart } from './asvs.ts';
import { clientDocument, type Document, type ServedDocuments, servedDocuments } from './clients/document.ts';
import { pythonOperations, pythonTypes, synchronous } from './clients/python-types.ts';
import { typescriptTypes } from './clients/typescript-types.ts';
import { importTable } from './import-table.ts';
import { limitsPage } from './limits-page.ts';
import { logsPage } from './logs-page.ts';
import { packagesPart } from './packages-part.ts';
import { settingsPage } from './settings-page.ts';

export const ROOT = new URL('../', import.meta.url).pathname;

interface GeneratedDocument {
  readonly name: string;
  /** From the root of the repository. */
  readonly path: string;
  /** The name of the part between the markers; null when the whole page is generated. */
  readonly part: string | null;
  make(): string | Promise<string>;
}

const PYTHON = 'clients/python/src/overround';

export const GENERATED: readonly GeneratedDocument[] = [
  { name: 'limits', path: 'docs/reference/limits.md', part: null, make: limitsPage },
  { name: 'settings', path: 'docs/reference/settings.md', part: null, make: settingsPage },
  { name: 'logs', path: 'docs/reference/logs.md', part: null, make: logsPage },
  { name: 'asvs', path: 'docs/internals/security.md', part: 'ASVS', make: asvsPart },
  { name: 'packages', path: 'docs/internals/security.md', part: 'packages', make: packagesPart },
  { name: 'imports', path: 'docs/internals/architecture.md', part: 'import table', make: importTable },
  clientPart('clients/typescript/src/schema.ts', typescriptTypes),
  clientPart(`${PYTHON}/types.py`, pythonTypes),
  clientPart(`${PYTHON}/_async/operations.py`, pythonOperations),
  ...['operations.py', 'client.py', 'mirror.py', 'sessions.py', 'transport.py'].map(pythonTwin),
];

/** Null until they are first needed. Read only once, because that takes the start of a server. */
let documents: Promise<ServedDocuments> | null = null;

/** The OpenAPI and AsyncAPI documents that the server serves with the current code. */
export function served(): Promise<ServedDocuments> {
  documents ??= servedDocuments();
  return documents;
}

function clientPart(path: string, make: (document: Document) => string | Promise<string>): GeneratedDocument {
  return { name: 'clients', path, part: null, make: async () => make(clientDocument(await served())) };
}

/**
 * The blocking version of an asynchronous file. For operations.py the asynchronous file is generated as well.
 */
function pythonTwin(name: string): GeneratedDocument {
  const from = `_async/${name}`;
  return {
    name: 'clients',
    path: `${PYTHON}/_sync/${name}`,
    part: null,
    make: async () => synchronous(await Bun.file(`${ROOT}${PYTHON}/${from}`).text(), from),
  };
}

/** The whole text that the file should have. @throws Error when the file lacks the markers of its part */
export async function written({ path, part, make }: GeneratedDocument): Promise<string> {
  const made = await make();
  if (part === null) return made;
  const text = await Bun.file(ROOT + path).text();
  const begin = `<!-- ${part}: written by bun run docs -->\n`;
  const end = `<!-- end of ${part} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`Cannot write ${path}: it has no markers of its ${part}`);
  return `${text.slice(0, from + begin.length)}\n${made}\n${text.slice(to)}`;
}
