// The attacks of body-attacks.ts, small: a customer with a key is served as if nothing happened, log-ins from elsewhere
// are answered, no thread is lost and memory stays bounded. Times are shown, not asserted.

import { expect, test } from 'bun:test';
import type { AttackSize } from './attacks.ts';
import { type BodyAttackName, runBodyAttack } from './body-attacks.ts';

const FEW: AttackSize = { fixtures: 12, addresses: 8, each: 1, seconds: 4 };
/** Long enough for the first stalled bodies to be refused. */
const CROWD: AttackSize = { fixtures: 12, addresses: 34, each: 8, seconds: 7 };

/** Enough to keep a thread that answers each newcomer at once from everything else. */
const RETURNING: AttackSize = { fixtures: 300, addresses: 80, each: 1, seconds: 7 };

/** Before it was mended, bodies of the first two attacks took gigabytes within these seconds. */
const GROWTH_MB_MAX = 200;

test.each<[BodyAttackName, AttackSize]>([
  ['leftStreams', RETURNING],
  ['refusedReads', RETURNING],
  ['refusedBodies', FEW],
  ['wrongMethods', FEW],
  ['hugeBodies', FEW],
  ['endlessChunks', FEW],
  ['stalledBodies', CROWD],
  ['stalledSmallBodies', CROWD],
  ['stalledLogins', CROWD],
  ['oneByteBodies', CROWD],
])(
  '%s: calls with a key are all 200, log-ins of others are answered, memory is bounded, no thread is lost',
  async (name, size) => {
    const result = await runBodyAttack(name, size);
    console.log(name, JSON.stringify(result));
    expect(Object.keys(result.attacked.statuses)).toEqual(['200']);
    expect(Object.keys(result.logins)).toEqual(['401']);
    expect(result.lostThreads).toEqual([]);
    expect(result.peakMb - result.startMb).toBeLessThan(GROWTH_MB_MAX);
  },
  120_000,
);
