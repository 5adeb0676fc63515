// Checks the Host header against the allowed hosts, before anything else, so that routing, links and caches
// can trust it. A request must name exactly one well-formed host. The name must not be short: Elysia searches
// for the path from a fixed offset in the URL, so with a short host a caller could choose another route.

import { ServiceError } from '../../errors.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/** Elysia searches for the path from character 11 of the URL: after `http://` and at least four more. */
const HOST_CHARS_MIN = 4;
/**
 * Maximum number of accepted Host headers that are remembered, including ports. Others are still accepted,
 * but parsed each time.
 */
const REMEMBERED_MAX = 256;

export class HostCheck {
  readonly #allowed: ReadonlySet<string>;
  readonly #remembered = new Set<string>();

  /**
   * @param allowedHosts names without ports, as in ALLOWED_HOSTS
   * @param publicUrl its host is allowed too
   * @throws Error when a name is too short to be routed safely
   */
  constructor(allowedHosts: readonly string[], publicUrl: string) {
    const hosts = allowedHostnames(allowedHosts, publicUrl);
    for (const host of hosts) {
      if (host.length < HOST_CHARS_MIN) {
        throw new Error(`Cannot allow host "${host}": a name needs at least ${HOST_CHARS_MIN} characters`);
      }
    }
    this.#allowed = new Set(hosts);
  }

  /** @throws ServiceError 400 unless the request names one allowed host and its URL is a plain http one */
  check(request: Request): void {
    const host = request.headers.get('host');
    if (host !== null && this.#remembered.has(host) && request.url.startsWith('http')) return;
    if (host === null || !this.#isAllowed(host) || !/^https?:\/\//.test(request.url)) throw refused();
    if (this.#remembered.size < REMEMBERED_MAX) this.#remembered.add(host);
  }

  #isAllowed(host: string): boolean {
    // Two Host headers arrive joined by a comma, which no valid name contains.
    const match = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.exec(host);
    if (match?.[1] === undefined || !this.#allowed.has(match[1].toLowerCase())) return false;
    // With a port above 65535 the request's URL is invalid and could not be passed to the query thread.
    return URL.canParse(`http://${host}`);
  }
}

/** Every name that a request may be sent to, in lower case, without ports; IPv6 in brackets. */
export function allowedHostnames(allowedHosts: readonly string[], publicUrl: string): readonly string[] {
  const hosts = [...LOOPBACK_HOSTS, new URL(publicUrl).hostname, ...allowedHosts.map(withoutPort)];
  return hosts.map((host) => host.toLowerCase());
}

function withoutPort(host: string): string {
  return host.replace(/(?<=[^:]):\d+$/, '');
}

function refused(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot serve this host: it is not one of the allowed hosts', {
    fix: 'Send one Host header that names this server, or add the name to ALLOWED_HOSTS',
  });
}
