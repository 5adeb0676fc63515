// `overround doctor`, `backup`, `restore` and `ready`.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../../src/clock.ts';
import { eventLoopTurn } from '../../../../src/pause.ts';
import type { Finding } from '../../../../src/start/doctor/finding.ts';
import { DATABASE_NAME } from '../../../../src/storage/database.ts';
import { certificateAuthority, HAS_OPENSSL } from '../../../support/certificates.ts';
import { ServerProcess } from '../../../support/server-process.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../../../support/test-program.ts';
import { runForText } from '../../text-run.ts';

async function findings(environment: Readonly<Record<string, string>>): Promise<Map<string, Finding>> {
  const { output } = await runForText(['doctor', '--json'], environment);
  const all = output.split('\n').map((line) => JSON.parse(line) as Finding);
  return new Map(all.map((finding) => [finding.about, finding]));
}

const folder = temporaryFolder();
let server: ServerProcess;
let url: string;
beforeAll(async () => {
  server = new ServerProcess({ SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '2' });
  url = await server.serving();
}, 120_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('doctor', () => {
  test('doctor exits with 0 on a good machine, and every finding that is not good has advice', async () => {
    const environment = { DATA_DIR: join(folder.path, 'new'), PORT: '0' };
    const { code, output } = await runForText(['doctor'], environment);
    expect(code).toBe(0);
    expect(output).toContain('127.0.0.1 port 0 is free');
    const found = await findings(environment);
    expect([...found.keys()]).toEqual([
      'settings',
      'versions',
      'port',
      'descriptors',
      'processors',
      'disk',
      'database',
      'feed simulator',
      'clock',
    ]);
    for (const { state, toDo } of found.values()) expect(toDo === null).toBe(state === 'ok');
    expect(existsSync(environment.DATA_DIR)).toBe(false);
  });

  test('doctor warns if the history or the data cannot be kept in the folder that is set', async () => {
    const file = join(folder.path, 'notes.txt');
    writeFileSync(file, '');
    const found = async (settings: Readonly<Record<string, string>>) =>
      await findings({ DATA_DIR: join(folder.path, 'new'), PORT: '0', ...settings });
    const history = async (settings: Readonly<Record<string, string>>) =>
      (await found(settings)).get('history');
    expect(await history({ HISTORY_DIR: file })).toMatchObject({
      ...{ state: 'warn', found: `${file}: ${file} is not a folder` },
      toDo: expect.stringContaining('HISTORY_DIR'),
    });
    expect((await history({ HISTORY_DIR: join(folder.path, 'prices') }))?.state).toBe('ok');
    expect(await history({ HISTORY_DIR: file, HISTORY_DAYS: '0' })).toBeUndefined();
    expect((await found({ DATA_DIR: file })).get('disk')).toMatchObject({ state: 'bad' });
  });

  test('doctor reports the port of the server on this folder as ok, and a port that another server uses as bad', async () => {
    const port = new URL(url).port;
    const own = await findings({ DATA_DIR: server.dataDir, PORT: port });
    expect(own.get('port')?.state).toBe('ok');
    expect(own.get('database')).toMatchObject({ state: 'ok' });
    const other = { DATA_DIR: folder.path, PORT: port };
    expect((await findings(other)).get('port')).toMatchObject({ state: 'bad' });
    expect((await runForText(['doctor'], other)).code).toBe(1);
  });

  test('doctor reports bad settings, an unusable folder, a database of another program and a missing source', async () => {
    const settings = await runForText(['doctor'], { PORT: 'x' });
    expect([settings.code, settings.output]).toEqual([1, expect.stringContaining('PORT is "x"')]);
    const broken = join(folder.path, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, DATABASE_NAME), 'no database at all, but long enough to be looked at');
    const found = await findings({ DATA_DIR: broken, PORT: '0', FEED: 'ws://127.0.0.1:9/feed' });
    expect(found.get('database')?.state).toBe('bad');
    expect(found.get('feed websocket')?.state).toBe('bad');
    expect((await findings({ DATA_DIR: '/proc/overround', PORT: '0' })).get('disk')?.state).toBe('bad');
    expect(
      (await findings({ DATA_DIR: folder.path, PORT: '0', HTTP_THREADS: '64' })).get('processors')?.toDo,
    ).toContain('HTTP_THREADS');
  });

  test('Redis that does not answer is reported, without its password', async () => {
    const environment = { DATA_DIR: folder.path, PORT: '0', REDIS_URL: 'redis://:hunter2@127.0.0.1:9' };
    const { code, output } = await runForText(['doctor'], environment);
    expect([code, output]).toEqual([1, expect.stringMatching(/^bad +redis .*\n.*REDIS_URL/m)]);
    expect(output).not.toContain('hunter2');
  });

  // Skipped without openssl, which makes the certificate.
  test.skipIf(!HAS_OPENSSL)(
    'a certificate that expires soon is a warning, and one that cannot be served is bad',
    async () => {
      const [certFile, keyFile] = [join(folder.path, 'own.pem'), join(folder.path, 'own.key')];
      const authority = await certificateAuthority(folder.path);
      await authority.renew('own', certFile, keyFile);
      const environment = {
        DATA_DIR: folder.path,
        PORT: '0',
        TLS_CERT_FILE: certFile,
        TLS_KEY_FILE: keyFile,
      };
      const certificate = (await findings(environment)).get('certificate');
      expect(certificate).toMatchObject({
        state: 'warn',
        found: expect.stringMatching(/ is good for [01] days$/),
      });
      const missing = await findings({ ...environment, TLS_KEY_FILE: certFile });
      expect(missing.get('certificate')).toMatchObject({
        state: 'bad',
        found: expect.stringContaining('TLS_KEY_FILE'),
      });
    },
  );

  test('doctor reports whether a polled source accepts the key, and how far its clock is off', async () => {
    let aheadMs = 0;
    await using source = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        const isRight = new URL(request.url).searchParams.get('apiKey') === 'right';
        const date = new Date(systemClock.wallMs() + aheadMs).toUTCString();
        return new Response('[]', { status: isRight ? 200 : 401, headers: { date } });
      },
    });
    const environment = {
      DATA_DIR: folder.path,
      PORT: '0',
      FEED: 'the-odds-api',
      THE_ODDS_API_URL: `http://127.0.0.1:${source.port}`,
      THE_ODDS_API_KEY: 'right',
    };
    const good = await findings(environment);
    expect(good.get('feed the-odds-api')?.found).toBe('it accepts the key');
    expect(good.get('clock')?.state).toBe('ok');
    aheadMs = 60_000;
    const wrong = await findings({ ...environment, THE_ODDS_API_KEY: 'wrong' });
    expect(wrong.get('feed the-odds-api')?.toDo).toContain('THE_ODDS_API_KEY');
    expect(wrong.get('clock')).toMatchObject({ state: 'bad', found: expect.stringContaining('60 s behind') });
    expect(
      (await runForText(['doctor'], { ...environment, THE_ODDS_API_KEY: 'wrong' })).output,
    ).not.toContain('wrong');
  });
});

describe('backup and restore', () => {
  test('a backup that is made while the server writes has every key that was created before the backup, and can be restored', async () => {
    const environment = { DATA_DIR: server.dataDir };
    const create = ['keys', 'create', '--tier', 'standard'];
    expect((await runForText(create, environment)).code).toBe(0);
    const before = (await runForText(['keys', 'list'], environment)).output.split('\n');
    const file = join(folder.path, 'backup.sqlite');
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        await runForText(create, environment);
        await eventLoopTurn(); // lets this process see the backup end
      }
    })();
    const backup = Bun.spawn([process.execPath, PROGRAM_PATH, 'backup', file, '--data-dir', server.dataDir], {
      stderr: 'pipe',
    });
    expect([await backup.exited, await new Response(backup.stderr).text()]).toEqual([
      0,
      expect.stringMatching(/checked: .*api_keys \d+/),
    ]);
    isDone = true;
    await writing;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const restored = { DATA_DIR: join(folder.path, 'restored') };
    const { code, errors } = await runForText(['restore', file], restored);
    expect([code, errors]).toEqual([0, expect.stringContaining('Restored ')]);
    const after = new Set((await runForText(['keys', 'list'], restored)).output.split('\n').map(keyIdOf));
    for (const line of before) expect(after.has(keyIdOf(line))).toBe(true);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
  }, 120_000);

  test('backup overwrites no file; restore refuses the folder of a running server and a folder that is not empty', async () => {
    const file = join(folder.path, 'backup.sqlite');
    const again = await runForText(['backup', file], { DATA_DIR: server.dataDir });
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining('exists already')]);
    const running = await runForText(['restore', file], { DATA_DIR: server.dataDir });
    expect([running.code, running.errors]).toEqual([1, expect.stringContaining('a server runs on')]);
    const full = await runForText(['restore', file], { DATA_DIR: folder.path });
    expect([full.code, full.errors]).toEqual([1, expect.stringContaining('is not empty')]);
    const none = await runForText(['backup', join(folder.path, 'other')], {
      DATA_DIR: join(folder.path, 'nowhere'),
    });
    expect([none.code, none.errors]).toEqual([1, expect.stringContaining('there is no ')]);
  });

  test('with Postgres there is nothing to back up in the file; the error names the command to use', async () => {
    const environment = { DATA_DIR: server.dataDir, DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:9/x' };
    const file = join(folder.path, 'alone.sqlite');
    const refused = await runForText(['backup', file], environment);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('pg_dump')]);
    expect(existsSync(file)).toBe(false);
    const { output } = await runForText(['doctor'], { ...environment, PORT: '0' });
    expect(output).toMatch(/^bad +postgres .*\n.*DATABASE_URL/m);
    expect(output).not.toContain('hunter2');
  });

  test('a backup with a changed letter in its keys is refused and leaves nothing behind', async () => {
    const bytes = readFileSync(join(folder.path, 'backup.sqlite'));
    // Changes every occurrence, because some are remains of rows that moved to another page.
    let at = bytes.indexOf('standard');
    expect(at).toBeGreaterThan(0);
    for (; at > 0; at = bytes.indexOf('standard', at + 1)) bytes[at] = 0x53;
    const damaged = join(folder.path, 'damaged.sqlite');
    writeFileSync(damaged, bytes);
    const target = join(folder.path, 'not-made');
    const { code, errors } = await runForText(['restore', damaged], { DATA_DIR: target });
    expect([code, errors]).toEqual([1, expect.stringMatching(/damaged/)]);
    expect(existsSync(join(target, DATABASE_NAME))).toBe(false);
  });
});

function keyIdOf(line: string): string {
  return (JSON.parse(line) as { key_id: string }).key_id;
}

test('ready follows the state of the server, and reports why if there is no server', async () => {
  const { hostname, port } = new URL(url);
  expect((await runForText(['ready'], { HOST: hostname, PORT: port })).output).toContain('"status":"ready"');
  expect((await runForText(['ready'], { HOST: '0.0.0.0', PORT: port })).code).toBe(0);
  const away = await runForText(['ready'], { PORT: '9' });
  expect([away.code, away.errors]).toEqual([
    1,
    expect.stringContaining('Cannot ask http://127.0.0.1:9/ready'),
  ]);
});
