// Which requests wait for a pace when there are many (access/quotas/stranger-pace.ts).

import { pathOf } from '../kit/matched-route.ts';
import { bodySizeOf } from './body-intake.ts';

const PACED_BODY_BYTES_MAX = 4_096;
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
/**
 * Requests that count as several. An MCP request makes a server of the protocol, with a hundred times the
 * garbage of a plain request. A WebSocket brings messages, of which each is answered.
 */
const COUNTS: ReadonlyMap<string, number> = new Map([
  ['/mcp', 4],
  ['/v1/ws', 4],
]);
const TICKETED = /^[^?#]*\/v1\/(?:ws|stream)\?(?:[^#]*&)?ticket=/;

/**
 * Whether a request without an Authorization header waits at the pace of callers without a key. Probes do
 * not, because their late answers would look like a server that hangs. Streams with a ticket do not, because
 * the ticket stands for a key; a wrong ticket is a refusal, which is sent late. Requests with large bodies do
 * not, because the part that has arrived would stay in memory meanwhile; they have places of their own
 * (body-intake.ts).
 */
export function isPaced(request: Request): boolean {
  const bodySize = bodySizeOf(request);
  if (bodySize !== null && !(bodySize <= PACED_BODY_BYTES_MAX)) return false;
  return !PROBES.has(pathOf(request.url)) && !TICKETED.test(request.url);
}

/**
 * Whether a request costs no unit of its caller's limit: pages, documents and accounts. A key that is sent
 * from many addresses could otherwise ask for them without end.
 */
export function costsNothing(url: string): boolean {
  return !url.startsWith('/v1/', url.indexOf('/', 8)) && pathOf(url) !== '/mcp';
}

/** How many plain requests a request counts as at its pace. */
export function countOf(request: Request): number {
  return COUNTS.get(pathOf(request.url)) ?? 1;
}
