// The fields of alert rules, and which of them go together. The API checks rules by these lists, and the
// console's form has a field for each.

import type { ALERT_KINDS } from '../signal-gate.ts';

/** The fields of a rule's `when` and `where`, in the order of answers. */
export const ALERT_WHEN_FIELDS = [
  ...(['kind', 'min_edge_pct', 'min_ev_pct', 'reference', 'min_margin_pct', 'max_hold_pct'] as const),
  ...(['pct', 'of', 'within_s', 'owners', 'market', 'line', 'outcome', 'price', 'news'] as const),
  ...(['closed', 'again_after_s'] as const),
] as const;
export const ALERT_WHERE_FIELDS = [
  ...(['sport', 'league', 'team', 'event_id', 'markets', 'period', 'bookmakers', 'in_play'] as const),
] as const;

export type WhenField = Exclude<(typeof ALERT_WHEN_FIELDS)[number], 'kind'>;
export type WhereField = (typeof ALERT_WHERE_FIELDS)[number];

interface KindFields {
  readonly takes: readonly WhenField[];
  readonly needs?: readonly WhenField[];
  /** Fields of `where` that have no meaning for this kind. */
  readonly refuses?: readonly WhereField[];
}

const OF_LIFE = ['closed', 'again_after_s'] as const;

export const ALERT_KIND_FIELDS: Readonly<Record<(typeof ALERT_KINDS)[number], KindFields>> = {
  value: { takes: ['min_edge_pct', 'min_ev_pct', 'reference', ...OF_LIFE] },
  arbitrage: { takes: ['min_margin_pct', ...OF_LIFE] },
  middle: { takes: ['min_ev_pct', ...OF_LIFE] },
  low_hold: { takes: ['max_hold_pct', ...OF_LIFE] },
  move: { takes: ['pct', 'of', 'within_s', ...OF_LIFE] },
  steam: { takes: ['pct', 'owners', 'within_s', ...OF_LIFE] },
  price: {
    takes: ['market', 'line', 'outcome', 'price', ...OF_LIFE],
    needs: ['market', 'outcome', 'price'],
    refuses: ['markets'],
  },
  match: { takes: ['news'], refuses: ['markets', 'period', 'bookmakers', 'in_play'] },
  source: { takes: [], refuses: ALERT_WHERE_FIELDS },
};
