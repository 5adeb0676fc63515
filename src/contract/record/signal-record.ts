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
        'What the signals of this row have in common, as `group_by` says; `all` without it. Edges are steps in per cent, such as `02-03`.',
      examples: ['all', 'crown', '02-03'],
    }),
    signals: Type.Integer({ minimum: 1, description: 'Signals that opened, however they ended.' }),
    mean_edge_pct: Type.Number({
      description: 'Mean edge when the signals opened; for arbitrage the mean margin.',
      examples: [3.1],
    }),
    closed_with_clv: Type.Integer({
      minimum: 0,
      description: 'Signals of this row with a closing line value.',
    }),
    mean_clv_pct: Measure(
      'Mean closing line value in per cent: closing fair probability, by the same reference and method, times the price, minus 1.',
    ),
    beat_close_pct: Measure('Of the signals with a closing line value, the share above 0, in per cent.'),
    settled: Type.Integer({ minimum: 0, description: 'Signals with a result.' }),
    yield_pct: Measure('Mean return of one unit on each settled signal, in per cent.'),
    yield_low_pct: Measure(
      'With `yield_high_pct`, the middle 95 % of the yields when whole matches are resampled. Null with fewer than two matches.',
    ),
    yield_high_pct: Measure('The upper end.'),
    median_life_s: Measure('Median seconds for which a closed signal was seen open.'),
  },
  { title: 'RecordRow', description: 'A group of signals. A field is null while its value is unknown.' },
);
export type RecordRow = Static<typeof RecordRow>;

export const GrowthPoint = exact(
  {
    at: instant({ description: 'When the newest signal up to here opened.' }),
    settled: Type.Integer({ minimum: 1, description: 'Settled signals up to here.' }),
    units: Type.Number({
      description: 'What one unit on each of them has returned, in units; 0 is even.',
      examples: [-1.25],
    }),
    units_low: Measure(
      'With `units_high`, the middle 95 % of the growths up to here when whole matches are resampled. Null with fewer than two matches.',
    ),
    units_high: Measure('The upper end.'),
  },
  { title: 'GrowthPoint' },
);
export type GrowthPoint = Static<typeof GrowthPoint>;

export const ClvBin = exact(
  {
    from_pct: nullable(Type.Integer(), {
      description: `The bin has values from here on; null: it has all values below ${CLV_BIN_FROM_PCT}.`,
    }),
    to_pct: nullable(Type.Integer(), {
      description: `The bin has values below this; null: it has all values from ${CLV_BIN_TO_PCT} on.`,
    }),
    signals: Type.Integer({ minimum: 0, description: 'Signals with such a closing line value.' }),
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
        'What one unit on each settled signal has returned, in the order in which signals opened. Every point covers about the same number of signals. Empty while none is settled.',
    }),
    clv: exact(
      {
        signals: Type.Integer({ minimum: 0, description: 'Signals with a closing line value.' }),
        mean_pct: Measure('Their mean.'),
        standard_error_pct: Measure(
          'Standard error of the mean, by match. Null with fewer than two matches.',
        ),
        bins: Type.Array(ClvBin, {
          maxItems: BINS_MAX,
          description:
            'Number of signals by closing line value, in bins of one per cent from the lowest bin with any to the highest.',
        }),
      },
      { description: 'How closing line values are spread.' },
    ),
  },
  {
    title: 'RecordSeries',
    description: 'All signals that pass the filters, as points of two charts, whatever `group_by` is.',
  },
);
export type RecordSeries = Static<typeof RecordSeries>;

const GroupBy = oneOf(RECORD_GROUPS, { description: 'What a row stands for.' });
const Kind = oneOf(SIGNAL_KINDS, { description: 'Kind of signal.' });
const RecordReference = oneOf(RECORD_REFERENCES, {
  description: 'What value was measured against.',
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
    since: nullable(instant(), { description: 'When the first counted signal opened; null without one.' }),
    group_by: nullable(GroupBy, { description: 'Null for one row of all.' }),
    kind: Kind,
    reference: nullable(RecordReference, {
      description: 'What value was measured against; null for arbitrage, and where each row has its own.',
    }),
    data: Type.Array(RecordRow, { description: 'By key. Empty when no signal passes.' }),
    series: nullable(RecordSeries, { description: 'Null unless `series` is true.' }),
  },
  { title: 'SignalRecord' },
);
export type SignalRecordAnswer = Static<typeof SignalRecordAnswer>;

/** The parameters, as a query and a tool take them. */
const RecordProperties = {
  from: instantParameter('Opened at or after this instant.'),
  to: instantParameter('Opened before this instant.'),
  group_by: optional(
    oneOf(RECORD_GROUPS, {
      description: 'How signals are grouped into rows; one row for all when absent.',
      examples: ['bookmaker'],
    }),
  ),
  kind: withDefault(Kind, 'value'),
  reference: optional(
    oneOf(RECORD_REFERENCES, {
      description: `What value was measured against; when absent, \`${REFERENCE_DEFAULT}\`, or \`consensus\` on a tier that does not see the sharp book.`,
      examples: ['consensus'],
    }),
  ),
  sport: optional(SportKeySchema),
  min_edge_pct: withDefault(
    Type.Number({
      minimum: 0,
      maximum: 1_000,
      description: `Lowest edge (of arbitrage: margin) at the opening; value is on record from ${RECORD_MIN_EDGE_PCT}.`,
      examples: [2],
    }),
    0,
  ),
};
const IN_PLAY = 'Opened in play, or not; both when absent.';

export const SignalRecordQuery = Type.Object({
  ...RecordProperties,
  in_play: optional(oneOf(['true', 'false'], { description: IN_PLAY, examples: ['false'] })),
  series: optional(
    oneOf(['true', 'false'], {
      description:
        'Adds growth and closing line values as points of charts. Only for value against one reference.',
      examples: ['true'],
    }),
  ),
});
export type SignalRecordQuery = Static<typeof SignalRecordQuery>;

export const SignalRecordInput = Type.Object({
  ...RecordProperties,
  in_play: optional(Type.Boolean({ description: IN_PLAY })),
});
