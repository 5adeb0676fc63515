// Strangers on one server read nothing, send heavy or odd requests, or send bodies that are refused or stall.
// Meanwhile a customer with a key is served as usual, log-ins from elsewhere are answered, and no thread is
// lost. `bun test/faults/run-attacks.ts` measures the cost of an attack in time and memory. Attacks come in
// groups that run at the same time. A server that withstands several at once withstands each, and a group
// takes no longer than one attack. A group has at most two attacks of each mechanism (connections that stay
// open; bodies; questions; large answers, the past or accounts), so that no attack occupies what another one
// needs.
// Some requests of each attack must get certain statuses, which show that they reached the code that the
// attack is for. The attack continues until they have got them. `none` means a request that the server keeps
// waiting, or whose connection it closes. If a group fails, `run-attacks.ts <name>` runs each of its attacks
// alone.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AttackSite, type Served } from './attack-site.ts';
import { type AnyAttackName, type AttackedTogether, attackTogether } from './attack-together.ts';
import type { AttackSize } from './attacks.ts';

const SECONDS = 1;
/** Attacks whose requests are made to wait get more time. */
const STALLING_SECONDS = 2;
/**
 * Pauses that are long, so that customers and log-ins use little of the processor: here only their statuses
 * count.
 */
const PAUSES = { pollMs: 25, otherMs: 200, pastMs: 400, loginMs: 2_000 };
const ONCE: AttackSize = { addresses: 1, each: 1, seconds: SECONDS };
const FEW: AttackSize = { ...ONCE, addresses: 8 };
const CROWD: AttackSize = { addresses: 34, each: 8, seconds: STALLING_SECONDS };
/**
 * If none of these clients had to wait, their reconnecting would occupy a thread completely. More clients
 * would only fill the queue of callers without a key, so each awaited status would take longer.
 */
const RETURNING: AttackSize = { ...ONCE, addresses: 24 };

/** The size of each attack, and the statuses that some of its requests must get. */
type Group = Partial<Record<AnyAttackName, readonly [Partial<AttackSize>, ...string[]]>>;

/** Attacks whose requests occupy what they get, or are all sent at once. */
const HELD: readonly Group[] = [
  {
    unreadStreams: [{ addresses: 150 }, '200'],
    slowReaders: [{ addresses: 9, each: 25 }, '200'],
    sweeps: [{ addresses: 33, each: 15 }, '200'],
  },
  {
    unreadViews: [{ addresses: 60 }, '200'],
    slowViews: [{ addresses: 60 }, '200'],
    differentSweeps: [{ addresses: 33, each: 15 }, '200'],
  },
  {
    pastSlates: [{ addresses: 34, each: 5 }, '200'],
    oneKey: [{ addresses: 1, each: 100 }, '200'],
    // Beside other large bodies it would find no place.
    tinyChunks: [FEW, '413'],
  },
];

/** Clients that connect again and again. Log-ins of others are answered meanwhile. */
const RECONNECTING: readonly Group[] = [
  {
    leftStreams: [RETURNING, '200'],
    chunkExtensions: [FEW, '422'],
    differentLists: [RETURNING, '200'],
    wrongKeys: [RETURNING, '401'],
    readViews: [RETURNING, '200'],
    endlessChunks: [FEW, '413'],
    pipelines: [FEW, 'none'],
    slowHistories: [RETURNING, '200'],
  },
  {
    oldCursors: [RETURNING, '200'],
    depthBombs: [FEW, '422'],
    differentOdds: [RETURNING, '200'],
    keyChurn: [FEW, '200'],
    firstCursors: [RETURNING, '200'],
    tickets: [FEW, '200', '401'],
    longWords: [RETURNING, '200'],
    freePasts: [{ addresses: 400 }, '200'],
  },
  {
    resumptions: [RETURNING, '200'],
    bodiedReads: [RETURNING, '413'],
    everyTool: [RETURNING, '200'],
    openForms: [RETURNING, '200'],
    lastEventIds: [RETURNING, '400'],
    chunkedReads: [RETURNING, '413'],
    mcpCalls: [FEW, '200'],
    freeSlates: [{ addresses: 800 }, '200'],
  },
  {
    signalThresholds: [FEW, '200'],
    paddedBodies: [RETURNING, '200'],
    mcpLists: [RETURNING, '200'],
    alertRules: [FEW, '200'],
    socketBombs: [FEW, '101'],
    tinyChunkReads: [FEW, '413'],
    leftSessions: [FEW, '200'],
    oddCredentials: [RETURNING, '401'],
  },
  {
    packedBombs: [FEW, '101'],
    mcpBatches: [FEW, '400'],
    pages: [RETURNING, '200'],
    spreadPasts: [FEW, '200'],
    socketPings: [RETURNING, '101'],
    hugeBodies: [FEW, '413'],
    probes: [RETURNING, '200'],
  },
  {
    subscriptionChurn: [RETURNING, '101'],
    wrongMethods: [FEW, '405'],
    unreadDocuments: [RETURNING, '200'],
    leftSlates: [RETURNING, '200'],
    socketReturns: [RETURNING, '101'],
    astrayBodies: [RETURNING, '404', '415'],
    refusedReads: [RETURNING, '404'],
    wrongSessions: [RETURNING, '401'],
  },
  {
    socketOps: [RETURNING, '101'],
    refusedBodies: [FEW, '404'],
    bodilessAnswers: [RETURNING, '200', '204'],
    slowForms: [RETURNING, '200'],
    socketFragments: [RETURNING, '101'],
    trailers: [FEW, '400'],
    openings: [RETURNING, '200'],
    freeKeys: [RETURNING, '200', '429'],
  },
  {
    earlyMessages: [RETURNING, '400'],
    manyFields: [FEW, '422'],
    oldLists: [RETURNING, '200'],
    pastNames: [FEW, '200'],
    socketGarbage: [RETURNING, '101'],
    largeMessages: [FEW, '400'],
    halfClosed: [RETURNING, 'none'],
    impatient: [RETURNING, 'none'],
  },
  {
    socketResumptions: [RETURNING, '101'],
    invalidBodies: [FEW, '422'],
    manyParameters: [FEW, '422'],
    compressedSlates: [FEW, '200'],
    manySubscriptions: [RETURNING, '101'],
    stalledSmallBodies: [CROWD, 'none'],
    percentBombs: [FEW, '400'],
    oddUpgrades: [RETURNING, '426'],
  },
  {
    expectations: [RETURNING, '100'],
    oneByteBodies: [CROWD, 'none'],
    conditions: [FEW, '200'],
    slowPasts: [FEW, '200'],
    stalledBodies: [CROWD, '413'],
    largeHeaders: [FEW, '200', '431'],
    signUps: [FEW, '200'],
  },
  {
    stalledLogins: [CROWD, 'none'],
    manyHeaders: [FEW, '200', '431'],
    differentPasts: [RETURNING, '200'],
    endlessReads: [FEW, '413'],
    differentRecords: [FEW, '200'],
  },
];

let site: AttackSite;

beforeAll(async () => {
  site = await AttackSite.start({ fixtures: 200, pastFixtures: 60, pauses: PAUSES });
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

async function withstand(group: Group): Promise<AttackedTogether> {
  const attacks = Object.entries(group).map(([name, [size, ...awaited]]) => {
    return { name: name as AnyAttackName, size: { ...ONCE, ...size }, awaited };
  });
  const attacked = await attackTogether(site, attacks);
  isServed(attacked.customers);
  expect(site.lostThreads).toEqual([]);
  for (const [index, { name, awaited }] of attacks.entries()) {
    const statuses = Object.keys(attacked.reports[index]!.strangers);
    expect({ name, statuses }).toEqual({ name, statuses: expect.arrayContaining(awaited) });
  }
  return attacked;
}

test.each(HELD.map(named))(
  '%s: calls with a key are answered, no thread is lost',
  async (_, group) => {
    await withstand(group);
  },
  120_000,
);

test.each(RECONNECTING.map(named))(
  '%s: calls with a key and log-ins of others are answered, no thread is lost',
  async (_, group) => {
    const { logins } = await withstand(group);
    expect(Object.keys(logins)).toEqual(['401']);
  },
  120_000,
);

function named(group: Group): readonly [string, Group] {
  return [Object.keys(group).join(', '), group];
}
