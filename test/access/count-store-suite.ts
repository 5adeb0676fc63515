// The suite that every CountStore must pass, whatever the storage.

import { expect, test } from 'bun:test';
import type { CountStore } from '../../src/access/counts/count-store.ts';
import { type DailyCount, SCOPE_ADDRESS, SCOPE_KEY } from '../../src/access/counts/daily-counts.ts';
import type { KeyRepository } from '../../src/accounts/keys/key-repository.ts';

interface CountStorage extends AsyncDisposable {
  readonly keys: KeyRepository;
  /** A store of a process that has just started. */
  open(today: number): Promise<CountStore>;
  /** How many requests a key sent on each day. */
  requestsOf(keyNumber: number): Promise<number[]>;
  /** Waits until the store's pending rows are written. */
  settle(store: CountStore): Promise<void>;
}

const TODAY = 20_000;

function countOf(low: number, requests: number, changes: Partial<DailyCount> = {}): DailyCount {
  return { scope: SCOPE_KEY, high: 1, low, day: TODAY, requests, ...changes };
}

/** Registers the suite. `open` creates an empty storage. */
export function defineCountStoreSuite(name: string, open: () => Promise<CountStorage>): void {
  test(`${name}: counts of the days that are kept survive a restart, those of other days do not`, async () => {
    await using storage = await open();
    const store = await storage.open(TODAY);
    const counts = [
      countOf(7, 3),
      countOf(-7, 4, { scope: SCOPE_ADDRESS, high: -1 }),
      countOf(8, 5, { day: TODAY + 1 }),
      countOf(9, 6, { day: TODAY - 1 }),
    ];
    store.write({ counts, uses: [], keptDays: null });
    store.write({ counts: [countOf(7, 10)], uses: [], keptDays: [TODAY, TODAY + 1] });
    await storage.settle(store);
    const read = (await storage.open(TODAY)).readCounts(TODAY, TODAY + 1);
    const sorted = read.toSorted((one, other) => one.low - other.low);
    expect(sorted.map(({ low, requests }) => [low, requests])).toEqual([
      [-7, 4],
      [7, 10],
      [8, 5],
    ]);
    expect(sorted[0]).toEqual(counts[1]!);
  });

  test(`${name}: the time of a key’s last use never moves back; requests are added up per day, for existing keys, until the day is too old`, async () => {
    await using storage = await open();
    const store = await storage.open(TODAY);
    const key = await storage.keys.createKey({
      ...{ keyId: 'key_1', accountId: null, label: '', tier: 'free', hash: 'h', lastFour: 'abcd' },
      ...{ createdAtMs: 1, expiresAtMs: null, allowedAddresses: [] },
    });
    const { number } = key!;
    store.write({ counts: [], uses: [{ number, atMs: 9_000 }], keptDays: null });
    await storage.settle(store);
    store.write({ counts: [], uses: [{ number, atMs: 8_000 }], keptDays: null });
    store.addUsage(
      [
        { number, requests: 2 },
        { number: number + 1, requests: 9 },
      ],
      TODAY,
      TODAY - 1,
    );
    store.addUsage([{ number, requests: 3 }], TODAY, TODAY - 1);
    await storage.settle(store);
    store.addUsage([{ number, requests: 4 }], TODAY, TODAY - 1);
    await storage.settle(store);
    expect((await storage.keys.findKey('key_1'))?.lastUsedAtMs).toBe(9_000);
    expect(await storage.requestsOf(number)).toEqual([9]);
    store.addUsage([], TODAY + 5, TODAY + 1);
    await storage.settle(store);
    expect(await storage.requestsOf(number)).toEqual([]);
  });
}
