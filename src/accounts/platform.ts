// All account calls behind /platform. They hash passwords and wait for the disk, so they run on the accounts
// thread, and take and return plain values.

import type { Static, TSchema } from '@sinclair/typebox';
import type {
  AccountAnswer,
  AccountUsageAnswer,
  ChangeEmailAnswer,
  ChangeEmailRequest,
  ChangePasswordRequest,
  ConfirmEmailRequest,
  CreateKeyRequest,
  DeleteAccountRequest,
  DeletedAnswer,
  EndSessionsRequest,
  ForgotPasswordRequest,
  Key,
  KeysAnswer,
  KeyWithSecret,
  LoginAnswer,
  LoginRequest,
  LogoutAnswer,
  MeAnswer,
  PasswordChangedAnswer,
  ResetAskedAnswer,
  ResetPasswordRequest,
  SessionsAnswer,
  SessionsEndedAnswer,
  SetPlanRequest,
  SignupAnswer,
  SignupRequest,
  VerifyRequest,
} from '../contract/platform.ts';
import type { SavedView, SavedViewsAnswer, SaveViewRequest } from '../contract/saved-views.ts';
import { ServiceError } from '../errors.ts';
import type { People } from './account-service.ts';
import type { KeyService } from './keys/key-service.ts';
import type { Credentials, Session, Sessions } from './sessions/session.ts';
import type { SavedViews } from './views/saved-views.ts';

/** A request from a client that has no session yet. */
export interface FromClient<Body extends TSchema> {
  readonly body: Static<Body>;
  readonly clientAddress: string;
  /** The token of its device cookie, or null. */
  readonly device: string | null;
  /** The client's name in words, or null when it does not send one. */
  readonly clientName: string | null;
  /** The tokens of its session cookies. A login ends those sessions. */
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

/**
 * @throws ServiceError, ValidationError as the services do; `unauthorized` and `forbidden` from session
 * checks
 */
export interface Platform {
  signUp(request: FromClient<typeof SignupRequest>): Promise<Static<typeof SignupAnswer>>;
  verify(request: FromClient<typeof VerifyRequest>): Promise<Static<typeof AccountAnswer>>;
  logIn(request: FromClient<typeof LoginRequest>): Promise<Welcomed>;
  askForReset(request: FromClient<typeof ForgotPasswordRequest>): Promise<Static<typeof ResetAskedAnswer>>;
  resetPassword(request: FromClient<typeof ResetPasswordRequest>): Promise<Welcomed>;
  logOut(request: InSession): Promise<Static<typeof LogoutAnswer>>;
  account(request: InSession): Promise<Static<typeof MeAnswer>>;
  sessions(request: InSession): Promise<Static<typeof SessionsAnswer>>;
  endSessions(request: FromSession<typeof EndSessionsRequest>): Promise<Static<typeof SessionsEndedAnswer>>;
  changePassword(
    request: FromSession<typeof ChangePasswordRequest>,
  ): Promise<Static<typeof PasswordChangedAnswer>>;
  askForEmail(request: FromSession<typeof ChangeEmailRequest>): Promise<Static<typeof ChangeEmailAnswer>>;
  confirmEmail(request: FromSession<typeof ConfirmEmailRequest>): Promise<Static<typeof AccountAnswer>>;
  deleteAccount(request: FromSession<typeof DeleteAccountRequest>): Promise<Static<typeof DeletedAnswer>>;
  setPlan(request: FromSession<typeof SetPlanRequest>): Promise<Static<typeof AccountAnswer>>;
  keys(request: InSession): Promise<Static<typeof KeysAnswer>>;
  createKey(request: FromSession<typeof CreateKeyRequest>): Promise<Static<typeof KeyWithSecret>>;
  rotateKey(request: InSession & { readonly keyId: string }): Promise<Static<typeof KeyWithSecret>>;
  revokeKey(request: InSession & { readonly keyId: string }): Promise<Static<typeof Key>>;
  usage(request: InSession): Promise<Static<typeof AccountUsageAnswer>>;
  views(request: InSession): Promise<Static<typeof SavedViewsAnswer>>;
  saveView(request: FromSession<typeof SaveViewRequest>): Promise<Static<typeof SavedView>>;
  deleteView(request: InSession & { readonly viewId: string }): Promise<{ readonly deleted: true }>;
  /** The number of accounts. For the operator only. @throws ServiceError forbidden for anyone else */
  people(request: InSession): Promise<PeopleCount>;
}

export interface PeopleCount {
  /** All accounts, verified or not. */
  readonly signUps: number;
  readonly verified: number;
}

export const PLATFORM_CALLS = [
  'signUp',
  'verify',
  'logIn',
  'askForReset',
  'resetPassword',
  'logOut',
  'account',
  'sessions',
  'endSessions',
  'changePassword',
  'askForEmail',
  'confirmEmail',
  'deleteAccount',
  'setPlan',
  'keys',
  'createKey',
  'rotateKey',
  'revokeKey',
  'usage',
  'views',
  'saveView',
  'deleteView',
  'people',
] as const satisfies readonly (keyof Platform)[];

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

/** Implements the calls with the services, on the thread that has the database connection. */
export function createPlatform({ people, keys, sessions, views, operator }: PlatformServices): Platform {
  const { accounts, credentials, guard } = people;
  const sessionOf = ({ credentials }: InSession): Promise<Session> => sessions.authenticate(credentials);
  const isOperator = (account: Session['account']): boolean => isOperatorOf(account, operator.emails);
  async function welcome(
    { clientAddress, device, formerSessions }: FromClient<TSchema>,
    answer: Static<typeof LoginAnswer>,
  ): Promise<Welcomed> {
    await accounts.endSessions(formerSessions);
    return { answer, device: await guard.welcome(answer.account.id, { address: clientAddress, device }) };
  }
  return {
    signUp: ({ body, clientAddress }) => accounts.signup(body, clientAddress),
    verify: async ({ body, clientAddress, device }) => {
      const answer = await accounts.verify(body, clientAddress);
      await guard.welcome(answer.account.id, { address: clientAddress, device });
      return answer;
    },
    logIn: async (request) => {
      const { body, clientAddress } = request;
      return await welcome(request, await accounts.login(body, clientAddress, request));
    },
    askForReset: ({ body, clientAddress }) => credentials.askForReset(body, clientAddress),
    resetPassword: async (request) =>
      welcome(
        request,
        await credentials.resetPassword(request.body, request.clientAddress, request.clientName),
      ),
    sessions: async (request) => people.sessions.list(await sessionOf(request)),
    endSessions: async (request) => people.sessions.end(request.body, await sessionOf(request)),
    changePassword: async (request) => credentials.changePassword(request.body, await sessionOf(request)),
    askForEmail: async (request) => credentials.askForEmail(request.body, await sessionOf(request)),
    confirmEmail: async (request) => credentials.confirmEmail(request.body, await sessionOf(request)),
    deleteAccount: async (request) => credentials.deleteAccount(request.body, await sessionOf(request)),
    logOut: async (request) => accounts.logout(await sessionOf(request)),
    account: async (request) => {
      const session = await sessionOf(request);
      return { ...accounts.me(session), operator: isOperator(session.account) };
    },
    setPlan: async (request) => accounts.setPlan(request.body, await sessionOf(request)),
    keys: async (request) => keys.list(await sessionOf(request)),
    createKey: async (request) => keys.create(request.body, await sessionOf(request)),
    rotateKey: async (request) => keys.rotate(request.keyId, await sessionOf(request)),
    revokeKey: async (request) => keys.revoke(request.keyId, await sessionOf(request)),
    usage: async (request) => keys.usage(await sessionOf(request)),
    views: async (request) => views.list(await sessionOf(request)),
    saveView: async (request) => views.save(request.body, await sessionOf(request)),
    deleteView: async (request) => views.delete(request.viewId, await sessionOf(request)),
    people: async (request) => {
      const { account } = await sessionOf(request);
      if (!isOperator(account)) throw notOperator();
      return operator.count();
    },
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
