// How many requests of one HTTP thread are in flight, and which callers are refused because of that. Small
// answers take no place (kit/in-flight.ts) and no memory of the budget, but a client that does not read them
// keeps them in flight. So callers without a key and on the free plan always leave room for paid plans. While
// many requests are in flight, small answers to these callers take places too, so that no client or account
// takes all the room.

import { type CallerClass, classOf } from '../../domain/tiers.ts';

/**
 * How many requests are in flight. From `busy` on, callers without a key are refused; from `crowded` on, keys
 * of the free plan too; at `full`, all callers. `many` is more than half of the number at which `busy`
 * begins.
 */
export type Load = 'free' | 'many' | 'busy' | 'crowded' | 'full';

/** @param max how many requests may be in flight before callers without a key are refused */
export function loadOf(inFlightCount: number, max: number): Load {
  if (inFlightCount <= freeMax(max)) return 'free';
  if (inFlightCount <= max) return 'many';
  if (inFlightCount > 2 * max) return 'full';
  return inFlightCount > 1.5 * max ? 'crowded' : 'busy';
}

/** How many requests may be in flight before small answers take places. @param max see `loadOf` */
export function freeMax(max: number): number {
  return Math.floor(max / 2);
}

/** Whether a small answer to callers of this class takes a place until it is read. */
export function takesPlaceAt(load: Load, caller: CallerClass): boolean {
  return load !== 'free' && classOf(caller) !== 'paid';
}

/** Whether callers of this class are refused. */
export function isRefusedAt(load: Load, caller: CallerClass): boolean {
  if (load === 'free' || load === 'many' || load === 'full') return load === 'full';
  const callerClass = classOf(caller);
  return callerClass === 'keyless' || (load === 'crowded' && callerClass === 'free');
}
