// Accounts over HTTP. Each request says who asks by a session token, as a bearer or as a cookie; keys do not count here.

import { endedSessionCookie, sessionCookie } from '../../accounts/session-cookie.ts';
import {
  AccountAnswer,
  LoginAnswer,
  LoginRequest,
  LogoutAnswer,
  SetPlanRequest,
  SignupAnswer,
  SignupRequest,
  VerifyRequest,
} from '../../contract/platform.ts';
import { Reply } from '../kit/reply.ts';
import { defineRoute, type RouteGroup } from '../kit/route.ts';
import { ACCOUNT_ROUTE, type PlatformServices, signedIn } from '../kit/signed-in.ts';
import { platformKeyRoutes } from './platform-keys.ts';

/**
 * Sign-up to plan, and the keys of an account.
 * @param opening the services, still opening: password hashing warms up while the server starts to listen
 * @param isSecure whether the public URL is https, and the cookie for it alone
 */
export function platformRoutes(opening: Promise<PlatformServices>, isSecure: boolean): RouteGroup {
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
          'Sends a six-digit code by mail. The answer does not tell whether the address has an account.',
        body: SignupRequest,
        response: SignupAnswer,
        errors: ['rate_limit_exceeded', 'upstream_unavailable'],
        handle: async ({ body }, { clientAddress }) => (await opening).people.signup(body, clientAddress),
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
        handle: async ({ body }, { clientAddress }) => (await opening).people.verify(body, clientAddress),
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
          const answer = await (await opening).people.login(body, clientAddress);
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
          const { people, session } = await signedIn(opening, context);
          const answer = await people.logout(session);
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
        handle: async (_input, context) => {
          const { people, session } = await signedIn(opening, context);
          return people.me(session);
        },
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
        handle: async ({ body }, context) => {
          const { people, session } = await signedIn(opening, context);
          return people.setPlan(body, session);
        },
      }),
      ...platformKeyRoutes(opening),
    ],
  };
}
