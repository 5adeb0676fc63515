// Checks Redis and Postgres, if the settings name them: whether each answers, and whether the clock of Redis
// differs from ours.

import type { Clock } from '../../clock.ts';
import type { Config } from '../../settings/config.ts';
import { PostgresPool } from '../../storage/postgres.ts';
import { RedisLink } from '../../storage/redis.ts';
import { bad, type Finding, ok, warn, whyOf } from './finding.ts';

/**
 * A larger difference of the clocks is a warning, because each node counts the shared daily quotas by its own
 * clock.
 */
const SKEW_WARN_MS = 1_000;
const ANSWER_WITHIN_MS = 2_000;

/** @returns a finding for each of Redis and Postgres that the settings name */
export async function examineEngines({ redisUrl, databaseUrl }: Config, clock: Clock): Promise<Finding[]> {
  return await Promise.all([
    ...(redisUrl === null ? [] : [redis(redisUrl, clock)]),
    ...(databaseUrl === null ? [] : [postgres(databaseUrl)]),
  ]);
}

async function postgres(url: string): Promise<Finding> {
  const pool = new PostgresPool({ url, connections: 1, deadlineMs: ANSWER_WITHIN_MS });
  try {
    const [row] = await pool.rows<{ version: string }>("SELECT current_setting('server_version') AS version");
    return ok('postgres', `it answers, version ${row?.version}`);
  } catch (error) {
    return bad('postgres', whyOf(error), 'Check DATABASE_URL and that Postgres runs and accepts this user');
  } finally {
    await pool.close();
  }
}

async function redis(url: string, clock: Clock): Promise<Finding> {
  const link = new RedisLink({ url, clock, deadlineMs: ANSWER_WITHIN_MS });
  try {
    const [seconds] = (await link.call('TIME', [])) as readonly [string, string];
    const aheadMs = Number(seconds) * 1_000 + 500 - clock.wallMs();
    if (Math.abs(aheadMs) <= SKEW_WARN_MS) return ok('redis', 'it answers');
    const found = `its clock is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`;
    return warn('redis', found, 'Synchronise both clocks: timedatectl set-ntp true, or run chrony');
  } catch (error) {
    return bad('redis', whyOf(error), 'Check REDIS_URL and that Redis runs');
  } finally {
    link.close();
  }
}
