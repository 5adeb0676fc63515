// Changes that are pushed: GET /v1/stream.

import { subjectOfAddress } from '../../access/client-address.ts';
import type { StreamPlaces } from '../../access/stream-places.ts';
import { subjectOfText } from '../../access/subject-table.ts';
import { STREAM_EVENTS, StreamQuery } from '../../contract/stream.ts';
import { KEYLESS_STREAMS, rulesOf } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { oddsView } from '../../query/odds-view.ts';
import type { Queries } from '../../query/queries.ts';
import type { StreamHub } from '../../stream/stream-hub.ts';
import { EventStream } from '../kit/event-stream.ts';
import { Reply } from '../kit/reply.ts';
import { defineRoute, type HandlerContext, type RouteGroup } from '../kit/route.ts';

const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';
/** How long who has too many streams, or finds no room, should wait. */
const RETRY_S = 5;

export interface StreamParts {
  readonly hub: StreamHub;
  readonly places: StreamPlaces;
}

export function streamRoutes({ slate, leagues }: Queries, { hub, places }: StreamParts): RouteGroup {
  return {
    name: 'streams',
    routes: [
      defineRoute({
        method: 'GET',
        path: '/v1/stream',
        operationId: 'streamOdds',
        summary: 'Follow the odds of the slate',
        description:
          'Server-sent events: `hello`, the whole view as `snapshot` in parts, then a `delta` whenever something changed, and a `heartbeat` every five seconds. With `since`, or Last-Event-ID as browsers send it, the stream goes on from there. A reader that falls behind is sent the last state once. Opening one costs one unit, its events none. See docs/streaming.md.',
        tags: ['Events and odds'],
        access: 'metered',
        contentType: EVENT_STREAM_TYPE,
        query: StreamQuery,
        response: STREAM_EVENTS.delta,
        errors: ['forbidden', 'upstream_unavailable'],
        handle: ({ query }, context) => {
          const { nowMs, principal } = context;
          const view = oddsView({ slate, leagues }, query, { principal, nowMs });
          const since = query.since ?? context.header('last-event-id');
          const { tickMs } = rulesOf(principal);
          if (context.request.method === 'HEAD') return streamReply(null);
          const place = takePlace(places, context);
          const endExemption = context.keepOpen();
          const body = new EventStream(() => {
            places.leave(place);
            endExemption();
          });
          try {
            body.connect((sink) =>
              hub.open({
                view,
                since,
                tickMs: Math.max(query.tick_ms ?? tickMs, tickMs),
                sink,
                isAllowed: context.allowance(),
              }),
            );
          } catch (error) {
            body.abandon();
            throw error;
          }
          return streamReply(body.stream);
        },
      }),
    ],
  };
}

function streamReply(body: ReadableStream<Uint8Array> | null): Reply {
  return new Reply(body, {
    contentType: EVENT_STREAM_TYPE,
    cacheControl: 'no-store',
    // Proxies such as nginx would otherwise collect events before they pass them on.
    headers: { 'x-accel-buffering': 'no' },
  });
}

/** @throws ServiceError 429 when the caller has as many streams open as it may, 503 when all places are taken */
function takePlace(places: StreamPlaces, { principal, clientAddress }: HandlerContext): number {
  const { keyId } = principal;
  const subject = keyId === null ? subjectOfAddress(clientAddress) : subjectOfText(keyId);
  const max = keyId === null ? KEYLESS_STREAMS : rulesOf(principal).streams;
  const place = places.take(subject, max);
  if (typeof place === 'number') return place;
  if (place === 'table_full') {
    throw new ServiceError('upstream_unavailable', 'Cannot open a stream: too many are open', {
      retryAfterSeconds: RETRY_S,
    });
  }
  throw new ServiceError('rate_limit_exceeded', `Cannot open a stream: ${max} may be open at a time`, {
    fix:
      keyId === null
        ? 'Use a key, or close a stream first'
        : 'Close a stream first, or use a key of a higher tier',
    retryAfterSeconds: RETRY_S,
    headers: { 'x-ratelimit-scope': 'streams' },
  });
}
