// Records openings until it is killed, and flushes them after every seventh key. Prints the last key of each
// flush that has committed. Arguments: the path of the file and the number of the event.

import { open, openingOf, writerOf } from './archive-fixture.ts';

const [path, event] = process.argv.slice(2);
const { writer } = writerOf(open(path!));
const eventNumber = Number(event);
for (let key = 0; ; key++) {
  writer.recordOpening(eventNumber, openingOf(key));
  if (key % 7 === 0 && (await writer.flush())) process.stdout.write(`${key}\n`);
}
