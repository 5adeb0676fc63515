// A reader that checks only the slots noted as changed sees the same slate as one that checks all of them.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { runs } from '../support/runs.ts';
import { fixtureOf, SMALL, smallStore } from './small-store.ts';

/** A reader's copy of the slate: for each slot, the event and version of its page. */
class Follower {
  readonly #reader: SlateReader;
  readonly held: (string | undefined)[] = [];
  #count = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#reader = new SlateReader(buffer);
  }

  /** @returns how many slots it checked */
  follow(): number {
    const { count, slots } = this.#reader.changes(this.#count);
    const due = slots ?? this.everySlot();
    for (const slot of due) this.held[slot] = this.look(slot);
    this.#count = count;
    return due.length;
  }

  slotOf(eventNumber: number): number {
    return this.#reader.slotOf(eventNumber);
  }

  everySlot(): number[] {
    return Array.from({ length: this.#reader.slotCount() }, (_, slot) => slot);
  }

  look(slot: number): string | undefined {
    const { eventNumber, version } = this.#reader.columns;
    return this.#reader.read(slot, (page) => `${eventNumber[page]} ${version[page]}`);
  }
}

const event = fc.integer({ min: 1, max: 6 });
const operation = fc.oneof(
  fc.record({ kind: fc.constantFrom('put', 'remove'), event }),
  fc.record({ kind: fc.constantFrom('publish', 'publish', 'follow', 'follow', 'follow', 'takeover'), event }),
);

describe('SlateReader.changes', () => {
  test('changes() names every slot whose page has changed, through full tables, long absences and a new writer', () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 40, maxLength: 120 }), (operations) => {
        const buffer = smallStore();
        let writer = new SlateWriter(buffer);
        const follower = new Follower(buffer);
        let atMs = 0;
        for (const { kind, event: number } of operations) {
          const slot = writer.slotOf(number);
          if (kind === 'put') writer.putFixture(fixtureOf(number, ++atMs));
          if (kind === 'remove' && slot >= 0) writer.removeFixture(slot);
          if (kind === 'publish') writer.publish(0);
          if (kind === 'takeover') writer = new SlateWriter(buffer);
          if (kind !== 'follow') continue;
          follower.follow();
          const slots = follower.everySlot();
          expect(slots.map((slot) => follower.held[slot])).toEqual(slots.map((slot) => follower.look(slot)));
          // The index from event to slot follows the same changes. It may still have a slot that was vacated
          // in a batch that is not published yet; that slot is empty.
          const seats = (reader: { slotOf: (eventNumber: number) => number }) =>
            [1, 2, 3, 4, 5, 6].map((one) => {
              const seat = reader.slotOf(one);
              return seat >= 0 && follower.look(seat) !== undefined ? seat : -1;
            });
          expect(seats(follower)).toEqual(seats(new SlateReader(buffer)));
        }
      }),
      { numRuns: runs(150) },
    );
  });

  test('changes() names one slot for one change, and no slot when nothing changed', () => {
    const buffer = smallStore();
    const writer = new SlateWriter(buffer);
    for (let number = 1; number <= SMALL.fixtures; number++) writer.putFixture(fixtureOf(number));
    writer.publish(0);
    const follower = new Follower(buffer);
    expect(follower.follow()).toBe(SMALL.fixtures);
    expect(follower.follow()).toBe(0);
    writer.putFixture(fixtureOf(3, 1, ' FC'));
    writer.publish(0);
    expect(follower.follow()).toBe(1);
  });
});
