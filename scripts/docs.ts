// Writes the pages and tables of docs/, and the parts of clients/, that are generated from the code: `bun run
// docs`, or parts of it with `bun run docs limits` and `bun run docs clients`. test/docs.test.ts compares the
// files with the same functions.

import { GENERATED, ROOT, written } from './generated.ts';

const only = process.argv[2];
const chosen = GENERATED.filter(({ name }) => only === undefined || name === only);
if (chosen.length === 0) {
  console.error(`Cannot write docs: "${only}" is none of ${GENERATED.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}
for (const document of chosen) {
  await Bun.write(ROOT + document.path, await written(document));
  console.log(`wrote ${document.path}`);
}
// The threads of the server that was started for the clients take a while to end.
process.exit(0);
