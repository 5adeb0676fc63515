// A copy of the slate while a publish is interrupted, as when its thread is preempted or has died.

import { expect, test } from 'bun:test';
import { SlateCopier } from '../../../src/query/slate/slate-copy.ts';
import { attachStore, CONTROL } from '../../../src/store/layout.ts';
import { SlateReader } from '../../../src/store/reader.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import { fixtureOf, smallStore } from '../../store/small-store.ts';
import { failureOf } from '../../support/failure.ts';

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

test('copying waits until an interrupted publish has ended, and then copies the slate', async () => {
  const { reader, goOn } = standingStore();
  let waits = 0;
  const copier = new SlateCopier(reader, async () => {
    if (++waits === 100) goOn();
  });
  expect((await copier.copySince(-1)).fixtures).toHaveLength(1);
  expect(waits).toBe(100);
});

test('copying gives up after two seconds of waits, and advises the caller to retry', async () => {
  const { reader } = standingStore();
  let waitedMs = 0;
  const copier = new SlateCopier(reader, async (ms) => {
    waitedMs += ms;
  });
  expect(await failureOf(copier.copySince(-1))).toMatchObject({ code: 'upstream_unavailable' });
  expect(waitedMs).toBe(2_000);
});
