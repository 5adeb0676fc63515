// Shared counters of the ingest worker. Only that worker writes them; any thread reads them for /health and
// /metrics.

import { REJECT_REASONS, type RejectReason } from '../domain/reject-reasons.ts';

const FLOW_COUNTERS = [
  'messages_applied',
  'quotes_applied',
  'quotes_older',
  'duplicates',
  'gaps',
  'ignored_until_snapshot',
  'pages_published',
  'batches',
  'snapshots',
  'results',
  'openings_recorded',
  'openings_restored',
  'archive_errors',
] as const;

export type CounterName = (typeof FLOW_COUNTERS)[number] | `rejected_${RejectReason}`;

export const COUNTER_NAMES: readonly CounterName[] = [
  ...FLOW_COUNTERS,
  ...REJECT_REASONS.map((reason): CounterName => `rejected_${reason}`),
];

const INDEX: ReadonlyMap<CounterName, number> = new Map(COUNTER_NAMES.map((name, index) => [name, index]));

export function counterIndex(name: CounterName): number {
  return INDEX.get(name)!;
}
