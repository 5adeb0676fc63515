// What nodes share of their limits, in Redis: for each caller the moment its bucket is full and the requests of its day, as
// in bucket.ts, under Redis' own clock. Everything ends by itself: a bucket when it is full, a count when its day is over.

import type { RedisLink } from '../redis.ts';
import type { LimitStore, Owed, Standing } from './lease-settler.ts';
import { NODE_SILENT_MS } from './limits.ts';

/** Before the names of all keys. One hash slot for all, since one call touches many. */
const PREFIX = '{overround:limits}:';
/** For how long a node's last call is known, in case it comes again. */
const CALL_KNOWN_MS = 600_000;
/** A count is kept over its day's end: a node whose clock is behind still counts on it. */
const COUNT_KEPT_MS = 26 * 3_600_000;

/**
 * KEYS: the node's last call, then the callers. ARGV: the call's number, the moment (0: Redis' own), then of each caller
 * what it spent in milliseconds, in how many its bucket is full without that, and its day, requests and known requests
 * (day -1: not counted). Answers three numbers for each caller, as Standing. A caller that Redis does not know begins with
 * what the node believes, so that a Redis that was emptied gives nobody a second burst.
 */
const SETTLE = `
local is_again = redis.call('GET', KEYS[1]) == ARGV[1]
if not is_again then redis.call('SET', KEYS[1], ARGV[1], 'PX', ${CALL_KNOWN_MS}) end
local now = tonumber(ARGV[2])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local answer = {}
for index = 2, #KEYS do
  local at = 3 + (index - 2) * 5
  local key = KEYS[index]
  local day = tonumber(ARGV[at + 2])
  local kept = redis.call('HMGET', key, 'full_at', 'day', 'count')
  local full_at = tonumber(kept[1]) or now + ARGV[at + 1]
  if full_at < now then full_at = now end
  if not is_again then full_at = full_at + ARGV[at] end
  local count = 0
  local keep = full_at - now + 1000
  if day >= 0 then
    local kept_day = tonumber(kept[2])
    if kept_day == day or kept_day == day + 1 then
      day = kept_day
      count = tonumber(kept[3])
    else
      count = tonumber(ARGV[at + 4])
    end
    if not is_again then count = count + ARGV[at + 3] end
    redis.call('HSET', key, 'full_at', string.format('%.0f', full_at), 'day', day, 'count', string.format('%.0f', count))
    if keep < ${COUNT_KEPT_MS} then keep = ${COUNT_KEPT_MS} end
  else
    redis.call('HSET', key, 'full_at', string.format('%.0f', full_at))
  end
  redis.call('PEXPIRE', key, math.ceil(keep))
  answer[#answer + 1] = math.ceil(full_at - now)
  answer[#answer + 1] = day
  answer[#answer + 1] = count
end
return answer
`;

/** KEYS: the nodes. ARGV: the node, how long one may be silent. Answers how many live. */
const BEAT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
`;

export interface RedisLimitsOptions {
  readonly link: RedisLink;
  /** Of this start of this node: no other has it. */
  readonly node: string;
  /** The moment in Unix milliseconds; left out, Redis' own clock holds. For tests, whose clock moves when told. */
  readonly wallMs?: () => number;
}

export class RedisLimits implements LimitStore {
  readonly #link: RedisLink;
  readonly #node: string;
  readonly #wallMs: () => number;

  constructor({ link, node, wallMs = () => 0 }: RedisLimitsOptions) {
    this.#link = link;
    this.#node = node;
    this.#wallMs = wallMs;
  }

  async settle(number: number, owed: readonly Owed[]): Promise<Standing[]> {
    const keys = [`${PREFIX}call:${this.#node}`, ...owed.map(({ name }) => PREFIX + name)];
    const values = owed.flatMap(({ spentMs, aheadMs, daily }) => {
      const { day, spent, known } = daily ?? { day: -1, spent: 0, known: 0 };
      return [spentMs, aheadMs, day, spent, known];
    });
    const args = [number, this.#wallMs(), ...values].map(String);
    const numbers = (await this.#link.script(SETTLE, keys, args)) as number[];
    return owed.map((_, index) => {
      const [aheadMs = 0, day = 0, count = 0] = numbers.slice(index * 3, index * 3 + 3);
      return { aheadMs, day, count };
    });
  }

  async beat(): Promise<number> {
    const args = [this.#node, String(NODE_SILENT_MS)];
    return (await this.#link.script(BEAT, [`${PREFIX}nodes`], args)) as number;
  }
}
