// The calls behind /platform/alerts and the tools about alerts. They take and return plain values and run on
// the accounts thread, which has the database.

import type { AccountRecord } from '../accounts/records.ts';
import type { Credentials } from '../accounts/sessions/session.ts';
import type { AlertDelivery } from '../contract/alerts/alert-deliveries.ts';
import type { AlertPreviewRequest } from '../contract/alerts/alert-preview.ts';
import type {
  Alert,
  AlertWithSecret,
  ChangeAlertRequest,
  CreateAlertRequest,
} from '../contract/alerts/alert-rules.ts';
import type { CheckedRule, Named, RuleService } from './rules/rule-service.ts';

/** A request in a session, or with a key of an account. */
export type AlertCaller = { readonly credentials: Credentials } | { readonly keyId: string };

interface OfRule {
  readonly alertId: string;
}

/**
 * @throws ServiceError as `RuleService` does, and `unauthorized` or `forbidden` from the check of the caller
 */
export interface AlertCalls {
  listAlerts(request: AlertCaller): Promise<Alert[]>;
  readAlert(request: AlertCaller & OfRule): Promise<Alert>;
  createAlert(request: AlertCaller & { readonly body: CreateAlertRequest & Named }): Promise<AlertWithSecret>;
  /**
   * Same as `createAlert`, but if the account already has this rule, returns the existing rule without its
   * secret.
   */
  ensureAlert(request: AlertCaller & { readonly body: CreateAlertRequest & Named }): Promise<AlertWithSecret>;
  /** Checks a rule as `createAlert` does. @returns what the account may see, and the rule as a sentence */
  checkAlert(request: AlertCaller & { readonly body: AlertPreviewRequest & Named }): Promise<CheckedRule>;
  changeAlert(request: AlertCaller & OfRule & { readonly body: ChangeAlertRequest & Named }): Promise<Alert>;
  deleteAlert(request: AlertCaller & OfRule): Promise<null>;
  testAlert(request: AlertCaller & OfRule): Promise<string>;
  rotateAlertSecret(request: AlertCaller & OfRule): Promise<AlertWithSecret>;
  alertDeliveries(request: AlertCaller & OfRule): Promise<AlertDelivery[]>;
  resendAlert(request: AlertCaller & OfRule & { readonly deliveryId: string }): Promise<null>;
}

export const ALERT_CALLS = [
  'listAlerts',
  'readAlert',
  'createAlert',
  'ensureAlert',
  'checkAlert',
  'changeAlert',
  'deleteAlert',
  'testAlert',
  'rotateAlertSecret',
  'alertDeliveries',
  'resendAlert',
] as const satisfies readonly (keyof AlertCalls)[];

/** @param accountOf finds the account of a caller; throws ServiceError unauthorized, forbidden */
export function createAlertCalls(
  service: RuleService,
  accountOf: (caller: AlertCaller) => Promise<AccountRecord>,
): AlertCalls {
  return {
    listAlerts: async (request) => service.list(await accountOf(request)),
    readAlert: async (request) => service.read(await accountOf(request), request.alertId),
    createAlert: async (request) => service.create(await accountOf(request), request.body),
    ensureAlert: async (request) => service.ensure(await accountOf(request), request.body),
    checkAlert: async (request) => service.check(await accountOf(request), request.body),
    changeAlert: async (request) => service.change(await accountOf(request), request.alertId, request.body),
    deleteAlert: async (request) => {
      await service.delete(await accountOf(request), request.alertId);
      return null;
    },
    testAlert: async (request) => service.test(await accountOf(request), request.alertId),
    rotateAlertSecret: async (request) => service.rotate(await accountOf(request), request.alertId),
    alertDeliveries: async (request) => service.deliveries(await accountOf(request), request.alertId),
    resendAlert: async (request) => {
      await service.resend(await accountOf(request), request.alertId, request.deliveryId);
      return null;
    },
  };
}
