// How many requests of one HTTP thread are in flight, and which callers are refused because of that. Small
// answers take no place (kit/in-flight.ts) and no memory of the budget, but a client that does not read them
// keeps them in flight. So callers without a key and on the free plan always leave room for paid plans. While
// many requests are in flight, small answers to these callers take places too, so that no client or account
// takes all the room.

import { ALL_FREE_KEYS } from '../../access/quotas/fair-shares.ts';
import { type CallerClass, classOf } from '../../domain/tiers.ts';
import { busy } from '../kit/in-flight.ts';
import { ACCOUNT_PATHS, pathOf } from '../kit/matched-route.ts';
import type { RequestContext } from '../kit/request/request-context.ts';
import { isProbe } from './paced-requests.ts';

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

/**
 * Refuses a request if too many are in flight for its caller, and decides whether its answer takes a place
 * until it is read. Account requests and probes without a key count as those of the free plan. Otherwise
 * callers without a key who read no answers could keep customers from logging in, or make the server look as
 * if it were down. The caller is identified only while that matters.
 * @throws ServiceError 503
 */
export function limitAt(load: Load, context: RequestContext): void {
  const { place } = context;
  place.unreadHolder = null; // fewer may be in flight than before its body arrived
  if (load === 'free') return;
  if (load === 'full') throw busy();
  const { holder, request } = context;
  const isOfProbe = isProbe(request.url);
  const takesPlace = takesPlaceAt(load, holder) && !isOfProbe && !isAlwaysAnswered(request);
  place.unreadHolder = takesPlace ? holder : null;
  const asFree = place.isToLogIn || (!holder.hasKey && isOfProbe);
  if (isRefusedAt(load, asFree ? ALL_FREE_KEYS : holder)) throw busy();
}

/** Whether callers of this class are refused. */
function isRefusedAt(load: Load, caller: CallerClass): boolean {
  if (load === 'free' || load === 'many' || load === 'full') return load === 'full';
  const callerClass = classOf(caller);
  return callerClass === 'keyless' || (load === 'crowded' && callerClass === 'free');
}

/**
 * Whether the answer to a request takes no place, so that it is sent even to a caller that reads no answers:
 * the answer has no body, or the request may have changed an account. Requests that may change an account are
 * limited by the pace of `/platform`.
 */
function isAlwaysAnswered({ method, url }: Request): boolean {
  return method === 'HEAD' || (method !== 'GET' && pathOf(url).startsWith(ACCOUNT_PATHS));
}
