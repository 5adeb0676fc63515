// The signed-in account: its keys, usage, sessions and alert rules.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { Alert, AlertsAnswer } from '../../../contract/alerts/alert-rules.ts';
import type {
  Account as AccountSchema,
  AccountUsageAnswer,
  Key,
  KeysAnswer,
  KeyWithSecret,
  MeAnswer,
  SessionsAnswer,
} from '../../../contract/platform.ts';
import { ApiFailure, callJson, endLeftSession } from '../data/api.ts';
import { remember, useKey } from '../data/choices.ts';
import { consoleTexts } from './console-texts.ts';

export type Account = Static<typeof AccountSchema>;
export type ApiKey = Static<typeof Key>;
export type IssuedKey = Static<typeof KeyWithSecret>;
export type Usage = Static<typeof AccountUsageAnswer>;

export const account = signal<Account | 'loading' | null>('loading');
export const keys = signal<readonly ApiKey[] | null>(null);
export const usage = signal<Usage | null>(null);
export const sessions = signal<Static<typeof SessionsAnswer>['sessions'] | null>(null);
/** The rules of the account. */
export const alerts = signal<readonly Alert[] | null>(null);
/** A key that was just created, until the visitor dismisses it. */
export const shownKey = signal<IssuedKey | null>(null);
/** The last failure to load or change something. */
export const lastFailure = signal<ApiFailure | null>(null);

/** Whether the account belongs to the operator, who also has the operator page. */
export const isOperator = signal(false);

export function signedIn(signedInAccount: Account): void {
  account.value = signedInAccount;
  void loadAccount();
}

/**
 * Clears everything that only this account may see, including an API key that the visitor entered on the
 * board.
 */
export function signedOut(): void {
  account.value = null;
  isOperator.value = false;
  keys.value = null;
  usage.value = null;
  alerts.value = null;
  sessions.value = null;
  shownKey.value = null;
  useKey(null);
  remember('signed-in', null);
}

/** Logs out in this browser immediately, even if the server does not answer. */
export async function logOut(): Promise<void> {
  signedOut();
  lastFailure.value = null;
  remember('leaving', '1');
  try {
    await endLeftSession();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    lastFailure.value = new ApiFailure(consoleTexts.loggedOutOffline);
  }
}

/** Runs a call and puts its failure into `lastFailure`. If the session has ended, shows the log-in form. */
export async function catchingFailure(run: () => Promise<void>): Promise<void> {
  try {
    lastFailure.value = null;
    await run();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) signedOut();
    else lastFailure.value = error;
  }
}

export function loadAccount(): Promise<void> {
  return catchingFailure(async () => {
    const answer = await callJson<Static<typeof MeAnswer>>('/platform/me');
    account.value = answer.account;
    isOperator.value = answer.operator;
    remember('signed-in', '1');
    await loadKeys();
  });
}

export function loadKeys(): Promise<void> {
  return catchingFailure(async () => {
    keys.value = (await callJson<Static<typeof KeysAnswer>>('/platform/keys')).keys;
  });
}

export function loadAlerts(): Promise<void> {
  return catchingFailure(async () => {
    alerts.value = (await callJson<Static<typeof AlertsAnswer>>('/platform/alerts')).alerts;
  });
}

export function loadUsage(): Promise<void> {
  return catchingFailure(async () => {
    if (keys.value === null) await loadKeys();
    usage.value = await callJson<Usage>('/platform/usage');
  });
}
