// The slate in Redis: its keys, what stands in them, and the scripts that write them. Values are MessagePack as base64,
// because Bun's client reads every answer as UTF-8. docs/cluster.md describes them.
//
//   lease      string   who leads, `<holder>:<term>`; gone 3 seconds after the last renewal
//   standby    string   an ingest node that waits and whose feed is live; gone 1.5 seconds after it last said so
//   state      hash     term, epoch, seq, version and id of the last entry, and floor: see the scripts
//   stream     stream   one entry a tick: what changed, and nothing when only time has passed
//   snapshot   hash     `f<event>` one fixture, `d<chunk>` fixtures that left, `head` the rest, `id` the entry it stands at,
//                       `mark` its epoch and number

import { pack, unpack } from 'msgpackr';
import { BOOKMAKER_KEYS } from '../domain/catalogue.ts';
import type { DepartureChange, FeedFacts, FixtureChange, SlateChange } from '../store/slate-change.ts';
import type { SourceReport } from '../store/source-reports.ts';

/** One hash tag, so that a cluster of Redis keeps all keys of a script on one shard. */
const PREFIX = '{overround}:slate:';
export const LEASE_KEY = `${PREFIX}lease`;
/** Who waits and has a feed that is live. */
export const STANDBY_KEY = `${PREFIX}standby`;
export const STATE_KEY = `${PREFIX}state`;
export const STREAM_KEY = `${PREFIX}stream`;
export const SNAPSHOT_KEY = `${PREFIX}snapshot`;

/** Raised whenever entries or the snapshot change: nodes of another format do not follow. */
const FORMAT = 1;

/** One tick of a leader. */
export interface Entry {
  readonly epochMs: number;
  /** Counted from 0 in each epoch; the first tells nothing but that the snapshot is to be taken. */
  readonly seq: number;
  /** Null when nothing has changed since the last entry. */
  readonly change: SlateChange | null;
}

/** The snapshot beside its fixtures. */
export interface Head {
  readonly epochMs: number;
  readonly seq: number;
  /** The first version of the epoch. */
  readonly firstVersion: number;
  readonly version: number;
  readonly atMs: number;
  readonly feed: FeedFacts;
  readonly reports: readonly SourceReport[];
  /** Whether departures of the epoch are missing. */
  readonly departuresMissing: boolean;
}

/** A fixture or a departure with what its versions and times are told from. */
export type Told<Change> = readonly [version: number, atMs: number, change: Change];

export interface Snapshot {
  readonly head: Head;
  /** The entry that it stands at. */
  readonly id: string;
  readonly fixtures: readonly Told<FixtureChange>[];
  readonly departures: readonly Told<DepartureChange>[];
}

/** Redis holds what this release cannot read: the message says what to do. */
export class ForeignSlateError extends Error {}

export function encodeEntry({ epochMs, seq, change }: Entry): string {
  if (change === null) return toText([FORMAT, epochMs, seq, null]);
  const { version, atMs, fixtures, removed, departures, feed, reports } = change;
  return toText([FORMAT, epochMs, seq, [version, atMs, fixtures, removed, departures, feed, reports]]);
}

/** @throws ForeignSlateError */
export function decodeEntry(text: string): Entry {
  type Parts = readonly [
    SlateChange['version'],
    SlateChange['atMs'],
    SlateChange['fixtures'],
    SlateChange['removed'],
    SlateChange['departures'],
    SlateChange['feed'],
    SlateChange['reports'],
  ];
  const [format, epochMs, seq, parts] = fromText<readonly [number, number, number, Parts | null]>(text);
  requireFormat(format);
  if (parts === null) return { epochMs, seq, change: null };
  const [version, atMs, fixtures, removed, departures, feed, reports] = parts;
  return { epochMs, seq, change: { version, atMs, fixtures, removed, departures, feed, reports } };
}

export function fixtureField(eventNumber: number): string {
  return `f${eventNumber}`;
}

export function departuresField(chunk: number): string {
  return `d${chunk}`;
}

/** The value of a field of the snapshot. */
export function encodeField(
  value: Told<FixtureChange> | readonly Told<DepartureChange>[] | readonly [...unknown[], Head],
): string {
  return toText(value);
}

export function encodeHead(head: Head): string {
  return toText([FORMAT, BOOKMAKER_KEYS, head]);
}

export function markOf({ epochMs, seq }: Pick<Head, 'epochMs' | 'seq'>): string {
  return `${epochMs}:${seq}`;
}

/** The snapshot of a hash, or null when there is none. @throws ForeignSlateError */
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
  const fixtures: Told<FixtureChange>[] = [];
  const chunks: [number, readonly Told<DepartureChange>[]][] = [];
  for (const [field, text] of Object.entries(hash)) {
    if (/^f\d/.test(field)) fixtures.push(fromText(text));
    else if (/^d\d/.test(field)) chunks.push([Number(field.slice(1)), fromText(text)]);
  }
  chunks.sort(([left], [right]) => left - right);
  return { head, id, fixtures, departures: chunks.flatMap(([, departures]) => departures) };
}

function requireFormat(format: number): void {
  if (format === FORMAT) return;
  throw new ForeignSlateError(
    `The leader writes the slate in format ${format}, this release reads ${FORMAT}: run one release on all nodes`,
  );
}

function toText(value: unknown): string {
  return pack(value).toString('base64');
}

function fromText<Value>(text: string): Value {
  return unpack(Buffer.from(text, 'base64')) as Value;
}

/** So long after the last renewal, or the last entry, the lease is another's to take. */
export const LEASE_MS = 3_000;
/** The same until the first snapshot of an epoch is written: of the largest slate that takes seconds. */
export const FIRST_LEASE_MS = 10_000;

/** So long after it last said so, a node that waits counts as one whose feed is live. */
const STANDBY_MS = 1_500;

/**
 * Takes the lease if it is free. A node whose feed is not live leaves it to one that waits with a live one.
 * KEYS lease, state, standby; ARGV holder, milliseconds, wall clock, 1 when its feed is live.
 * Answers 0, or 1, term, epoch and the highest version that any node may have seen.
 */
export const ACQUIRE = `
local isTaken = redis.call('EXISTS', KEYS[1]) == 1
if ARGV[4] == '1' then
  if isTaken then redis.call('SET', KEYS[3], ARGV[1], 'PX', ${STANDBY_MS}) else redis.call('DEL', KEYS[3]) end
elseif redis.call('EXISTS', KEYS[3]) == 1 then
  return {0}
end
if isTaken then
  -- One that somebody set by hand would never end.
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
 * Holds the lease for longer. KEYS lease, state; ARGV lease, milliseconds. Answers '-1' when it is another's, or the
 * highest version that a follower said it had seen.
 */
export const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return '-1' end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('HGET', KEYS[2], 'floor') or '0'`;

/** Gives the lease back. KEYS lease; ARGV lease. */
export const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** Gives the lease back if another waits whose feed is live. KEYS lease, standby; ARGV lease. Answers 1 when it did. */
export const HAND_OVER = `
if redis.call('EXISTS', KEYS[2]) == 0 or redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

/** A follower has seen a version. KEYS state; ARGV version. */
export const RAISE_FLOOR = `
local floor = tonumber(redis.call('HGET', KEYS[1], 'floor') or '0')
if tonumber(ARGV[1]) > floor then redis.call('HSET', KEYS[1], 'floor', ARGV[1]) end
return 1`;

/**
 * Appends an entry and brings the snapshot up to it, if the lease is still the sender's, and renews it. An entry that was
 * appended before, and whose answer was lost, is not appended again.
 * KEYS lease, state, stream, snapshot; ARGV lease, seq, version, entry, milliseconds kept, whether the snapshot begins
 * anew, head or nothing, mark, count of fields to delete, these, fields and values to set.
 * Answers 'ok', 'fenced', or 'gap' when an entry before this one or the snapshot is missing: an update alone would make a
 * snapshot of only the fixtures that changed.
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
