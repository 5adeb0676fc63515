// Where alerts are sent: one route for each account and URL, in the order of their turns. Accounts take
// turns, and the routes of an account share its turns. So an account with many URLs gets no more turns than
// an account with a single URL.

import ipaddr from 'ipaddr.js';
import { EndpointPace, EndpointQueue } from './endpoint-queue.ts';
import type { Endpoint } from './outbox-store.ts';

/**
 * Maximum number of deliveries to one URL within any second, of all accounts. Further ones wait and are
 * merged.
 */
export const DELIVERIES_PER_S = 10;
/**
 * Maximum number of deliveries of one account to one site within any second. Further ones wait and are
 * merged.
 */
export const SITE_DELIVERIES_PER_S = 50;
/**
 * Maximum number of deliveries of all accounts without a paid plan to one site within any second. Further
 * ones wait and are merged.
 */
export const FREE_SITE_DELIVERIES_PER_S = 100;

/** What one account sends to one URL. */
export interface AlertRoute extends Endpoint {
  readonly key: string;
  readonly queue: EndpointQueue;
  /** The rate limits of the route's deliveries, for an account with and without a paid plan. */
  readonly paidPaces: readonly EndpointPace[];
  readonly freePaces: readonly EndpointPace[];
}

export class Routes {
  /**
   * Accounts, each with its routes by route key. The account whose last turn was longest ago comes first, and
   * so does the route within an account.
   */
  readonly #accounts = new Map<string, Map<string, AlertRoute>>();
  /** The rate limits. A key names a URL, an account and a site, or a site alone. */
  readonly #paces = new Map<string, EndpointPace>();

  get(endpoint: Endpoint): AlertRoute | undefined {
    return this.#accounts.get(endpoint.accountId)?.get(routeKey(endpoint));
  }

  /** The route to an endpoint, made if there is none. */
  open({ accountId, url }: Endpoint): AlertRoute {
    const known = this.get({ accountId, url });
    if (known !== undefined) return known;
    const key = routeKey({ accountId, url });
    const site = siteOf(url);
    const ofAll = this.#pace(`url ${url}`, DELIVERIES_PER_S);
    const ofAccount = this.#pace(`account ${accountId} ${site}`, SITE_DELIVERIES_PER_S);
    const ofFree = this.#pace(`free ${site}`, FREE_SITE_DELIVERIES_PER_S);
    const route: AlertRoute = {
      ...{ key, accountId, url, queue: new EndpointQueue() },
      ...{ paidPaces: [ofAll, ofAccount], freePaces: [ofAll, ofAccount, ofFree] },
    };
    this.#accounts.getOrInsertComputed(accountId, () => new Map()).set(key, route);
    return route;
  }

  /**
   * The accounts with their routes, in the order of their turns. This is a copy, so `tookTurn` may be called
   * in a loop over it.
   */
  inTurn(): (readonly [string, readonly AlertRoute[]])[] {
    return [...this.#accounts].map(([accountId, own]) => [accountId, [...own.values()]]);
  }

  /** Moves the account behind all other accounts, and the route behind the account's other routes. */
  tookTurn(route: AlertRoute): void {
    const own = this.#accounts.get(route.accountId);
    if (own === undefined || !own.delete(route.key)) return;
    own.set(route.key, route);
    this.#accounts.delete(route.accountId);
    this.#accounts.set(route.accountId, own);
  }

  delete({ accountId, key }: AlertRoute): void {
    const own = this.#accounts.get(accountId);
    own?.delete(key);
    if (own?.size === 0) this.#accounts.delete(accountId);
  }

  /** Forgets the rate limits that count no recent delivery and belong to no route. */
  forgetPaces(nowMs: number): void {
    const used = new Set<EndpointPace>();
    for (const own of this.#accounts.values())
      for (const { freePaces } of own.values()) for (const pace of freePaces) used.add(pace);
    for (const [key, pace] of this.#paces) if (!used.has(pace) && pace.isIdle(nowMs)) this.#paces.delete(key);
  }

  clear(): void {
    this.#accounts.clear();
    this.#paces.clear();
  }

  #pace(key: string, perSecond: number): EndpointPace {
    return this.#paces.getOrInsertComputed(key, () => new EndpointPace(perSecond));
  }
}

export function routeKey({ accountId, url }: Endpoint): string {
  return `${accountId} ${url}`;
}

/**
 * The site of a URL: an IPv4 address, the /64 network of an IPv6 address, or the last two names of a host,
 * because the owner of a name can make any number of names below it.
 */
export function siteOf(url: string): string {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (ipaddr.IPv4.isValid(host)) return host;
  if (ipaddr.IPv6.isValid(host)) return ipaddr.IPv6.parse(host).parts.slice(0, 4).join(':');
  return host.split('.').slice(-2).join('.');
}
