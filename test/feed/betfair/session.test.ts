// Betfair's session: how it is kept alive, and replaced once it has ended.

import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepAlive } from '../../../src/feed/betfair/session.ts';
import { until } from '../../support/condition.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { CATALOGUE, follow, IMAGE } from './betfair-scene.ts';
import { BetfairStandIn } from './stand-in.ts';

describe('Betfair', () => {
  test('a session that has ended is replaced as soon as its file holds another token', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'session');
    writeFileSync(path, 'ended\n');
    await using standIn = new BetfairStandIn({ catalogue: CATALOGUE, script: [IMAGE] });
    await using follower = await follow(standIn, { BETFAIR_SESSION: '', BETFAIR_SESSION_FILE: path });
    const report = () => follower.reader.sourceReports()[0];
    await until('it is refused', () => report()?.state === 'stopped');
    expect(report()).toMatchObject({ reason: 'bad_key' });
    writeFileSync(path, 'session\n');
    await until('it serves', () => report()?.state === 'ok');
    expect(follower.quotes().length).toBeGreaterThan(0);
  });

  test('a session is kept alive, and a failure to do so is reported by its code', async () => {
    await using standIn = new BetfairStandIn({ catalogue: CATALOGUE, script: [IMAGE] });
    const options = {
      appKey: 'key',
      session: 'session',
      sessionFile: null,
      loginUrl: standIn.environment.BETFAIR_LOGIN_URL!,
    };
    const signal = new AbortController().signal;
    expect(await keepAlive(options, 'session', signal)).toBeNull();
    expect(await keepAlive(options, 'ended', signal)).toBe('NO_SESSION');
    expect(await keepAlive({ ...options, loginUrl: 'http://127.0.0.1:1' }, 'session', signal)).toBe(
      'unreachable',
    );
    expect(standIn.keptAlive).toEqual(['session', 'ended']);
  });
});
