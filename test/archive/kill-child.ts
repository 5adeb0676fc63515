// Records and flushes openings until it is killed, and prints on standard output how many are committed. It
// starts writing on a message, so that the parent decides when the kill happens.

import { open, openingOf, writerOf } from './archive-fixture.ts';

const [path, event, from] = process.argv.slice(2);
const { writer } = writerOf(open(path!));
const eventNumber = Number(event);
for (let key = Number(from); ; key++) {
  writer.recordOpening(eventNumber, openingOf(key));
  if (key % 7 === 0 && (await writer.flush())) process.stdout.write(`${key}\n`);
}
