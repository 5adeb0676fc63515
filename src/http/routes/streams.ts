// The routes that push changes: GET /v1/stream and GET /v1/ws.

import { Type } from '@sinclair/typebox';
import { STREAM_EVENTS, StreamQuery, TicketParameter } from '../../contract/stream/stream.ts';
import { assert } from '../../errors.ts';
import { EventStream } from '../kit/event-stream.ts';
import { Reply } from '../kit/reply.ts';
import { defineRoute, defineSocket, type RouteGroup } from '../kit/route.ts';
import type { StreamOpener } from '../stream-opener.ts';
import type { StreamSockets } from '../stream-sockets.ts';

const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';

export interface StreamServing {
  readonly opener: StreamOpener;
  readonly sockets: StreamSockets;
}

/**
 * @param serving null on the query thread, which has no client connections and only describes these routes
 */
export function streamRoutes(serving: StreamServing | null): RouteGroup {
  function served(): StreamServing {
    assert(serving !== null, 'a stream is opened on the thread that has its connection');
    return serving;
  }
  return {
    name: 'streams',
    routes: [
      defineRoute({
        method: 'GET',
        path: '/v1/stream',
        operationId: 'streamOdds',
        summary: 'Follow the odds of the slate',
        description:
          'Server-sent events: `hello`, the whole view as `snapshot` in parts, then a `delta` whenever something changed, and a `heartbeat` every five seconds. With `since`, or Last-Event-ID as browsers send it, the stream goes on from there. With `signals`, value and arbitrage are told as they open, change and close. A reader that falls behind is sent the last state once. Opening one costs one unit, its events none. See docs/guide/streaming.md.',
        tags: ['Events and odds'],
        access: 'metered',
        thread: 'http',
        takesTicket: true,
        contentType: EVENT_STREAM_TYPE,
        query: StreamQuery,
        response: STREAM_EVENTS.delta,
        errors: ['forbidden', 'upstream_unavailable'],
        handle: async ({ query }, context) => {
          const { opener } = served();
          await opener.turn(context);
          const leagues = await opener.leaguesOf(query, context.nowMs);
          const { principal, clientAddress, nowMs } = context;
          // EventSource reconnects to its original URL, so its Last-Event-ID is newer than the cursor in that
          // URL.
          const since = context.header('last-event-id') || (query.since ?? null);
          const wish = { ...opener.wishOf(query, { principal, clientAddress, nowMs, leagues }), since };
          if (context.request.method === 'HEAD') return streamReply(new ReadableStream());
          await opener.hub.whenReached(wish.view, since);
          const leave = opener.takePlace(context);
          const endExemption = context.keepOpen(() => body.stuck());
          const body = new EventStream(opener.backlog(context), () => {
            leave();
            endExemption();
          });
          try {
            const isAllowed = context.allowance();
            body.connect((sink) => opener.hub.open({ ...wish, sink, isAllowed }));
          } catch (error) {
            body.abandon();
            throw error;
          }
          return streamReply(body.stream);
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
    ],
  };
}

function streamReply(body: ReadableStream<Uint8Array>): Reply {
  return new Reply(body, {
    contentType: EVENT_STREAM_TYPE,
    cacheControl: 'no-store',
    // Otherwise proxies such as nginx would buffer events before they forward them.
    headers: { 'x-accel-buffering': 'no' },
  });
}
