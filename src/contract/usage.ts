// GET /v1/usage: what one key did since the server started, and all keys together.

import { Type } from '@sinclair/typebox';
import { TIER_KEYS } from '../domain/tiers.ts';
import { exact, instant, oneOf } from './schema.ts';

export const Tier = oneOf(TIER_KEYS, {
  description: 'Tier of a key or plan of an account.',
  examples: ['free'],
});

export const UsageCounters = exact({
  requests: Type.Integer({ minimum: 0, description: 'Requests answered.' }),
  errors: Type.Integer({ minimum: 0, description: 'Answers with a status of 400 or more.' }),
  error_rate: Type.Number({ minimum: 0, maximum: 1, description: 'Errors per request, 4 decimals.' }),
  avg_latency_ms: Type.Number({ minimum: 0, description: 'Mean time to an answer.' }),
  max_latency_ms: Type.Number({ minimum: 0, description: 'Longest time to an answer.' }),
});

export const UsageReport = exact(
  {
    started_at: instant({ description: 'When counting began: the start of the server.' }),
    uptime_s: Type.Integer({ minimum: 0, description: 'Seconds since then.' }),
    key: Type.String({ description: 'The key, masked: its last four characters.' }),
    tier: Tier,
    usage: { ...UsageCounters, description: 'Of this key.' },
    total_requests: Type.Integer({ minimum: 0, description: 'Requests of all callers.' }),
    total_errors: Type.Integer({
      minimum: 0,
      description: 'Those of them answered with a status of 400 or more.',
    }),
  },
  { title: 'UsageReport' },
);
