// What every account route shares: its place in the documents, the services behind it, and who asks.

import type { AccountService } from '../../accounts/account-service.ts';
import type { KeyService } from '../../accounts/key-service.ts';
import type { Session, Sessions } from '../../accounts/session.ts';
import type { RequestContext } from './route.ts';

export const ACCOUNT_ROUTE = { tags: ['Account'], access: 'account' } as const;

export interface PlatformServices {
  readonly people: AccountService;
  readonly keys: KeyService;
  readonly sessions: Sessions;
}

/** The services and the session of a request. @throws ServiceError `unauthorized`, `forbidden` */
export async function signedIn(
  opening: Promise<PlatformServices>,
  context: RequestContext,
): Promise<PlatformServices & { readonly session: Session }> {
  const services = await opening;
  const session = await services.sessions.authenticate({
    authorization: context.header('authorization'),
    cookie: context.header('cookie'),
    origin: context.header('origin'),
    host: context.header('host'),
    isWrite: context.request.method !== 'GET' && context.request.method !== 'HEAD',
  });
  return { ...services, session };
}
