// Counts and logs an answer, whichever way it was made.

import type { LoggedRequest } from '../../telemetry/access-log.ts';
import { pathOf } from './matched-route.ts';
import type { HttpDeps } from './server-parts.ts';

export interface AnswerReport extends Omit<LoggedRequest, 'method' | 'path' | 'clientAddress'> {
  readonly request: Request;
}

/** @param clientAddress called only if the answer is logged, because an address costs time */
export function reportAnswer(
  deps: HttpDeps,
  report: AnswerReport,
  clientAddress: (request: Request) => string,
): void {
  deps.gate.record(report);
  deps.count(report.route, report.status, report.latencyMs);
  if (!deps.reportsRequests) return;
  const { request, route, status, latencyMs, principal, requestId, errorCode } = report;
  deps.observe({
    ...{ method: request.method, route, path: pathOf(request.url), status, latencyMs, principal },
    ...{ clientAddress: clientAddress(request), requestId, errorCode },
  });
}
