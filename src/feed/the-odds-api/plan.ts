// What to request from The Odds API and how often: matches in play or near kickoff first. Pure.

import { HOUR_MS, MINUTE_MS } from '../../clock.ts';
import type { ReadonlyPicture } from '../poll/picture.ts';
import type { PlannedRequest } from '../poll/source.ts';

/**
 * The upstream refreshes its featured markets every 60 s before kickoff and every 40 s in play. The freshness
 * window of live prices is a minute, and confirmations count in steps of 10 s. So with an interval of a
 * minute, prices would turn stale before each answer.
 */
const EVERY_MS_IN_PLAY = 45_000;
const EVERY_MS_BEFORE: readonly { readonly withinMs: number; readonly everyMs: number }[] = [
  { withinMs: HOUR_MS, everyMs: 2 * MINUTE_MS },
  { withinMs: 6 * HOUR_MS, everyMs: 5 * MINUTE_MS },
  { withinMs: 24 * HOUR_MS, everyMs: 15 * MINUTE_MS },
];
const EVERY_MS_LATER = HOUR_MS;
/** A sport without fixtures is out of season. Requests for it are then free. */
const EVERY_MS_EMPTY = 6 * HOUR_MS;
const SCORES_EVERY_MS = 2 * MINUTE_MS;
/**
 * A match that started this long ago, or that nobody quotes, may be over. Then request completed matches too,
 * at twice the price.
 */
const MAY_BE_OVER_MS = 105 * MINUTE_MS;
const RESULTS_EVERY_MS = 10 * MINUTE_MS;

/** The free request: the list of sports, with the quota in its headers. */
export const SPORTS_REQUEST: PlannedRequest = {
  key: 'sports',
  cost: 0,
  everyMs: 6 * HOUR_MS,
  part: 'extra',
  confirms: false,
};

/** @param oddsCost credits of one /odds request */
export function planOf(
  sports: readonly string[],
  oddsCost: number,
  { picture, nowMs }: { readonly picture: ReadonlyPicture; readonly nowMs: number },
): PlannedRequest[] {
  return sports.flatMap((sport) => planOfSport(sport, oddsCost, { picture, nowMs }));
}

function planOfSport(
  sport: string,
  oddsCost: number,
  { picture, nowMs }: { readonly picture: ReadonlyPicture; readonly nowMs: number },
): PlannedRequest[] {
  let nearestMs = Number.POSITIVE_INFINITY;
  let isInPlay = false;
  let isUnscored = false;
  let mayBeOver = false;
  for (const { fixture, result, quotes } of picture.values()) {
    if (fixture.league.key !== sport || result !== null || fixture.scheduledAtMs === null) continue;
    const untilMs = fixture.scheduledAtMs - nowMs;
    if (untilMs > 0) nearestMs = Math.min(nearestMs, untilMs);
    else {
      isUnscored = true;
      isInPlay ||= quotes.size > 0;
      mayBeOver ||= -untilMs >= MAY_BE_OVER_MS || quotes.size === 0;
    }
  }
  const odds: PlannedRequest = {
    key: `odds:${sport}`,
    cost: oddsCost,
    everyMs: isInPlay ? EVERY_MS_IN_PLAY : everyMsBefore(nearestMs),
    part: 'full',
    confirms: true,
  };
  if (!isUnscored) return [odds];
  const scores = { part: 'extra', confirms: false } as const;
  return [
    odds,
    mayBeOver
      ? { key: `results:${sport}`, cost: 2, everyMs: RESULTS_EVERY_MS, ...scores }
      : { key: `scores:${sport}`, cost: 1, everyMs: SCORES_EVERY_MS, ...scores },
  ];
}

function everyMsBefore(untilMs: number): number {
  if (untilMs === Number.POSITIVE_INFINITY) return EVERY_MS_EMPTY;
  return EVERY_MS_BEFORE.find(({ withinMs }) => untilMs <= withinMs)?.everyMs ?? EVERY_MS_LATER;
}
