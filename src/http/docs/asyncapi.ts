// The AsyncAPI 3 document of the pushed data: the events of /v1/stream and the messages of /v1/ws, made from
// the schemas that are used to write and read them. Built once, when it is first requested. It describes the
// server: `send` is what the server sends, `receive` is what clients send.

import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { exact } from '../../contract/schema.ts';
import {
  SOCKET_EVENTS,
  SOCKET_PROTOCOLS,
  SOCKET_REQUESTS,
  SocketMessage,
} from '../../contract/stream/socket.ts';
import { STREAM_EVENTS, StreamQuery, TicketParameter } from '../../contract/stream/stream.ts';
import { DESCRIPTION_VERSION } from './openapi.ts';
import { ComponentSchemas, type JsonObject } from './openapi-schema.ts';

/** One message and its purpose. */
interface Message {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
}

interface Channel {
  readonly key: string;
  readonly address: string;
  readonly title: string;
  readonly description: string;
  readonly server: string;
  readonly bindings: JsonObject;
  readonly sent: readonly Message[];
  readonly received: readonly Message[];
}

/** @param publicUrl the server's public URL, without a trailing slash */
export function asyncApiDocument({ publicUrl }: { readonly publicUrl: string }): JsonObject {
  const schemas = new ComponentSchemas();
  const channels = [streamChannel(schemas), socketChannel(schemas)];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Overround',
      version: DESCRIPTION_VERSION,
      description:
        'Odds and signals as they change. docs/guide/streaming.md describes the filters, how to keep a mirror and how to resume from a cursor; requests and answers are in /openapi.json.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: serversOf(publicUrl),
    channels: Object.fromEntries(channels.map((channel) => [channel.key, channelOf(channel)])),
    operations: Object.fromEntries(channels.flatMap(operationsOf)),
    components: {
      schemas: schemas.toJson(),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, `isk_...`; without one a caller is served the free tier. Where no header can be sent, send a ticket of `POST /v1/tickets` as the parameter `ticket`.',
        },
      },
    },
  };
}

function streamChannel(schemas: ComponentSchemas): Channel {
  const sent = Object.entries(STREAM_EVENTS).map(([name, schema]) =>
    messageOf(name, schema, schemas.convert(schema)),
  );
  return {
    key: 'stream',
    address: '/v1/stream',
    title: 'Server-sent events',
    description:
      'One view over server-sent events: the name of a message is its `event`, the payload its `data`, the cursor its `id`.',
    server: 'http',
    bindings: {},
    sent,
    received: [],
  };
}

function socketChannel(schemas: ComponentSchemas): Channel {
  const { event: _event, data: _data, ...around } = SocketMessage.properties;
  const sent = Object.entries(SOCKET_EVENTS).map(([name, schema]) => {
    const message = exact({ ...around, event: Type.Literal(name), data: schema as TSchema });
    return messageOf(name, schema, schemas.convert(message));
  });
  const received = Object.entries(SOCKET_REQUESTS).map(([name, schema]) =>
    messageOf(name, schema, schemas.convert(schema)),
  );
  const query = schemas.convert(Type.Object({ ticket: TicketParameter }));
  return {
    key: 'socket',
    address: '/v1/ws',
    title: 'WebSocket',
    description: `Several views on one connection. Subprotocols: ${SOCKET_PROTOCOLS.join(', ')}; the second has the same messages as MessagePack.`,
    server: 'socket',
    bindings: { ws: { method: 'GET', query, bindingVersion: '0.1.0' } },
    sent,
    received,
  };
}

function messageOf(name: string, { title, description }: TObject, payload: JsonObject): Message {
  return { name, title: String(title), summary: String(description ?? title), payload };
}

function channelOf({ address, title, description, server, bindings, sent, received }: Channel): JsonObject {
  return {
    address,
    title,
    description,
    servers: [{ $ref: `#/servers/${server}` }],
    ...(Object.keys(bindings).length === 0 ? {} : { bindings }),
    messages: Object.fromEntries([...sent, ...received].map((message) => [message.name, { ...message }])),
  };
}

function operationsOf(channel: Channel): [string, JsonObject][] {
  const operations: [string, JsonObject][] = [];
  for (const [action, messages] of [
    ['send', channel.sent],
    ['receive', channel.received],
  ] as const) {
    if (messages.length === 0) continue;
    operations.push([
      `${action}${channel.key[0]!.toUpperCase()}${channel.key.slice(1)}`,
      {
        action,
        channel: { $ref: `#/channels/${channel.key}` },
        summary: action === 'send' ? 'What a client is sent' : 'What a client may send',
        messages: messages.map(({ name }) => ({ $ref: `#/channels/${channel.key}/messages/${name}` })),
        ...(channel.key === 'stream' ? { bindings: streamBindings() } : {}),
      },
    ]);
  }
  return operations;
}

/** The parameters of the request that opens a stream. */
function streamBindings(): JsonObject {
  const query = new ComponentSchemas().convert(StreamQuery);
  return { http: { method: 'GET', query, bindingVersion: '0.3.0' } };
}

function serversOf(publicUrl: string): JsonObject {
  const { host, pathname, protocol } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const place = { host, ...(pathname === '/' ? {} : { pathname }) };
  const security = [{ $ref: '#/components/securitySchemes/apiKey' }];
  return {
    http: { ...place, protocol: isSecure ? 'https' : 'http', security },
    socket: { ...place, protocol: isSecure ? 'wss' : 'ws', security },
  };
}
