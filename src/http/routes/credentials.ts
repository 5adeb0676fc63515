// The routes for an account's password, e-mail address, sessions and deletion.

import type { Platform } from '../../accounts/platform.ts';
import { endedSessionCookies } from '../../accounts/sessions/session.ts';
import {
  AccountAnswer,
  ChangeEmailAnswer,
  ChangeEmailRequest,
  ChangePasswordRequest,
  ConfirmEmailRequest,
  DeleteAccountRequest,
  DeletedAnswer,
  EndSessionsRequest,
  ForgotPasswordRequest,
  LoginAnswer,
  PasswordChangedAnswer,
  ResetAskedAnswer,
  ResetPasswordRequest,
  SessionsAnswer,
  SessionsEndedAnswer,
} from '../../contract/platform.ts';
import { Reply } from '../kit/reply.ts';
import { defineRoute, type Route } from '../kit/route.ts';
import { ACCOUNT_ROUTE, clientOf, sessionOf, welcomeReply } from './platform.ts';

/** The errors of every route that requires the password of the session's account. */
const PASSWORD_ERRORS = ['unauthorized', 'forbidden', 'rate_limit_exceeded'] as const;

/**
 * @param platform the calls to the accounts thread
 * @param isSecure whether the public URL is https; cookies are then sent over HTTPS only
 */
export function credentialRoutes(platform: Platform, isSecure: boolean): Route[] {
  return [
    ...passwordRoutes(platform, isSecure),
    ...emailRoutes(platform),
    ...sessionRoutes(platform),
    deletionRoute(platform, isSecure),
  ];
}

/** Reset of a forgotten password, and change of a known one. */
function passwordRoutes(platform: Platform, isSecure: boolean): Route[] {
  return [
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/password/forgot',
      operationId: 'forgotPassword',
      summary: 'Ask for a new password',
      description:
        'Mails a code that can set a new password for an hour. The answer does not show whether the address has an account.',
      body: ForgotPasswordRequest,
      response: ResetAskedAnswer,
      errors: ['forbidden', 'rate_limit_exceeded'],
      handle: ({ body }, context) => platform.askForReset({ body, ...clientOf(context) }),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/password/reset',
      operationId: 'resetPassword',
      summary: 'Set a new password by mail',
      description: 'Takes the code of the mail, ends all sessions of the account and logs in.',
      body: ResetPasswordRequest,
      response: LoginAnswer,
      errors: ['rate_limit_exceeded'],
      handle: async ({ body }, context) =>
        welcomeReply(await platform.resetPassword({ body, ...clientOf(context) }), isSecure),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/account/password',
      operationId: 'changePassword',
      summary: 'Change the password',
      description: 'Takes the present password, ends all other sessions and notifies the owner by mail.',
      body: ChangePasswordRequest,
      response: PasswordChangedAnswer,
      errors: PASSWORD_ERRORS,
      handle: ({ body }, context) => platform.changePassword({ body, ...sessionOf(context) }),
    }),
  ];
}

/** Change to another e-mail address. */
function emailRoutes(platform: Platform): Route[] {
  return [
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/account/email',
      operationId: 'changeEmail',
      summary: 'Move the account to another address',
      description:
        'Mails a code to the new address and a notice to the old one. The answer does not show whether the new address has an account.',
      body: ChangeEmailRequest,
      response: ChangeEmailAnswer,
      errors: PASSWORD_ERRORS,
      handle: ({ body }, context) => platform.askForEmail({ body, ...sessionOf(context) }),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/account/email/confirm',
      operationId: 'confirmEmail',
      summary: 'Confirm the new address',
      description:
        'Takes the code that was mailed to the new address. The `id` of the account changes with its address; both addresses get a mail.',
      body: ConfirmEmailRequest,
      response: AccountAnswer,
      errors: PASSWORD_ERRORS,
      handle: ({ body }, context) =>
        platform.confirmEmail({ body, ...sessionOf(context), ...clientOf(context) }),
    }),
  ];
}

/** The active sessions of an account. */
function sessionRoutes(platform: Platform): Route[] {
  return [
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'GET',
      path: '/platform/sessions',
      operationId: 'listSessions',
      summary: 'List sessions',
      description: 'Live sessions of the account, with the client that logged in and the time of last use.',
      response: SessionsAnswer,
      errors: ['unauthorized'],
      handle: (_input, context) => platform.sessions(sessionOf(context)),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/sessions/end',
      operationId: 'endSessions',
      summary: 'End a session, or all others',
      description:
        'Takes the password. Ends the session with that `session_id`, or, without one, all other sessions.',
      body: EndSessionsRequest,
      response: SessionsEndedAnswer,
      errors: ['not_found', ...PASSWORD_ERRORS],
      handle: ({ body }, context) => platform.endSessions({ body, ...sessionOf(context) }),
    }),
  ];
}

function deletionRoute(platform: Platform, isSecure: boolean): Route {
  return defineRoute({
    ...ACCOUNT_ROUTE,
    method: 'POST',
    path: '/platform/account/delete',
    operationId: 'deleteAccount',
    summary: 'Delete the account',
    description: 'Takes the password. Deletes the account with its keys, which stop working at once.',
    body: DeleteAccountRequest,
    response: DeletedAnswer,
    errors: PASSWORD_ERRORS,
    handle: async ({ body }, context) => {
      const answer = await platform.deleteAccount({ body, ...sessionOf(context) });
      return Reply.json(answer, { headers: { 'set-cookie': endedSessionCookies(isSecure) } });
    },
  });
}
