// A preview: what a rule would have sent in the last day. It is requested before the rule is created.

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
      description:
        'Number of alerts that the rule would have sent between `from` and `to`; null when unknown.',
    }),
    from: nullable(instant(), {
      description: 'Start of the time for which the rule was tried: a day ago, or later.',
    }),
    to: nullable(instant(), {
      description: 'End of that time: now, or earlier if the day has too many prices to try them all.',
    }),
    latest: Type.Array(PreviewedAlert, {
      description: 'The latest of these alerts, newest first.',
      maxItems: 5,
    }),
    note: nullable(Type.String(), { description: 'Why `count` may be incomplete; null if it is complete.' }),
  },
  { title: 'AlertPreview' },
);
export type AlertPreview = Static<typeof AlertPreview>;
