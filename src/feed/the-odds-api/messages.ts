// The parts of The Odds API v4's answers that the feed uses. Each level is validated separately, so that one
// bad bookmaker is left out and the rest is used. Other fields are ignored.

import { type Static, Type } from '@sinclair/typebox';
import { check } from '../message-schema.ts';

const EventHead = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  sport_key: Type.String(),
  sport_title: Type.String({ minLength: 1 }),
  commence_time: Type.String(),
  home_team: Type.String({ minLength: 1 }),
  away_team: Type.String({ minLength: 1 }),
});

const OddsEvent = Type.Composite([EventHead, Type.Object({ bookmakers: Type.Array(Type.Unknown()) })]);
export type OddsEvent = Static<typeof OddsEvent>;

/** `last_update` is on the market, on the bookmaker (old answers), or on both. */
const OddsApiBookmaker = Type.Object({
  key: Type.String({ minLength: 1 }),
  title: Type.String(),
  last_update: Type.Optional(Type.String()),
  markets: Type.Array(Type.Unknown()),
});

const Market = Type.Object({
  key: Type.String(),
  last_update: Type.Optional(Type.String()),
  outcomes: Type.Array(
    Type.Object({
      name: Type.String(),
      price: Type.Unknown(), // validated later: a bad price is counted as one
      point: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    }),
    { maxItems: 1_000 },
  ),
});
export type Market = Static<typeof Market>;

const ScoreEvent = Type.Composite([
  EventHead,
  Type.Object({
    completed: Type.Boolean(),
    /** The score is text. Null before the start. */
    scores: Type.Union([Type.Null(), Type.Array(Type.Object({ name: Type.String(), score: Type.String() }))]),
    last_update: Type.Union([Type.Null(), Type.String()]),
  }),
]);
export type ScoreEvent = Static<typeof ScoreEvent>;

/** The body of a refusal. */
const Refusal = Type.Object({ error_code: Type.String() });

export const isOddsEvent = check(OddsEvent);
export const isBookmaker = check(OddsApiBookmaker);
export const isMarket = check(Market);
export const isScoreEvent = check(ScoreEvent);
export const isRefusal = check(Refusal);
