// list_movers: where the market has moved most, since opening or within the last minutes.

import { type Static, Type } from '@sinclair/typebox';
import { toIsoText } from '../../clock.ts';
import { FairMethod, OutcomeSchema } from '../../contract/comparison.ts';
import { LeagueParameter, TimezoneField } from '../../contract/parameters.ts';
import { Probability } from '../../contract/probability.ts';
import { exact, instant, nullable, optional, withDefault } from '../../contract/schema.ts';
import {
  DateHint,
  DateToHint,
  MatchSummary,
  SportHint,
  StatusHint,
  Summary,
} from '../../contract/tool-parts.ts';
import { BookmakerKeySchema, Line, MarketTypeSchema } from '../../contract/values.ts';
import { FAIR_METHOD_BY_MARKET } from '../../domain/devig.ts';
import { SWEPT_FIXTURES_MAX } from '../../limits.ts';
import {
  bySize,
  lineChange,
  MOVERS_MINUTES_MAX,
  type Movement,
  probabilityChange,
} from '../../query/markets/movements.ts';
import { rounded4, roundedPct } from '../../query/rounding.ts';
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

const LIMIT_MAX = 100;
const LIMIT_DEFAULT = 10;

const Input = Type.Object({
  market_type: withDefault(MarketTypeSchema, '1x2'),
  minutes: optional(
    Type.Integer({
      minimum: 1,
      maximum: MOVERS_MINUTES_MAX,
      description: `Moves of the last minutes, at most ${MOVERS_MINUTES_MAX}; since opening when absent.`,
    }),
  ),
  league: LeagueParameter,
  sport: SportHint,
  status: StatusHint,
  date: DateHint,
  date_to: DateToHint,
  timezone: TimezoneField,
  limit: withDefault(
    Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: 'Most movers to return.' }),
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
      description: '(prob_to - prob_from) x 100; null when the line moved: then they are of different bets.',
    }),
    from_at: instant({ description: 'When it stood at `line_from` and `prob_from`.' }),
  },
  { title: 'Mover' },
);

const Output = exact(
  {
    market_type: MarketTypeSchema,
    fair_method: FairMethod,
    minutes: nullable(Type.Integer(), { description: 'As asked; null is since opening.' }),
    count: Type.Integer({ minimum: 0, description: 'Movers in this answer.' }),
    truncated: Type.Boolean({ description: 'True when more have moved than `limit`.' }),
    not_compared: Type.Integer({
      minimum: 0,
      description: `Fixtures beyond the ${SWEPT_FIXTURES_MAX} looked at; narrow the filters to reach them.`,
    }),
    movers: Type.Array(Mover, { description: 'Largest first: by line, then by probability.' }),
    summary: Summary,
  },
  { title: 'MoversResult' },
);

export function listMoversTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'list_movers',
    title: 'List movers',
    description: `The largest moves of line or fair probability over the slate or a league, full time: since opening (the sharp book where it is visible), or in the last \`minutes\` (at most ${MOVERS_MINUTES_MAX}). \`market_type\` defaults to 1x2, where only probabilities move; totals and asian_handicap have lines too. Use get_opening_line for every book of one fixture, scan_slate for value. Example: {"minutes": 60, "sport": "football"}.`,
    input: Input,
    output: Output,
    run: (input, { principal, nowMs }) => {
      const { market_type: marketType, minutes } = input;
      const { fixtures, leftOutCount } = queries.events.sweep(input, nowMs);
      const asked = { sinceMs: nowMs - (minutes ?? 0) * 60_000, seesSharp: principal.seesSharp };
      const moved = fixtures
        .filter((fixture) => fixture.status !== 'finished')
        .flatMap((fixture) => {
          const movement =
            minutes === undefined
              ? queries.movements.sinceOpening(fixture, marketType, principal)
              : queries.movements.since(fixture, marketType, asked);
          return movement === null || !hasMoved(movement) ? [] : [movement];
        })
        .sort(bySize);
      const movers = moved.slice(0, input.limit);
      return {
        market_type: marketType,
        fair_method: FAIR_METHOD_BY_MARKET[marketType],
        minutes: minutes ?? null,
        count: movers.length,
        truncated: moved.length > movers.length,
        not_compared: leftOutCount,
        movers: movers.map(toMover),
        summary: sentences(
          summaryOf(moved, marketText(marketType, 'full_time'), minutes),
          unseenSharpText(principal, ', so the moves are those of the other books.'),
        ),
      };
    },
  });
}

/** Whether the change is large enough to show after rounding. */
function hasMoved(movement: Movement): boolean {
  const change = probabilityChange(movement);
  return lineChange(movement) !== 0 || (change !== null && roundedPct(change * 100) !== 0);
}

function toMover(movement: Movement): Static<typeof Mover> {
  const { fixture, bookmaker, from, to, outcome, outcomeIndex } = movement;
  const { view } = fixture;
  const change = probabilityChange(movement);
  return {
    event_id: view.id,
    league: view.league.name,
    home_team: view.homeTeam.name,
    away_team: view.awayTeam.name,
    status: fixture.status,
    scheduled_at: view.scheduledAt,
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
