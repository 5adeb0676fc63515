// GET /v1/usage: what one key did since the server started, and all keys together.

import { type Static, Type } from '@sinclair/typebox';
import { TIER_KEYS } from '../domain/tiers.ts';

export const Tier = Type.Union(
  TIER_KEYS.map((key) => Type.Literal(key)),
  { description: 'Tier of a key or plan of an account' },
);

export const UsageCounters = Type.Object(
  {
    requests: Type.Integer({ minimum: 0 }),
    errors: Type.Integer({ minimum: 0, description: 'Answers with a status of 400 or more' }),
    error_rate: Type.Number({ minimum: 0, maximum: 1, description: 'Errors per request' }),
    avg_latency_ms: Type.Number({ minimum: 0 }),
    max_latency_ms: Type.Number({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type UsageCounters = Static<typeof UsageCounters>;

export const UsageReport = Type.Object(
  {
    started_at: Type.String({
      format: 'date-time',
      description: 'When counting began: the start of the server',
    }),
    uptime_s: Type.Integer({ minimum: 0 }),
    key: Type.String({ description: 'The key, masked: its last four characters' }),
    tier: Tier,
    usage: UsageCounters,
    total_requests: Type.Integer({ minimum: 0, description: 'Requests of all callers' }),
    total_errors: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type UsageReport = Static<typeof UsageReport>;
