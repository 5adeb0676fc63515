import { describe, expect, test } from 'bun:test';
import type { CountStore } from '../../../src/access/counts/count-store.ts';
import { AccessKeeper } from '../../../src/access/counts/keeper.ts';
import type { Gate } from '../../../src/access/gate.ts';
import { SharedGate } from '../../../src/access/gate.ts';
import {
  attachAccessMemory,
  createAccessMemory,
  SLOT_SUBJECT_HIGH,
} from '../../../src/access/quotas/memory.ts';
import { DAY_MS } from '../../../src/clock.ts';
import { KEYLESS_REQUESTS_PER_DAY } from '../../../src/domain/tiers.ts';
import { USAGE_DAYS_KEPT } from '../../../src/limits.ts';
import { admit } from '../admit.ts';
import { AccessBench, countsIn, START_MS } from '../support.ts';

/** The store of each keeper, so that a test can wait until the keeper's rows are written. */
const stores = new WeakMap<AccessKeeper, CountStore>();

async function keeperOf(
  bench: AccessBench,
  memory = bench.memory,
  onError: (error: unknown) => void = fail,
): Promise<AccessKeeper> {
  const store = await countsIn(bench, onError);
  const { directory, clock } = bench;
  const keeper = new AccessKeeper({ memory, store, directory, clock, onError });
  stores.set(keeper, store);
  return keeper;
}

function fail(error: unknown): never {
  throw error;
}

async function flush(keeper: AccessKeeper): Promise<void> {
  keeper.flush();
  await stores.get(keeper)!.flush();
}

function gateOf(bench: AccessBench, memory = bench.memory): Gate {
  return new SharedGate({ memory, directory: bench.directory, clock: bench.clock });
}

/** Memory of a restarted process. */
function freshMemory(addresses = 256): SharedArrayBuffer {
  return createAccessMemory({ seed: 99, startedAtMs: START_MS, capacity: { keys: 64, addresses } });
}

/** Sends a keyless request a second from the address until one is refused. Returns how many were admitted. */
function requestsLeft(bench: AccessBench, gate: Gate, address: string): number {
  for (let left = 0; ; left++) {
    bench.clock.advance(1_000);
    if (admit(gate, null, address, 1).refusal !== null) return left;
  }
}

describe('AccessKeeper', () => {
  test('flush and restore: daily counts of keys and addresses survive a restart, on the same day only', async () => {
    using bench = new AccessBench();
    const { text } = await bench.createKey('free');
    const keeper = await keeperOf(bench);
    const gate = gateOf(bench);
    for (let request = 0; request < 25; request++) {
      admit(gate, null, '203.0.113.9', 1);
      admit(gate, null, '2001:db8::1', 1);
      admit(gate, `Bearer ${text}`, '203.0.113.9', 1);
    }
    await flush(keeper);
    const memory = freshMemory();
    await keeperOf(bench, memory);
    const restarted = gateOf(bench, memory);
    expect(requestsLeft(bench, restarted, '203.0.113.9')).toBe(KEYLESS_REQUESTS_PER_DAY - 25);
    expect(requestsLeft(bench, restarted, '2001:db8::2')).toBe(KEYLESS_REQUESTS_PER_DAY - 25);
    expect(requestsLeft(bench, restarted, '203.0.113.10')).toBe(KEYLESS_REQUESTS_PER_DAY);
    const rows = bench.database.query('SELECT scope, requests FROM daily_counts ORDER BY scope').all();
    expect(rows).toEqual([
      { scope: 1, requests: 25 },
      { scope: 2, requests: 25 },
      { scope: 2, requests: 25 },
    ]);
    bench.clock.advance(DAY_MS);
    const nextDay = freshMemory();
    await flush(await keeperOf(bench, nextDay));
    expect(requestsLeft(bench, gateOf(bench, nextDay), '203.0.113.9')).toBe(KEYLESS_REQUESTS_PER_DAY);
    expect(bench.database.query('SELECT count(*) AS n FROM daily_counts').get()).toEqual({ n: 0 });
  });

  test('countDay: requests of a key are added up per day, over restarts, for the days that are kept', async () => {
    using bench = new AccessBench();
    const { text, number } = await bench.createKey('enterprise');
    const ask = async (memory: SharedArrayBuffer, times: number): Promise<void> => {
      const keeper = await keeperOf(bench, memory);
      const gate = gateOf(bench, memory);
      for (let request = 0; request < times; request++) {
        const { principal } = admit(gate, `Bearer ${text}`, '203.0.113.9', 1);
        gate.record({ principal, status: 200, latencyMs: 1 });
        if (request % 3 === 0) keeper.countDay();
      }
      keeper.countDay();
      keeper.countDay();
      await stores.get(keeper)!.flush();
    };
    const days = (): unknown => bench.database.query('SELECT * FROM key_usage_days ORDER BY day').all();
    const today = Math.floor(START_MS / DAY_MS);
    await ask(bench.memory, 7);
    await ask(freshMemory(), 5);
    expect(days()).toEqual([{ key_number: number, day: today, requests: 12 }]);
    bench.clock.advance(DAY_MS);
    await ask(freshMemory(), 2);
    bench.clock.advance((USAGE_DAYS_KEPT - 1) * DAY_MS);
    await ask(freshMemory(), 1);
    expect(days()).toEqual([
      { key_number: number, day: today + 1, requests: 2 },
      { key_number: number, day: today + USAGE_DAYS_KEPT, requests: 1 },
    ]);
  });

  test('flush: counts whose commit failed are written by the next flush', async () => {
    using bench = new AccessBench();
    const errors: unknown[] = [];
    const keeper = await keeperOf(bench, bench.memory, (error) => errors.push(error));
    admit(gateOf(bench), null, '203.0.113.9', 1);
    bench.database.run('PRAGMA busy_timeout = 0');
    const other = bench.connect();
    other.run('BEGIN IMMEDIATE');
    await flush(keeper);
    expect(errors.length).toBe(1);
    other.run('ROLLBACK');
    await flush(keeper);
    expect(bench.database.query('SELECT requests FROM daily_counts').all()).toEqual([{ requests: 1 }]);
  });

  test('flush: an unchanged count is not written again', async () => {
    using bench = new AccessBench();
    const keeper = await keeperOf(bench);
    admit(gateOf(bench), null, '203.0.113.9', 1);
    await flush(keeper);
    const changes = (): unknown => bench.database.query('SELECT total_changes() AS n').get();
    const before = changes();
    for (let round = 0; round < 3; round++) await flush(keeper);
    expect(changes()).toEqual(before);
  });

  test('sweep: frees addresses that are idle and not used today, and keeps the others', async () => {
    using bench = new AccessBench({ keys: 4, addresses: 8 });
    const keeper = await keeperOf(bench);
    const gate = gateOf(bench);
    for (let index = 0; index < 4; index++) admit(gate, null, `192.0.2.${index}`, 1);
    bench.clock.advance(60_000);
    keeper.sweep();
    expect(requestsLeft(bench, gate, '192.0.2.0')).toBe(KEYLESS_REQUESTS_PER_DAY - 1);
    bench.clock.advance(DAY_MS);
    admit(gate, null, '192.0.2.0', 1);
    keeper.sweep();
    // Seven slots are free again, so seven newcomers get buckets of their own, and the eighth does not.
    for (let index = 10; index < 18; index++) admit(gate, null, `192.0.2.${index}`, 1);
    await flush(keeper);
    expect(bench.database.query('SELECT count(*) AS n FROM daily_counts').get()).toEqual({ n: 8 });
  });

  test('sweep: a crowded table forgets idle addresses with few requests, but not an address with many', async () => {
    using bench = new AccessBench({ keys: 4, addresses: 8 });
    const keeper = await keeperOf(bench);
    const gate = gateOf(bench);
    for (let index = 0; index < 8; index++) admit(gate, null, `192.0.2.${index}`, 1);
    for (let request = 1; request < 20; request++) admit(gate, null, '192.0.2.0', 1);
    keeper.sweep();
    bench.clock.advance(60_000);
    keeper.sweep();
    expect(requestsLeft(bench, gate, '192.0.2.0')).toBe(KEYLESS_REQUESTS_PER_DAY - 20);
    expect(requestsLeft(bench, gate, '192.0.2.1')).toBe(KEYLESS_REQUESTS_PER_DAY);
  });

  test('sweep: in a crowded table a key keeps its slot as long as it was used in the last hour', async () => {
    using bench = new AccessBench({ keys: 2, addresses: 8 });
    const keeper = await keeperOf(bench);
    const gate = gateOf(bench);
    const texts: string[] = [];
    for (let index = 0; index < 3; index++) texts.push((await bench.createKey('free')).text);
    const ask = (index: number) => admit(gate, `Bearer ${texts[index]}`, '192.0.2.1', 1);
    const isCounted = (index: number) => ask(index).remaining === 29;
    expect([isCounted(0), isCounted(1)]).toEqual([true, true]);
    for (let count = 0; count < 28; count++) ask(0);
    bench.clock.advance(59 * 60_000);
    ask(1);
    keeper.sweep();
    bench.clock.advance(2 * 60_000);
    expect(slotsTaken(bench)).toBe(2);
    keeper.sweep();
    expect(slotsTaken(bench)).toBe(1);
    expect(isCounted(2)).toBe(true);
    expect(slotsTaken(bench)).toBe(2);
  });

  test('sweep: the next owner of a freed slot is written even if its count equals the old one', async () => {
    using bench = new AccessBench({ keys: 1, addresses: 1 });
    const keeper = await keeperOf(bench);
    const gate = gateOf(bench);
    admit(gate, null, '192.0.2.1', 1);
    await flush(keeper);
    keeper.sweep();
    bench.clock.advance(60_000);
    keeper.sweep();
    admit(gate, null, '192.0.2.2', 1);
    await flush(keeper);
    expect(bench.database.query('SELECT count(*) AS n FROM daily_counts').get()).toEqual({ n: 2 });
  });

  test('flush: a key’s last use is written', async () => {
    using bench = new AccessBench();
    const { text, keyId } = await bench.createKey('enterprise');
    const keeper = await keeperOf(bench);
    admit(gateOf(bench), `Bearer ${text}`, '192.0.2.1', 1);
    await flush(keeper);
    expect((await bench.keys.findKey(keyId))?.lastUsedAtMs).toBe(START_MS);
  });

  test('rotating a key keeps its daily count', async () => {
    using bench = new AccessBench();
    const { text, keyId } = await bench.createKey('free');
    await keeperOf(bench);
    const gate = gateOf(bench);
    for (let request = 0; request < 7; request++) admit(gate, `Bearer ${text}`, '192.0.2.1', 1);
    await bench.keys.rotateKey(keyId, { hash: 'f'.repeat(64), lastFour: 'ffff' });
    bench.clock.advance(100);
    expect(admit(gate, `Bearer ${text}`, '192.0.2.1', 1).refusal?.code).toBe('unauthorized');
    await flush(await keeperOf(bench));
    expect(bench.database.query('SELECT requests FROM daily_counts').all()).toEqual([{ requests: 7 }]);
  });
});

function slotsTaken({ memory }: AccessBench): number {
  const { keys } = attachAccessMemory(memory);
  let taken = 0;
  for (let slot = 0; slot < keys.capacity; slot++) {
    if (keys.words[slot * keys.stride + SLOT_SUBJECT_HIGH] !== 0) taken += 1;
  }
  return taken;
}
