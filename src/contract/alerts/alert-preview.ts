// A rule tried on the past before it is made.

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
    at: instant({ description: 'When it would have been found.' }),
    text: Type.String({ description: 'The alert in words.' }),
  },
  { title: 'PreviewedAlert' },
);

export const AlertPreview = exact(
  {
    sentence: Type.String({ description: 'The rule in words.' }),
    count: nullable(Type.Integer({ minimum: 0 }), {
      description: 'How many alerts the rule would have sent between `from` and `to`; null when unknown.',
    }),
    from: nullable(instant(), { description: 'From when on prices were played: a day ago, or later.' }),
    to: nullable(instant(), { description: 'Until when: now, or earlier if there was too much to play.' }),
    latest: Type.Array(PreviewedAlert, { description: 'The last ones, newest first.', maxItems: 5 }),
    note: nullable(Type.String(), { description: 'Why the count is not that of a whole day.' }),
  },
  { title: 'AlertPreview' },
);
export type AlertPreview = Static<typeof AlertPreview>;
