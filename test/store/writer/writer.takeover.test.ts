// A writer that dies leaves the slate that it published. The next writer continues from there, and readers
// only notice that the slate becomes older.

import { describe, expect, test } from 'bun:test';
import { attachStore, CONTROL, WIDE } from '../../../src/store/layout.ts';
import { SlateReader } from '../../../src/store/reader.ts';
import { PUT_KNOWN } from '../../../src/store/records.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import { fixtureOf, SMALL, smallStore } from '../small-store.ts';

describe('a new SlateWriter on the store of a dead one', () => {
  test('a new writer has every page available again, whenever the dead one died', () => {
    const buffer = smallStore();
    for (let life = 0; life < 200; life++) {
      const writer = new SlateWriter(buffer);
      for (let batch = 0; batch <= life % 5; batch++) {
        for (let event = 1; event <= SMALL.fixtures; event++) writer.putFixture(fixtureOf(event, life));
        if (batch < life % 5) writer.publish(0);
      }
    }
    expect(new SlateWriter(buffer).fixtureCount).toBe(SMALL.fixtures);
  });

  test('a new writer knows the openings of the dead one, and never gives the old openings of a slot to the next fixture', () => {
    const buffer = smallStore({ fixtures: 1 });
    const dead = new SlateWriter(buffer);
    const opening = { key: 7, a: 1, b: 2, c: 3, openedAtMs: 4, upstream: true };
    dead.putOpening(dead.putFixture(fixtureOf(1)), opening);
    dead.publish(0);
    const second = new SlateWriter(buffer);
    expect(second.putOpening(second.slotOf(1), opening)).toBe(PUT_KNOWN);
    second.removeFixture(second.slotOf(1));
    second.publish(0);
    second.putOpening(second.putFixture(fixtureOf(2)), opening);
    // The writer dies before it publishes fixture 2.
    const third = new SlateWriter(buffer);
    const slot = third.putFixture(fixtureOf(3));
    third.publish(0);
    expect(new SlateReader(buffer).openingCount(slot)).toBe(0);
  });

  test('a new writer announces pages that the dead one published without announcing them, and never repeats a version', () => {
    const buffer = smallStore();
    const dead = new SlateWriter(buffer);
    const slot = dead.putFixture(fixtureOf(1));
    dead.publish(0);
    const reader = new SlateReader(buffer);
    expect(reader.slotOf(1)).toBe(slot);
    dead.quotes.putQuote(slot, 1, 1, 1, 1, 0, 1);
    const { wide } = attachStore(buffer);
    const announced = Atomics.load(wide, WIDE.slateVersion);
    dead.publish(0);
    // The state is as if the writer had died after writing the page and before the slate's version.
    Atomics.store(wide, WIDE.slateVersion, announced);
    const published = reader.versionOf(slot);
    const writer = new SlateWriter(buffer);
    expect(reader.slateVersion()).toBeGreaterThan(Number(announced));
    writer.removeFixture(slot);
    writer.putFixture(fixtureOf(1));
    writer.publish(0);
    expect(reader.versionOf(slot)).toBeGreaterThan(published);
  });

  test('a new writer raises the slate’s version even when the unannounced page has a low one', () => {
    const buffer = smallStore();
    const dead = new SlateWriter(buffer);
    const slot = dead.putFixture(fixtureOf(1));
    for (let batch = 0; batch < 10; batch++) {
      dead.putFixture(fixtureOf(2, batch));
      dead.publish(0);
    }
    const { wide } = attachStore(buffer);
    const announced = Atomics.load(wide, WIDE.slateVersion);
    dead.quotes.putQuote(slot, 1, 1, 1, 1, 0, 1);
    dead.publish(0);
    Atomics.store(wide, WIDE.slateVersion, announced);
    new SlateWriter(buffer);
    expect(new SlateReader(buffer).slateVersion()).toBeGreaterThan(Number(announced));
  });

  test('a new writer reports no departure that the dead writer noted but did not carry out', () => {
    const buffer = smallStore();
    const dead = new SlateWriter(buffer);
    const slots = [1, 2].map((number) => dead.putFixture(fixtureOf(number)));
    dead.publish(0);
    const reader = new SlateReader(buffer);
    const since = reader.slateVersion();
    const { wide, slotPage, control } = attachStore(buffer);
    const page = slotPage[slots[1]!]!;
    for (const slot of slots) dead.removeFixture(slot);
    dead.publish(0);
    // The state is as if the writer had died after noting that both fixtures leave, while the second was
    // still there.
    slotPage[slots[1]!] = page;
    Atomics.store(wide, WIDE.slateVersion, BigInt(since));
    Atomics.sub(control, CONTROL.publishing, 1);
    expect(reader.instant(since)).toBeNull();
    new SlateWriter(buffer);
    const seen = reader.instant(since)!.departures!.filter(({ arrivedVersion }) => arrivedVersion <= since);
    expect(seen.map(({ eventNumber }) => eventNumber)).toEqual([1]);
    expect(reader.slotOf(2)).toBe(slots[1]!);
  });
});
