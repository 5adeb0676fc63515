// The responses of one operation: its 200, every error it can return, and their headers.

import { ErrorEnvelope, ValidationErrorBody } from '../../contract/errors.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { JSON_CONTENT_TYPE } from '../kit/reply.ts';
import { FORMED_PATHS, PACKED_CONTENT_TYPE } from '../kit/representation.ts';
import type { Route } from '../kit/route.ts';
import type { ComponentSchemas, JsonObject } from './openapi-schema.ts';

/** The headers of responses, by name, for `components.headers` of the document. */
export const RESPONSE_HEADERS: JsonObject = {
  'X-Request-Id': header('string', 'Names this request in the log; an id that was sent is echoed.'),
  'X-RateLimit-Limit': header('integer', 'Requests a minute of this caller.'),
  'X-RateLimit-Remaining': header('integer', 'Requests left now.'),
  'X-RateLimit-Reset': header('integer', 'Epoch second at which the bucket is full.'),
  'X-RateLimit-Scope': {
    description:
      'Which limit was reached, if it was not the limit per minute: per day, of open streams, or of requests that cost nothing.',
    schema: { type: 'string', enum: ['daily', 'streams', 'free'] },
  },
  'RateLimit-Limit': header('integer', 'Requests a day; on a daily rejection.'),
  'RateLimit-Remaining': header('integer', 'Requests left today; on a daily rejection.'),
  'RateLimit-Reset': header('integer', 'Epoch second at which the day ends; on a daily rejection.'),
  'Retry-After': header('integer', 'Seconds to wait before the next try.'),
  Upgrade: header('string', '`websocket`.'),
  ETag: header('string', 'Send it back as If-None-Match: an unchanged answer is 304 without a body.'),
};

const ALWAYS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const DAILY = ['X-RateLimit-Scope', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/**
 * The `responses` of an operation. An error that is not listed by status has the same envelope (`default`).
 */
export function operationResponses(route: Route, schemas: ComponentSchemas): JsonObject {
  const responses = successesOf(route, schemas);
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => ERRORS[code].status);
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[String(status)] = errorResponse(codes, status, { route, schemas });
  }
  if (route.body !== null) {
    responses['413'] = envelope('The body is too large.', ALWAYS, { route, schemas });
    responses['415'] = envelope('The body is not application/json.', ALWAYS, { route, schemas });
  }
  responses.default = envelope('Any other failure, in the same envelope.', ALWAYS, { route, schemas });
  return responses;
}

/**
 * The successful responses. A WebSocket route has one more: the response to a request that is not a WebSocket
 * handshake.
 */
function successesOf(route: Route, schemas: ComponentSchemas): JsonObject {
  const { response } = route;
  if (response === null) {
    return {
      '101': { description: 'The connection is a WebSocket.' },
      '426': envelope(
        '`invalid_request`: the request is not a WebSocket handshake.',
        [...ALWAYS, 'Upgrade'],
        {
          route,
          schemas,
        },
      ),
    };
  }
  const isJson = route.contentType === JSON_CONTENT_TYPE;
  const isRevalidated = route.method === 'GET' && route.access !== 'account' && isJson;
  const ok = {
    description: 'The answer.',
    headers: headersOf(isRevalidated ? [...ALWAYS, 'ETag'] : ALWAYS),
    content: isJson
      ? contentOf(route, schemas.convert(response))
      : { [mediaTypeOf(route)]: { schema: schemas.convert(response) } },
  };
  const unchanged = { description: 'Unchanged since the ETag that was sent.', headers: headersOf(ALWAYS) };
  return isRevalidated ? { '200': ok, '304': unchanged } : { '200': ok };
}

/**
 * The error codes that the route declares, those of every route, and those that follow from its access and
 * its parameters.
 */
function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(['invalid_request', 'internal', ...route.errors]);
  if (route.access !== 'account') codes.add('unauthorized');
  if (route.access === 'metered' || route.access === 'key') codes.add('rate_limit_exceeded');
  if (route.params !== null || route.query !== null || route.body !== null) codes.add('validation_error');
  codes.add('upstream_unavailable');
  return [...codes];
}

interface Described {
  readonly route: Route;
  readonly schemas: ComponentSchemas;
}

function errorResponse(
  codes: readonly ErrorCode[],
  status: number,
  { route, schemas }: Described,
): JsonObject {
  const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' ');
  if (status === 422) {
    return {
      description,
      headers: headersOf(ALWAYS),
      content: contentOf(route, schemas.convert(ValidationErrorBody)),
    };
  }
  if (status === 429) return envelope(description, [...ALWAYS, 'Retry-After', ...DAILY], { route, schemas });
  if (status === 503) return envelope(description, [...ALWAYS, 'Retry-After'], { route, schemas });
  return envelope(description, ALWAYS, { route, schemas });
}

function envelope(
  description: string,
  headers: readonly string[],
  { route, schemas }: Described,
): JsonObject {
  return {
    description,
    headers: headersOf(headers),
    content: contentOf(route, schemas.convert(ErrorEnvelope)),
  };
}

/** The media type without its parameters. */
function mediaTypeOf({ contentType }: Route): string {
  return contentType.split(';', 1)[0]!;
}

/** The content as JSON, and as MessagePack too where answers have several forms. */
function contentOf({ path }: Route, schema: JsonObject): JsonObject {
  const json = { 'application/json': { schema } };
  return path.startsWith(FORMED_PATHS) ? { ...json, [PACKED_CONTENT_TYPE]: { schema } } : json;
}

function headersOf(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(type: 'string' | 'integer', description: string): JsonObject {
  return { description, schema: type === 'integer' ? { type, minimum: 0 } : { type } };
}
