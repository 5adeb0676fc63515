import { describe, expect, test } from 'bun:test';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { fixtureOf, smallStore } from './small-store.ts';

function oneFixture() {
  const buffer = smallStore();
  const writer = new SlateWriter(buffer);
  const slot = writer.putFixture(fixtureOf(1));
  writer.publish(0);
  function turn(times: number): void {
    for (let index = 0; index < times; index++) {
      writer.quotes.putQuote(slot, 1, index, index, index, 0, 0);
      writer.publish(0);
    }
  }
  return { writer, reader: new SlateReader(buffer), slot, turn };
}

describe('SlateReader', () => {
  test('read repeats a visit if its page was reused meanwhile, even if the visit threw an error because of that', () => {
    for (const fails of [false, true]) {
      const { reader, slot, turn } = oneFixture();
      let calls = 0;
      const answer = reader.read(slot, (page) => {
        calls++;
        if (calls === 1) {
          turn(20);
          if (fails) throw new Error('Cannot make sense of this page');
        }
        return reader.columns.priceE4A[page * reader.quotesPerFixture];
      });
      expect([calls, answer]).toEqual([2, 19]);
    }
  });

  test('read accepts a page that was replaced but not reused', () => {
    const { reader, slot, turn } = oneFixture();
    let calls = 0;
    const count = reader.read(slot, (page) => {
      calls++;
      turn(1);
      return reader.columns.quoteCount[page];
    });
    expect([calls, count]).toEqual([1, 0]);
  });

  test('readPage reads a replaced page, but not a page that was reused before or during the visit', () => {
    for (const fails of [false, true]) {
      const { reader, slot, turn } = oneFixture();
      const page = reader.pageOf(slot);
      const generation = reader.generationOf(page);
      turn(1);
      expect(reader.readPage(page, generation, () => reader.columns.quoteCount[page])).toBe(0);
      const torn = reader.readPage(page, generation, () => {
        turn(20);
        if (fails) throw new Error('Cannot make sense of this page');
        return 1;
      });
      expect(torn).toBeUndefined();
      expect(reader.readPage(page, generation, () => 1)).toBeUndefined();
    }
  });

  test('read passes on the error that a visit of an intact page throws', () => {
    const { reader, slot } = oneFixture();
    function fail(): never {
      throw new Error('Cannot divide: zero');
    }
    expect(() => reader.read(slot, fail)).toThrow('Cannot divide: zero');
  });

  test('read gives up on a page that is reused during every visit', () => {
    const { reader, slot, turn } = oneFixture();
    expect(() => reader.read(slot, () => turn(20))).toThrow('page was replaced 1000 times');
  });

  test('read repeats the visit if the slot was vacated while openings were read', () => {
    const { reader, writer, slot } = oneFixture();
    const answer = reader.read(slot, () => {
      if (writer.slotOf(1) >= 0) {
        writer.removeFixture(slot);
        writer.publish(0);
      }
      return reader.openingCount(slot);
    });
    expect(answer).toBeUndefined();
  });

  test('isIntact is false for a page that is being written for the next publish', () => {
    const buffer = smallStore();
    const drafting = new SlateWriter(buffer);
    drafting.putFixture(fixtureOf(1));
    const reader = new SlateReader(buffer);
    expect(reader.isIntact(0, reader.generationOf(0))).toBe(false);
    drafting.publish(0);
    expect(reader.isIntact(reader.pageOf(0), reader.generationOf(reader.pageOf(0)))).toBe(true);
  });

  test('readEvent follows an event to another slot', () => {
    const { reader, writer, slot } = oneFixture();
    expect(reader.slotOf(1)).toBe(slot);
    writer.removeFixture(slot);
    writer.putFixture(fixtureOf(2));
    writer.publish(0);
    expect(reader.readEvent(1, () => true)).toBeUndefined();
    writer.putFixture(fixtureOf(1));
    writer.publish(0);
    expect(reader.slotOf(1)).not.toBe(slot);
    expect(reader.readEvent(1, (page) => reader.columns.eventNumber[page])).toBe(1);
    expect(reader.readEvent(2, (page) => reader.columns.eventNumber[page])).toBe(2);
  });
});
