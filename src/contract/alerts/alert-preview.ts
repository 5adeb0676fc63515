// A preview: what a rule would have sent in the last day, tried before the rule is created.

import { type Static, Type } from '@sinclair/typebox';
import { exact, instant, nullable, optional } from '../schema.ts';
import { AlertWhen, AlertWhere } from './alert-rules.ts';

export const AlertPreviewRequest = exact(
  { when: AlertWhen, where: optional(AlertWhere) },
  { title: 'AlertPreviewRequest' },
);
export type AlertPreviewRequest = Static<typeof AlertPreviewRequest>;

const PreviewedAlert = exact(
  {
    at: instant({ description: 'When the alert would have been found.' }),
    text: Type.String({ description: 'The alert as a sentence.' }),
  },
  { title: 'PreviewedAlert' },
);

export const AlertPreview = exact(
  {
    sentence: Type.String({ description: 'The rule as a sentence.' }),
    count: nullable(Type.Integer({ minimum: 0 }), {
      description: 'How many alerts the rule would have sent between `from` and `to`; null when unknown.',
    }),
    from: nullable(instant(), { description: 'Start of the prices that were tried: a day ago, or later.' }),
    to: nullable(instant(), {
      description: 'End of those prices: now, or earlier if the day holds too much.',
    }),
    latest: Type.Array(PreviewedAlert, { description: 'The last ones, newest first.', maxItems: 5 }),
    note: nullable(Type.String(), { description: 'Why the count does not cover a whole day.' }),
  },
  { title: 'AlertPreview' },
);
export type AlertPreview = Static<typeof AlertPreview>;
