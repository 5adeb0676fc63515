// All account calls behind /platform. They hash passwords and wait for the disk, so they run on the accounts
// thread, and take and return plain values.

import type { Static, TSchema } from '@sinclair/typebox';
import type {
  ChangeEmailRequest,
  ChangePasswordRequest,
  ConfirmEmailRequest,
  CreateKeyRequest,
  DeleteAccountRequest,
  EndSessionsRequest,
  ForgotPasswordRequest,
  LoginAnswer,
  LoginRequest,
  ResetPasswordRequest,
  SetPlanRequest,
  SignupRequest,
  VerifyRequest,
} from '../contract/platform.ts';
import type { SaveViewRequest } from '../contract/saved-views.ts';
import { ServiceError } from '../errors.ts';
import type { People } from './account-service.ts';
import type { KeyService } from './keys/key-service.ts';
import type { Credentials, Session, Sessions } from './sessions/session.ts';
import type { SavedViews } from './views/saved-views.ts';

/** A request, with what is known of its client. */
export interface FromClient<Body extends TSchema> {
  readonly body: Static<Body>;
  readonly clientAddress: string;
  /** The token of the client's device cookie, or null. */
  readonly device: string | null;
  /** The client's name in words, or null when it does not send one. */
  readonly clientName: string | null;
  /** The tokens of the client's session cookies. A login ends those sessions. */
  readonly formerSessions: readonly string[];
}

/** A new session, and the token for the client's device cookie. */
export interface Welcomed {
  readonly answer: Static<typeof LoginAnswer>;
  readonly device: string;
}

interface InSession {
  readonly credentials: Credentials;
}

/** A request made in a session, with a body. */
interface FromSession<Body extends TSchema> extends InSession {
  readonly body: Static<Body>;
}

export interface PeopleCount {
  /** All accounts, verified or not. */
  readonly signUps: number;
  readonly verified: number;
}

export interface PlatformServices {
  readonly people: People;
  readonly keys: KeyService;
  readonly sessions: Sessions;
  readonly views: SavedViews;
  readonly operator: {
    /** Addresses whose accounts belong to the operator, lower case. */
    readonly emails: readonly string[];
    count(): Promise<PeopleCount>;
  };
}

/**
 * Finds the session of a request. @throws ServiceError unauthorized or forbidden, as the methods of
 * `createPlatform` do
 */
type SessionOf = (request: InSession) => Promise<Session>;

/** What `createPlatform` makes, and what other threads call by messages. */
export type Platform = ReturnType<typeof createPlatform>;

/**
 * Every call, for the thread that has the database connection. The calls throw what the services throw, and
 * `unauthorized` or `forbidden` from the check of the session.
 */
export function createPlatform({ people, keys, sessions, views, operator }: PlatformServices) {
  const { accounts, credentials, guard } = people;
  const sessionOf: SessionOf = ({ credentials }) => sessions.authenticate(credentials);
  const isOperator = (account: Session['account']): boolean => isOperatorOf(account, operator.emails);
  async function welcome(
    { clientAddress, device, formerSessions }: FromClient<TSchema>,
    answer: Static<typeof LoginAnswer>,
  ): Promise<Welcomed> {
    await accounts.endSessions(formerSessions);
    return { answer, device: await guard.welcome(answer.account.id, { address: clientAddress, device }) };
  }
  return {
    signUp: ({ body, clientAddress }: FromClient<typeof SignupRequest>) =>
      accounts.signup(body, clientAddress),
    verify: async ({ body, clientAddress, device }: FromClient<typeof VerifyRequest>) => {
      const answer = await accounts.verify(body, clientAddress);
      await guard.welcome(answer.account.id, { address: clientAddress, device });
      return answer;
    },
    logIn: async (request: FromClient<typeof LoginRequest>) => {
      const { body, clientAddress } = request;
      return await welcome(request, await accounts.login(body, clientAddress, request));
    },
    askForReset: ({ body, clientAddress }: FromClient<typeof ForgotPasswordRequest>) =>
      credentials.askForReset(body, clientAddress),
    resetPassword: async (request: FromClient<typeof ResetPasswordRequest>) =>
      welcome(
        request,
        await credentials.resetPassword(request.body, request.clientAddress, request.clientName),
      ),
    sessions: async (request: InSession) => people.sessions.list(await sessionOf(request)),
    endSessions: async (request: FromSession<typeof EndSessionsRequest>) =>
      people.sessions.end(request.body, await sessionOf(request)),
    changePassword: async (request: FromSession<typeof ChangePasswordRequest>) =>
      credentials.changePassword(request.body, await sessionOf(request)),
    askForEmail: async (request: FromSession<typeof ChangeEmailRequest>) =>
      credentials.askForEmail(request.body, await sessionOf(request)),
    confirmEmail: async (request: FromClient<typeof ConfirmEmailRequest> & InSession) => {
      const client = { address: request.clientAddress, device: request.device };
      return await credentials.confirmEmail(request.body, await sessionOf(request), client);
    },
    deleteAccount: async (request: FromSession<typeof DeleteAccountRequest>) =>
      credentials.deleteAccount(request.body, await sessionOf(request)),
    logOut: async (request: InSession) => accounts.logout(await sessionOf(request)),
    account: async (request: InSession) => {
      const session = await sessionOf(request);
      return { ...accounts.me(session), operator: isOperator(session.account) };
    },
    setPlan: async (request: FromSession<typeof SetPlanRequest>) =>
      accounts.setPlan(request.body, await sessionOf(request)),
    ...keyCalls(keys, sessionOf),
    ...viewCalls(views, sessionOf),
    /** The number of accounts. For the operator only. @throws ServiceError forbidden for anyone else */
    people: async (request: InSession) => {
      const { account } = await sessionOf(request);
      if (!isOperator(account)) throw notOperator();
      return operator.count();
    },
  };
}

/** The calls about API keys. */
function keyCalls(keys: PlatformServices['keys'], sessionOf: SessionOf) {
  return {
    keys: async (request: InSession) => keys.list(await sessionOf(request)),
    createKey: async (request: FromSession<typeof CreateKeyRequest>) =>
      keys.create(request.body, await sessionOf(request)),
    rotateKey: async (request: InSession & { readonly keyId: string }) =>
      keys.rotate(request.keyId, await sessionOf(request)),
    revokeKey: async (request: InSession & { readonly keyId: string }) =>
      keys.revoke(request.keyId, await sessionOf(request)),
    usage: async (request: InSession) => keys.usage(await sessionOf(request)),
  };
}

/** The calls about saved views. */
function viewCalls(views: PlatformServices['views'], sessionOf: SessionOf) {
  return {
    views: async (request: InSession) => views.list(await sessionOf(request)),
    saveView: async (request: FromSession<typeof SaveViewRequest>) =>
      views.save(request.body, await sessionOf(request)),
    deleteView: async (request: InSession & { readonly viewId: string }) =>
      views.delete(request.viewId, await sessionOf(request)),
  };
}

/** Whether an account belongs to the operator of the server. @param emails lower case */
export function isOperatorOf(
  { verifiedAtMs, email }: Pick<Session['account'], 'verifiedAtMs' | 'email'>,
  emails: readonly string[],
): boolean {
  return verifiedAtMs !== null && emails.includes(email);
}

function notOperator(): ServiceError {
  return new ServiceError('forbidden', 'Cannot show this: it is for the operator of this server', {
    fix: 'Log in with an address that the setting OPERATOR_EMAILS names',
  });
}
