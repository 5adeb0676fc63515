// A process in which the code that reads names cannot be loaded at first. Prints how each question ended.

import { readFileSync } from 'node:fs';
import { plugin } from 'bun';
import { ArchiveReader } from '../../../src/archive/archive-reader.ts';
import { createArchiveCalls } from '../../../src/query/lists/archive-calls.ts';

let failuresLeft = 1;
plugin({
  name: 'no descriptors left',
  setup: (build) => {
    build.onLoad({ filter: /lookup\/result-lookup\.ts$/ }, ({ path }) => {
      failuresLeft -= 1;
      if (failuresLeft >= 0) throw new Error('EMFILE');
      return { contents: readFileSync(path, 'utf8'), loader: 'ts' };
    });
  },
});
const archive = createArchiveCalls(new ArchiveReader({ rows: async () => [], run: async () => 0 }));
const asked = { question: { query: 'Ajax PSV' }, nowMs: Date.UTC(2026, 2, 1) };
for (let count = 0; count < 2; count++) {
  const ended = await archive.lookUp(asked).then(() => 'answered', String);
  console.log(ended);
}
