// Authenticates requests to /platform: a session token as a bearer token or, from a browser, as a cookie.

import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { StorageError } from '../../storage/storage-errors.ts';
import type { AccountRepository } from '../account-repository.ts';
import { hashText, isSessionToken } from '../credentials/secrets.ts';
import { CLIENT_KNOWN_DAYS, SESSION_DAYS } from '../limits.ts';
import type { AccountRecord } from '../records.ts';
import type { SessionUses } from './session-uses.ts';

/** The headers that identify the caller. */
export interface Credentials {
  readonly authorization: string | null;
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly host: string | null;
  /** Whether the request changes something. A cookie is then accepted only with an Origin of this site. */
  readonly isWrite: boolean;
}

export interface Session {
  readonly tokenHash: string;
  readonly account: AccountRecord;
}

const DAY_S = 86_400;
const STEP_MAX_MS = 5 * 60_000;
const SESSION_COOKIE = 'overround_session';
const DEVICE_COOKIE = 'overround_device';
/**
 * Prefix of every cookie name on an https site. Browsers accept such a cookie only from the site itself, with
 * Secure and for all paths, so neither an http page nor a sibling host can set it. Over plain http they
 * refuse it.
 */
const HOST_PREFIX = '__Host-';
const DEVICE_PATTERN = /^dev_[\w-]{1,100}$/;
/**
 * Words in a User-Agent header that identify a browser, the most specific first, because most browsers also
 * name other browsers.
 */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
] as const;
const BEARER_PATTERN = /^bearer +(ses_[\w-]{1,100})$/i;

export interface SessionsOptions {
  readonly accounts: AccountRepository;
  readonly uses: Pick<SessionUses, keyof SessionUses>;
  readonly clock: Clock;
  /** Base URL of the site. Its origin is accepted as well as the request's own host. */
  readonly publicUrl: string;
  /** How long an unused session lasts. */
  readonly idleMs: number;
}

export class Sessions {
  readonly #accounts: AccountRepository;
  readonly #uses: Pick<SessionUses, keyof SessionUses>;
  readonly #clock: Clock;
  readonly #publicOrigin: string;
  readonly #idleMs: number;

  constructor({ accounts, uses, clock, publicUrl, idleMs }: SessionsOptions) {
    this.#accounts = accounts;
    this.#uses = uses;
    this.#clock = clock;
    this.#publicOrigin = new URL(publicUrl).origin;
    this.#idleMs = idleMs;
  }

  /**
   * How often unused sessions are looked up, and how often a use is recorded: a tenth of the idle time, at
   * most five minutes.
   */
  get stepMs(): number {
    return Math.min(this.#idleMs / 10, STEP_MAX_MS);
  }

  /**
   * Ends sessions that were unused for the idle time; they stop working for /v1 too. @returns how many ended
   * @throws StorageError
   */
  endUnused(): Promise<number> {
    const nowMs = this.#clock.wallMs();
    return this.#uses.endUnused(nowMs - this.#idleMs, nowMs);
  }

  /**
   * The session of a request. If there is an Authorization header, cookies are ignored.
   * @throws ServiceError unauthorized without a live session, forbidden for a change that another site
   * requests with the cookie
   */
  async authenticate(credentials: Credentials): Promise<Session> {
    const token = this.#tokenOf(credentials);
    if (token === null) throw refuse();
    const tokenHash = hashText(token);
    const nowMs = this.#clock.wallMs();
    const account = await this.#accounts.sessions.findSessionAccount(tokenHash, nowMs);
    if (account === null) throw refuse();
    await this.#use(tokenHash, nowMs);
    return { tokenHash, account };
  }

  async #use(tokenHash: string, nowMs: number): Promise<void> {
    const lastUseMs = await this.#uses.lastUseMs(tokenHash);
    const idleMs = lastUseMs === null ? 0 : nowMs - lastUseMs;
    if (idleMs >= this.#idleMs) {
      await this.#accounts.sessions.deleteSession(tokenHash);
      throw refuse();
    }
    // A recorded use in the future means that the clock was set back since. Then record this use.
    if (lastUseMs !== null && idleMs >= 0 && idleMs < this.stepMs) return;
    try {
      await this.#uses.note({ tokenHash, client: null, atMs: nowMs });
    } catch (error) {
      // A full disk must not refuse a read. The session merely ends earlier.
      if (!(error instanceof StorageError)) throw error;
    }
  }

  #tokenOf(credentials: Credentials): string | null {
    const { authorization, cookie, isWrite } = credentials;
    if (authorization !== null) return BEARER_PATTERN.exec(authorization)?.[1] ?? null;
    const token = sessionTokenOf(cookie);
    if (token !== null && isWrite && !isSameOrigin(credentials, this.#publicOrigin)) {
      throw new ServiceError('forbidden', 'Cannot use session cookie: the Origin header is not this site', {
        fix: 'Send the session token as `Authorization: Bearer <session_token>`',
      });
    }
    return token;
  }
}

/**
 * Whether a page of this site sent the request.
 * @param origin the Origin header; null means no page of this site
 * @param publicOrigin the site's own origin, accepted in addition to the origin that follows from the Host
 * header
 */
export function isSameOrigin(
  { origin, host }: Pick<Credentials, 'origin' | 'host'>,
  publicOrigin: string,
): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  const { protocol, host: originHost, origin: plain } = new URL(origin);
  // A page's Origin is exactly scheme, host and port. Anything with a user name, a path or another scheme was
  // not sent by a page.
  if (plain !== origin.toLowerCase() || (protocol !== 'http:' && protocol !== 'https:')) return false;
  return plain === publicOrigin || (host !== null && originHost === host.toLowerCase());
}

/** The session token in a Cookie header, or null. */
export function sessionTokenOf(cookie: string | null): string | null {
  return cookieValuesOf(cookie, SESSION_COOKIE)[0] ?? null;
}

/** The session tokens in a Cookie header: one, or two if the browser has a cookie under both names. */
export function sessionTokensOf(cookie: string | null): string[] {
  return cookieValuesOf(cookie, SESSION_COOKIE).filter(isSessionToken);
}

/**
 * Names the sender of a User-Agent header in words that the account's owner recognises: `Firefox on Linux`,
 * or the name of a program. Null when the header names neither.
 */
export function clientNameOf(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, 500);
  const browser = BROWSERS.find(([mark]) => text.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => text.includes(mark))?.[1];
  const name = browser ?? /^[\w.-]{1,40}/.exec(text)?.[0] ?? null;
  return name === null || system === undefined ? name : `${name} on ${system}`;
}

/** The name of the session cookie. `isSecure` when the public URL is https. */
export function sessionCookieName(isSecure: boolean): string {
  return nameOf(SESSION_COOKIE, isSecure);
}

/** The Set-Cookie value that starts a session. `isSecure` when the public URL is https. */
export function sessionCookie(token: string, isSecure: boolean): string {
  return toSetCookie(sessionCookieName(isSecure), token, { secure: isSecure, maxAge: SESSION_DAYS * DAY_S });
}

/** The Set-Cookie values that delete the session cookie, one for each name that it may have. */
export function endedSessionCookies(isSecure: boolean): string[] {
  const names = isSecure ? [sessionCookieName(true), SESSION_COOKIE] : [SESSION_COOKIE];
  return names.map((name) => toSetCookie(name, '', { secure: isSecure, maxAge: 0 }));
}

/** The Set-Cookie value that identifies a known device at its next login. It gives no access. */
export function deviceCookie(token: string, isSecure: boolean): string {
  return toSetCookie(nameOf(DEVICE_COOKIE, isSecure), token, {
    secure: isSecure,
    maxAge: CLIENT_KNOWN_DAYS * DAY_S,
    path: isSecure ? '/' : '/platform',
    sameSite: 'strict',
  });
}

/** The token of a request's device cookie, or null. */
export function deviceOf(cookie: string | null): string | null {
  const token = cookieValuesOf(cookie, DEVICE_COOKIE)[0];
  return token !== undefined && DEVICE_PATTERN.test(token) ? token : null;
}

function nameOf(name: string, isSecure: boolean): string {
  return isSecure ? HOST_PREFIX + name : name;
}

/**
 * Values of a cookie: first under the prefixed name, then under the plain name, which plain http and older
 * releases use.
 */
function cookieValuesOf(cookie: string | null, name: string): string[] {
  if (cookie === null || !cookie.includes(name)) return [];
  return [HOST_PREFIX + name, name].flatMap((one) => firstValueOf(cookie, one) || []);
}

/**
 * The first value of one cookie; null without it. Only this cookie is parsed, because a header of 16 KB with
 * thousands of others would take up to 0.7 ms.
 */
function firstValueOf(cookies: string, name: string): string | null {
  for (let start = cookies.indexOf(name); start !== -1; start = cookies.indexOf(name, start + name.length)) {
    if (!isPairAt(cookies, start, name.length)) continue;
    const end = cookies.indexOf(';', start);
    return new Bun.CookieMap(cookies.slice(start, end === -1 ? undefined : end)).get(name);
  }
  return null;
}

/** Whether the text at `start` is the whole name of a cookie: after a semicolon, and before its value. */
function isPairAt(cookies: string, start: number, length: number): boolean {
  let before = start - 1;
  while (isBlank(cookies[before])) before -= 1;
  let after = start + length;
  while (isBlank(cookies[after])) after += 1;
  return (before < 0 || cookies[before] === ';') && cookies[after] === '=';
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function toSetCookie(name: string, value: string, options: Bun.CookieInit): string {
  return new Bun.Cookie(name, value, { path: '/', httpOnly: true, sameSite: 'lax', ...options }).serialize();
}

function refuse(): ServiceError {
  return new ServiceError('unauthorized', 'Cannot authenticate: there is no live session', {
    fix: 'Log in with POST /platform/login and send its session_token as a bearer token or cookie',
  });
}
