// The record of signals: what was found, and what became of it.

import { type Static, Type } from '@sinclair/typebox';
import { REFERENCE_DEFAULT } from '../../domain/reference.ts';
import {
  CLV_BIN_FROM_PCT,
  CLV_BIN_TO_PCT,
  GROWTH_POINTS_MAX,
  RECORD_GROUPS,
  RECORD_MIN_EDGE_PCT,
  RECORD_REFERENCES,
  SIGNAL_KINDS,
} from '../../domain/signal-gate.ts';
import { instantParameter } from '../parameters.ts';
import { exact, instant, nullable, oneOf, optional, withDefault } from '../schema.ts';
import { SportKeySchema } from '../values.ts';

const Measure = (description: string) => nullable(Type.Number(), { description });

export const RecordRow = exact(
  {
    key: Type.String({
      description:
        'The value of `group_by` that the signals of this row share, such as a bookmaker; `all` without `group_by`. Edges are grouped by whole per cent: `02-03`.',
      examples: ['all', 'crown', '02-03'],
    }),
    signals: Type.Integer({ minimum: 1, description: 'Number of signals that opened, however they ended.' }),
    mean_edge_pct: Type.Number({
      description: 'Mean edge of the signals when they opened, in per cent; for arbitrage, the mean margin.',
      examples: [3.1],
    }),
    closed_with_clv: Type.Integer({
      minimum: 0,
      description: 'Number of signals of this row with a closing line value.',
    }),
    mean_clv_pct: Measure(
      'Mean closing line value in per cent: closing fair probability, by the same reference and method, times the price, minus 1.',
    ),
    beat_close_pct: Measure(
      'Per cent of the signals with a closing line value for which this value is above 0.',
    ),
    settled: Type.Integer({ minimum: 0, description: 'Number of signals with a result.' }),
    yield_pct: Measure('Mean profit per settled signal, in per cent of its stake; all stakes are equal.'),
    yield_low_pct: Measure(
      'Lower end of the 95 % interval of `yield_pct`, from resampling whole matches. Null with fewer than two matches.',
    ),
    yield_high_pct: Measure('Upper end of this interval.'),
    median_life_s: Measure('Median time for which a closed signal was seen open, in seconds.'),
  },
  { title: 'RecordRow', description: 'A group of signals. A field is null while its value is unknown.' },
);
export type RecordRow = Static<typeof RecordRow>;

export const GrowthPoint = exact(
  {
    at: instant({ description: 'Opening time of the last signal that this point counts.' }),
    settled: Type.Integer({ minimum: 1, description: 'Number of settled signals that this point counts.' }),
    units: Type.Number({
      description: 'Total profit of these signals in units, with one unit staked on each; 0 is break-even.',
      examples: [-1.25],
    }),
    units_low: Measure(
      'Lower end of the 95 % interval of `units`, from resampling whole matches. Null with fewer than two matches.',
    ),
    units_high: Measure('Upper end of this interval.'),
  },
  { title: 'GrowthPoint' },
);
export type GrowthPoint = Static<typeof GrowthPoint>;

export const ClvBin = exact(
  {
    from_pct: nullable(Type.Integer(), {
      description: `Lower end of the bin in per cent, inclusive; null for the bin of everything below ${CLV_BIN_FROM_PCT}.`,
    }),
    to_pct: nullable(Type.Integer(), {
      description: `Upper end of the bin in per cent, exclusive; null for the bin of ${CLV_BIN_TO_PCT} and above.`,
    }),
    signals: Type.Integer({
      minimum: 0,
      description: 'Number of signals whose closing line value is in this bin.',
    }),
  },
  { title: 'ClvBin' },
);
export type ClvBin = Static<typeof ClvBin>;

const BINS_MAX = CLV_BIN_TO_PCT - CLV_BIN_FROM_PCT + 2;

export const RecordSeries = exact(
  {
    growth: Type.Array(GrowthPoint, {
      maxItems: GROWTH_POINTS_MAX,
      description:
        'Running total of the profit, with one unit staked on each settled signal, in the order in which the signals opened. From point to point about the same number of signals is added. Empty while no signal is settled.',
    }),
    clv: exact(
      {
        signals: Type.Integer({
          minimum: 0,
          description: 'Number of signals with a closing line value.',
        }),
        mean_pct: Measure('Mean closing line value in per cent.'),
        standard_error_pct: Measure(
          'Standard error of `mean_pct`, clustered by match. Null with fewer than two matches.',
        ),
        bins: Type.Array(ClvBin, {
          maxItems: BINS_MAX,
          description:
            'Histogram of the closing line values, in bins of one per cent, from the lowest bin with a signal to the highest.',
        }),
      },
      { description: 'The distribution of the closing line values.' },
    ),
  },
  {
    title: 'RecordSeries',
    description: 'Points of two charts of all signals that pass the filters, whatever `group_by` is.',
  },
);
export type RecordSeries = Static<typeof RecordSeries>;

const GroupBy = oneOf(RECORD_GROUPS, { description: 'How signals are grouped: one row each.' });
const Kind = oneOf(SIGNAL_KINDS, { description: 'Kind of signal.' });
const RecordReference = oneOf(RECORD_REFERENCES, {
  description: 'Reference that value was measured against.',
  examples: ['consensus'],
});

/**
 * What the record costs, in requests: as much as a whole slate of the past, because every signal that passes
 * the filter is read.
 */
export const RECORD_UNITS = 5;

export const SignalRecordAnswer = exact(
  {
    from: nullable(instant(), {
      description: 'Only signals that opened at or after this instant count; null without a limit.',
    }),
    to: nullable(instant(), {
      description: 'Only signals that opened before this instant count; null without a limit.',
    }),
    since: nullable(instant(), {
      description: 'When the first counted signal opened; null if no signal is counted.',
    }),
    group_by: nullable(GroupBy, { description: 'Null when there is one row for all signals.' }),
    kind: Kind,
    reference: nullable(RecordReference, {
      description:
        'Reference that value was measured against. Null for arbitrage, and when `group_by` is `reference`.',
    }),
    data: Type.Array(RecordRow, { description: 'Sorted by `key`. Empty when no signal passes the filters.' }),
    series: nullable(RecordSeries, { description: 'Null unless `series` is true.' }),
  },
  { title: 'SignalRecord' },
);
export type SignalRecordAnswer = Static<typeof SignalRecordAnswer>;

/** The parameters, as a query and a tool take them. */
const RecordProperties = {
  from: instantParameter('Only signals that opened at or after this instant.'),
  to: instantParameter('Only signals that opened before this instant.'),
  group_by: optional(
    oneOf(RECORD_GROUPS, {
      description: 'How signals are grouped into rows; one row for all when absent.',
      examples: ['bookmaker'],
    }),
  ),
  kind: withDefault(Kind, 'value'),
  reference: optional(
    oneOf(RECORD_REFERENCES, {
      description: `Reference that value was measured against. Default: \`${REFERENCE_DEFAULT}\`, or \`consensus\` on a tier that does not see the sharp book.`,
      examples: ['consensus'],
    }),
  ),
  sport: optional(SportKeySchema),
  min_edge_pct: withDefault(
    Type.Number({
      minimum: 0,
      maximum: 1_000,
      description: `Lowest edge in per cent when the signal opened; for arbitrage, lowest margin. The record holds value signals with an edge of at least ${RECORD_MIN_EDGE_PCT} per cent.`,
      examples: [2],
    }),
    0,
  ),
};
const IN_PLAY = 'True: only signals that opened in play. False: only the others. Both when absent.';

export const SignalRecordQuery = Type.Object({
  ...RecordProperties,
  in_play: optional(oneOf(['true', 'false'], { description: IN_PLAY, examples: ['false'] })),
  series: optional(
    oneOf(['true', 'false'], {
      description: 'True: adds `series`, the points of two charts. Only for value against one reference.',
      examples: ['true'],
    }),
  ),
});
export type SignalRecordQuery = Static<typeof SignalRecordQuery>;

export const SignalRecordInput = Type.Object({
  ...RecordProperties,
  in_play: optional(Type.Boolean({ description: IN_PLAY })),
});
