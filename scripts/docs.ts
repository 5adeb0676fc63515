// `bun run docs` writes the pages and tables of docs/, and the parts of clients/, that are generated from the
// code; `bun run docs limits` or `bun run docs clients` writes only a part. test/docs.test.ts compares the
// files with the output of the same functions. `contract` is the API's contract on file, which is not written
// while the changelog does not announce a change that breaks clients (scripts/contract/files.ts). `bun run
// docs site <folder>` writes a static site.

import { writeContract } from './contract/files.ts';
import { GENERATED, ROOT, served, written } from './generated.ts';
import { writeSite } from './site/site.ts';

const CONTRACT = 'contract';

const SITE = 'site';

const [, , only, folder] = process.argv;
const names = new Set([...GENERATED.map(({ name }) => name), CONTRACT, SITE]);
if (only !== undefined && !names.has(only)) {
  console.error(`Cannot write docs: "${only}" is not one of ${[...names].join(', ')}`);
  process.exit(1);
}
if (only === SITE) {
  if (folder === undefined) {
    console.error('Cannot write the site: name its folder, as in "bun run docs site dist/site"');
    process.exit(1);
  }
  const pages = await writeSite(folder, (await served()).openapi);
  console.log(`wrote ${pages.length} pages: open ${folder}/index.html`);
}
if (only === undefined || only === CONTRACT) await writeContract(await served(), console.log);
for (const document of GENERATED.filter(({ name }) => only === undefined || name === only)) {
  await Bun.write(ROOT + document.path, await written(document));
  console.log(`wrote ${document.path}`);
}
// Without this, the process waits for threads of the server that was started for the documents.
process.exit(0);
