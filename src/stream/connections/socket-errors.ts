// The error messages of a WebSocket. They have the same envelope as the errors of requests.

import type { SocketError } from '../../contract/stream/socket.ts';
import { assert, envelopeOf, ServiceError, ValidationError } from '../../errors.ts';
import { SOCKET_OPS_EVERY_MS, SUBSCRIPTIONS_MAX } from '../limits.ts';
import type { SocketWire } from './socket-messages.ts';

/**
 * The error message for what was thrown. Anything but a ServiceError or ValidationError is shown as
 * `internal`.
 */
export function toSocketError(error: unknown, publicUrl: string): SocketError {
  if (error instanceof ServiceError) {
    const scope = error.headers['x-ratelimit-scope'] ?? null;
    return { ...envelopeOf(error.code, publicUrl, error), scope };
  }
  if (error instanceof ValidationError) {
    const [problem] = error.detail;
    assert(problem !== undefined, 'a failed validation names a field');
    const field = problem.loc.slice(1).join('.') || 'the message';
    return toSocketError(
      new ServiceError('invalid_request', `Cannot use ${field}: ${problem.msg}`, {
        fix: 'Send the fields of GET /v1/stream by their types: texts, whole numbers, lists of words',
      }),
      publicUrl,
    );
  }
  return toSocketError(
    new ServiceError('internal', 'Cannot answer: an unexpected error was logged'),
    publicUrl,
  );
}

export function unreadable(wire: SocketWire): ServiceError {
  return new ServiceError('invalid_request', 'Cannot read the message: it names no op', {
    fix:
      wire === 'json'
        ? 'Send a text such as {"op":"subscribe","id":"a"}; the ops are: subscribe, unsubscribe, ping, renew'
        : 'Send MessagePack as binary, a map with op and id; the ops are: subscribe, unsubscribe, ping, renew',
  });
}

export function keyless(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'Cannot renew the ticket: the connection was opened without a key',
    {
      fix: 'Open the connection with a ticket of POST /v1/tickets, or send the key as a header',
    },
  );
}

export function taken(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot subscribe: the id belongs to an open subscription', {
    fix: 'Use another id, or send {op: "unsubscribe"} with this one first',
  });
}

export function unknownSubscription(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot unsubscribe: no open subscription has this id', {
    fix: 'Send the id of the subscribe',
  });
}

export function tooManySubscriptions(): ServiceError {
  return new ServiceError(
    'rate_limit_exceeded',
    `Cannot subscribe: a connection has at most ${SUBSCRIPTIONS_MAX} subscriptions`,
    { fix: 'Unsubscribe first, or open another connection', headers: { 'x-ratelimit-scope': 'streams' } },
  );
}

/**
 * Limits of a caller's messages within SOCKET_OPS_EVERY_MS: more than `max` are answered with errors, more
 * than `ending` end its connection.
 */
export interface SocketOps {
  readonly max: number;
  readonly ending: number;
}

export function tooManyMessages({ max, ending }: SocketOps): ServiceError {
  const seconds = SOCKET_OPS_EVERY_MS / 1_000;
  return new ServiceError(
    'rate_limit_exceeded',
    `Cannot act on the message: more than ${max} came in ${seconds} seconds`,
    {
      fix: `Wait ${seconds} seconds; more than ${ending} messages in that time end the connection`,
      retryAfterSeconds: seconds,
      headers: { 'x-ratelimit-scope': 'messages' },
    },
  );
}
