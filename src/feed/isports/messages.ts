// The parts of the iSports API's answers that the feed uses: the envelope, the objects of livescores and
// schedules, and the columns of the rows of odds, which differ between endpoints.

import { type Static, Type } from '@sinclair/typebox';
import { check } from '../message-schema.ts';

/** Always with status 200: code 0 is success, anything else a refusal. */
const Envelope = Type.Object({ code: Type.Integer(), data: Type.Optional(Type.Unknown()) });

const Id = Type.String({ pattern: '^[0-9]{1,12}$' });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Seconds = Type.Integer({ minimum: 0, maximum: 9_999_999_999 });
const Points = Type.Integer({ minimum: 0, maximum: 999 });

/** A match of livescores or of the schedule, either sport. */
const IsportsMatch = Type.Object({
  matchId: Id,
  leagueId: Id,
  leagueName: Name,
  matchTime: Seconds,
  status: Type.Integer(),
  homeId: Id,
  homeName: Name,
  awayId: Id,
  awayName: Name,
  homeScore: Type.Optional(Points),
  awayScore: Type.Optional(Points),
  homeRed: Type.Optional(Points),
  awayRed: Type.Optional(Points),
  /** Football: when the current half began. */
  halfStartTime: Type.Optional(Seconds),
  quarterRemainTime: Type.Optional(Type.String({ maxLength: 16 })),
  updateTime: Type.Optional(Seconds),
});
export type IsportsMatch = Static<typeof IsportsMatch>;

/** A change of livescores. For football it has no names, and the start of the half is called `startTime`. */
const MatchChange = Type.Object({
  matchId: Id,
  status: Type.Integer(),
  matchTime: Type.Optional(Seconds),
  startTime: Type.Optional(Seconds),
  homeScore: Type.Optional(Points),
  awayScore: Type.Optional(Points),
  homeRed: Type.Optional(Points),
  awayRed: Type.Optional(Points),
  quarterRemainTime: Type.Optional(Type.String({ maxLength: 16 })),
});
export type MatchChange = Static<typeof MatchChange>;

const Modification = Type.Object({
  matchId: Id,
  type: Type.Union([Type.Literal('modify'), Type.Literal('delete')]),
  matchTime: Type.Optional(Seconds),
});

export const isEnvelope = check(Envelope);
export const isMatch = check(IsportsMatch);
export const isMatchChange = check(MatchChange);
export const isModification = check(Modification);

const INIT = 'initLine initA initB';
const NOW = 'line a b';

/**
 * The columns of every row array, by endpoint, because the same array has different columns on different
 * endpoints. A row with another number of columns is refused. `d` is the draw; `flag` is a flag that the feed
 * does not use.
 */
export const COLUMNS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = columns({
  'football/odds/main': {
    handicap: `match company ${INIT} ${NOW} maintenance flag at close type`,
    europeOdds: 'match company initA initD initB a d b at close type',
    overUnder: `match company ${INIT} ${NOW} at close type`,
    handicapHalf: `match company ${INIT} ${NOW} at type`,
    overUnderHalf: `match company ${INIT} ${NOW} at type`,
  },
  'football/odds/main/changes': {
    handicap: `match company ${NOW} maintenance flag at close type`,
    europeOdds: 'match company a d b at close type',
    overUnder: `match company ${NOW} at close type`,
    handicapHalf: `match company ${NOW} at type`,
    overUnderHalf: `match company ${NOW} at type`,
  },
  'football/odds/all': {
    handicap: `match company ${INIT} ${NOW} maintenance flag index count at close type`,
    europeOdds: 'match company initA initD initB a d b index at close type',
    overUnder: `match company ${INIT} ${NOW} index at close type`,
    handicapHalf: `match company ${INIT} ${NOW} flag index at type`,
    overUnderHalf: `match company ${INIT} ${NOW} index at type`,
  },
  'football/odds/all/changes': {
    handicap: `match company ${NOW} maintenance flag index at close type`,
    europeOdds: 'match company a d b index at close type',
    overUnder: `match company ${NOW} index at close type`,
    handicapHalf: `match company ${NOW} flag index at type`,
    overUnderHalf: `match company ${NOW} index at type`,
  },
  'basketball/odds/fulltime': {
    // These rows have two lines: the line before the match, and the line in play. Until the start, both are
    // the same.
    spread: `match company ${INIT} beforeLine beforeA beforeB ${NOW}`,
    moneyLine: 'match company initA initB a b',
    total: `match company ${INIT} beforeLine beforeA beforeB ${NOW}`,
  },
  'basketball/odds/fulltime/changes': {
    spread: `match company ${NOW} at`,
    moneyLine: 'match company a b at',
    total: `match company ${NOW} at`,
  },
  'basketball/odds/half': {
    spread: `match company ${INIT} ${NOW}`,
    total: `match company ${INIT} ${NOW}`,
  },
});

function columns(
  text: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
  return Object.fromEntries(
    Object.entries(text).map(([endpoint, arrays]) => [
      endpoint,
      Object.fromEntries(Object.entries(arrays).map(([name, list]) => [name, list.split(' ')])),
    ]),
  );
}
