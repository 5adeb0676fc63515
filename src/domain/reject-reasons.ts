// Why a feed message was rejected. The parser returns these words, the store counts by them, and /metrics
// shows the counts.

export const REJECT_REASONS = [
  'bad_json',
  'not_an_object',
  'unknown_type',
  'bad_protocol',
  'bad_seq',
  'bad_time',
  'future_time',
  'bad_name',
  'bad_sport',
  'bad_status',
  'bad_clock',
  'bad_score',
  'unknown_book',
  'other_source',
  'bad_market',
  'bad_period',
  'bad_line',
  'bad_price',
  'bad_outcomes',
  'bad_size',
  'unknown_event',
  'id_collision',
  'fixture_table_full',
  'quote_table_full',
  'opening_table_full',
  'name_table_full',
] as const;

export type RejectReason = (typeof REJECT_REASONS)[number];
