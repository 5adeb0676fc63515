// The session cookie: the same token as a bearer session, for browsers.

import { SESSION_DAYS } from './limits.ts';

const NAME = 'overround_session';
const MAX_AGE_S = SESSION_DAYS * 86_400;

/** The Set-Cookie value that starts a session. `isSecure` when the public URL is https. */
export function sessionCookie(token: string, isSecure: boolean): string {
  return `${NAME}=${token}; Max-Age=${MAX_AGE_S}; ${attributes(isSecure)}`;
}

/** The Set-Cookie value that ends a session. */
export function endedSessionCookie(isSecure: boolean): string {
  return `${NAME}=; Max-Age=0; ${attributes(isSecure)}`;
}

/** The session token in a Cookie header, or null. */
export function readSessionCookie(cookieHeader: string | null): string | null {
  for (const part of (cookieHeader ?? '').split(';')) {
    const [name, value] = part.trim().split('=');
    if (name === NAME && value !== undefined && value !== '') return value;
  }
  return null;
}

function attributes(isSecure: boolean): string {
  return `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
