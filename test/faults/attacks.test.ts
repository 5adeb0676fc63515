// Callers without a key that read nothing or ask for much: no key is answered 503, no thread is lost, and memory stays
// bounded. Full size: `bun test/faults/run-attacks.ts`.

import { expect, test } from 'bun:test';
import { type AttackName, type AttackSize, runAttack } from './attacks.ts';

/** What an attack of this size may add to the resident memory, garbage included. */
const ADDED_MB_MAX = 200;

const SIZES: readonly (readonly [AttackName, Omit<AttackSize, 'fixtures' | 'seconds'>])[] = [
  ['unreadStreams', { addresses: 150, each: 1 }],
  ['unreadViews', { addresses: 60, each: 1 }],
  ['slowReaders', { addresses: 9, each: 25 }],
  ['slowViews', { addresses: 60, each: 1 }],
  ['sweeps', { addresses: 33, each: 15 }],
  ['oneKey', { addresses: 1, each: 100 }],
];

test.skipIf(process.platform !== 'linux').each(SIZES)(
  'a customer is served through %s',
  async (name, size) => {
    const result = await runAttack(name, { ...size, fixtures: 200, seconds: 5 });
    console.log(name, JSON.stringify(result)); // timing is shown and not asserted
    expect(result.lostThreads).toEqual([]);
    for (const { statuses } of [result.attacked, result.attackedOther]) {
      // A fixture may leave the slate meanwhile.
      expect(Object.keys(statuses).filter((status) => status !== '404')).toEqual(['200']);
    }
    expect(result.peakMb - result.startMb).toBeLessThan(ADDED_MB_MAX);
  },
  120_000,
);
