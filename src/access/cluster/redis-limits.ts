// The limits that nodes share, in Redis: for each caller, the time at which its bucket is full and its
// requests of the day, as in bucket.ts, by the clock of Redis. All entries expire: a bucket once it is full,
// a daily count 26 hours after its last change, and the small count of an address after ninety seconds.

import { HOUR_MS } from '../../clock.ts';
import { assert } from '../../errors.ts';
import type { RedisLink } from '../../storage/redis.ts';
import { CALLER_FORGOTTEN_MS, NODE_SILENT_MS, SETTLED_WITHIN_MS } from '../limits.ts';
import type { LimitSettlement, LimitStore, Standing } from './limit-store.ts';

/** Prefix of all key names. The braces put them into one hash slot, because one call touches many. */
const PREFIX = '{overround:limits}:';
/** How long Redis remembers a node's last call, to recognise a retry. */
const CALL_KNOWN_MS = 600_000;
/**
 * How long a daily count is kept after its last change: past the end of its day, because a node whose clock
 * is behind still counts on that day.
 */
const COUNT_KEPT_MS = 26 * HOUR_MS;
/**
 * How long a forgettable count is kept after its last change. Strangers can cause hundreds of such counts a
 * second on each HTTP thread. Each node still knows the requests that it admitted, so little is lost. It must
 * be longer than a node relies on what Redis last answered; otherwise the count of a caller that never pauses
 * could be forgotten between two reports.
 */
const FORGETTABLE_KEPT_MS = 90_000;
assert(
  FORGETTABLE_KEPT_MS > CALLER_FORGOTTEN_MS + SETTLED_WITHIN_MS,
  'a node reports a caller again before its count is forgotten',
);

/**
 * KEYS: the node's last call, then the callers. ARGV: the number of the call; the time (0: the clock of
 * Redis); 1 after an outage. Then for each caller: the owed requests as milliseconds of refill, in how many
 * milliseconds its bucket would be full without these requests, its day (-1: not counted), its requests, the
 * requests known before and the highest count that is forgettable. Returns three numbers for each caller, as
 * in Standing. A caller that Redis does not know starts with the node's values, so that a Redis that lost its
 * data gives nobody a second burst.
 * After an outage another node may have been first, so the higher value is used. The same applies if Redis
 * does not know the call before this one, because then it has lost data and the node has not noticed yet.
 */
const SETTLE = `
local number = tonumber(ARGV[1])
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local is_again = last >= number
if not is_again then redis.call('SET', KEYS[1], ARGV[1], 'PX', ${CALL_KNOWN_MS}) end
local now = tonumber(ARGV[2])
if now == 0 then now = redis_ms end
local is_after_outage = ARGV[3] == '1' or last < number - 1
local answer = {}
for index = 2, #KEYS do
  local at = 4 + (index - 2) * 6
  local key = KEYS[index]
  local day = tonumber(ARGV[at + 2])
  local kept = redis.call('HMGET', key, 'full_at', 'day', 'count')
  local believed = now + ARGV[at + 1]
  local full_at = tonumber(kept[1]) or believed
  if is_after_outage and full_at < believed then full_at = believed end
  if full_at < now then full_at = now end
  if not is_again then full_at = full_at + ARGV[at] end
  local count = 0
  local keep = full_at - now + 1000
  if day >= 0 then
    local kept_day = tonumber(kept[2])
    if kept_day == day or kept_day == day + 1 then
      day = kept_day
      count = tonumber(kept[3])
      if kept_day == tonumber(ARGV[at + 2]) then count = math.max(count, tonumber(ARGV[at + 4])) end
    else
      count = tonumber(ARGV[at + 4])
    end
    if not is_again then count = count + ARGV[at + 3] end
    redis.call('HSET', key, 'full_at', string.format('%.0f', full_at), 'day', day, 'count', string.format('%.0f', count))
    local is_forgettable = count <= tonumber(ARGV[at + 5])
    keep = math.max(keep, is_forgettable and ${FORGETTABLE_KEPT_MS} or ${COUNT_KEPT_MS})
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

/**
 * KEYS: the sorted set of nodes. ARGV: this node, and how many milliseconds a node may be silent. Returns how
 * many nodes are alive, and 1 if this one was registered already.
 */
const HEARTBEAT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local is_known = redis.call('ZADD', KEYS[1], now, ARGV[1]) == 0
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {redis.call('ZCARD', KEYS[1]), is_known and 1 or 0}
`;

const UNCOUNTED = { day: -1, spent: 0, known: 0, forgettable: 0 };

export interface RedisLimitsOptions {
  readonly link: RedisLink;
  /** A name for the node that no other node and no other start of this node has. */
  readonly node: string;
  /**
   * The time in Unix milliseconds; if omitted, the clock of Redis. For tests, which move the clock
   * themselves.
   */
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

  async settle({ number, owed, isAfterOutage }: LimitSettlement): Promise<Standing[]> {
    const keys = [`${PREFIX}call:${this.#node}`, ...owed.map(({ name }) => PREFIX + name)];
    const values = owed.flatMap(({ spentMs, aheadMs, daily }) => {
      const { day, spent, known, forgettable } = daily ?? UNCOUNTED;
      return [spentMs, aheadMs, day, spent, known, forgettable];
    });
    const args = [number, this.#wallMs(), isAfterOutage ? 1 : 0, ...values].map(String);
    const numbers = (await this.#link.scriptInTime(SETTLE, keys, args)) as number[];
    return owed.map((_, index) => {
      const [aheadMs = 0, day = 0, count = 0] = numbers.slice(index * 3, index * 3 + 3);
      return { aheadMs, day, count };
    });
  }

  async heartbeat(): Promise<{ nodes: number; isKnown: boolean }> {
    const args = [this.#node, String(NODE_SILENT_MS)];
    const answer = await this.#link.script(HEARTBEAT, [`${PREFIX}nodes`], args);
    const [nodes = 0, isKnown = 0] = answer as number[];
    return { nodes, isKnown: isKnown === 1 };
  }
}
