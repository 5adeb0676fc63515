// The messages of GET /v1/ws, both ways: as JSON texts or as MessagePack, which is told by the subprotocol.

import { type Static, Type } from '@sinclair/typebox';
import { ErrorEnvelope } from './errors.ts';
import { exact, nullable, oneOf } from './schema.ts';
import { STREAM_EVENTS, type StreamEventName, StreamQuery } from './stream.ts';

/** Subprotocols, the one that is spoken when none is asked for first. */
export const SOCKET_PROTOCOLS = ['overround.v1.json', 'overround.v1.msgpack'] as const;
export type SocketProtocol = (typeof SOCKET_PROTOCOLS)[number];

const SubscriptionId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Your name of the subscription: every message of it carries it.',
});

// A ticket opens the connection, not a subscription of it.
const { ticket: _ticket, ...filters } = StreamQuery.properties;

export const SOCKET_REQUESTS = {
  subscribe: exact(
    { op: oneOf(['subscribe']), id: SubscriptionId, ...filters },
    {
      title: 'SocketSubscribe',
      description: 'Opens a stream. The filters are the parameters of `/v1/stream`, by the same names.',
    },
  ),
  unsubscribe: exact(
    { op: oneOf(['unsubscribe']), id: SubscriptionId },
    { title: 'SocketUnsubscribe', description: 'Ends a stream: nothing of it comes after this.' },
  ),
  ping: exact({ op: oneOf(['ping']) }, { title: 'SocketPing', description: 'Is answered with `pong`.' }),
} as const;
export type SocketOp = keyof typeof SOCKET_REQUESTS;

export const SocketError = exact(
  {
    ...ErrorEnvelope.properties,
    scope: nullable(Type.String(), {
      description:
        'What a `rate_limit_exceeded` is counted by, as `X-RateLimit-Scope` says over HTTP; else null.',
      examples: ['streams'],
    }),
  },
  { title: 'SocketError', description: 'The message before was not acted upon. The connection stays open.' },
);
export type SocketError = Static<typeof SocketError>;

/** Every event of a connection, by name: those of its streams and its own. */
export const SOCKET_EVENTS = {
  ...STREAM_EVENTS,
  pong: exact({}, { title: 'SocketPong', description: 'The answer to `ping`.' }),
  error: SocketError,
} as const;
export type SocketEventName = StreamEventName | 'pong' | 'error';

/** What stands around the data of every event. */
export const SocketMessage = exact(
  {
    id: nullable(SubscriptionId, { description: 'The subscription; null where the event is of none.' }),
    event: oneOf(Object.keys(SOCKET_EVENTS)),
    cursor: nullable(Type.String(), {
      description: 'Where the subscription goes on from after this event; null where it cannot.',
    }),
    data: Type.Object({}, { description: 'What the event carries, as over server-sent events.' }),
  },
  { title: 'SocketMessage' },
);
