// The messages of GET /v1/ws in both directions, as JSON texts or as MessagePack; the subprotocol decides
// which.

import { type Static, Type } from '@sinclair/typebox';
import { ErrorEnvelope } from '../errors.ts';
import { exact, nullable, oneOf } from '../schema.ts';
import { STREAM_EVENTS, type StreamEventName, StreamQuery, StreamTicket } from './stream.ts';

/** Subprotocols; the first is used when the client requests none. */
export const SOCKET_PROTOCOLS = ['overround.v1.json', 'overround.v1.msgpack'] as const;
export type SocketProtocol = (typeof SOCKET_PROTOCOLS)[number];

const SubscriptionId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Your name for the subscription; each of its messages carries it.',
});

// A ticket opens the connection, not a subscription on it.
const { ticket: _ticket, ...filters } = StreamQuery.properties;

export const SOCKET_REQUESTS = {
  subscribe: exact(
    { op: oneOf(['subscribe']), id: SubscriptionId, ...filters },
    {
      title: 'SocketSubscribe',
      description: 'Opens a stream. The filters are those of `/v1/stream`, with the same names.',
    },
  ),
  unsubscribe: exact(
    { op: oneOf(['unsubscribe']), id: SubscriptionId },
    { title: 'SocketUnsubscribe', description: 'Ends a stream; it sends nothing after this.' },
  ),
  ping: exact({ op: oneOf(['ping']) }, { title: 'SocketPing', description: 'Answered with `pong`.' }),
  renew: exact(
    { op: oneOf(['renew']) },
    {
      title: 'SocketRenew',
      description:
        'Answered with a `ticket` for the key of this connection. A page that connected with a ticket uses it for its next connection.',
    },
  ),
} as const;
export type SocketOp = keyof typeof SOCKET_REQUESTS;

export const SocketError = exact(
  {
    ...ErrorEnvelope.properties,
    scope: nullable(Type.String(), {
      description:
        'The limit that a `rate_limit_exceeded` is about, like `X-RateLimit-Scope` over HTTP; null for other codes.',
      examples: ['streams'],
    }),
  },
  { title: 'SocketError', description: 'A message could not be carried out. The connection stays open.' },
);
export type SocketError = Static<typeof SocketError>;

/** Every event of a connection, by name: those of its streams and its own. */
export const SOCKET_EVENTS = {
  ...STREAM_EVENTS,
  pong: exact({}, { title: 'SocketPong', description: 'The answer to `ping`.' }),
  ticket: StreamTicket,
  error: SocketError,
} as const;
export type SocketEventName = StreamEventName | 'pong' | 'ticket' | 'error';

/** The envelope around the data of every event. */
export const SocketMessage = exact(
  {
    id: nullable(SubscriptionId, { description: 'The subscription; null if the event belongs to none.' }),
    event: oneOf(Object.keys(SOCKET_EVENTS)),
    cursor: nullable(Type.String(), {
      description:
        'Send it as `since` to resume the subscription after this event; null if it cannot resume from here.',
    }),
    data: Type.Object({}, { description: 'The data of the event, the same as over server-sent events.' }),
  },
  { title: 'SocketMessage' },
);
