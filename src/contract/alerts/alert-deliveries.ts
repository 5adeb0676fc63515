// Answers about the deliveries of alert rules.

import { type Static, Type } from '@sinclair/typebox';
import { ALERT_DELIVERIES_KEPT } from '../../limits.ts';
import { exact, instant, nullable, oneOf } from '../schema.ts';

export const AlertQueued = exact(
  { delivery_id: Type.String({ description: 'The delivery, in the list of deliveries.' }) },
  { title: 'AlertQueued' },
);

export const AlertDelivery = exact(
  {
    id: Type.String({ description: 'Sent as `webhook-id`; the same in every attempt.' }),
    state: oneOf(['waiting', 'taken', 'failed'], {
      description: '`taken`: the endpoint answered 2xx. `failed`: there are no more attempts.',
    }),
    tries: Type.Integer({ minimum: 0, description: 'How often the delivery was sent.' }),
    status: nullable(Type.Integer(), { description: 'HTTP status of the last answer; null without one.' }),
    error: nullable(Type.String(), { description: 'Why the last attempt failed; null when it did not.' }),
    answer: nullable(Type.String(), { description: 'The beginning of the last answer, as text.' }),
    merged: Type.Integer({ minimum: 1, description: 'How many alerts the delivery holds.' }),
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
      description: `Newest first, at most ${ALERT_DELIVERIES_KEPT}.`,
      maxItems: ALERT_DELIVERIES_KEPT,
    }),
  },
  { title: 'AlertDeliveriesAnswer' },
);
