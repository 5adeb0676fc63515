// A copy of the slate while a publish is interrupted, as when its thread is preempted or has died.

import { expect, test } from 'bun:test';
import type { ServiceError } from '../../../src/errors.ts';
import { SlateCopier } from '../../../src/query/slate/slate-copy.ts';
import { attachStore, CONTROL } from '../../../src/store/layout.ts';
import { SlateReader } from '../../../src/store/reader.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import { fixtureOf, smallStore } from '../../store/small-store.ts';

/** A store whose writer is interrupted during a publish. */
function standingStore() {
  const buffer = smallStore();
  const writer = new SlateWriter(buffer);
  writer.putFixture(fixtureOf(1));
  writer.publish(0);
  const { control } = attachStore(buffer);
  Atomics.add(control, CONTROL.publishing, 1);
  return { reader: new SlateReader(buffer), goOn: () => Atomics.add(control, CONTROL.publishing, 1) };
}

test('waits until an interrupted publish has ended, and then copies the slate', async () => {
  const { reader, goOn } = standingStore();
  let waits = 0;
  const copier = new SlateCopier(reader, async () => {
    if (++waits === 100) goOn();
  });
  expect((await copier.copySince(-1)).fixtures).toHaveLength(1);
  expect(waits).toBe(100);
});

test('gives up after two seconds of waits and asks the caller to retry', async () => {
  const { reader } = standingStore();
  let waitedMs = 0;
  const copier = new SlateCopier(reader, async (ms) => {
    waitedMs += ms;
  });
  const code = await copier.copySince(-1).then(
    () => null,
    (error: ServiceError) => error.code,
  );
  expect(code).toBe('upstream_unavailable');
  expect(waitedMs).toBe(2_000);
});
