// The routes for accounts, from sign-up to plan, and for their keys. Except for sign-up, verification and
// log-in, a request is authenticated by a session token, sent as a bearer token or a cookie. API keys are not
// accepted here.

import { type TSchema, Type } from '@sinclair/typebox';
import type { FromClient, Platform, Welcomed } from '../../accounts/platform.ts';
import {
  type Credentials,
  clientNameOf,
  deviceCookie,
  deviceOf,
  endedSessionCookies,
  sessionCookie,
  sessionTokensOf,
} from '../../accounts/sessions/session.ts';
import {
  AccountAnswer,
  AccountUsageAnswer,
  CreateKeyRequest,
  Key,
  KeysAnswer,
  KeyWithSecret,
  LoginAnswer,
  LoginRequest,
  LogoutAnswer,
  MeAnswer,
  SetPlanRequest,
  SignupAnswer,
  SignupRequest,
  VerifyRequest,
} from '../../contract/platform.ts';
import { Reply } from '../kit/reply.ts';
import type { HandlerContext } from '../kit/request/handler-context.ts';
import { defineRoute, type Route } from '../kit/route.ts';

export const ACCOUNT_ROUTE = { tags: ['Account'], access: 'account' } as const;

const KeyIdParams = Type.Object({
  key_id: Type.String({ minLength: 1, maxLength: 64, description: 'The `key_id` of a key; no secret.' }),
});

/**
 * @param platform the calls to the accounts thread
 * @param isSecure whether the public URL is https; the cookie is then sent over HTTPS only
 */
export function platformRoutes(platform: Platform, isSecure: boolean): Route[] {
  return [...sessionRoutes(platform, isSecure), ...accountRoutes(platform), ...keyRoutes(platform)];
}

/** Sign-up, log-in and log-out. */
function sessionRoutes(platform: Platform, isSecure: boolean): Route[] {
  return [
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/signup',
      operationId: 'signUp',
      summary: 'Sign up',
      description:
        'Sends a six-digit code by mail. The answer does not show whether the address has an account. A server that cannot send mail answers 403.',
      body: SignupRequest,
      response: SignupAnswer,
      errors: ['forbidden', 'rate_limit_exceeded'],
      handle: ({ body }, context) => platform.signUp({ body, ...clientOf(context) }),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/verify',
      operationId: 'verifyAccount',
      summary: 'Verify an address',
      description:
        'Takes the code of the mail within 30 minutes: the six digits, with at most five tries, or the long code below them.',
      body: VerifyRequest,
      response: AccountAnswer,
      errors: ['rate_limit_exceeded'],
      handle: ({ body }, context) => platform.verify({ body, ...clientOf(context) }),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/login',
      operationId: 'logIn',
      summary: 'Log in',
      description:
        'Returns a session token, which is also set as an HttpOnly cookie. A session lasts 30 days, and ends sooner when it is not used (seven days, unless the operator sets another time). If the request has a session cookie, that session ends. A second cookie, `overround_device`, lets this device log in while strangers who guess passwords are locked out. Where the site is https, both names begin with `__Host-`.',
      body: LoginRequest,
      response: LoginAnswer,
      errors: ['unauthorized', 'rate_limit_exceeded'],
      handle: async ({ body }, context) =>
        welcomeReply(await platform.logIn({ body, ...clientOf(context) }), isSecure),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/logout',
      operationId: 'logOut',
      summary: 'Log out',
      description: 'Ends the session of this request.',
      response: LogoutAnswer,
      errors: ['unauthorized', 'forbidden'],
      handle: async (_input, context) => {
        const answer = await platform.logOut(sessionOf(context));
        return Reply.json(answer, { headers: { 'set-cookie': endedSessionCookies(isSecure) } });
      },
    }),
  ];
}

/** The account, and what its plan includes. */
function accountRoutes(platform: Platform): Route[] {
  return [
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'GET',
      path: '/platform/me',
      operationId: 'getAccount',
      summary: 'Who am I',
      description: 'The account of the session.',
      response: MeAnswer,
      errors: ['unauthorized'],
      handle: (_input, context) => platform.account(sessionOf(context)),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/account/plan',
      operationId: 'setPlan',
      summary: 'Set the plan (development stub)',
      description: 'Sets the plan with no payment while development mode is on. Disabled in production: 403.',
      body: SetPlanRequest,
      response: AccountAnswer,
      errors: ['unauthorized', 'forbidden'],
      handle: ({ body }, context) => platform.setPlan({ body, ...sessionOf(context) }),
    }),
  ];
}

/** The account's keys, and their usage. */
function keyRoutes(platform: Platform): Route[] {
  return [
    ...newKeyRoutes(platform),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'DELETE',
      path: '/platform/keys/:key_id',
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description: 'The key stops working at once and stays in the list as revoked.',
      params: KeyIdParams,
      response: Key,
      errors: ['unauthorized', 'forbidden', 'not_found'],
      handle: ({ params }, context) => platform.revokeKey({ keyId: params.key_id, ...sessionOf(context) }),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'GET',
      path: '/platform/usage',
      operationId: 'getAccountUsage',
      summary: 'Usage of the account',
      description: 'Requests of each key and of all together since the server started.',
      response: AccountUsageAnswer,
      errors: ['unauthorized'],
      handle: (_input, context) => platform.usage(sessionOf(context)),
    }),
  ];
}

/** The list of keys, and the two routes whose answer holds a new key. */
function newKeyRoutes(platform: Platform): Route[] {
  return [
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'GET',
      path: '/platform/keys',
      operationId: 'listKeys',
      summary: 'List keys',
      description: 'Keys of the account, revoked ones included. Never the key itself.',
      response: KeysAnswer,
      errors: ['unauthorized'],
      handle: (_input, context) => platform.keys(sessionOf(context)),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/keys',
      operationId: 'createKey',
      summary: 'Create a key',
      description:
        'The answer shows the key, only this once. A tier above the plan is 402. A key may expire (`expires_at`) and be bound to addresses (`allowed_addresses`).',
      body: CreateKeyRequest,
      response: KeyWithSecret,
      errors: ['unauthorized', 'forbidden', 'plan_limit', 'rate_limit_exceeded'],
      handle: ({ body }, context) => platform.createKey({ body, ...sessionOf(context) }),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/keys/:key_id/rotate',
      operationId: 'rotateKey',
      summary: 'Rotate a key',
      description: 'The answer shows the new key, only this once. The old one stops working at once.',
      params: KeyIdParams,
      response: KeyWithSecret,
      errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limit_exceeded'],
      handle: ({ params }, context) => platform.rotateKey({ keyId: params.key_id, ...sessionOf(context) }),
    }),
  ];
}

/** The headers that authenticate a request. */
export function sessionOf(context: HandlerContext): { readonly credentials: Credentials } {
  const { method } = context.request;
  return {
    credentials: {
      authorization: context.header('authorization'),
      cookie: context.header('cookie'),
      origin: context.header('origin'),
      host: context.header('host'),
      isWrite: method !== 'GET' && method !== 'HEAD',
    },
  };
}

/** What is known of a request's client. */
export function clientOf(context: HandlerContext): Omit<FromClient<TSchema>, 'body'> {
  const cookie = context.header('cookie');
  return {
    clientAddress: context.clientAddress,
    device: deviceOf(cookie),
    clientName: clientNameOf(context.header('user-agent')),
    formerSessions: sessionTokensOf(cookie),
  };
}

/** The answer to a new session, with its two cookies. */
export function welcomeReply({ answer, device }: Welcomed, isSecure: boolean): Reply {
  const cookies = [sessionCookie(answer.session_token, isSecure), deviceCookie(device, isSecure)];
  return Reply.json(answer, { headers: { 'set-cookie': cookies } });
}
