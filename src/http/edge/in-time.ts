// Completes an answer: sets the length of an answer to HEAD, keeps the deadline, and takes a place in flight
// for an error. An answer that is not ready immediately takes a place in flight until it is made or the
// deadline passes.

import { ServiceError } from '../../errors.ts';
import { withoutLength } from '../kit/reply.ts';
import type { RequestContext } from '../kit/request/request-context.ts';

/** The completed answer; undefined when the connection has become a WebSocket. */
export function settled(
  answer: Response | Promise<Response>,
  context: RequestContext,
  deadlineMs: number,
): Response | Promise<Response> | undefined {
  if (context.isUpgraded) return undefined;
  if (context.request.method === 'HEAD') return inTime(headOf(answer, context), context, deadlineMs);
  return answer instanceof Promise ? inTime(answer, context, deadlineMs) : answer;
}

/** Returns the same answer. An error takes its place in flight only after its delay. */
export function asSent<Answer extends Response | Promise<Response> | undefined>(
  answer: Answer,
  context: RequestContext,
): Answer | Response | Promise<Response> {
  if (answer instanceof Promise) return answer.then((response) => context.place.asSent(response));
  return answer === undefined ? answer : context.place.asSent(answer);
}

/**
 * The answer to HEAD, with the length that its GET would have. A 304 has no length, and neither has an answer
 * whose length is unknown.
 */
async function headOf(answer: Response | Promise<Response>, context: RequestContext): Promise<Response> {
  const response = await answer;
  if (context.sent.isLengthUnknown) return withoutLength(response);
  // The router has set the length of the empty body of a 304. RFC 9110, 8.6 allows only the length of the 200
  // answer there, so remove it.
  if (response.status === 304) response.headers.delete('content-length');
  return response;
}

/** Takes a place in flight until the answer is made, and answers 503 when the deadline passes. */
function inTime(answer: Promise<Response>, context: RequestContext, deadlineMs: number): Promise<Response> {
  context.place.hold();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const timer = setTimeout(() => resolve(context.fail(tooLate())), deadlineMs);
  answer.then(
    (response) => finish(response),
    (error: unknown) => finish(context.fail(error)),
  );
  function finish(response: Response): void {
    clearTimeout(timer);
    context.place.release();
    resolve(response);
  }
  return promise;
}

function tooLate(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer in time: the deadline has passed', {
    retryAfterSeconds: 1,
  });
}
