// Strangers on one server read nothing, send heavy or odd requests, or send bodies that are refused or stall.
// Meanwhile a customer with a key is served as usual, log-ins from elsewhere are answered, and no thread is
// lost. `bun test/faults/run-attacks.ts` measures the cost of an attack in time and memory.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AttackSite, type Served } from './attack-site.ts';
import { type AttackName, type AttackSize, runAttack, runBodyAttack } from './attacks.ts';
import type { CrowdAttackName } from './body-attacks.ts';

const SECONDS = 2;
const FEW: AttackSize = { addresses: 8, each: 1, seconds: SECONDS };
const CROWD: AttackSize = { addresses: 34, each: 8, seconds: SECONDS };
/**
 * So many clients that reconnect immediately would occupy a thread completely if none of them had to wait.
 */
const RETURNING: AttackSize = { addresses: 80, each: 1, seconds: SECONDS };

let site: AttackSite;

beforeAll(async () => {
  site = await AttackSite.start({ fixtures: 200 });
}, 120_000);
afterAll(() => site[Symbol.asyncDispose](), 120_000);

/**
 * Checks that customers were served. A poll may be 404, because a fixture may leave the slate during an
 * attack.
 */
function isServed({ polls, slates, queries, pasts }: Served): void {
  expect(Object.keys(polls.statuses).filter((status) => status !== '404')).toEqual(['200']);
  expect(Object.keys(slates.statuses)).toEqual(['200']);
  expect(Object.keys(queries.statuses)).toEqual(['200']);
  expect(Object.keys(pasts.statuses)).toEqual(['200']);
}

test.each<[AttackName, AttackSize]>([
  ['unreadStreams', { addresses: 150, each: 1, seconds: SECONDS }],
  ['unreadViews', { addresses: 60, each: 1, seconds: SECONDS }],
  ['slowReaders', { addresses: 9, each: 25, seconds: SECONDS }],
  ['slowViews', { addresses: 60, each: 1, seconds: SECONDS }],
  ['sweeps', { addresses: 33, each: 15, seconds: SECONDS }],
  ['pastSlates', { addresses: 34, each: 5, seconds: SECONDS }],
  ['oneKey', { addresses: 1, each: 100, seconds: SECONDS }],
])(
  '%s: calls with a key are answered, no thread is lost',
  async (name, size) => {
    isServed((await runAttack(site, name, size)).customers);
    expect(site.lostThreads).toEqual([]);
  },
  120_000,
);

test.each<[CrowdAttackName, AttackSize]>([
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
  ['pipelines', FEW],
  ['depthBombs', FEW],
  ['tinyChunks', FEW],
  ['conditions', FEW],
  ['mcpBatches', FEW],
  ['freeKeys', RETURNING],
  ['freeSlates', { ...RETURNING, addresses: 800 }],
  ['freePasts', { ...RETURNING, addresses: 400 }],
  ['socketBombs', FEW],
  ['packedBombs', FEW],
  ['socketPings', RETURNING],
  ['subscriptionChurn', RETURNING],
  ['oldCursors', RETURNING],
  ['firstCursors', RETURNING],
  ['socketReturns', RETURNING],
  ['socketOps', RETURNING],
  ['resumptions', RETURNING],
  ['slowForms', RETURNING],
  ['slowPasts', FEW],
  ['bodiedReads', RETURNING],
  ['chunkedReads', RETURNING],
  ['tinyChunkReads', FEW],
  ['paddedBodies', RETURNING],
  ['openForms', RETURNING],
  ['wrongKeys', RETURNING],
  ['manyFields', FEW],
  ['largeMessages', FEW],
  ['longWords', RETURNING],
  ['unreadDocuments', RETURNING],
  ['manySubscriptions', RETURNING],
  ['keyChurn', FEW],
])(
  '%s: calls with a key and log-ins of others are answered, no thread is lost',
  async (name, size) => {
    const { customers, logins } = await runBodyAttack(site, name, size);
    isServed(customers);
    expect(Object.keys(logins)).toEqual(['401']);
    expect(site.lostThreads).toEqual([]);
  },
  120_000,
);
