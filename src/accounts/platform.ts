// Everything that /platform asks of accounts, as calls that take and answer plain values, so that they can run on a
// thread of their own: they hash passwords and wait for the disk.

import type { Static } from '@sinclair/typebox';
import type {
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
} from '../contract/platform.ts';
import type { AccountService } from './account-service.ts';
import type { KeyService } from './key-service.ts';
import type { Credentials, Session, Sessions } from './session.ts';

/** What a client sends before it has a session. */
export interface FromClient<Body> {
  readonly body: Body;
  readonly clientAddress: string;
}

/** What a session asks. */
export interface FromSession {
  readonly credentials: Credentials;
}

/** @throws ServiceError, ValidationError as the services behind it do; `unauthorized` and `forbidden` of a session */
export interface Platform {
  signUp(request: FromClient<Static<typeof SignupRequest>>): Promise<Static<typeof SignupAnswer>>;
  verify(request: FromClient<Static<typeof VerifyRequest>>): Promise<Static<typeof AccountAnswer>>;
  logIn(request: FromClient<Static<typeof LoginRequest>>): Promise<Static<typeof LoginAnswer>>;
  logOut(request: FromSession): Promise<Static<typeof LogoutAnswer>>;
  account(request: FromSession): Promise<Static<typeof AccountAnswer>>;
  setPlan(
    request: FromSession & { readonly body: Static<typeof SetPlanRequest> },
  ): Promise<Static<typeof AccountAnswer>>;
  keys(request: FromSession): Promise<Static<typeof KeysAnswer>>;
  createKey(
    request: FromSession & { readonly body: Static<typeof CreateKeyRequest> },
  ): Promise<Static<typeof KeyWithSecret>>;
  rotateKey(request: FromSession & { readonly keyId: string }): Promise<Static<typeof KeyWithSecret>>;
  revokeKey(request: FromSession & { readonly keyId: string }): Promise<Static<typeof Key>>;
  usage(request: FromSession): Promise<Static<typeof AccountUsageAnswer>>;
}

/** The name of every call. */
export const PLATFORM_CALLS = [
  'signUp',
  'verify',
  'logIn',
  'logOut',
  'account',
  'setPlan',
  'keys',
  'createKey',
  'rotateKey',
  'revokeKey',
  'usage',
] as const satisfies readonly (keyof Platform)[];

export interface PlatformServices {
  readonly people: AccountService;
  readonly keys: KeyService;
  readonly sessions: Sessions;
}

/** The calls over the services, on the thread that has the connection. */
export function createPlatform({ people, keys, sessions }: PlatformServices): Platform {
  const sessionOf = ({ credentials }: FromSession): Promise<Session> => sessions.authenticate(credentials);
  return {
    signUp: ({ body, clientAddress }) => people.signup(body, clientAddress),
    verify: ({ body, clientAddress }) => people.verify(body, clientAddress),
    logIn: ({ body, clientAddress }) => people.login(body, clientAddress),
    logOut: async (request) => people.logout(await sessionOf(request)),
    account: async (request) => people.me(await sessionOf(request)),
    setPlan: async (request) => people.setPlan(request.body, await sessionOf(request)),
    keys: async (request) => keys.list(await sessionOf(request)),
    createKey: async (request) => keys.create(request.body, await sessionOf(request)),
    rotateKey: async (request) => keys.rotate(request.keyId, await sessionOf(request)),
    revokeKey: async (request) => keys.revoke(request.keyId, await sessionOf(request)),
    usage: async (request) => keys.usage(await sessionOf(request)),
  };
}
