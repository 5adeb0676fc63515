// The routes that push changes: GET /v1/stream and GET /v1/ws.

import { Type } from '@sinclair/typebox';
import { STREAM_EVENTS, StreamQuery, TicketParameter } from '../../contract/stream/stream.ts';
import { assert } from '../../errors.ts';
import { openEventStream } from '../../stream/connections/event-stream.ts';
import type { StreamSockets } from '../../stream/connections/stream-sockets.ts';
import type { StreamOpener } from '../../stream/stream-opener.ts';
import { Reply } from '../kit/reply.ts';
import { defineRoute, defineSocket, type Route } from '../kit/route.ts';

const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';

export interface StreamServing {
  readonly opener: StreamOpener;
  readonly sockets: StreamSockets;
}

/**
 * @param serving null on the query thread, which has no client connections and only describes these routes
 */
export function streamRoutes(serving: StreamServing | null): Route[] {
  function served(): StreamServing {
    assert(serving !== null, 'a stream is opened on the thread that has its connection');
    return serving;
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/stream',
      operationId: 'streamOdds',
      summary: 'Follow the odds of the slate',
      description:
        'Server-sent events: `hello`, the whole view as `snapshot` in parts, then a `delta` whenever something changed, and a `heartbeat` every five seconds. With `since`, or Last-Event-ID as browsers send it, the stream continues from there. With `signals`, value, arbitrage and the other kinds are reported as they open, change and close. A reader that falls behind gets only the latest state. Opening one costs one unit, its events none. See docs/guide/streaming.md.',
      tags: ['Events and odds'],
      access: 'metered',
      thread: 'http',
      takesTicket: true,
      contentType: EVENT_STREAM_TYPE,
      query: StreamQuery,
      response: STREAM_EVENTS.delta,
      errors: ['forbidden'],
      handle: async ({ query }, context) => {
        // EventSource reconnects to its original URL. So Last-Event-ID is newer than the cursor in the URL,
        // and is used instead.
        const since = context.header('last-event-id') || (query.since ?? null);
        const isHead = context.request.method === 'HEAD';
        return streamReply(await openEventStream(served().opener, context, { query, since, isHead }));
      },
    }),
    defineSocket({
      path: '/v1/ws',
      operationId: 'openSocket',
      summary: 'Follow the odds of the slate over WebSocket',
      description:
        'The events of `/v1/stream`, of several views on one connection. What is sent and received is in `/asyncapi.json`. Subprotocols: `overround.v1.json` and `overround.v1.msgpack`. Opening a connection costs one unit, each subscription counts as a stream. See docs/guide/streaming.md.',
      tags: ['Events and odds'],
      access: 'metered',
      thread: 'http',
      takesTicket: true,
      query: Type.Object({ ticket: TicketParameter }),
      handle: (context) => {
        served().sockets.open(context);
        return new Reply(null);
      },
    }),
  ];
}

function streamReply(body: ReadableStream<Uint8Array>): Reply {
  return new Reply(body, {
    contentType: EVENT_STREAM_TYPE,
    cacheControl: 'no-store',
    // Without this header, proxies such as nginx buffer events before they forward them.
    headers: { 'x-accel-buffering': 'no' },
  });
}
