// The kinds of signals and of alert rules, and their thresholds when a caller sets none. The contract has
// their schemas; threads that only need the words do not load those, which take seven megabytes a thread.

import { SIGNAL_KINDS } from './signal-gate.ts';

/** Every kind of signal that streams send. */
export const STREAM_KINDS = [...SIGNAL_KINDS, 'middle', 'low_hold', 'move', 'steam'] as const;

/** Least expected return of a middle and highest hold, in per cent, when the caller sets none. */
export const MIN_MIDDLE_EV_PCT_DEFAULT = 0;
export const MAX_HOLD_PCT_DEFAULT = 1;

/** Within how many seconds, from which change on and by how many owners, when the caller says nothing. */
export const STEAM_DEFAULTS = { pct: 1.5, within_s: 1_800, owners: 3 } as const;
export const MOVE_DEFAULTS = { pct: 5, within_s: 1_800, of: 'fair' } as const;
export const MOVE_OF = ['fair', 'price'] as const;

/** What an alert rule can watch. */
export const ALERT_KINDS = [...STREAM_KINDS, 'price', 'match', 'source'] as const;
export const ALERT_FORMATS = ['raw', 'slack', 'discord', 'telegram', 'ntfy'] as const;
/**
 * `failing`: its endpoint failed too often, so nothing is sent until it is set to active. `ended`: its
 * endpoint answered 410.
 */
export const ALERT_STATUSES = ['active', 'paused', 'failing', 'ended'] as const;

/** The fields of a rule's `when` and `where`, in the order of answers. */
export const ALERT_WHEN_FIELDS = [
  ...(['kind', 'min_edge_pct', 'min_ev_pct', 'reference', 'min_margin_pct', 'max_hold_pct'] as const),
  ...(['pct', 'of', 'within_s', 'owners', 'market', 'line', 'outcome', 'price', 'news'] as const),
  ...(['closed', 'again_after_s'] as const),
] as const;
export const ALERT_WHERE_FIELDS = [
  ...(['sport', 'league', 'team', 'event_id', 'markets', 'period', 'bookmakers', 'in_play'] as const),
] as const;
