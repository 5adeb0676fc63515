// The parts of API-Football v3's answers that the feed uses. Each level is validated separately, so that one
// bad bookmaker is left out and the rest is used.

import { type Static, Type } from '@sinclair/typebox';
import { check } from '../message-schema.ts';

/** `errors` is an empty array on success and an object otherwise, with status 200 in both cases. */
const Envelope = Type.Object({
  errors: Type.Union([Type.Array(Type.Unknown()), Type.Record(Type.String(), Type.Unknown())]),
  paging: Type.Optional(Type.Object({ current: Type.Integer(), total: Type.Integer({ minimum: 0 }) })),
  response: Type.Unknown(),
});

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Goals = Type.Union([Type.Null(), Type.Integer({ minimum: 0, maximum: 99 })]);
const Team = Type.Object({ id: Id, name: Name });

const ApiFootballFixture = Type.Object({
  fixture: Type.Object({
    id: Id,
    timestamp: Type.Integer({ minimum: 0, maximum: 9_999_999_999 }),
    status: Type.Object({
      short: Type.String(),
      elapsed: Type.Optional(Type.Union([Type.Null(), Type.Integer({ minimum: 0, maximum: 200 })])),
    }),
  }),
  league: Type.Object({ id: Id, name: Name, season: Type.Integer() }),
  teams: Type.Object({ home: Team, away: Team }),
  goals: Type.Object({ home: Goals, away: Goals }),
  /** Sent only in answers about live matches and about single matches. */
  events: Type.Optional(
    Type.Array(
      Type.Object({
        team: Type.Object({ id: Type.Union([Type.Null(), Id]) }),
        type: Type.String(),
        detail: Type.Union([Type.Null(), Type.String()]),
      }),
    ),
  ),
});
export type ApiFootballFixture = Static<typeof ApiFootballFixture>;

const Odds = Type.Object({
  fixture: Type.Object({ id: Id }),
  update: Type.String(),
  bookmakers: Type.Array(Type.Unknown()),
});

const Bookmaker = Type.Object({ id: Id, name: Type.String(), bets: Type.Array(Type.Unknown()) });

const Bet = Type.Object({
  id: Id,
  name: Type.String(),
  // Prices are text. They are validated later, so that a bad price is counted and does not make the whole bet
  // unreadable.
  values: Type.Array(Type.Object({ value: Type.Union([Type.String(), Type.Number()]), odd: Type.Unknown() })),
});
export type Bet = Static<typeof Bet>;

const LiveOdds = Type.Object({
  fixture: Type.Object({ id: Id }),
  teams: Type.Object({ home: Type.Object({ goals: Goals }), away: Type.Object({ goals: Goals }) }),
  status: Type.Object({ stopped: Type.Boolean(), blocked: Type.Boolean(), finished: Type.Boolean() }),
  update: Type.String(),
  odds: Type.Array(Type.Unknown()),
});

const LiveBet = Type.Object({
  id: Id,
  values: Type.Array(
    Type.Object({
      value: Type.String(),
      odd: Type.Unknown(),
      handicap: Type.Union([Type.Null(), Type.String()]),
      main: Type.Union([Type.Null(), Type.Boolean()]),
      suspended: Type.Boolean(),
    }),
  ),
});
export type LiveBet = Static<typeof LiveBet>;

export const isEnvelope = check(Envelope);
export const isFixture = check(ApiFootballFixture);
export const isOdds = check(Odds);
export const isBookmaker = check(Bookmaker);
export const isBet = check(Bet);
export const isLiveOdds = check(LiveOdds);
export const isLiveBet = check(LiveBet);
