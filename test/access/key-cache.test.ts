import { describe, expect, test } from 'bun:test';
import { AccessKeeper } from '../../src/access/counts/keeper.ts';
import { SharedGate } from '../../src/access/gate.ts';
import { sessionCredential } from '../../src/access/key-cache.ts';
import { KNOWN_KEYS_MAX } from '../../src/access/limits.ts';
import { createAccessMemory } from '../../src/access/quotas/memory.ts';
import { createSessionToken, hashText, mintKey } from '../../src/accounts/credentials/secrets.ts';
import type { KeyDirectory } from '../../src/accounts/keys/key-directory.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { systemClock } from '../../src/clock.ts';
import { eventLoopTurn } from '../../src/pause.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';
import { admit } from './admit.ts';
import type { GateJob } from './gate.worker.ts';
import { AccessBench, countsIn, ManualClock } from './support.ts';

const THREADS = 2;
const STOPS_WITHIN_MS = 100;

/** Ends the key's life through another connection, and returns the wall-clock time of the commit. */
type End = (bench: AccessBench, keyId: string) => Promise<number>;

async function revokeElsewhere(bench: AccessBench, keyId: string): Promise<number> {
  await new KeyRepository(sqliteSql(bench.connect())).revokeKey(keyId);
  return systemClock.wallMs();
}

async function rotateElsewhere(bench: AccessBench, keyId: string): Promise<number> {
  const { hash, lastFour } = mintKey(fillRandom);
  await new KeyRepository(sqliteSql(bench.connect())).rotateKey(keyId, { hash, lastFour });
  return systemClock.wallMs();
}

/**
 * Revokes the key, then keeps this thread, which runs the keeper, busy for longer than STOPS_WITHIN_MS.
 * Returns the wall-clock time of the commit.
 */
async function revokeAndHog(bench: AccessBench, keyId: string): Promise<number> {
  const committedAtMs = await revokeElsewhere(bench, keyId);
  const until = Bun.nanoseconds() + 400e6;
  while (Bun.nanoseconds() < until);
  return committedAtMs;
}

async function revokeByCommand(bench: AccessBench, keyId: string): Promise<number> {
  const command = Bun.spawn([process.execPath, PROGRAM_PATH, 'keys', 'revoke', keyId], {
    cwd: `${import.meta.dir}/../..`,
    env: { ...process.env, DATA_DIR: bench.folder },
    stderr: 'pipe',
  });
  let committedAtMs = 0;
  for await (const bytes of command.stderr) {
    if (new TextDecoder().decode(bytes).includes('Revoked')) committedAtMs = systemClock.wallMs();
  }
  expect(await command.exited).toBe(0);
  return committedAtMs;
}

describe('keys that change elsewhere', () => {
  const cases: readonly [string, End][] = [
    ['revoked through another connection', revokeElsewhere],
    ['rotated through another connection', rotateElsewhere],
    ['revoked while the keeper thread is busy', revokeAndHog],
    ['revoked on the command line, in another process', revokeByCommand],
  ];
  for (const [name, end] of cases) {
    test(`a key that is ${name} stops working on every thread within 100 ms`, async () => {
      using bench = new AccessBench();
      for (const lateMs of await lateAdmissions(bench, end)) expect(lateMs).toBeLessThan(STOPS_WITHIN_MS);
    }, 120_000);
  }

  test('a key made on the command line works immediately on a running gate', async () => {
    using bench = new AccessBench();
    const memory = createAccessMemory({ seed: 3, startedAtMs: systemClock.wallMs() });
    const gate = new SharedGate({ memory, directory: bench.directory, clock: systemClock });
    const command = Bun.spawnSync([process.execPath, PROGRAM_PATH, 'keys', 'create', '--tier', 'realtime'], {
      cwd: `${import.meta.dir}/../..`,
      env: { ...process.env, DATA_DIR: bench.folder },
    });
    const text = command.stdout.toString().trim();
    expect(admit(gate, `Bearer ${text}`, '192.0.2.1', 1)).toMatchObject({ refusal: null, limit: 6_000 });
  });
});

describe('cached credentials', () => {
  test('a session of a paid plan stays cached, however many free keys and spellings of headers come after it', () => {
    const session = createSessionToken(fillRandom);
    // Three keys have more spellings than a thread caches headers.
    const paid = Array.from({ length: 3 }, () => mintKey(fillRandom));
    const paidHashes = new Set([hashText(session), ...paid.map(({ hash }) => hash)]);
    // All other keys are live keys of the free plan.
    let finds = 0;
    const directory: KeyDirectory = {
      findLive: (hash) => {
        finds++;
        const tier = paidHashes.has(hash) ? 'standard' : 'free';
        return {
          ...{ number: finds, keyId: hash, ownerId: hash, tier, lastFour: 'abcd', isOfAccount: true },
          ...{ expiresAtMs: null, allowedAddresses: [] },
        };
      },
      epoch: () => 1,
    };
    const clock = new ManualClock();
    const memory = createAccessMemory({ seed: 3, startedAtMs: clock.wallMs() });
    const gate = new SharedGate({ memory, directory, clock });
    const credential = sessionCredential(session);
    const { principal } = gate.identify(credential);
    expect(principal.tier).toBe('standard');
    for (let count = 0; count <= KNOWN_KEYS_MAX; count++) {
      expect(gate.identify(`Bearer ${mintKey(fillRandom).text}`).principal.tier).toBe('free');
    }
    finds = 0;
    // As for an open stream of the session.
    expect([gate.isLive(principal), finds]).toEqual([true, 0]);
    let spellings = 0;
    for (const { text, hash } of paid) {
      for (const header of spellingsOf(text)) {
        spellings++;
        expect(gate.identify(header).principal.keyId).toBe(hash);
      }
    }
    expect(gate.seenTier(credential)).toBe('standard');
    expect(finds).toBe(paid.length);
    expect(spellings).toBeGreaterThan(KNOWN_KEYS_MAX);
  }, 60_000);
});

/** The headers with this key that differ in case and spaces. */
function* spellingsOf(text: string): Generator<string> {
  const scheme = 'bearer';
  // The key follows at least one space; a header may have 128 characters.
  const spacesMax = 128 - scheme.length - text.length;
  for (let capitals = 0; capitals < 1 << scheme.length; capitals++) {
    const cased = Array.from(scheme, (letter, index) => {
      return (capitals >> index) & 1 ? letter.toUpperCase() : letter;
    }).join('');
    for (let spaces = 1; spaces <= spacesMax; spaces++) yield cased + ' '.repeat(spaces) + text;
  }
}

/** How many milliseconds after the commit each thread last admitted the key. */
async function lateAdmissions(bench: AccessBench, end: End): Promise<number[]> {
  const memory = createAccessMemory({ seed: 3, startedAtMs: systemClock.wallMs() });
  const { text, keyId } = await bench.createKey('enterprise');
  const errors: unknown[] = [];
  const keeper = new AccessKeeper({
    memory,
    store: await countsIn(bench, (error) => errors.push(error)),
    directory: bench.directory,
    clock: systemClock,
    onError: (error) => errors.push(error),
  });
  keeper.start();
  const control = new SharedArrayBuffer(8);
  const job: GateJob = { memory, control, path: bench.path, authorization: `Bearer ${text}` };
  const url = new URL('./gate.worker.ts', import.meta.url).href;
  const workers = Array.from({ length: THREADS }, () => new Worker(url));
  try {
    const answers = workers.map(
      (worker) =>
        new Promise<number>((resolve, reject) => {
          worker.onmessage = (event: MessageEvent<number>) => resolve(event.data);
          worker.onerror = (event) => reject(new Error(event.message));
          worker.postMessage(job);
        }),
    );
    const words = new Int32Array(control);
    while (Atomics.load(words, 0) < THREADS) await eventLoopTurn();
    const committedAtMs = await end(bench, keyId);
    expect(committedAtMs).toBeGreaterThan(0);
    const lastAdmitted = await Promise.all(answers);
    expect(errors).toEqual([]);
    return lastAdmitted.map((atMs) => atMs - committedAtMs);
  } finally {
    keeper.stop();
    for (const worker of workers) worker.terminate();
  }
}
