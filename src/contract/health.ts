// Liveness and readiness.

import { type Static, Type } from '@sinclair/typebox';
import { exact, instant, nullable, oneOf } from './schema.ts';

export const Health = exact(
  {
    status: oneOf(['ok', 'degraded', 'starting'], {
      description: '`starting` until the first snapshot is complete, `degraded` while the feed is not live.',
    }),
    feed_live: Type.Boolean({ description: 'Connected and heard within 30 s.' }),
    as_of: nullable(instant(), { description: 'When the feed was last heard; null before it ever was.' }),
    as_of_stale: Type.Boolean({ description: 'Whether `as_of` is older than the live freshness window.' }),
    matches: Type.Integer({ minimum: 0, description: 'Fixtures on the slate.' }),
    odds: Type.Integer({ minimum: 0, description: 'Quotes on the slate.' }),
  },
  { title: 'Health' },
);
export type Health = Static<typeof Health>;

export const Ready = exact(
  { status: oneOf(['ready'], { description: 'The first snapshot is complete.' }) },
  { title: 'Ready' },
);
export type Ready = Static<typeof Ready>;
