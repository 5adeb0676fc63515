// Who is signed in, and the account's keys and usage.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
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
import { texts } from '../texts.ts';

export type Account = Static<typeof AccountSchema>;
export type ApiKey = Static<typeof Key>;
export type NewKey = Static<typeof KeyWithSecret>;
export type Usage = Static<typeof AccountUsageAnswer>;

export const account = signal<Account | 'loading' | null>('loading');
export const keys = signal<readonly ApiKey[] | null>(null);
export const usage = signal<Usage | null>(null);
export const sessions = signal<Static<typeof SessionsAnswer>['sessions'] | null>(null);
/** A key that was just made; gone once it was put away. */
export const shownKey = signal<NewKey | null>(null);
/** What could not be loaded. */
export const trouble = signal<ApiFailure | null>(null);

/** Whether the account is the operator's, who has a page more. */
export const isOperator = signal(false);

export function signedIn(who: Account): void {
  account.value = who;
  void loadAccount();
}

/** Nothing that the account could see is kept, a key that the visitor gave to the board included. */
export function signedOut(): void {
  account.value = null;
  isOperator.value = false;
  keys.value = null;
  usage.value = null;
  sessions.value = null;
  shownKey.value = null;
  useKey(null);
  remember('signed-in', null);
}

/** Logs out of this browser at once, whether the server answers or not. */
export async function logOut(): Promise<void> {
  signedOut();
  trouble.value = null;
  remember('leaving', '1');
  try {
    await endLeftSession();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    trouble.value = new ApiFailure(texts.console.leftUnheard);
  }
}

/** Runs a call whose failure is told in `trouble`; a session that has ended leads back to the log-in. */
export async function tellingTrouble(run: () => Promise<void>): Promise<void> {
  try {
    trouble.value = null;
    await run();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) signedOut();
    else trouble.value = error;
  }
}

export function loadAccount(): Promise<void> {
  return tellingTrouble(async () => {
    const answer = await callJson<Static<typeof MeAnswer>>('/platform/me');
    account.value = answer.account;
    isOperator.value = answer.operator;
    remember('signed-in', '1');
    await loadKeys();
  });
}

export function loadKeys(): Promise<void> {
  return tellingTrouble(async () => {
    keys.value = (await callJson<Static<typeof KeysAnswer>>('/platform/keys')).keys;
  });
}

export function loadUsage(): Promise<void> {
  return tellingTrouble(async () => {
    if (keys.value === null) await loadKeys();
    usage.value = await callJson<Usage>('/platform/usage');
  });
}
