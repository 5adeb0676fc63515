import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  attachAccessMemory,
  createAccessMemory,
  SLOT_DAILY,
  SLOTS_PER_MARK,
} from '../../../src/access/quotas/memory.ts';
import { NO_SLOT, SubjectTable } from '../../../src/access/quotas/subject-table.ts';
import { runs } from '../../support/runs.ts';
import { START_MS } from '../support.ts';

function createTable(addresses: number, seed = 7): { table: SubjectTable; words: Int32Array } {
  const buffer = createAccessMemory({ seed, startedAtMs: START_MS, capacity: { keys: 1, addresses } });
  const memory = attachAccessMemory(buffer);
  const table = new SubjectTable(memory.addresses, memory.seed);
  return { table, words: table.words };
}

describe('SubjectTable', () => {
  test('claim, find, release and subjectOf agree with a Map, full table included', () => {
    const operation = fc.record({
      kind: fc.constantFrom('claim', 'claim', 'release'),
      high: fc.constantFrom(-2, -1, 1, 2),
      low: fc.integer({ min: -3, max: 6 }),
    });
    fc.assert(
      fc.property(fc.integer(), fc.array(operation, { maxLength: 120 }), (seed, operations) => {
        const { table } = createTable(16, seed);
        const model = new Map<string, number>();
        for (const { kind, high, low } of operations) {
          const subject = { high, low };
          const name = `${high}:${low}`;
          const slot = kind === 'claim' ? table.claim(subject) : table.find(subject);
          if (kind === 'claim' && !model.has(name)) {
            expect(slot === NO_SLOT).toBe(model.size === 16);
            if (slot === NO_SLOT) continue;
            expect([...model.values()]).not.toContain(slot);
            model.set(name, slot);
          }
          expect(slot).toBe(model.get(name) ?? NO_SLOT);
          if (slot !== NO_SLOT) {
            expect(table.subjectOf(slot)).toEqual(subject);
            expect(table.holds(slot, subject)).toBe(true);
          }
          if (kind === 'release' && slot !== NO_SLOT) {
            table.release(slot, subject);
            model.delete(name);
            expect(table.find(subject)).toBe(NO_SLOT);
            expect(table.subjectOf(slot)).toBeNull();
          }
        }
      }),
    );
  });

  test('release leaves nothing of the old subject in the slot that the next one gets', () => {
    const { table, words } = createTable(1);
    const slot = table.claim({ high: 1, low: 1 });
    words[table.wordOf(slot) + SLOT_DAILY] = 77;
    table.release(slot, { high: 1, low: 1 });
    expect(table.claim({ high: 2, low: 2 })).toBe(slot);
    expect(words[table.wordOf(slot) + SLOT_DAILY]).toBe(0);
  });

  test('releasing a slot that now belongs to another subject does nothing', () => {
    const { table } = createTable(1);
    const slot = table.claim({ high: 1, low: 1 });
    table.release(slot, { high: 2, low: 2 });
    expect(table.holds(slot, { high: 1, low: 1 })).toBe(true);
  });

  test('claim continues after a thread died while it held the lock, and leaves the table unlocked', () => {
    const memory = attachAccessMemory(
      createAccessMemory({ seed: 7, startedAtMs: START_MS, capacity: { keys: 1, addresses: 16 } }),
    );
    const { words, lock } = memory.addresses;
    const table = new SubjectTable(memory.addresses, memory.seed);
    Atomics.store(words, lock, -1); // odd: locked, by a thread that never unlocks; the next number wraps
    const slot = table.claim({ high: 1, low: 1 });
    expect(table.holds(slot, { high: 1, low: 1 })).toBe(true);
    expect((words[lock] ?? 1) & 1).toBe(0);
    table.release(slot, { high: 1, low: 1 });
    expect(table.find({ high: 1, low: 1 })).toBe(NO_SLOT);
  });

  test('nextClaimed visits every claimed slot, and in a large table hardly any other', () => {
    const subjects = fc.uniqueArray(fc.integer(), { maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(1, 16, 16_384), subjects, (capacity, lows) => {
        const { table } = createTable(capacity);
        const claimed = lows.map((low) => table.claim({ high: 1, low })).filter((slot) => slot !== NO_SLOT);
        const visited: number[] = [];
        for (let slot = table.nextClaimed(0); slot < capacity; slot = table.nextClaimed(slot + 1))
          visited.push(slot);
        expect(visited).toEqual(expect.arrayContaining(claimed));
        expect(visited).toEqual([...new Set(visited)].sort((a, b) => a - b));
        expect(visited.length).toBeLessThanOrEqual(claimed.length * SLOTS_PER_MARK);
      }),
      { numRuns: runs(40) },
    );
  });

  test('a large table refuses no subject until three quarters of it are full', () => {
    const { table } = createTable(4_096);
    let refused = 0;
    for (let index = 0; index < 3_072; index++) {
      if (table.claim({ high: 0x00ff_0000, low: 0x0a_00_00_00 + index }) === NO_SLOT) refused++;
    }
    expect(refused).toBe(0);
  });
});
