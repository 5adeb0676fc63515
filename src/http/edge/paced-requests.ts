// Which requests have the pace of callers without a key (access/quotas/stranger-pace.ts).

import { pathOf } from '../kit/matched-route.ts';
import { bodySizeOf } from './body-intake.ts';

const PACED_BODY_BYTES_MAX = 4_096;
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
const TICKETED = /^[^?#]*\/v1\/(?:ws|stream)\?(?:[^#]*&)?ticket=/;

/**
 * Whether a request without an Authorization header has the pace of callers without a key. Probes have not,
 * because their late answers would look like a server that hangs. Streams with a ticket have not, because the
 * ticket stands for a key; a wrong one is a refusal, which is late. Requests with large bodies have not: what
 * has arrived of them would be kept meanwhile, and they have places of their own (body-intake.ts).
 */
export function isPaced(request: Request): boolean {
  const bodySize = bodySizeOf(request);
  if (bodySize !== null && !(bodySize <= PACED_BODY_BYTES_MAX)) return false;
  return !PROBES.has(pathOf(request.url)) && !TICKETED.test(request.url);
}
