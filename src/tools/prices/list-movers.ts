// list_movers: where the market has moved most, since opening or within the last minutes.

import { type Static, Type } from '@sinclair/typebox';
import { toIsoText } from '../../clock.ts';
import { LeagueParameter, TimezoneField } from '../../contract/parameters.ts';
import { Probability } from '../../contract/probability.ts';
import { exact, instant, nullable, oneOf, optional, withDefault } from '../../contract/schema.ts';
import { ChangeSchema, LineMove, OwnersSchema, Steam, WithinSchema } from '../../contract/signals/kinds.ts';
import {
  DateHint,
  DateToHint,
  MatchSummary,
  SportHint,
  StatusHint,
  Summary,
} from '../../contract/tool-parts.ts';
import {
  BookmakerKeySchema,
  FairMethod,
  Line,
  MarketTypeSchema,
  OutcomeSchema,
} from '../../contract/values.ts';
import { FAIR_METHOD_BY_MARKET } from '../../domain/devig.ts';
import { MOVE_DEFAULTS, STEAM_DEFAULTS } from '../../domain/signal-gate.ts';
import type { Principal } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { SWEPT_FIXTURES_MAX } from '../../limits.ts';
import {
  bySize,
  lineChange,
  MOVERS_MINUTES_MAX,
  type Movement,
  probabilityChange,
} from '../../query/markets/movements.ts';
import { rounded4, roundedPct } from '../../query/rounding.ts';
import { type HitView, toMove, toSteam } from '../../query/signals/hit-view.ts';
import { viewOf } from '../../query/signals/kind-queries.ts';
import { criteriaOf } from '../../query/signals/signals.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { labelOf } from '../words/match-summary.ts';
import {
  bookName,
  marketText,
  percentText,
  selectionText,
  sentences,
  unseenSharpText,
} from '../words/phrases.ts';

const MOVER_KINDS = ['fair', 'price', 'steam'] as const;
const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 10;

const Input = Type.Object({
  kind: withDefault(
    oneOf(MOVER_KINDS, {
      description:
        '`fair`: moves of line or fair probability. `price`: prices of single bookmakers. `steam`: prices that several owners moved the same way.',
    }),
    'fair',
  ),
  market_type: optional({
    ...MarketTypeSchema,
    description: 'When absent, 1x2; for `price` and `steam`, every market.',
  }),
  pct: optional({
    ...ChangeSchema,
    description: 'For `steam` and `price`: least change in per cent; default 1.5 for `steam`, 5 for `price`.',
  }),
  within_s: optional(WithinSchema),
  owners: optional(OwnersSchema),
  minutes: optional(
    Type.Integer({
      minimum: 1,
      maximum: MOVERS_MINUTES_MAX,
      description: `Moves in this many minutes, at most ${MOVERS_MINUTES_MAX}; since opening when absent.`,
    }),
  ),
  league: LeagueParameter,
  sport: SportHint,
  status: StatusHint,
  date: DateHint,
  date_to: DateToHint,
  timezone: TimezoneField,
  limit: withDefault(
    Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: 'Maximum number of movers.' }),
    LIMIT_DEFAULT,
  ),
});

const { event_id, league, home_team, away_team, status, scheduled_at } = MatchSummary.properties;

const Mover = exact(
  {
    event_id,
    league,
    home_team,
    away_team,
    status,
    scheduled_at,
    bookmaker: { ...BookmakerKeySchema, description: 'Book whose fair prices these are.' },
    line_from: Line,
    line_to: Line,
    outcome: OutcomeSchema,
    prob_from: Probability,
    prob_to: Probability,
    change_pp: nullable(Type.Number(), {
      description:
        '(prob_to - prob_from) x 100; null when the line moved, because the two are then of different bets.',
    }),
    from_at: instant({ description: 'When `line_from` and `prob_from` were offered.' }),
  },
  { title: 'Mover' },
);

const fixtureFields = { event_id, league, home_team, away_team, status, scheduled_at };
const MovedPrice = exact({ ...fixtureFields, ...LineMove.properties }, { title: 'MovedPrice' });
const SteamMove = exact({ ...fixtureFields, ...Steam.properties }, { title: 'SteamMove' });

const Output = exact(
  {
    kind: oneOf(MOVER_KINDS),
    market_type: nullable(MarketTypeSchema, { description: 'Null means every market.' }),
    fair_method: nullable(FairMethod, { description: 'Null for `price` and `steam`.' }),
    minutes: nullable(Type.Integer(), {
      description: 'The minutes that you sent; null means since opening.',
    }),
    count: Type.Integer({ minimum: 0, description: 'Number of movers in this answer.' }),
    truncated: Type.Boolean({ description: 'True when more have moved than `limit`.' }),
    not_compared: Type.Integer({
      minimum: 0,
      description: `Number of fixtures left out because at most ${SWEPT_FIXTURES_MAX} are examined; narrow the filters to include them.`,
    }),
    movers: Type.Array(Mover, {
      description: 'Moves of kind `fair`, largest first: by line, then by probability.',
    }),
    moves: Type.Array(MovedPrice, { description: 'Moves of kind `price`, largest first.' }),
    steam: Type.Array(SteamMove, { description: 'Moves of kind `steam`, those of most owners first.' }),
    summary: Summary,
  },
  { title: 'MoversResult' },
);

export function listMoversTool(services: ToolServices): Tool {
  const { queries } = services;
  return defineTool({
    name: 'list_movers',
    title: 'List movers',
    description: `The largest moves of line or fair probability over the slate or a league, full time: since opening (the sharp book where it is visible), or in the last \`minutes\` (at most ${MOVERS_MINUTES_MAX}). \`market_type\` defaults to 1x2, where only probabilities move; totals and asian_handicap have lines too. \`kind: "steam"\` lists prices that several independent owners moved the same way before kickoff within \`within_s\`, \`kind: "price"\` those of single bookmakers; both know only what was seen since the server started. Use get_opening_line for every book of one fixture, scan_slate for value. Example: {"minutes": 60, "sport": "football"}.`,
    input: Input,
    output: Output,
    run: async (input, { principal, nowMs, pause }) => {
      const { kind, minutes } = input;
      const { fixtures, leftOutCount } = queries.events.sweep(input, nowMs);
      if (kind !== 'fair') {
        requireNoMinutes(minutes);
        return movedPrices(services, { ...input, kind }, { fixtures, leftOutCount, principal });
      }
      const marketType = input.market_type ?? '1x2';
      const asked = { sinceMs: nowMs - (minutes ?? 0) * 60_000, seesSharp: principal.seesSharp };
      const moved: Movement[] = [];
      for (const fixture of fixtures) {
        if (fixture.status === 'finished') continue;
        const paused = pause?.();
        if (paused) await paused;
        const movement =
          minutes === undefined
            ? queries.movements.sinceOpening(fixture, marketType, principal)
            : queries.movements.since(fixture, marketType, asked);
        if (movement !== null && hasMoved(movement)) moved.push(movement);
      }
      moved.sort(bySize);
      const movers = moved.slice(0, input.limit);
      return {
        kind,
        market_type: marketType,
        fair_method: FAIR_METHOD_BY_MARKET[marketType],
        minutes: minutes ?? null,
        count: movers.length,
        truncated: moved.length > movers.length,
        not_compared: leftOutCount,
        movers: movers.map(toMover),
        moves: [],
        steam: [],
        summary: sentences(
          summaryOf(moved, marketText(marketType, 'full_time'), minutes),
          unseenSharpText(principal, ', so the moves are those of the other books.'),
        ),
      };
    },
  });
}

/** @throws ServiceError `invalid_request` */
function requireNoMinutes(minutes: number | undefined): void {
  if (minutes === undefined) return;
  throw new ServiceError(
    'invalid_request',
    'Cannot use minutes: prices and steam are compared with those within_s ago',
    {
      fix: 'Send within_s instead of minutes',
    },
  );
}

type Answer = Static<typeof Output>;
type Asked = Omit<Static<typeof Input>, 'kind'> & { readonly kind: 'price' | 'steam' };

/** The answer for prices and steam: found in what the server has seen within the last hour. */
function movedPrices(
  { queries, ...limits }: ToolServices,
  { kind, market_type: marketType, limit, ...input }: Asked,
  {
    fixtures,
    leftOutCount,
    principal,
  }: {
    readonly fixtures: readonly FixtureNow[];
    readonly leftOutCount: number;
    readonly principal: Principal;
  },
): Answer {
  const markets = marketType === undefined ? undefined : [marketType];
  const withinS = input.within_s ?? STEAM_DEFAULTS.within_s;
  const change = (input.pct ?? (kind === 'steam' ? STEAM_DEFAULTS.pct : MOVE_DEFAULTS.pct)) / 100;
  const asked = { criteria: criteriaOf({ markets }, principal, limits), change, withinS };
  const moves = kind === 'price' ? queries.kinds.movesOf(fixtures, asked) : [];
  const owners = input.owners ?? STEAM_DEFAULTS.owners;
  const steam = kind === 'steam' ? queries.kinds.steamOf(fixtures, { ...asked, owners }) : [];
  const found = kind === 'steam' ? steam : moves;
  const shown = found.slice(0, limit);
  const view = (fixture: FixtureNow): HitView => viewOf(fixture, 'decimal');
  return {
    kind,
    market_type: marketType ?? null,
    fair_method: null,
    minutes: null,
    count: shown.length,
    truncated: found.length > shown.length,
    not_compared: leftOutCount,
    movers: [],
    moves: moves
      .slice(0, limit)
      .map(({ fixture, hit }) => ({ ...fixtureOf(fixture), ...toMove(hit, view(fixture), withinS) })),
    steam: steam
      .slice(0, limit)
      .map(({ fixture, hit }) => ({ ...fixtureOf(fixture), ...toSteam(hit, view(fixture), withinS) })),
    summary: sentences(
      movedText(kind, found.length, withinS),
      unseenSharpText(principal, ', so its prices are not among them.'),
    ),
  };
}

function movedText(kind: 'price' | 'steam', count: number, withinS: number): string {
  const what = kind === 'steam' ? 'by several owners the same way' : 'at single bookmakers';
  const moved = count === 0 ? 'No price' : count === 1 ? '1 price' : `${count} prices`;
  return `${moved} moved ${what} within ${Math.round(withinS / 60)} minutes.`;
}

function fixtureOf({ view, status }: FixtureNow) {
  return {
    event_id: view.id,
    league: view.league.name,
    home_team: view.homeTeam.name,
    away_team: view.awayTeam.name,
    status,
    scheduled_at: view.scheduledAt,
  };
}

/** Whether the change is large enough to show after rounding. */
function hasMoved(movement: Movement): boolean {
  const change = probabilityChange(movement);
  return lineChange(movement) !== 0 || (change !== null && roundedPct(change * 100) !== 0);
}

function toMover(movement: Movement): Static<typeof Mover> {
  const { fixture, bookmaker, from, to, outcome, outcomeIndex } = movement;
  const change = probabilityChange(movement);
  return {
    ...fixtureOf(fixture),
    bookmaker,
    line_from: from.line,
    line_to: to.line,
    outcome,
    prob_from: rounded4(from.probabilities[outcomeIndex]!),
    prob_to: rounded4(to.probabilities[outcomeIndex]!),
    change_pp: change === null ? null : roundedPct(change * 100),
    from_at: toIsoText(from.atMs),
  };
}

function summaryOf(moved: readonly Movement[], market: string, minutes: number | undefined): string {
  const since = minutes === undefined ? 'since opening' : `in the last ${minutes} minutes`;
  const [largest] = moved;
  if (largest === undefined) return `No ${market} has moved ${since}.`;
  const { fixture, bookmaker, from, to, outcome, outcomeIndex } = largest;
  const isLine = lineChange(largest) !== 0;
  const what = isLine
    ? `the line went from ${from.line} to ${to.line}`
    : `${selectionText(outcome, to.line, fixture)} went from ${percentText(from.probabilities[outcomeIndex]!)} to ${percentText(to.probabilities[outcomeIndex]!)}`;
  const count = moved.length === 1 ? '1 fixture has' : `${moved.length} fixtures have`;
  return `${count} moved ${since} in the ${market}; the largest is ${labelOf(fixture)}: ${what}, by ${bookName(bookmaker)}.`;
}
