// How many requests of one HTTP thread are in flight, and which callers are refused because of that. Small
// answers take no place (kit/in-flight.ts) and no memory of the budget, but a client that does not read them
// keeps them in flight. So callers without a key and on the free plan always leave room for paid plans.

import { type CallerClass, classOf } from '../../domain/tiers.ts';

/**
 * How many requests are in flight: `busy` is too many for callers without a key, `crowded` also for keys of
 * the free plan, `full` for all.
 */
export type Load = 'free' | 'busy' | 'crowded' | 'full';

/** @param max how many requests may be in flight before callers without a key are refused */
export function loadOf(inFlightCount: number, max: number): Load {
  if (inFlightCount <= max) return 'free';
  if (inFlightCount > 2 * max) return 'full';
  return inFlightCount > 1.5 * max ? 'crowded' : 'busy';
}

/** Whether callers of this class are refused. */
export function isRefusedAt(load: Load, caller: CallerClass): boolean {
  if (load === 'free' || load === 'full') return load === 'full';
  const callerClass = classOf(caller);
  return callerClass === 'keyless' || (load === 'crowded' && callerClass === 'free');
}
