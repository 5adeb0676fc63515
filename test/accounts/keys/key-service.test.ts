import { expect, test } from 'bun:test';
import { ATTEMPT_LIMITS, Attempts } from '../../../src/accounts/credentials/attempts.ts';
import { hashText } from '../../../src/accounts/credentials/secrets.ts';
import { KeyService } from '../../../src/accounts/keys/key-service.ts';
import { SqliteKeyDirectory } from '../../../src/accounts/keys/sqlite-key-directory.ts';
import { SavedViews } from '../../../src/accounts/views/saved-views.ts';
import { fillRandom } from '../../../src/start/threads/random.ts';
import { bundleChild } from '../../support/bundle-child.ts';
import { runs } from '../../support/runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { AccountsBench, failureOf, openAccounts } from '../support.ts';

/** Children are killed at 23 different moments, so each moment occurs twice. */
const ROUNDS = runs(46);
const AT_ONCE = 2;
const CHILD = new URL('../key-creation.child.ts', import.meta.url).pathname;

test('kill -9 during key creation and rotation loses no acknowledged key and corrupts no file', async () => {
  using folder = temporaryFolder();
  using program = temporaryFolder();
  const child = await bundleChild(CHILD, program.path);
  const live = new Set<string>();
  const dead = new Set<string>();
  let killedBeforeFirst = 0;
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const outputs = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => killedRun(child, folder.path, round + index)),
    );
    for (const output of outputs) {
      if (output.length === 0) killedBeforeFirst++;
      for (const line of output) acknowledge(line, { live, dead });
    }
    // Opening runs quick_check, which throws on a damaged file.
    const database = openAccounts(folder.path);
    const directory = new SqliteKeyDirectory(database);
    for (const text of live) expect(directory.findLive(hashText(text))).not.toBeNull();
    for (const text of dead) expect(directory.findLive(hashText(text))).toBeNull();
    database.close();
  }
  expect(live.size).toBeGreaterThan(ROUNDS);
  expect(dead.size).toBeGreaterThan(0);
  expect(killedBeforeFirst).toBeLessThan(ROUNDS);
}, 120_000);

test('if the plan is lowered while a key is made, the key cannot have a tier above the lower plan', async () => {
  using bench = new AccountsBench();
  const accounts = await bench.service();
  const early = await bench.signIn(accounts, 'ana@example.com');
  await accounts.setPlan({ plan: 'realtime' }, early);
  const session = { ...early, account: { ...early.account, plan: 'realtime' } } as const;
  class LateAttempts extends Attempts {
    override async take(...attempt: Parameters<Attempts['take']>): Promise<number> {
      await bench.accounts.setPlan(session.account.id, 'standard');
      return super.take(...attempt);
    }
  }
  const service = new KeyService({ ...bench.keyOptions, attempts: new LateAttempts(bench.sql) });
  expect(await failureOf(service.create({ tier: 'realtime' }, session))).toBe('plan_limit');
  expect((await service.list(session)).keys).toEqual([]);
  expect((await service.create({ tier: 'standard' }, session)).tier).toBe('standard');
});

test('an account may rotate keys and save views 300 times an hour; revoking a key is never refused', async () => {
  using bench = new AccountsBench();
  const session = await bench.signIn(await bench.service(), 'ana@example.com');
  const { keyService: service, sql, attempts, clock } = bench;
  const views = new SavedViews({ sql, attempts, clock, fillRandom });
  const { key_id } = await service.create({}, session);
  const view = { name: 'edges', query: 'sort=edge' };
  for (let change = 0; change < ATTEMPT_LIMITS.changesPerAccount.max; change++) {
    await service.rotate(key_id, session);
    await views.save(view, session);
  }
  expect(await failureOf(service.rotate(key_id, session))).toBe('rate_limit_exceeded');
  expect(await failureOf(views.save(view, session))).toBe('rate_limit_exceeded');
  const other = await bench.signIn(await bench.service(), 'bob@example.com');
  await service.rotate((await service.create({}, other)).key_id, other);
  expect((await service.revoke(key_id, session)).status).toBe('revoked');
  bench.nowMs += ATTEMPT_LIMITS.changesPerAccount.windowMs;
  expect((await views.save(view, session)).name).toBe('edges');
});

test('revoking a revoked key again changes nothing, so no thread reads its keys again', async () => {
  using bench = new AccountsBench();
  const session = await bench.signIn(await bench.service(), 'ana@example.com');
  const { key_id } = await bench.keyService.create({}, session);
  const revoked = await bench.keyService.revoke(key_id, session);
  const directory = new SqliteKeyDirectory(bench.database);
  const before = { epoch: directory.epoch(), reports: bench.keysChanged };
  expect(await bench.keyService.revoke(key_id, session)).toEqual(revoked);
  expect((await bench.keys.revokeKey(key_id))?.status).toBe('revoked');
  expect({ epoch: directory.epoch(), reports: bench.keysChanged }).toEqual(before);
});

/**
 * Notes an acknowledgement. After a kill, a key whose rotation was not acknowledged may be live or dead, so
 * it is in neither set.
 */
function acknowledge(line: string, { live, dead }: { live: Set<string>; dead: Set<string> }): void {
  const [word, text = '', replaced = ''] = line.split(' ');
  if (word === 'rotating') live.delete(text);
  else live.add(text);
  if (word === 'rotated') dead.add(replaced);
}

/** The whole lines that a child wrote before it was killed. The moment of the kill depends on the round. */
async function killedRun(program: string, folder: string, round: number): Promise<string[]> {
  const child = Bun.spawn([process.execPath, program, folder], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  // Some children are killed while they open the database, most after a few keys.
  const killAfterLines = round % 10 === 0 ? 0 : 1 + ((round * 7) % 23);
  let text = '';
  const reader = child.stdout.getReader();
  if (killAfterLines === 0) setTimeout(() => child.kill('SIGKILL'), 20 + (round % 40));
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
    if (killAfterLines > 0 && text.split('\n').length > killAfterLines) child.kill('SIGKILL');
  }
  await child.exited;
  return text.split('\n').slice(0, -1);
}
