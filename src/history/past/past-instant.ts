// Which instants of the past a caller may ask about: the ones that the tape still has and the plan includes.

import { DAY_MS, HOUR_MS, instantMs, toIsoText } from '../../clock.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import type { TapeRange } from '../tick.ts';
import type { Sight } from './past-fixture.ts';
import type { TapeReader } from './tape-reader.ts';

/** How far back callers without a key see, and the free tier. All others see everything. */
const KEYLESS_REACH_MS = 24 * HOUR_MS;
const FREE_REACH_MS = 7 * 24 * HOUR_MS;
/** How long an answer waits for the tape to record everything published up to its instant. */
const SETTLE_WAIT_MS = 3_000;
const SETTLE_STEP_MS = 20;
/** A + in a query string arrives as a space unless it is written as %2B. */
const ZONE_WITHOUT_PLUS = /T[0-9:.]+ \d\d(?::?\d\d)?$/;
/** The midnight at the end of a day. RFC 3339, which the schemas name, does not have this hour. */
const HOUR_24 = /T24(?=:00)/;
const ZONE = /(?:Z|[+-]\d\d:\d\d)$/;

/** The part of the tape that a caller sees. */
export function sightOf({ seesSharp }: Principal): Sight {
  return seesSharp ? 'all' : 'common';
}

/** The earliest instant that a caller's plan sees, Unix ms; -Infinity without a limit. */
export function reachFromMs({ tier, keyId }: Principal, nowMs: number): number {
  if (keyId === null) return nowMs - KEYLESS_REACH_MS;
  return tier === 'free' ? nowMs - FREE_REACH_MS : Number.NEGATIVE_INFINITY;
}

/** Reads an instant of a request. @throws ServiceError `invalid_request` */
export function readInstant(text: string, name: string): number {
  const ms = instantMs(text);
  if (!Number.isNaN(ms)) return ms;
  throw new ServiceError('invalid_request', `Cannot read ${name}: it is not an ISO-8601 time with a zone`, {
    fix: fixOf(text, name),
  });
}

function fixOf(text: string, name: string): string {
  if (ZONE_WITHOUT_PLUS.test(text)) {
    return `Write the + of the zone as %2B in an address: ${name}=2026-03-01T18:45:00%2B05:30`;
  }
  const startMs = instantMs(text.replace(HOUR_24, 'T00'));
  if (HOUR_24.test(text) && !Number.isNaN(startMs)) {
    const nextDay = toIsoText(Date.parse(text.slice(0, 10)) + DAY_MS).slice(0, 10);
    const zone = text.slice(text.search(ZONE)).replace('+', '%2B');
    return `Hours end at 23. Write the end of a day as the start of the next: ${name}=${nextDay}T00:00:00${zone}`;
  }
  return `Send ${name} as in 2026-03-01T18:45:00Z`;
}

/** @throws ServiceError `plan_limit` when an instant is further back than the plan sees */
export function requireReach(atMs: number, name: string, { principal, nowMs }: Caller): void {
  const fromMs = reachFromMs(principal, nowMs);
  if (atMs >= fromMs) return;
  throw new ServiceError(
    'plan_limit',
    `Cannot look back to ${name}: this plan sees ${reachText(principal)}`,
    {
      fix:
        principal.keyId === null
          ? 'Send a key: a free one sees seven days, the standard tier and above everything that is kept'
          : 'Use a key of the standard tier or above, which sees everything that is kept',
    },
  );
}

function reachText({ keyId }: Principal): string {
  return keyId === null ? 'the last 24 hours' : 'the last seven days';
}

/** The refusal of a fixture of which the caller sees nothing. It is the same for every such fixture. */
export function notOnTape(principal: Principal): ServiceError {
  const isLimited = Number.isFinite(reachFromMs(principal, 0));
  return new ServiceError('not_found', 'Cannot find event: the price history does not have it', {
    fix: `List the fixtures of the price history with GET /v1/history/events${isLimited ? `; this plan sees ${reachText(principal)}` : ''}`,
  });
}

interface Caller {
  readonly principal: Principal;
  readonly nowMs: number;
}

/**
 * The instant of `at`, once everything published by then is on the tape.
 * @throws ServiceError `invalid_request` for one in the future or before what is kept, `plan_limit`,
 * `upstream_unavailable` when the tape does not catch up
 */
export async function pastInstant(
  tape: TapeReader,
  at: string,
  caller: Caller & { readonly sleep: (ms: number) => Promise<void> },
): Promise<number> {
  const atMs = readInstant(at, 'at');
  const { principal, nowMs } = caller;
  requireReach(atMs, 'at', caller);
  const sight = sightOf(principal);
  if (atMs > nowMs) throw outside('it is in the future', await tape.range(sight), caller);
  await settled(tape, atMs, { sight, sleep: caller.sleep });
  const range = await tape.range(sight);
  if (range === null || atMs < range.fromMs) throw outside('nothing is kept of that time', range, caller);
  return atMs;
}

/** Waits until nothing more will be added to the tape at or before an instant. */
export async function settled(
  tape: Pick<TapeReader, 'catchUp'>,
  atMs: number,
  { sight, sleep }: { readonly sight: Sight; readonly sleep: (ms: number) => Promise<void> },
): Promise<void> {
  for (let waitedMs = 0; (await tape.catchUp(sight)) <= atMs; waitedMs += SETTLE_STEP_MS) {
    if (waitedMs >= SETTLE_WAIT_MS) {
      throw new ServiceError(
        'upstream_unavailable',
        'Cannot answer about the past: the price history is behind',
        {
          fix: 'Retry after retry_after_seconds, or ask for an earlier instant',
          retryAfterSeconds: 1,
        },
      );
    }
    await sleep(SETTLE_STEP_MS);
  }
}

function outside(state: string, range: TapeRange | null, { principal, nowMs }: Caller): ServiceError {
  const fromMs = Math.max(range?.fromMs ?? Number.NaN, reachFromMs(principal, nowMs));
  return new ServiceError('invalid_request', `Cannot answer for at: ${state}`, {
    fix:
      range === null || fromMs > nowMs
        ? 'Nothing is kept yet; see GET /v1/history'
        : `Send an instant from ${toIsoText(fromMs)} to ${toIsoText(nowMs)}`,
  });
}
