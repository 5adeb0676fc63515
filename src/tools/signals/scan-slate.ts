// scan_slate: value and arbitrage over every fixture at once.

import { Type } from '@sinclair/typebox';
import { toIsoText } from '../../clock.ts';
import { FixtureAsOf, Stale } from '../../contract/odds.ts';
import {
  FormatParameter,
  LeagueParameter,
  PeriodParameter,
  TimezoneField,
} from '../../contract/parameters.ts';
import { Favorite } from '../../contract/probability.ts';
import { exact, nullable, oneOf, optional, withDefault } from '../../contract/schema.ts';
import {
  ArbOpportunity,
  ExcludedCounts,
  MaxAgeParameter,
  MinEdgeParameter,
  MinEvParameter,
  MinMarginParameter,
  Reference,
  ReferenceParameter,
  SignalNote,
  ValueBet,
} from '../../contract/signals/found.ts';
import {
  BookmakersField,
  DateHint,
  DateToHint,
  MarketsField,
  MatchSummary,
  SportHint,
  StatusHint,
  Summary,
} from '../../contract/tool-parts.ts';
import { OutcomeSchema } from '../../contract/values.ts';
import { REFERENCE_DEFAULT } from '../../domain/reference.ts';
import { SIGNAL_KINDS } from '../../domain/signal-gate.ts';
import type { Principal } from '../../domain/tiers.ts';
import { SCAN_SLATE_FIXTURES_MAX } from '../../limits.ts';
import { dayOf } from '../../query/lists/day.ts';
import { daysOf } from '../../query/lookup/named-days.ts';
import { type HitView, toOpportunity, toValueBet } from '../../query/signals/hit-view.ts';
import {
  criteriaOf,
  excludedOf,
  hasSignal,
  type ScannedFixture,
  type SlateScan,
} from '../../query/signals/signals.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { favoriteOf } from '../words/favorite.ts';
import { labelOf, toMatchFacts } from '../words/match-summary.ts';
import {
  arbitrageText,
  droppedText,
  excludedText,
  sentences,
  unseenSharpText,
  valueText,
} from '../words/phrases.ts';

const LIMIT_DEFAULT = 20;
/** The market that decides the favourite. */
const RESULT_MARKET = { marketType: '1x2', period: 'full_time' } as const;

const Input = Type.Object({
  status: StatusHint,
  sport: SportHint,
  league: LeagueParameter,
  markets: MarketsField,
  bookmakers: {
    ...BookmakersField,
    description: 'Only prices of these bookmakers; the reference stays the same.',
  },
  period: PeriodParameter,
  date: DateHint,
  date_to: DateToHint,
  timezone: TimezoneField,
  signal: withDefault(
    oneOf([...SIGNAL_KINDS, 'any'], { description: 'Which kinds of signals to report.' }),
    'any',
  ),
  outcome: optional({ ...OutcomeSchema, description: 'Only value on this outcome.' }),
  hits: withDefault(
    oneOf(['best', 'all'], { description: '`all`: every value bet and arbitrage of each entry, in `hits`.' }),
    'best',
  ),
  only_signal: withDefault(
    Type.Boolean({ description: 'True returns only fixtures with value or arbitrage.' }),
    false,
  ),
  min_edge_pct: MinEdgeParameter,
  min_ev_pct: MinEvParameter,
  min_margin_pct: MinMarginParameter,
  max_age_s: MaxAgeParameter,
  reference: ReferenceParameter,
  format: FormatParameter,
  limit: withDefault(
    Type.Integer({ minimum: 1, maximum: SCAN_SLATE_FIXTURES_MAX, description: 'Maximum number of entries.' }),
    LIMIT_DEFAULT,
  ),
});

const { event_id, sport, league, home_team, away_team, status, score, clock, scheduled_at } =
  MatchSummary.properties;

const ScanEntry = exact(
  {
    event_id,
    sport,
    league,
    home_team,
    away_team,
    status,
    score,
    clock,
    scheduled_at,
    as_of: FixtureAsOf,
    stale: Stale,
    book_count: Type.Integer({ minimum: 0, description: 'Number of visible books with an open quote.' }),
    value_count: Type.Integer({ minimum: 0, description: 'Number of value bets found on this fixture.' }),
    best_value: nullable(ValueBet, {
      description: 'The value bet with the highest edge; null without value.',
    }),
    arb_count: Type.Integer({ minimum: 0, description: 'Number of arbitrages found on this fixture.' }),
    best_arb: nullable(ArbOpportunity, {
      description: 'The arbitrage with the highest margin; null without arbitrage.',
    }),
    signal: Type.String({ description: 'The best arbitrage and value in one line.' }),
    favorite: nullable(Favorite, { description: 'Null when the full-time 1x2 has no fair prices.' }),
    hits: nullable(
      exact({
        value_bets: Type.Array(ValueBet, { description: 'Highest edge first.' }),
        opportunities: Type.Array(ArbOpportunity, { description: 'Highest margin first.' }),
      }),
      { description: 'Every hit, when `hits` is `all`; else null.' },
    ),
  },
  { title: 'ScanEntry' },
);

const Output = exact(
  {
    date: Type.String({ format: 'date', description: 'Today, UTC.' }),
    count: Type.Integer({ minimum: 0, description: 'Number of fixtures that pass the filters.' }),
    with_signal: Type.Integer({
      minimum: 0,
      description: 'Number of scored fixtures with value or arbitrage.',
    }),
    returned: Type.Integer({ minimum: 0, description: 'Number of entries in this answer.' }),
    truncated: Type.Boolean({ description: 'True when `limit` cut entries that match the request.' }),
    not_scored: Type.Integer({
      minimum: 0,
      description: `Number of fixtures left out because at most ${SCAN_SLATE_FIXTURES_MAX} are scored; narrow the filters to include them.`,
    }),
    reference: Reference,
    excluded: ExcludedCounts,
    note: SignalNote,
    summary: Summary,
    entries: Type.Array(ScanEntry, { description: 'Value and arbitrage first, strongest first.' }),
  },
  { title: 'ScanSlateResult' },
);

export function scanSlateTool(services: ToolServices): Tool {
  const { markets, signals } = services.queries;
  return defineTool({
    name: 'scan_slate',
    title: 'Scan the slate',
    description:
      'Sweeps the whole slate in one call: scores up to 100 fixtures (live first, then the soonest) for value and arbitrage and puts those with a signal first, each with its favourite, best value bet and best arbitrage. `min_edge_pct` (default 1) and `min_margin_pct` (0) say what counts, `min_ev_pct` the least expected return, `max_age_s` the most age of a price; `signal` and `outcome` what is looked for; `status`, `sport`, `league`, `markets`, `period`, `date` and `date_to` narrow the slate, `bookmakers` the prices reported; value is measured against `reference`; `only_signal` leaves out the rest; `hits: "all"` lists every hit; `limit` (default 20) cuts it. The sharp book needs the standard tier or above. Use find_value or find_arbitrage for every hit of one fixture, get_opening_line for line movement. Example: {"league": "Serie A", "date": "tonight", "signal": "value", "only_signal": true}.',
    input: Input,
    output: Output,
    run: async (input, { principal, nowMs }) => {
      const criteria = criteriaOf(input, principal, services);
      const { range } = daysOf(input, nowMs);
      const filter = { sport: input.sport, league: input.league, status: input.status, range };
      const { format, min_ev_pct: minEvPct, outcome, signal: kind } = input;
      const reference = input.reference ?? REFERENCE_DEFAULT;
      const asked = { criteria, format, minEvPct, outcome, kind };
      const scan = await signals.scan(filter, asked, nowMs);
      const viewOf: ViewOf = ({ fixture, score }) =>
        signals.viewOf(fixture, { criteria, format, hits: [score.bestValue] });
      const excluded = excludedOf(
        scan.scanned.map(({ score }) => score),
        kind,
      );
      const allHits = ({ fixture }: ScannedFixture) => {
        if (input.hits === 'best') return null;
        const { valueBets, opportunities } = signals.ofFixture(fixture, asked);
        return {
          value_bets: kind === 'arbitrage' ? [] : valueBets,
          opportunities: kind === 'value' ? [] : opportunities,
        };
      };
      const signalled = scan.scanned.filter(hasSignal);
      const candidates = input.only_signal ? signalled : scan.scanned;
      const shown = candidates.slice(0, input.limit);
      const note = sentences(implausibleText(scan), excludedText(excluded, principal));
      return {
        date: dayOf(nowMs),
        count: scan.count,
        with_signal: signalled.length,
        returned: shown.length,
        truncated: candidates.length > shown.length,
        not_scored: scan.count - scan.scanned.length,
        reference,
        excluded,
        note: note === '' ? null : note,
        summary: summaryOf(scan, { signalled, reference, principal, viewOf }),
        entries: shown.map((scanned) => {
          const { fixture } = scanned;
          const fair = markets.fair(fixture, { ...RESULT_MARKET, seesSharp: principal.seesSharp });
          return {
            ...toEntry(scanned, viewOf(scanned)),
            favorite: favoriteOf(fixture, fair),
            hits: allHits(scanned),
          };
        }),
      };
    },
  });
}

type ViewOf = (scanned: ScannedFixture) => HitView;

function toEntry({ fixture, score }: ScannedFixture, view: HitView) {
  const bestValue = score.bestValue === null ? null : toValueBet(score.bestValue, view);
  const bestArb = score.bestArb === null ? null : toOpportunity(score.bestArb, view);
  return {
    ...toMatchFacts(fixture),
    as_of: toIsoText(fixture.asOfMs),
    stale: fixture.stale,
    book_count: score.bookCount,
    value_count: score.valueCount,
    best_value: bestValue,
    arb_count: score.arbCount,
    best_arb: bestArb,
    signal: signalLine({ value: bestValue, arbitrage: bestArb }, fixture),
  };
}

interface Signal {
  readonly value: ReturnType<typeof toValueBet> | null;
  readonly arbitrage: ReturnType<typeof toOpportunity> | null;
}

function signalLine({ value, arbitrage }: Signal, fixture: FixtureNow): string {
  const parts: string[] = [];
  if (arbitrage !== null) parts.push(`Arbitrage: ${arbitrageText(arbitrage, fixture)}.`);
  if (value !== null) parts.push(`Value: ${valueText(value, fixture)}.`);
  return parts.length === 0 ? 'No value and no arbitrage.' : parts.join(' ');
}

function summaryOf(
  scan: SlateScan,
  {
    signalled,
    reference,
    principal,
    viewOf,
  }: {
    readonly signalled: readonly ScannedFixture[];
    readonly reference: string;
    readonly principal: Principal;
    readonly viewOf: ViewOf;
  },
): string {
  const best = signalled[0];
  const count = signalled.length === 0 ? 'none' : signalled.length;
  const verb = signalled.length < 2 ? 'shows' : 'show';
  const head = `Scored ${scan.scanned.length} of ${scan.count} fixtures, ${count} of them ${verb} value or arbitrage`;
  const strongest =
    best === undefined
      ? '.'
      : `; the strongest is ${labelOf(best.fixture)}. ${toEntry(best, viewOf(best)).signal}`;
  return sentences(
    `${head}${strongest}`,
    implausibleText(scan),
    reference === 'sharp'
      ? unseenSharpText(
          principal,
          ', so only arbitrage among the other books can be found; reference=consensus finds value without it.',
        )
      : null,
  );
}

function implausibleText(scan: SlateScan): string | null {
  return sentences(
    droppedText(sumOf(scan, 'droppedValueCount'), 'edge'),
    droppedText(sumOf(scan, 'droppedArbCount'), 'margin'),
  );
}

function sumOf(scan: SlateScan, field: 'droppedValueCount' | 'droppedArbCount'): number {
  return scan.scanned.reduce((sum, { score }) => sum + score[field], 0);
}
