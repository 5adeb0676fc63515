// Writes the generated parts of clients/: `bun run clients`. With --check it writes nothing, and fails when a file is not
// what it would write: the server and a client have drifted apart.

import { clientDocument } from './clients/document.ts';
import { pythonOperations, pythonTypes, synchronous } from './clients/python-types.ts';
import { typescriptTypes } from './clients/typescript-types.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const checks = process.argv[2] === '--check';

const document = await clientDocument();
const python = 'clients/python/src/overround';
const operations = pythonOperations(document);
const files: [path: string, text: string][] = [
  ['clients/typescript/src/schema.ts', await typescriptTypes(document)],
  [`${python}/types.py`, pythonTypes(document)],
  [`${python}/_async/operations.py`, operations],
  [`${python}/_sync/operations.py`, synchronous(operations, '_async/operations.py')],
];
for (const name of ['client.py', 'mirror.py', 'sessions.py', 'transport.py']) {
  const text = await Bun.file(`${ROOT}${python}/_async/${name}`).text();
  files.push([`${python}/_sync/${name}`, synchronous(text, `_async/${name}`)]);
}
const drifted: string[] = [];
for (const [path, text] of files) {
  const file = Bun.file(ROOT + path);
  const former = (await file.exists()) ? await file.text() : null;
  if (former === text) continue;
  drifted.push(path);
  if (!checks) await Bun.write(file, text);
}
if (!checks) console.log(drifted.map((path) => `wrote ${path}`).join('\n') || 'nothing has changed');
else if (drifted.length > 0) {
  console.error(`Not what the server serves: ${drifted.join(', ')}. Run: bun run clients`);
  process.exit(1);
}
process.exit(0);
