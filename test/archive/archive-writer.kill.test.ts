// kill -9 during writes of openings, many times on one file. Afterwards every acknowledged opening is stored,
// the file is intact, and the stored openings are those written, in order and without a gap.

import { expect, test } from 'bun:test';
import { bundleChild } from '../support/bundle-child.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newFile, open, openingOf, writerOf } from './archive-fixture.ts';

/** Kills come after 1 to 29 acknowledgements, two kills after each number. */
const ROUNDS = 58;
/**
 * How many writers run at the same time. There are several, because most of a round is the start of a
 * process.
 */
const WRITERS = 2;
const TIME_MAX_MS = 60_000;

const CHILD = new URL('./kill-child.ts', import.meta.url).pathname;

/** Runs one writer, kills it after `lines` acknowledgements. @returns the last key acknowledged */
async function killAfter(
  script: string,
  { path, eventNumber, lines }: { path: string; eventNumber: number; lines: number },
): Promise<number> {
  const child = Bun.spawn([process.execPath, script, path, `${eventNumber}`], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    // Count only whole lines: the last one may be cut.
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  }
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
  return Number(text.split('\n').at(-2));
}

test(
  `ArchiveWriter loses no committed opening in ${ROUNDS} kills`,
  async () => {
    using file = newFile();
    using folder = temporaryFolder();
    const script = await bundleChild(CHILD, folder.path);
    const { path } = file;
    open(path).close();
    for (let round = 0; round < ROUNDS; round += WRITERS) {
      const events = Array.from({ length: WRITERS }, (_, index) => round + index + 1);
      const acknowledged = await Promise.all(
        events.map((eventNumber) =>
          killAfter(script, { path, eventNumber, lines: 1 + ((eventNumber * 13) % 29) }),
        ),
      );
      const database = open(path); // refuses a damaged file
      const { writer } = writerOf(database);
      for (const [index, event] of events.entries()) {
        const openings = writer.openingsOf(event);
        expect(openings.length).toBeGreaterThan(acknowledged[index]!);
        expect(openings).toEqual(openings.map((_, key) => openingOf(key)));
        // Only whole transactions are stored: a flush ends with every seventh key.
        expect((openings.length - 1) % 7).toBe(0);
      }
      database.close();
    }
  },
  TIME_MAX_MS,
);
