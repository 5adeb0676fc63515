import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/clock.ts';
import { REDIS_CALL_MS, RedisAway, RedisLink, RedisRefused } from '../../src/storage/redis.ts';
import { until } from '../support/condition.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

describe.skipIf(REDIS_MISSING !== null)('a link to Redis', () => {
  let server: RedisServer;
  let link: RedisLink;

  beforeAll(async () => {
    server = await RedisServer.start();
    link = server.openLink();
  });

  afterAll(async () => {
    link.close();
    await server[Symbol.asyncDispose]();
  });

  async function isUp(over = link): Promise<boolean> {
    return over.call('PING', []).then(
      () => true,
      () => false,
    );
  }

  test('a call to a frozen server ends at its deadline, and later calls are answered again', async () => {
    const hasty = new RedisLink({ url: server.url, clock: systemClock });
    await until('it is there', () => isUp(hasty));
    server.freeze();
    const calls = Array.from({ length: 20 }, () => hasty.call('PING', []));
    const ends = await Promise.allSettled(calls);
    server.thaw();
    for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(RedisAway) });
    await until('it is there again', () => isUp(hasty));
    hasty.close();
  });

  test('a call to an unreachable server fails and is not queued; later calls succeed when the server is back', async () => {
    await link.call('SET', ['left', '1']);
    await server.kill();
    await expect(link.call('SET', ['queued', '1'])).rejects.toThrow(RedisAway);
    await server.resume();
    await until('it is there again', () => isUp());
    expect(await link.call('MGET', ['left', 'queued'])).toEqual([null, null]);
  });

  test('a script is run by its hash, even on a server that does not have the script yet', async () => {
    const script = 'return {KEYS[1], ARGV[1]}';
    for (let turn = 0; turn < 2; turn++) expect(await link.script(script, ['a'], ['b'])).toEqual(['a', 'b']);
    const statistics = String(await link.call('INFO', ['commandstats']));
    expect(statistics).toMatch(/cmdstat_evalsha:calls=2,/);
    expect(statistics).toMatch(/cmdstat_eval:calls=1,/);
  });

  test('scriptInTime does nothing if its call has timed out before the server executes it', async () => {
    const hasty = new RedisLink({ url: server.url, clock: systemClock });
    const add = "return redis.call('INCR', KEYS[1])";
    expect(await hasty.scriptInTime(add, ['timed'], [])).toBe(1);
    server.freeze();
    const frozenAtMs = systemClock.monotonicMs();
    await expect(hasty.scriptInTime(add, ['timed'], [])).rejects.toThrow(RedisAway);
    await until('the call has timed out', () => systemClock.monotonicMs() - frozenAtMs > 2 * REDIS_CALL_MS);
    server.thaw();
    await until('the server has come to the call', async () => {
      return String(await link.call('INFO', ['errorstats'])).includes('errorstat_LATE:count=1');
    });
    await until('it is there again', () => isUp(hasty));
    expect(await hasty.scriptInTime(add, ['timed'], [])).toBe(2);
    hasty.close();
  });

  test('a refused command is an error; calls before and after it are answered', async () => {
    const [before, script, hash, after] = await Promise.allSettled([
      link.call('PING', []),
      link.call('EVAL', ['return nonsense(', '0']),
      link.call('EVALSHA', ['0'.repeat(40), '0']),
      link.call('PING', []),
    ]);
    for (const end of [before, after]) expect(end).toEqual({ status: 'fulfilled', value: 'PONG' });
    for (const end of [script, hash])
      expect(end).toMatchObject({ status: 'rejected', reason: expect.any(RedisRefused) });
    expect(await link.call('PING', [])).toBe('PONG'); // immediately, over the same connection
  });
});
