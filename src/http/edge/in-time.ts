// The end of every request on the thread that answers it: a HEAD loses what only its GET has, and an answer that is not
// ready at once takes a place in flight until it is made, for the time of the deadline.

import { ServiceError } from '../../errors.ts';
import { withoutLength } from '../kit/reply.ts';
import type { RequestContext } from '../kit/request-context.ts';

/** Nothing for a request whose connection has become a WebSocket. */
export function settled(
  answer: Response | Promise<Response>,
  context: RequestContext,
  deadlineMs: number,
): Response | Promise<Response> | undefined {
  if (context.isUpgraded) return undefined;
  if (context.request.method === 'HEAD') return inTime(headOf(answer, context), context, deadlineMs);
  return answer instanceof Promise ? inTime(answer, context, deadlineMs) : answer;
}

/** The answer to HEAD with the length that its GET would have, or none where that is not known: a 304 never tells it. */
async function headOf(answer: Response | Promise<Response>, context: RequestContext): Promise<Response> {
  const response = await answer;
  if (context.isLengthUnknown) return withoutLength(response);
  // The router counted the bytes of no body: RFC 9110, 8.6 allows the length of the 200 alone.
  if (response.status === 304) response.headers.delete('content-length');
  return response;
}

/** Takes a place in flight until the answer is made, and answers 503 when that takes too long. */
function inTime(answer: Promise<Response>, context: RequestContext, deadlineMs: number): Promise<Response> {
  context.hold();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const timer = setTimeout(
    () => resolve(context.fail(context.isReceiving ? tooSlow() : tooLate())),
    deadlineMs,
  );
  answer.then(
    (response) => finish(response),
    (error: unknown) => finish(context.fail(error)),
  );
  function finish(response: Response): void {
    clearTimeout(timer);
    context.release();
    resolve(response);
  }
  return promise;
}

function tooLate(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer in time: the deadline has passed', {
    retryAfterSeconds: 1,
  });
}

/** Closes the connection, or its body would go on taking a place. */
function tooSlow(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer in time: the body did not come', {
    fix: 'Send the whole body at once',
    retryAfterSeconds: 1,
    headers: { connection: 'close' },
  });
}
