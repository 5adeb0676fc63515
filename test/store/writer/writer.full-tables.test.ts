// What the store does when a table is full: the new entry is refused, and nothing else changes.
// writer.test.ts fills the tables of fixtures, quotes and openings.

import { describe, expect, test } from 'bun:test';
import { attachStore, CONTROL } from '../../../src/store/layout.ts';
import { SlateReader } from '../../../src/store/reader.ts';
import { NAME_TABLE_FULL, PUT_APPLIED } from '../../../src/store/records.ts';
import { SlateWriter } from '../../../src/store/writer/writer.ts';
import { fixtureOf, SMALL, smallStore } from '../small-store.ts';

function entityCount(buffer: SharedArrayBuffer): number {
  return attachStore(buffer).control[CONTROL.entityCount]!;
}

describe('a full table', () => {
  test('a table of names that is full by rows or by bytes refuses a fixture that needs a new name, and accepts one with known names', () => {
    for (const changes of [{ entities: 3 }, { arenaBytes: 'LeagueHome 1Away 1'.length }]) {
      const writer = new SlateWriter(smallStore(changes));
      const slot = writer.putFixture(fixtureOf(1));
      expect(slot).toBeGreaterThanOrEqual(0);
      expect(writer.putFixture(fixtureOf(2))).toBe(NAME_TABLE_FULL);
      expect(writer.slotOf(2)).toBe(-1);
      expect(writer.putFixture(fixtureOf(1, 9))).toBe(slot);
    }
  });

  test('a table of names does not become full because of fixtures that it refuses', () => {
    for (const changes of [{ entities: 4 }, { arenaBytes: 'LeagueHome 1Away 1Away 3'.length }]) {
      const buffer = smallStore(changes);
      const writer = new SlateWriter(buffer);
      writer.putFixture(fixtureOf(1));
      expect(writer.putFixture(fixtureOf(2))).toBe(NAME_TABLE_FULL);
      expect(entityCount(buffer)).toBe(3);
      expect(writer.putFixture({ ...fixtureOf(3), home: fixtureOf(1).home })).toBeGreaterThanOrEqual(0);
    }
  });

  test('a table of names does not become full because of a feed that spells one team in two ways', () => {
    const buffer = smallStore();
    const writer = new SlateWriter(buffer);
    for (let turn = 0; turn < 1_000; turn++) {
      expect(writer.putFixture(fixtureOf(1, turn, turn % 2 === 0 ? '' : ' FC'))).toBe(0);
    }
    expect(entityCount(buffer)).toBe(5);
  });
});

describe('SlateWriter', () => {
  test('count() adds to a counter that readers see', () => {
    const buffer = smallStore();
    const writer = new SlateWriter(buffer);
    writer.facts.count('rejected_fixture_table_full');
    writer.facts.count('rejected_fixture_table_full', 2);
    expect(new SlateReader(buffer).counters().rejected_fixture_table_full).toBe(3);
  });

  test('never runs out of pages, however often a batch removes and inserts', () => {
    const buffer = smallStore();
    const writer = new SlateWriter(buffer);
    for (let batch = 0; batch < 50; batch++) {
      for (let turn = 0; turn < 50; turn++) {
        for (let event = 1; event <= SMALL.fixtures; event++) {
          const slot = writer.putFixture(fixtureOf(event + (turn % 3)));
          if (slot >= 0) writer.quotes.putQuote(slot, turn % 5, 1, 1, 1, 0, turn);
        }
        for (const event of [...writer.eventNumbers()]) writer.removeFixture(writer.slotOf(event));
      }
      writer.publish(0);
    }
    expect(new SlateReader(buffer).slotOf(1)).toBe(-1);
  });

  test('reuses slots, so fixtures that come and go use few more slots than there are fixtures at once', () => {
    const buffer = smallStore({ fixtures: 500, entities: 4_000, arenaBytes: 65_536 });
    const writer = new SlateWriter(buffer);
    for (let event = 1; event <= 1_000; event++) {
      writer.putFixture(fixtureOf(event));
      if (event > 3) writer.removeFixture(writer.slotOf(event - 3));
      writer.publish(0);
    }
    const reader = new SlateReader(buffer);
    expect(reader.slotCount()).toBeLessThan(80);
    expect([997, 998, 999, 1_000].map((event) => reader.slotOf(event) >= 0)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  test('refuses scores that a column cannot hold', () => {
    const writer = new SlateWriter(smallStore());
    const slot = writer.putFixture(fixtureOf(1));
    const state = { status: 1, clock: null, cards: null, atMs: 1 };
    expect(() => writer.putState(slot, { ...state, score: [40_000, 0] })).toThrow('bounds scores');
    expect(writer.putState(slot, { ...state, score: [32_767, 0] })).toBe(PUT_APPLIED);
  });

  test('refuses changes of a fixture that is not on the slate', () => {
    const writer = new SlateWriter(smallStore());
    expect(() => writer.quotes.putQuote(0, 1, 1, 1, 1, 0, 1)).toThrow('put before');
    expect(() => writer.removeFixture(0)).toThrow('put before');
    expect(() => writer.removeFixture(-1)).toThrow('put before');
  });
});
