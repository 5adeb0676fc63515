// The calls behind /platform/alerts and the tools about alerts. They take and return plain values and run on
// the accounts thread, which has the database.

import type { AccountRecord } from '../accounts/records.ts';
import type { Credentials } from '../accounts/sessions/session.ts';
import type { AlertPreviewRequest } from '../contract/alerts/alert-preview.ts';
import type { ChangeAlertRequest, CreateAlertRequest } from '../contract/alerts/alert-rules.ts';
import type { Named, RuleService } from './rules/rule-service.ts';

/** The caller of a method: a session, given by its credentials, or an API key, given by its id. */
export type AlertCaller = { readonly credentials: Credentials } | { readonly keyId: string };

interface OfRule {
  readonly alertId: string;
}

/** The functions that `createAlertCalls` returns. Other threads call them by messages. */
export type AlertCalls = ReturnType<typeof createAlertCalls>;

/**
 * The calls, each of which finds the caller's account and calls the service. A call throws what `accountOf`
 * and `RuleService` throw.
 * @param accountOf finds the account of a caller; throws ServiceError unauthorized or forbidden
 */
export function createAlertCalls(
  service: RuleService,
  accountOf: (caller: AlertCaller) => Promise<AccountRecord>,
) {
  return {
    listAlerts: async (request: AlertCaller) => service.list(await accountOf(request)),
    readAlert: async (request: AlertCaller & OfRule) =>
      service.read(await accountOf(request), request.alertId),
    createAlert: async (request: AlertCaller & { readonly body: CreateAlertRequest & Named }) =>
      service.create(await accountOf(request), request.body),
    ensureAlert: async (request: AlertCaller & { readonly body: CreateAlertRequest & Named }) =>
      service.ensure(await accountOf(request), request.body),
    checkAlert: async (request: AlertCaller & { readonly body: AlertPreviewRequest & Named }) =>
      service.check(await accountOf(request), request.body),
    changeAlert: async (request: AlertCaller & OfRule & { readonly body: ChangeAlertRequest & Named }) =>
      service.change(await accountOf(request), request.alertId, request.body),
    deleteAlert: async (request: AlertCaller & OfRule) => {
      await service.delete(await accountOf(request), request.alertId);
      return null;
    },
    testAlert: async (request: AlertCaller & OfRule) =>
      service.test(await accountOf(request), request.alertId),
    rotateAlertSecret: async (request: AlertCaller & OfRule) =>
      service.rotate(await accountOf(request), request.alertId),
    alertDeliveries: async (request: AlertCaller & OfRule & { readonly before: string | null }) =>
      service.deliveries(await accountOf(request), request.alertId, request.before),
    resendAlert: async (request: AlertCaller & OfRule & { readonly deliveryId: string }) => {
      await service.resend(await accountOf(request), request.alertId, request.deliveryId);
      return null;
    },
  };
}
