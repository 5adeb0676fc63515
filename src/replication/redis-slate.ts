// The slate in Redis: its keys, their values, and the scripts that write them. Values are MessagePack in
// base64, because Bun's client decodes every answer as UTF-8. docs/guide/cluster.md describes them.
//
//   lease      string   the leader, `<holder>:<term>`; expires 3 seconds after the last renewal or entry.
//                       Until the first snapshot of an epoch is written, it expires after 10 seconds
//   standby    string   a standby whose feed is live; expires 1.5 seconds after it last reported so
//   state      hash     term, epoch, seq and version of the last entry, and floor: see the scripts
//   stream     stream   one entry per tick with the changes, or without any when only time has passed
//   snapshot   hash     `f<event>` one fixture, `l<event>` what can be staked on it at exchanges, `d<chunk>`
//                       fixtures that left, `head` the rest, `id` the entry it is at, `mark` that entry's
//                       epoch and number

import { pack, unpack } from 'msgpackr';
import { BOOKMAKER_KEYS } from '../domain/catalogue.ts';
import type {
  DepartureChange,
  FeedFacts,
  FixtureChange,
  LiquidityChange,
  SlateChange,
} from '../store/slate-change.ts';
import type { SourceReport } from '../store/source-reports.ts';

/** The hash tag makes a Redis cluster keep all keys of a script on one shard. */
const PREFIX = '{overround}:slate:';
export const LEASE_KEY = `${PREFIX}lease`;
/** The standby whose feed is live. */
export const STANDBY_KEY = `${PREFIX}standby`;
export const STATE_KEY = `${PREFIX}state`;
export const STREAM_KEY = `${PREFIX}stream`;
export const SNAPSHOT_KEY = `${PREFIX}snapshot`;

/**
 * Raise this when entries or the snapshot change so that older nodes would misread them. Go on reading the
 * format of the release before: then a cluster is upgraded node by node, serving nodes first. Nodes that
 * cannot read a leader's format go on serving their last slate.
 */
const FORMAT = 3;

/** One tick of a leader. */
export interface SlateEntry {
  readonly epochMs: number;
  /**
   * Counted from 0 in each epoch. Entry 0 carries no change: a follower that reads it must load the snapshot,
   * which is written with it.
   */
  readonly seq: number;
  /** Null when nothing has changed since the entry before, and in entry 0. */
  readonly change: SlateChange | null;
}

/** What the snapshot holds besides its fixtures, departures and liquidity. */
export interface Head {
  readonly epochMs: number;
  readonly seq: number;
  /** The first version of the epoch. */
  readonly firstVersion: number;
  readonly version: number;
  readonly atMs: number;
  readonly feed: FeedFacts;
  readonly reports: readonly SourceReport[];
  /** Whether some departures of the epoch are missing. */
  readonly departuresMissing: boolean;
}

/** A fixture or departure. The versions and times inside it are relative to this version and time. */
export type Versioned<Change> = readonly [version: number, atMs: number, change: Change];

export interface Snapshot {
  readonly head: Head;
  /** The stream entry that the snapshot is at. */
  readonly id: string;
  readonly fixtures: readonly Versioned<FixtureChange>[];
  readonly departures: readonly Versioned<DepartureChange>[];
  readonly liquidity: readonly LiquidityChange[];
}

/** Redis holds data that this release cannot read; the message says what to do. */
export class ForeignSlateError extends Error {}

export function encodeEntry({ epochMs, seq, change }: SlateEntry): string {
  if (change === null) return toText([FORMAT, epochMs, seq, null]);
  const { version, atMs, fixtures, removed, departures, liquidity, feed, reports } = change;
  const parts = [version, atMs, fixtures, removed, departures, liquidity, feed, reports];
  return toText([FORMAT, epochMs, seq, parts]);
}

/** @throws ForeignSlateError */
export function decodeEntry(text: string): SlateEntry {
  type Parts = readonly [
    SlateChange['version'],
    SlateChange['atMs'],
    SlateChange['fixtures'],
    SlateChange['removed'],
    SlateChange['departures'],
    SlateChange['liquidity'],
    SlateChange['feed'],
    SlateChange['reports'],
  ];
  const [format, epochMs, seq, sent] = fromText<readonly [number, number, number, Parts | null]>(text);
  requireFormat(format);
  if (sent === null) return { epochMs, seq, change: null };
  const [version, atMs, fixtures, removed, departures, liquidity, feed, reports] = sent;
  const change = { version, atMs, fixtures, removed, departures, liquidity, feed, reports };
  return { epochMs, seq, change };
}

export function fixtureField(eventNumber: number): string {
  return `f${eventNumber}`;
}

export function liquidityField(eventNumber: number): string {
  return `l${eventNumber}`;
}

export function departuresField(chunk: number): string {
  return `d${chunk}`;
}

/** Encodes the value of one field of the snapshot. */
export function encodeField(
  value:
    | Versioned<FixtureChange>
    | readonly Versioned<DepartureChange>[]
    | readonly LiquidityChange[]
    | readonly [...unknown[], Head],
): string {
  return toText(value);
}

export function encodeHead(head: Head): string {
  return toText([FORMAT, BOOKMAKER_KEYS, head]);
}

export function markOf({ epochMs, seq }: Pick<Head, 'epochMs' | 'seq'>): string {
  return `${epochMs}:${seq}`;
}

/** Decodes the snapshot from its hash; null if not found. @throws ForeignSlateError */
export function decodeSnapshot(hash: Readonly<Record<string, string>>): Snapshot | null {
  const { head: headText, id } = hash;
  if (headText === undefined || id === undefined) return null;
  const [format, roster, head] = fromText<readonly [number, readonly string[], Head]>(headText);
  requireFormat(format);
  if (!Bun.deepEquals(roster, BOOKMAKER_KEYS)) {
    throw new ForeignSlateError(
      'The leader has another roster of bookmakers: give every node the same BOOKMAKERS',
    );
  }
  const fixtures: Versioned<FixtureChange>[] = [];
  const liquidity: LiquidityChange[] = [];
  const chunks: [number, readonly Versioned<DepartureChange>[]][] = [];
  for (const [field, text] of Object.entries(hash)) {
    if (/^f\d/.test(field)) fixtures.push(fromText(text));
    else if (/^l\d/.test(field)) liquidity.push(...fromText<LiquidityChange[]>(text));
    else if (/^d\d/.test(field)) chunks.push([Number(field.slice(1)), fromText(text)]);
  }
  chunks.sort(([left], [right]) => left - right);
  const departures = chunks.flatMap(([, chunk]) => chunk);
  return { head, id, fixtures, departures, liquidity };
}

function requireFormat(format: number): void {
  if (format === FORMAT) return;
  const older = format > FORMAT ? 'this node' : 'the ingest nodes';
  throw new ForeignSlateError(
    `The leader writes the slate in format ${format}, this release reads ${FORMAT}: upgrade ${older}`,
  );
}

function toText(value: unknown): string {
  return pack(value).toString('base64');
}

function fromText<Value>(text: string): Value {
  return unpack(Buffer.from(text, 'base64')) as Value;
}

/** The lease expires this long after the last renewal or entry. */
export const LEASE_MS = 3_000;
/**
 * The lease time until the first snapshot of an epoch is written, which takes seconds for the largest slate.
 */
export const FIRST_LEASE_MS = 10_000;

/** A standby counts as having a live feed for this long after it last reported so. */
const STANDBY_MS = 1_500;

/**
 * Acquires the lease if it is free or the caller already holds it (the answer to its last call was lost);
 * each acquisition starts a new term. A node without a live feed leaves the lease to a standby that has one.
 * KEYS lease, state, standby; ARGV holder, milliseconds, wall clock, 1 if the feed is live. Returns 0, or 1,
 * term, epoch and the highest version that any node may have seen.
 */
export const ACQUIRE = `
local lease = redis.call('GET', KEYS[1])
if lease and string.sub(lease, 1, #ARGV[1] + 1) == ARGV[1] .. ':' then
  redis.call('DEL', KEYS[1])
  lease = false
end
local isTaken = lease ~= false
if ARGV[4] == '1' then
  if isTaken then redis.call('SET', KEYS[3], ARGV[1], 'PX', ${STANDBY_MS}) else redis.call('DEL', KEYS[3]) end
elseif redis.call('EXISTS', KEYS[3]) == 1 then
  return {0}
end
if isTaken then
  -- A lease that somebody set by hand would never expire.
  if redis.call('PTTL', KEYS[1]) == -1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return {0}
end
local term = redis.call('HINCRBY', KEYS[2], 'term', 1)
local last = tonumber(redis.call('HGET', KEYS[2], 'epoch') or '0')
local epoch = math.max(tonumber(ARGV[3]), last + 1)
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. term, 'PX', ARGV[2])
redis.call('HSET', KEYS[2], 'epoch', string.format('%.0f', epoch), 'seq', '-1')
local version = tonumber(redis.call('HGET', KEYS[2], 'version') or '0')
local floor = tonumber(redis.call('HGET', KEYS[2], 'floor') or '0')
return {1, term, string.format('%.0f', epoch), string.format('%.0f', math.max(version, floor))}`;

/**
 * Renews the lease. KEYS lease, state; ARGV lease, milliseconds. Returns '-1' when the caller no longer holds
 * it, otherwise the highest version that a follower reported.
 */
export const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return '-1' end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('HGET', KEYS[2], 'floor') or '0'`;

/** Releases the lease. KEYS lease; ARGV lease. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Releases the lease if a standby with a live feed waits. KEYS lease, standby; ARGV lease. Returns 1 if it
 * did.
 */
export const HAND_OVER = `
if redis.call('EXISTS', KEYS[2]) == 0 or redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

/** Reports that a follower has seen a version. KEYS state; ARGV version. */
export const RAISE_FLOOR = `
local floor = tonumber(redis.call('HGET', KEYS[1], 'floor') or '0')
if tonumber(ARGV[1]) > floor then redis.call('HSET', KEYS[1], 'floor', ARGV[1]) end
return 1`;

/**
 * If the sender still holds the lease: appends an entry, updates the snapshot to it if a head is given, and
 * renews the lease. An entry that was appended already, and whose answer was lost, is not appended again.
 * KEYS lease, state, stream, snapshot; ARGV lease, seq, version, entry, milliseconds kept, whether the
 * snapshot starts from nothing, head (or an empty text), mark, count of fields to delete, those fields, then
 * fields and values to set. Returns 'ok', 'fenced', or 'gap' when the entry before this one or the snapshot
 * is missing: an update alone would then make a snapshot of only the changed fixtures.
 */
export const APPEND = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fenced' end
redis.call('PEXPIRE', KEYS[1], ${LEASE_MS})
local seq = tonumber(ARGV[2])
local last = tonumber(redis.call('HGET', KEYS[2], 'seq') or '-2')
if seq == last then return 'ok' end
if seq ~= last + 1 then return 'gap' end
if ARGV[6] ~= '1' and redis.call('EXISTS', KEYS[4]) == 0 then return 'gap' end
local time = redis.call('TIME')
local oldest = string.format('%.0f', tonumber(time[1]) * 1000 - tonumber(ARGV[5]))
local id = redis.call('XADD', KEYS[3], 'MINID', '~', oldest, '*', 'e', ARGV[4])
redis.call('HSET', KEYS[2], 'seq', ARGV[2], 'version', ARGV[3])
if ARGV[6] == '1' then redis.call('DEL', KEYS[4]) end
if ARGV[7] ~= '' then
  local from = 10
  for at = from, from + tonumber(ARGV[9]) - 1 do redis.call('HDEL', KEYS[4], ARGV[at]) end
  for at = from + tonumber(ARGV[9]), #ARGV, 2 do redis.call('HSET', KEYS[4], ARGV[at], ARGV[at + 1]) end
  redis.call('HSET', KEYS[4], 'head', ARGV[7], 'mark', ARGV[8], 'id', id)
end
return 'ok'`;
