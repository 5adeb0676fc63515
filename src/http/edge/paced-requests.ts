// Which requests are delayed when there are many (access/quotas/stranger-pace.ts), and how much each counts.

import { pathOf } from '../kit/matched-route.ts';
import { bodySizeOf } from './bodies/body-size.ts';

const PACED_BODY_BYTES_MAX = 4_096;
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
/**
 * Requests that count as several. An MCP request creates a protocol server, with a hundred times the garbage
 * of a plain request. A WebSocket brings many messages, and each is answered. Documents have some hundred
 * kilobytes, which the threads copy piece by piece. The record of signals is read by a third thread.
 */
const COUNTS: ReadonlyMap<string, number> = new Map([
  ['/mcp', 4],
  ['/v1/ws', 4],
  ['/openapi.json', 4],
  ['/asyncapi.json', 4],
  ['/llms-full.txt', 4],
  ['/v1/mcp/tools', 4],
  ['/v1/signals/record', 4],
]);
/**
 * Files, by the start of their path: those of the viewer on /docs, of which the largest has 1.7 MB, and those
 * of the pages.
 */
const FILE_COUNTS: readonly (readonly [string, number])[] = [
  ['/docs/assets/', 16],
  ['/assets/', 4],
];
const TICKETED = /^[^?#]*\/v1\/(?:ws|stream)\?(?:[^#]*&)?ticket=/;

/**
 * Whether a request may be delayed. Probes are never delayed, because a late answer would look like a server
 * that hangs. Nor is a GET of a stream with a ticket, because the ticket stands for a key. (A wrong ticket is
 * refused, and refusals are delayed.) All other requests may be delayed.
 */
export function isPaced({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
  if (method === 'GET') return !isProbe(url) && !TICKETED.test(url);
  return method !== 'HEAD' || !isProbe(url);
}

/**
 * Whether a request is delayed only after its body has arrived. Until then, bodies that are large or in
 * chunks have places of their own (bodies/body-intake.ts). If such a request were delayed before, the part of
 * its body that came with the headers would stay in memory meanwhile.
 */
export function isPacedWithBody(request: Request): boolean {
  const bodySize = bodySizeOf(request);
  return bodySize !== null && !(bodySize <= PACED_BODY_BYTES_MAX);
}

/**
 * Whether a request costs no unit of its caller's limit: pages, documents and accounts. Such a request may be
 * delayed even with a key of the free plan. Otherwise a key that is sent from many addresses could request
 * pages without end.
 */
export function costsNothing(url: string): boolean {
  return !url.startsWith('/v1/', url.indexOf('/', 8)) && !isMcp(url);
}

/** Whether a URL is one that monitoring requests. */
export function isProbe(url: string): boolean {
  return PROBES.has(pathOf(url));
}

/** Whether a URL is that of the MCP endpoint, where a session does not count. */
export function isMcp(url: string): boolean {
  return pathOf(url) === '/mcp';
}

/** Whether a request signs in to an account. */
export function isSignIn({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
  return method === 'POST' && pathOf(url) === '/platform/login';
}

/**
 * How many plain requests a request counts as at its pace. @param bodyBytes the size of its body, if that has
 * arrived: each further PACED_BODY_BYTES_MAX of it counts as much again, because reading JSON takes time
 */
export function countOf(request: Request, bodyBytes = 0): number {
  const path = pathOf(request.url);
  const count = COUNTS.get(path) ?? FILE_COUNTS.find(([start]) => path.startsWith(start))?.[1] ?? 1;
  return count * Math.max(1, Math.ceil(bodyBytes / PACED_BODY_BYTES_MAX));
}
