// Answers about the deliveries of alert rules.

import { type Static, Type } from '@sinclair/typebox';
import {
  ALERT_ANSWER_CHARS_MAX,
  ALERT_DELIVERIES_KEPT,
  ALERT_DELIVERIES_KEPT_DAYS,
  FREE_ALERT_DELIVERIES_KEPT,
} from '../../limits.ts';
import { exact, instant, nullable, oneOf, optional, tokenText } from '../schema.ts';

export const AlertDeliveriesQuery = Type.Object({
  before: optional(
    tokenText(
      {
        minLength: 1,
        maxLength: 64,
        description: 'Id of a delivery: only older ones are listed.',
      },
      'Send the id of the last delivery in the previous list',
    ),
  ),
});

export const AlertQueued = exact(
  { delivery_id: Type.String({ description: 'Id of the delivery, as in the list of deliveries.' }) },
  { title: 'AlertQueued' },
);

export const AlertDelivery = exact(
  {
    id: Type.String({
      description: 'Id of the delivery. It is sent as `webhook-id`, the same in every attempt.',
    }),
    state: oneOf(['waiting', 'taken', 'failed'], {
      description: '`taken`: the endpoint answered 2xx. `failed`: there are no more attempts.',
    }),
    tries: Type.Integer({ minimum: 0, description: 'Number of attempts so far.' }),
    status: nullable(Type.Integer(), {
      description: 'HTTP status of the last answer; null if there was no answer.',
    }),
    error: nullable(Type.String(), { description: 'Why the last attempt failed; null when it did not.' }),
    answer: nullable(Type.String(), {
      description: `The first ${ALERT_ANSWER_CHARS_MAX} characters of the last answer; control characters are replaced.`,
    }),
    merged: Type.Integer({ minimum: 1, description: 'Number of alerts in this delivery.' }),
    body: Type.String({ description: 'The alert as JSON in format `raw`, whatever format the rule has.' }),
    created_at: instant({ description: 'When the alert was found.' }),
    sent_at: nullable(instant(), { description: 'When the delivery was last sent; null when never.' }),
    next_at: nullable(instant(), {
      description: 'When the delivery is sent next; null when no attempt is planned.',
    }),
  },
  { title: 'AlertDelivery' },
);
export type AlertDelivery = Static<typeof AlertDelivery>;
export const AlertDeliveriesAnswer = exact(
  {
    deliveries: Type.Array(AlertDelivery, {
      description: `Newest first, at most ${ALERT_DELIVERIES_KEPT}. Finished deliveries are kept for ${ALERT_DELIVERIES_KEPT_DAYS} days; without a paid plan, only the last ${FREE_ALERT_DELIVERIES_KEPT} of each rule.`,
      maxItems: ALERT_DELIVERIES_KEPT,
    }),
  },
  { title: 'AlertDeliveriesAnswer' },
);
