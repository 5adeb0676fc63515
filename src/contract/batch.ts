// Batch odds: up to 20 fixtures in one request, failures inside their own entry.

import { type Static, Type } from '@sinclair/typebox';
import { BATCH_EVENT_IDS_MAX } from '../limits.ts';
import { ErrorCodeSchema } from './errors.ts';
import { OddsBlock, OddsQuery } from './odds.ts';
import { EventIdParameter } from './parameters.ts';
import { exact, nullable } from './schema.ts';

export const BatchOddsBody = Type.Object(
  {
    event_ids: Type.Array(EventIdParameter, {
      minItems: 1,
      maxItems: BATCH_EVENT_IDS_MAX,
      description: 'Event ids; duplicates are answered twice.',
      examples: [['evt_Xk29LmQa']],
    }),
    ...OddsQuery.properties,
  },
  { title: 'BatchOddsRequest' },
);

const BatchError = exact(
  {
    code: ErrorCodeSchema,
    message: Type.String({ description: 'For people; may change.' }),
    fix: nullable(Type.String(), { description: 'The concrete corrective action, or null.' }),
  },
  { title: 'BatchError' },
);

export const BatchOddsEntry = exact(
  {
    event_id: Type.String({ description: 'The id as the request gave it.', examples: ['evt_Xk29LmQa'] }),
    odds: nullable(OddsBlock, { description: 'Null when this id failed.' }),
    error: nullable(BatchError, { description: 'Why this id failed, or null.' }),
  },
  { title: 'BatchOddsEntry', description: 'Exactly one of `odds` and `error` is set.' },
);
export type BatchOddsEntry = Static<typeof BatchOddsEntry>;

export const BatchOdds = exact(
  {
    count: Type.Integer({ minimum: 0, maximum: BATCH_EVENT_IDS_MAX, description: 'Entries.' }),
    ok_count: Type.Integer({
      minimum: 0,
      maximum: BATCH_EVENT_IDS_MAX,
      description: 'Entries that hold odds.',
    }),
    data: Type.Array(BatchOddsEntry, { description: 'In request order, one entry per id.' }),
  },
  { title: 'BatchOdds' },
);
export type BatchOdds = Static<typeof BatchOdds>;
