// Changes random bytes of a closed database. Either the start is refused and the error names the file, or no
// key, session or account is read as another one. If a row can no longer be read, the check in the main
// thread reports it.

import type { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { SqliteKeyDirectory } from '../../src/accounts/keys/sqlite-key-directory.ts';
import { TIER_KEYS } from '../../src/domain/tiers.ts';
import { ServiceError } from '../../src/errors.ts';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { indexFindings, RowCheck } from '../../src/storage/row-checksums.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { storageErrorOf } from '../../src/storage/storage-errors.ts';
import { runs } from '../support/runs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openAccounts, START_MS } from './support.ts';

const RUNS = runs(300);
const ACCOUNTS = 60;
const REFUSED = 'refused';

const hashOf = (kind: string, number: number): string =>
  new Bun.CryptoHasher('sha256').update(`${kind} ${number}`).digest('hex');
const emailOf = (number: number): string => `somebody${number}@example.com`;

test('after bytes have changed, no row is read as another one, and a row that cannot be read is among the findings', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, DATABASE_NAME);
  await fill(folder.path);
  const bytes = readFileSync(path);
  const database = openAccounts(folder.path);
  const expected = await answersOf(database);
  database.close();
  expect([...expected.values()]).not.toContain(REFUSED);
  const flip = fc.record({
    offset: fc.oneof(fc.nat(bytes.length - 1), fc.nat(4_095)),
    mask: fc.integer({ min: 1, max: 255 }),
  });
  let refusedStarts = 0;
  let named = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 2 }), async (flips) => {
      const damaged = Buffer.from(bytes);
      for (const { offset, mask } of flips) damaged[offset] = damaged[offset]! ^ mask;
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
      writeFileSync(path, damaged);
      const opened = openOrRefusal(folder.path);
      if (typeof opened === 'string') {
        refusedStarts++;
        expect(opened).toContain(path);
        return;
      }
      try {
        const findings = findingsOf(opened);
        if (findings.length > 0) named++;
        const wrong = [...(await answersOf(opened))].filter(
          ([question, answer]) =>
            answer !== expected.get(question) && (findings.length === 0 || answer !== REFUSED),
        );
        expect(wrong).toEqual([]);
      } finally {
        opened.close();
      }
    }),
    { numRuns: RUNS },
  );
  expect(refusedStarts).toBeGreaterThan(0);
  expect(named).toBeGreaterThan(0);
});

async function fill(folder: string): Promise<void> {
  const database = openAccounts(folder);
  const accounts = new AccountRepository(sqliteSql(database));
  const keys = new KeyRepository(sqliteSql(database));
  for (let number = 0; number < ACCOUNTS; number++) {
    const id = `acc_${hashOf('account', number).slice(0, 16)}`;
    const tier = TIER_KEYS[number % TIER_KEYS.length]!;
    await accounts.createAccount({
      id,
      email: emailOf(number),
      passwordHash: hashOf('password', number),
      plan: tier,
      verifiedAtMs: START_MS,
      createdAtMs: START_MS,
    });
    await accounts.sessions.createSession({
      tokenHash: hashOf('session', number),
      accountId: id,
      createdAtMs: START_MS,
      expiresAtMs: START_MS + 1_000,
    });
    await keys.createKey({
      keyId: `key_${number}`,
      accountId: number % 3 === 0 ? null : id,
      label: `label ${number}`,
      tier,
      hash: hashOf('key', number),
      lastFour: 'abcd',
      createdAtMs: START_MS,
      expiresAtMs: number % 4 === 0 ? START_MS + 5_000 : null,
      allowedAddresses: number % 5 === 0 ? ['192.0.2.0/24'] : [],
    });
  }
  await keys.revokeKey('key_7');
  database.close();
}

/** The database, or the text of the error with which it does not open. */
function openOrRefusal(folder: string): Database | string {
  try {
    return openAccounts(folder);
  } catch (error) {
    return String(error);
  }
}

/** Damage that stops the check itself counts as a finding. */
function findingsOf(database: Database): unknown[] {
  try {
    return findingsOfAll(database);
  } catch (error) {
    if (storageErrorOf(error) === null) throw error;
    return [error];
  }
}

function findingsOfAll(database: Database): unknown[] {
  const check = new RowCheck(database);
  const findings: unknown[] = indexFindings(database);
  for (;;) {
    const { damaged, isEnd } = check.next(50);
    findings.push(...damaged);
    if (isEnd) return findings;
  }
}

/**
 * The records that access control and accounts read about every key, session and account; REFUSED if they
 * find nothing or an error.
 */
async function answersOf(database: Database): Promise<Map<string, string>> {
  const directory = new SqliteKeyDirectory(database);
  const keys = new KeyRepository(sqliteSql(database));
  const accounts = new AccountRepository(sqliteSql(database));
  const answers = new Map<string, string>();
  async function ask(question: string, read: () => unknown): Promise<void> {
    try {
      const answer = await read();
      answers.set(question, answer === null ? REFUSED : JSON.stringify(answer));
    } catch (error) {
      if (storageErrorOf(error) === null && !(error instanceof ServiceError)) throw error;
      answers.set(question, REFUSED);
    }
  }
  for (let number = 0; number < ACCOUNTS; number++) {
    if (number !== 7) await ask(`key ${number}`, () => directory.findLive(hashOf('key', number)));
    await ask(`record ${number}`, async () => withoutUse(await keys.findKey(`key_${number}`)));
    await ask(`session ${number}`, () => directory.findLive(hashOf('session', number)));
    await ask(`account ${number}`, () => accounts.findAccountByEmail(emailOf(number)));
    await ask(`account of session ${number}`, () =>
      accounts.sessions.findSessionAccount(hashOf('session', number), START_MS),
    );
  }
  return answers;
}

/** Leaves out the time of the key's last use, which has no checksum. */
function withoutUse<Key extends object>(key: Key | null): object | null {
  return key === null ? null : { ...key, lastUsedAtMs: null };
}
