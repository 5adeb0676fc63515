// The routes for alert rules and their deliveries. Leagues and teams may be named; they are looked up here,
// because this thread has the names, once the session has been checked.

import { Type } from '@sinclair/typebox';
import type { AlertCalls } from '../../alerts/alert-calls.ts';
import { type NamedWhere, namedWhere, type WhereQueries } from '../../alerts/rules/named-where.ts';
import { previewOf } from '../../alerts/rules/preview.ts';
import { DAY_MS } from '../../clock.ts';
import {
  AlertDeliveriesAnswer,
  AlertDeliveriesQuery,
  AlertQueued,
} from '../../contract/alerts/alert-deliveries.ts';
import { AlertPreview, AlertPreviewRequest } from '../../contract/alerts/alert-preview.ts';
import {
  AlertAnswer,
  AlertDeleted,
  AlertsAnswer,
  type AlertWhere,
  AlertWithSecret,
  ChangeAlertRequest,
  CreateAlertRequest,
} from '../../contract/alerts/alert-rules.ts';
import { ALERTS_PER_ACCOUNT_MAX } from '../../limits.ts';
import type { Queries } from '../../query/queries.ts';
import type { HandlerContext } from '../kit/request/handler-context.ts';
import { defineRoute, type Route } from '../kit/route.ts';
import { sessionOf } from './platform.ts';

/** The queries of these routes: which leagues and teams a rule names, and questions about the past. */
export type AlertQueries = WhereQueries & Pick<Queries, 'history'>;

const ALERT_ROUTE = { tags: ['Alerts'], access: 'account' } as const;

const AlertIdParams = Type.Object({
  alert_id: Type.String({ minLength: 1, maxLength: 64, description: 'The `id` of a rule.' }),
});
const DeliveryParams = Type.Object({
  ...AlertIdParams.properties,
  delivery_id: Type.String({ minLength: 1, maxLength: 64, description: 'The `id` of a delivery.' }),
});

export function alertRoutes(alerts: AlertCalls, queries: AlertQueries): Route[] {
  return [
    ...rulesRoutes(alerts, queries),
    ...ruleRoutes(alerts, queries),
    previewRoute(alerts, queries),
    ...actionRoutes(alerts),
    ...deliveryRoutes(alerts),
  ];
}

/** The routes that list the account's rules and create one. */
function rulesRoutes(alerts: AlertCalls, queries: WhereQueries): Route[] {
  return [
    defineRoute({
      ...ALERT_ROUTE,
      method: 'GET',
      path: '/platform/alerts',
      operationId: 'listAlerts',
      summary: 'List alert rules',
      description: 'The rules of the account.',
      response: AlertsAnswer,
      errors: ['unauthorized'],
      handle: async (_input, context) => ({
        alerts: await alerts.listAlerts(sessionOf(context)),
        limit: ALERTS_PER_ACCOUNT_MAX,
      }),
    }),
    defineRoute({
      ...ALERT_ROUTE,
      method: 'POST',
      path: '/platform/alerts',
      operationId: 'createAlert',
      summary: 'Create an alert rule',
      description: `Sends a message when something happens: \`when\` says what, \`where\` narrows it, \`to\` says where to send. At most ${ALERTS_PER_ACCOUNT_MAX} rules. The answer shows the signing secret, only this once.`,
      body: CreateAlertRequest,
      response: AlertWithSecret,
      errors: ['unauthorized', 'plan_limit', 'forbidden', 'rate_limit_exceeded'],
      handle: async ({ body }, context) => {
        const named = await namedInTurn({ alerts, queries }, context, body.where ?? {});
        return alerts.createAlert({ body: { ...body, ...named }, ...sessionOf(context) });
      },
    }),
  ];
}

/** The routes that read, change and delete one rule. */
function ruleRoutes(alerts: AlertCalls, queries: WhereQueries): Route[] {
  return [
    defineRoute({
      ...ALERT_ROUTE,
      method: 'GET',
      path: '/platform/alerts/:alert_id',
      operationId: 'getAlert',
      summary: 'One alert rule',
      description: 'A rule and its state.',
      params: AlertIdParams,
      response: AlertAnswer,
      errors: ['unauthorized', 'not_found'],
      handle: async ({ params }, context) => ({
        alert: await alerts.readAlert({ alertId: params.alert_id, ...sessionOf(context) }),
      }),
    }),
    changeRoute(alerts, queries),
    defineRoute({
      ...ALERT_ROUTE,
      method: 'DELETE',
      path: '/platform/alerts/:alert_id',
      operationId: 'deleteAlert',
      summary: 'Delete an alert rule',
      description: 'Deletes a rule with its deliveries, waiting ones included.',
      params: AlertIdParams,
      response: AlertDeleted,
      errors: ['unauthorized', 'forbidden', 'not_found'],
      handle: async ({ params }, context) => {
        await alerts.deleteAlert({ alertId: params.alert_id, ...sessionOf(context) });
        return { deleted: true as const };
      },
    }),
  ];
}

function changeRoute(alerts: AlertCalls, queries: WhereQueries): Route {
  return defineRoute({
    ...ALERT_ROUTE,
    method: 'PATCH',
    path: '/platform/alerts/:alert_id',
    operationId: 'changeAlert',
    summary: 'Change or pause an alert rule',
    description: 'Each field that is sent replaces the former one. `status` pauses a rule or lets it send.',
    params: AlertIdParams,
    body: ChangeAlertRequest,
    response: AlertAnswer,
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limit_exceeded'],
    handle: async ({ params, body }, context) => {
      const { where } = body;
      const named =
        where === undefined ? { names: {} } : await namedInTurn({ alerts, queries }, context, where);
      const change = { ...body, ...named };
      return {
        alert: await alerts.changeAlert({ body: change, alertId: params.alert_id, ...sessionOf(context) }),
      };
    },
  });
}

/**
 * Looks up what a rule names, at the turn of the account. A request without a session of a verified account
 * is refused before that.
 * @throws ServiceError as `AlertCalls.admitRule` and `namedWhere`
 */
async function namedInTurn(
  { alerts, queries }: { readonly alerts: AlertCalls; readonly queries: WhereQueries },
  context: HandlerContext,
  where: AlertWhere,
): Promise<NamedWhere & { readonly accountId: string }> {
  const account = await alerts.admitRule(sessionOf(context));
  const named = await context.inTurnOf(account, (nowMs) => namedWhere(queries, where, nowMs));
  return { ...named, accountId: account.id };
}

/** How far back a rule is tried. */
const PREVIEW_MS = DAY_MS;

function previewRoute(alerts: AlertCalls, queries: AlertQueries): Route {
  return defineRoute({
    ...ALERT_ROUTE,
    method: 'POST',
    path: '/platform/alerts/preview',
    operationId: 'previewAlert',
    summary: 'Try an alert rule on the last day',
    description:
      'Checks a rule as creating it does, and counts the alerts that it would have sent in the last 24 hours, by playing the price history again. Nothing is created or sent.',
    body: AlertPreviewRequest,
    response: AlertPreview,
    errors: ['unauthorized', 'forbidden', 'rate_limit_exceeded'],
    handle: async ({ body }, context) => {
      const named = await namedInTurn({ alerts, queries }, context, body.where ?? {});
      const { where, names, accountId } = named;
      const { nowMs } = context;
      const rule = { ...body, where, names };
      const { plan, sentence } = await alerts.checkAlert({ body: rule, ...sessionOf(context) });
      const { when } = body;
      const time = { fromMs: nowMs - PREVIEW_MS, toMs: nowMs };
      const played =
        when.kind === 'source'
          ? null
          : await queries.history.alerts({ when, where, names, accountId, plan, ...time });
      return previewOf(sentence, when, played, time);
    },
  });
}

const ACTION_ERRORS = ['unauthorized', 'forbidden', 'not_found', 'rate_limit_exceeded'] as const;

/** The routes that send a test message and rotate the secret. */
function actionRoutes(alerts: AlertCalls): Route[] {
  return [
    defineRoute({
      ...ALERT_ROUTE,
      method: 'POST',
      path: '/platform/alerts/:alert_id/test',
      operationId: 'testAlert',
      summary: 'Send a test',
      description: 'Sends a made-up alert, also for a paused rule.',
      params: AlertIdParams,
      response: AlertQueued,
      errors: ACTION_ERRORS,
      handle: async ({ params }, context) => ({
        delivery_id: await alerts.testAlert({ alertId: params.alert_id, ...sessionOf(context) }),
      }),
    }),
    defineRoute({
      ...ALERT_ROUTE,
      method: 'POST',
      path: '/platform/alerts/:alert_id/rotate',
      operationId: 'rotateAlertSecret',
      summary: 'Rotate the signing secret',
      description:
        'The answer shows the new secret, only this once. For a day, deliveries are signed with both secrets.',
      params: AlertIdParams,
      response: AlertWithSecret,
      errors: ACTION_ERRORS,
      handle: ({ params }, context) =>
        alerts.rotateAlertSecret({ alertId: params.alert_id, ...sessionOf(context) }),
    }),
  ];
}

/** The routes about the deliveries of a rule. */
function deliveryRoutes(alerts: AlertCalls): Route[] {
  return [
    defineRoute({
      ...ALERT_ROUTE,
      method: 'GET',
      path: '/platform/alerts/:alert_id/deliveries',
      operationId: 'listAlertDeliveries',
      summary: 'List deliveries',
      description:
        'What the rule sent lately, with the answers of its endpoint. One list has at most 256 KB: for older ones, ask again with `before`.',
      params: AlertIdParams,
      query: AlertDeliveriesQuery,
      response: AlertDeliveriesAnswer,
      errors: ['unauthorized', 'not_found'],
      handle: async ({ params, query: { before = null } }, context) => ({
        deliveries: await alerts.alertDeliveries({
          alertId: params.alert_id,
          before,
          ...sessionOf(context),
        }),
      }),
    }),
    defineRoute({
      ...ALERT_ROUTE,
      method: 'POST',
      path: '/platform/alerts/:alert_id/deliveries/:delivery_id/resend',
      operationId: 'resendAlertDelivery',
      summary: 'Send a delivery again',
      description:
        'The delivery keeps its id, so that an endpoint can recognise one that it has received before.',
      params: DeliveryParams,
      response: AlertQueued,
      errors: ACTION_ERRORS,
      handle: async ({ params }, context) => {
        await alerts.resendAlert({
          alertId: params.alert_id,
          deliveryId: params.delivery_id,
          ...sessionOf(context),
        });
        return { delivery_id: params.delivery_id };
      },
    }),
  ];
}
