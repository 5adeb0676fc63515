// Accounts over HTTP, from sign-up to plan, and their keys. Each request says who asks by a session token, as a bearer or
// as a cookie; keys do not count here.

import { Type } from '@sinclair/typebox';
import type { Platform } from '../../accounts/platform.ts';
import { type Credentials, endedSessionCookie, sessionCookie } from '../../accounts/session.ts';
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
  SetPlanRequest,
  SignupAnswer,
  SignupRequest,
  VerifyRequest,
} from '../../contract/platform.ts';
import { Reply } from '../kit/reply.ts';
import { defineRoute, type HandlerContext, type RouteGroup } from '../kit/route.ts';

const ACCOUNT_ROUTE = { tags: ['Account'], access: 'account' } as const;

const KeyIdParams = Type.Object({
  key_id: Type.String({ minLength: 1, maxLength: 64, description: 'The `key_id` of a key; no secret.' }),
});

/**
 * @param platform the calls to the thread of accounts
 * @param isSecure whether the public URL is https, and the cookie for it alone
 */
export function platformRoutes(platform: Platform, isSecure: boolean): RouteGroup {
  return {
    name: 'platform',
    routes: [
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'POST',
        path: '/platform/signup',
        operationId: 'signUp',
        summary: 'Sign up',
        description:
          'Sends a six-digit code by mail. The answer does not tell whether the address has an account. A server that cannot send mail answers 403.',
        body: SignupRequest,
        response: SignupAnswer,
        errors: ['forbidden', 'rate_limit_exceeded', 'upstream_unavailable'],
        handle: ({ body }, { clientAddress }) => platform.signUp({ body, clientAddress }),
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'POST',
        path: '/platform/verify',
        operationId: 'verifyAccount',
        summary: 'Verify an address',
        description: 'Takes the code of the mail: six digits, 30 minutes, five tries.',
        body: VerifyRequest,
        response: AccountAnswer,
        errors: ['rate_limit_exceeded', 'upstream_unavailable'],
        handle: ({ body }, { clientAddress }) => platform.verify({ body, clientAddress }),
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'POST',
        path: '/platform/login',
        operationId: 'logIn',
        summary: 'Log in',
        description: 'Answers a session token, also set as an HttpOnly cookie. Sessions last 30 days.',
        body: LoginRequest,
        response: LoginAnswer,
        errors: ['unauthorized', 'rate_limit_exceeded', 'upstream_unavailable'],
        handle: async ({ body }, { clientAddress }) => {
          const answer = await platform.logIn({ body, clientAddress });
          return Reply.json(answer, {
            headers: { 'set-cookie': sessionCookie(answer.session_token, isSecure) },
          });
        },
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'POST',
        path: '/platform/logout',
        operationId: 'logOut',
        summary: 'Log out',
        description: 'Ends the session that asks.',
        response: LogoutAnswer,
        errors: ['unauthorized', 'forbidden', 'upstream_unavailable'],
        handle: async (_input, context) => {
          const answer = await platform.logOut({ credentials: credentialsOf(context) });
          return Reply.json(answer, { headers: { 'set-cookie': endedSessionCookie(isSecure) } });
        },
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'GET',
        path: '/platform/me',
        operationId: 'getAccount',
        summary: 'Who am I',
        description: 'The account of the session.',
        response: AccountAnswer,
        errors: ['unauthorized'],
        handle: (_input, context) => platform.account({ credentials: credentialsOf(context) }),
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'POST',
        path: '/platform/account/plan',
        operationId: 'setPlan',
        summary: 'Set the plan (development stub)',
        description:
          'Sets the plan with no payment while development mode is on. Disabled in production: 403.',
        body: SetPlanRequest,
        response: AccountAnswer,
        errors: ['invalid_request', 'unauthorized', 'forbidden', 'upstream_unavailable'],
        handle: ({ body }, context) => platform.setPlan({ body, credentials: credentialsOf(context) }),
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'GET',
        path: '/platform/keys',
        operationId: 'listKeys',
        summary: 'List keys',
        description: 'Keys of the account, revoked ones included. Never the key itself.',
        response: KeysAnswer,
        errors: ['unauthorized'],
        handle: (_input, context) => platform.keys({ credentials: credentialsOf(context) }),
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'POST',
        path: '/platform/keys',
        operationId: 'createKey',
        summary: 'Create a key',
        description: 'The answer holds the key, this once. A tier above the plan is 402.',
        body: CreateKeyRequest,
        response: KeyWithSecret,
        errors: [
          'invalid_request',
          'unauthorized',
          'forbidden',
          'plan_limit',
          'rate_limit_exceeded',
          'upstream_unavailable',
        ],
        handle: ({ body }, context) => platform.createKey({ body, credentials: credentialsOf(context) }),
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'POST',
        path: '/platform/keys/:key_id/rotate',
        operationId: 'rotateKey',
        summary: 'Rotate a key',
        description: 'Answers a new key, this once; the old one dies at once.',
        params: KeyIdParams,
        response: KeyWithSecret,
        errors: ['unauthorized', 'forbidden', 'not_found', 'upstream_unavailable'],
        handle: ({ params }, context) =>
          platform.rotateKey({ keyId: params.key_id, credentials: credentialsOf(context) }),
      }),
      defineRoute({
        ...ACCOUNT_ROUTE,
        method: 'DELETE',
        path: '/platform/keys/:key_id',
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        description: 'The key dies at once and stays in the list as revoked.',
        params: KeyIdParams,
        response: Key,
        errors: ['unauthorized', 'forbidden', 'not_found', 'upstream_unavailable'],
        handle: ({ params }, context) =>
          platform.revokeKey({ keyId: params.key_id, credentials: credentialsOf(context) }),
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
        handle: (_input, context) => platform.usage({ credentials: credentialsOf(context) }),
      }),
    ],
  };
}

/** The headers that say who asks. */
function credentialsOf(context: HandlerContext): Credentials {
  const { method } = context.request;
  return {
    authorization: context.header('authorization'),
    cookie: context.header('cookie'),
    origin: context.header('origin'),
    host: context.header('host'),
    isWrite: method !== 'GET' && method !== 'HEAD',
  };
}
