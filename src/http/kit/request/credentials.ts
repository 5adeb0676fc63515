// The parts of a request that may be a key or a session.

import type { Gate } from '../../../access/gate.ts';
import { sessionCredential } from '../../../access/key-cache.ts';
import { isSameOrigin, sessionTokenOf } from '../../../accounts/sessions/session.ts';
import { ACCOUNT_PATHS, pathOf } from '../matched-route.ts';
import { FORMED_PATHS } from '../representation.ts';
import { ticketOf } from './request-input.ts';

/** Has another thread read the key of a request; null if the request has none, or it is known already. */
export function lookUp(gate: Gate, { headers, url }: Request): Promise<void> | null {
  const header = headers.get('authorization');
  if (header !== null) return gate.lookUp(header);
  const ticket = ticketOf(url);
  if (ticket !== null) return gate.lookUpTicket(ticket);
  const token = pathOf(url).startsWith(FORMED_PATHS) ? sessionTokenOf(headers.get('cookie')) : null;
  return token === null ? null : gate.lookUp(sessionCredential(token));
}

/** The parts of the headers that may be a key or a session. */
export function credentialsOf({ headers, url }: Request): string[] {
  const authorization = headers.get('authorization');
  const token = sessionTokenOf(headers.get('cookie'));
  const credentials = authorization === null ? [] : [authorization];
  if (pathOf(url).startsWith(ACCOUNT_PATHS) && authorization !== null) {
    credentials.push(sessionOf(authorization));
  }
  return token === null ? credentials : [...credentials, sessionCredential(token)];
}

const BEARER = /^bearer +/i;

/** The credential of an Authorization header that has a session. */
export function sessionOf(authorization: string): string {
  return sessionCredential(authorization.replace(BEARER, ''));
}

/** The text that may be a session token, valid or not; null without one. */
export function sessionTextOf({ headers }: Request): string | null {
  return headers.get('authorization') ?? sessionTokenOf(headers.get('cookie'));
}

/**
 * Whether a page of another site sent the request. Such a page may not use the session: it could read a
 * WebSocket, which CORS does not protect.
 */
export function isFromElsewhere(headers: Pick<Headers, 'get'>, publicUrl: string): boolean {
  const origin = headers.get('origin');
  if (origin === null) return false;
  return !isSameOrigin({ origin, host: headers.get('host') }, new URL(publicUrl).origin);
}
