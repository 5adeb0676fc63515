// Divides the signal channels of an HTTP thread, and the watches behind them, among the callers that follow
// signals. Otherwise a few strangers, or one customer, could follow choices of their own until nobody else
// can follow another. A channel or watch in use counts once for each class of callers that has readers of it,
// for the caller whose reader joined first. So callers of the same class join it for nothing, and when that
// caller leaves, the next one counts.

import { networkTextOf } from '../../access/client-address.ts';
import {
  CALLER_CLASSES,
  type CallerClass,
  classOf,
  type SharingPrincipal,
  sharerOf,
} from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { SIGNAL_CHANNELS_MAX } from '../limits.ts';
import type { StreamReader } from '../stream-reader.ts';
import type { SignalWatch } from './signal-watch.ts';

/**
 * The part of the whole that one caller, and all callers of its class together, may use. A paying caller may
 * use SHARED_PART while no other one follows signals.
 */
const PARTS = {
  keyless: { caller: 1 / 16, all: 1 / 4 },
  free: { caller: 1 / 16, all: 1 / 4 },
  paid: { caller: 1 / 3, all: 1 },
} as const;
/**
 * The part up to which callers share. The rest is kept for paying callers that follow nothing yet. While a
 * paying caller still has more than its share, because it was the only one before, the rest is for all other
 * paying callers.
 */
const SHARED_PART = 3 / 4;
const RETRY_S = 5;

/** A caller that follows signals: an account, a key without an account, or the network of a stranger. */
export interface SignalCaller extends CallerClass {
  readonly name: string;
}

export function signalCallerOf(principal: SharingPrincipal, clientAddress: string): SignalCaller {
  return sharerOf(principal) ?? { name: networkTextOf(clientAddress), hasKey: false };
}

/** The callers that the readers of one channel belong to. */
export class ReaderCallers {
  readonly #byClass = new Map(CALLER_CLASSES.map((name) => [name, new Map<StreamReader, SignalCaller>()]));

  add(reader: StreamReader, caller: SignalCaller): void {
    this.#byClass.get(classOf(caller))?.set(reader, caller);
  }

  remove(reader: StreamReader): void {
    for (const readers of this.#byClass.values()) readers.delete(reader);
  }

  /** The caller of this class that the channel counts for; null if the class has no reader of it. */
  firstOf(caller: CallerClass): SignalCaller | null {
    const [first] = this.#byClass.get(classOf(caller))?.values() ?? [];
    return first ?? null;
  }

  /** Whether another caller of this class reads the channel too. */
  hasOther(caller: SignalCaller): boolean {
    const readers = this.#byClass.get(classOf(caller))?.values() ?? [];
    return Iterator.from(readers).some(({ name }) => name !== caller.name);
  }
}

/** A channel in use. */
interface UsedChannel {
  readonly callers: ReaderCallers;
  readonly follower: { readonly watch: SignalWatch };
}

/** The channel and the watch that a caller wants; null for a watch that does not exist yet. */
interface Wanted {
  readonly name: string;
  readonly watch: SignalWatch | null;
}

interface InUse {
  readonly channels: ReadonlyMap<string, UsedChannel>;
  readonly watchesMax: number;
}

/** @throws ServiceError `upstream_unavailable` when the share of the caller, or of its class, is in use */
export function requireShare(caller: SignalCaller, wanted: Wanted, { channels, watchesMax }: InUse): void {
  /** The caller of the same class that each channel and watch counts for. */
  const channelsOf = new Map<string, SignalCaller>();
  const watchesOf = new Map<SignalWatch, SignalCaller>();
  const watches = new Set<SignalWatch>();
  let hasOthers = false;
  for (const [name, { callers, follower }] of channels) {
    watches.add(follower.watch);
    const first = callers.firstOf(caller);
    if (first === null) continue;
    channelsOf.set(name, first);
    hasOthers ||= callers.hasOther(caller);
    if (!watchesOf.has(follower.watch)) watchesOf.set(follower.watch, first);
  }
  const channelUse = {
    ...{ count: channels.size, ofClass: [...channelsOf.values()], hasOthers },
    ...{ max: SIGNAL_CHANNELS_MAX, isNew: !channels.has(wanted.name) },
  };
  if (!channelsOf.has(wanted.name) && !hasRoom(caller, channelUse)) throw inUse('filters and thresholds');
  const watchUse = {
    ...{ count: watches.size, ofClass: [...watchesOf.values()], hasOthers },
    ...{ max: watchesMax, isNew: wanted.watch === null },
  };
  if (wanted.watch !== null && watchesOf.has(wanted.watch)) return;
  if (!hasRoom(caller, watchUse)) throw inUse('bookmakers, markets and period');
}

interface Use {
  /** How many are in use. */
  readonly count: number;
  readonly ofClass: readonly SignalCaller[];
  /** Whether other callers of the class follow signals. */
  readonly hasOthers: boolean;
  readonly max: number;
  /**
   * Whether the wanted channel or watch does not exist yet. If it exists and only another class uses it,
   * joining it takes no further room.
   */
  readonly isNew: boolean;
}

/** Whether the shares of the caller and of its class have room for one more channel or watch. */
function hasRoom(caller: SignalCaller, { count, ofClass, hasOthers, max, isNew }: Use): boolean {
  const kind = classOf(caller);
  const own = ofClass.filter(({ name }) => name === caller.name).length;
  const part = kind === 'paid' && !hasOthers ? SHARED_PART : PARTS[kind].caller;
  if (own >= shareOf(max, part)) return false;
  if (ofClass.length >= Math.max(1, max * PARTS[kind].all)) return false;
  const excess = kind === 'paid' ? excessOfOthers(caller, ofClass, max) : 0;
  return !isNew || count - excess < max * SHARED_PART || (kind === 'paid' && own === 0);
}

function shareOf(max: number, part: number): number {
  return Math.max(1, Math.floor(max * part));
}

/**
 * How many channels or watches other paying callers hold beyond their share, which they took while they were
 * alone. These are not counted. Otherwise a second paying caller could have only one while the first keeps
 * all that it has.
 */
function excessOfOthers({ name }: SignalCaller, paid: readonly SignalCaller[], max: number): number {
  const counts = new Map<string, number>();
  for (const other of paid) counts.set(other.name, (counts.get(other.name) ?? 0) + 1);
  counts.delete(name);
  const share = shareOf(max, PARTS.paid.caller);
  return Iterator.from(counts.values()).reduce((sum, count) => sum + Math.max(0, count - share), 0);
}

function inUse(choices: 'filters and thresholds' | 'bookmakers, markets and period'): ServiceError {
  return new ServiceError(
    'upstream_unavailable',
    `Cannot follow signals: your share of different choices of ${choices} is in use`,
    { fix: `Use the same ${choices} in more of your streams, or close some`, retryAfterSeconds: RETRY_S },
  );
}
