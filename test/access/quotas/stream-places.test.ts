// The shared table of open streams, compared with a list.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createStreamMemory, StreamPlaces, streamCountOf } from '../../../src/access/quotas/stream-places.ts';
import { subjectOfText } from '../../../src/access/quotas/subject-table.ts';

test('streams that threads open and end are counted as a plain list counts them, even after a thread has died', () => {
  const caller = fc.integer({ min: 0, max: 2 });
  const thread = fc.integer({ min: 0, max: 1 });
  const step = fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant('take'), thread, caller }) },
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('leave'), thread, caller: fc.nat(1_000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('die'), thread, caller }) },
  );
  const steps = fc.array(step, { maxLength: 900, minLength: 300 });
  // 600 places are two blocks and a part of one. Few runs reach a caller's bound of 200; 300 places are soon
  // full.
  const size = fc.constantFrom(5, 300, 600);
  fc.assert(
    fc.property(steps, size, fc.integer({ min: 1, max: 200 }), (some, streams, max) => {
      const buffer = createStreamMemory(streams);
      const threads = [new StreamPlaces(buffer, 0), new StreamPlaces(buffer, 1)];
      let open: { thread: number; caller: number; place: number }[] = [];
      for (const { kind, thread: number, caller: who } of some) {
        if (kind === 'take') {
          const place = threads[number]!.take(subjectOfText(`key ${who}`), max);
          const own = open.filter(({ caller: other }) => other === who).length;
          if (open.length === streams) expect(place).toBe('table_full');
          else if (own === max) expect(place).toBe('caller_full');
          else if (typeof place !== 'number') throw new Error(`refused: ${place}`);
          else {
            expect(open.map((one) => one.place)).not.toContain(place);
            open.push({ thread: number, caller: who, place });
          }
        } else if (kind === 'leave' && open.length > 0) {
          const [left] = open.splice(who % open.length, 1);
          threads[left!.thread]!.leave(left!.place);
        } else if (kind === 'die') {
          threads[number] = new StreamPlaces(buffer, number);
          open = open.filter(({ thread: owner }) => owner !== number);
        }
        expect(streamCountOf(buffer)).toBe(open.length);
      }
    }),
    { numRuns: 30 },
  );
});
