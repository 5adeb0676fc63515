// The OpenAPI 3.1 document, made from the routes and the schemas that validate them. Built once, when it is
// first requested.

import { Kind, type TObject, type TSchema } from '@sinclair/typebox';
import { sessionCookieName } from '../../accounts/sessions/session.ts';
import { CSV_KIND, type CsvSchema, isOptionalField } from '../../contract/schema.ts';
import { BOOKMAKER_COUNT_TEXT } from '../../domain/catalogue.ts';
import { isDescribed, type Route, type RouteAccess } from '../kit/route.ts';
import { operationResponses, RESPONSE_HEADERS } from './openapi-responses.ts';
import { ComponentSchemas, type JsonObject } from './openapi-schema.ts';

/** Version of the API descriptions. The public contract fixes it, independently of this program's version. */
export const DESCRIPTION_VERSION = '0.1.0';

/** The description of each tag, in the order of the document. */
const TAGS = [
  { name: 'Metadata', description: 'Sports, bookmakers, leagues and teams.' },
  { name: 'Events and odds', description: 'Fixtures, their state, their quotes, openings and results.' },
  { name: 'History', description: 'Price changes of the past, closing prices, and what is kept.' },
  { name: 'Resolve', description: 'Names to ids.' },
  { name: 'Convert', description: 'Pure conversions of odds formats and handicap lines. No key needed.' },
  { name: 'Agent tools', description: 'Tools for agents, many of which take a fixture in natural language.' },
  { name: 'Account', description: 'Sign-up, sessions, plan and API keys.' },
  { name: 'Alerts', description: 'Rules that send a message when something happens, and their deliveries.' },
  { name: 'Operations', description: 'Health, readiness and usage.' },
];

const SECURITY: Readonly<Record<RouteAccess, readonly JsonObject[]>> = {
  open: [{}, { apiKey: [] }],
  metered: [{}, { apiKey: [] }],
  key: [{ apiKey: [] }],
  account: [{}, { sessionToken: [] }, { sessionCookie: [] }],
};

function securitySchemes(publicUrl: string): Readonly<Record<string, JsonObject>> {
  return {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `isk_...`.' },
    sessionToken: { type: 'http', scheme: 'bearer', description: 'The `session_token` of a login.' },
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(publicUrl.startsWith('https:')),
      description: 'The cookie of a login.',
    },
  };
}

/** Makes the document, with every route that has an operation id. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): JsonObject {
  const schemas = new ComponentSchemas();
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    if (!isDescribed(route)) continue;
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operationOf(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Overround',
      version: DESCRIPTION_VERSION,
      summary: `Read-only sports odds from ${BOOKMAKER_COUNT_TEXT}`,
      description:
        'Current and live odds for football and basketball. Every field of an answer is always there; optional ones are null. Requests without a key are served the free tier. Answers under /v1/ are MessagePack instead of JSON for `Accept: application/msgpack`, and bodies over 1 KB are compressed with gzip or zstd as `Accept-Encoding` allows; each form has an ETag of its own.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: TAGS,
    paths,
    components: {
      schemas: schemas.toJson(),
      headers: RESPONSE_HEADERS,
      securitySchemes: securitySchemes(publicUrl),
    },
  };
}

function operationOf(route: Route, schemas: ComponentSchemas): JsonObject {
  const parameters = [
    ...parametersOf(route.params, 'path', schemas),
    ...parametersOf(route.query, 'query', schemas),
  ];
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [...route.tags],
    ...(route.deprecation === undefined ? {} : { deprecated: true }),
    security: SECURITY[route.access],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === null ? {} : { requestBody: bodyOf(route.body, schemas) }),
    responses: operationResponses(route, schemas),
  };
}

function bodyOf(body: TObject, schemas: ComponentSchemas): JsonObject {
  return {
    required: (body.required ?? []).length > 0,
    content: { 'application/json': { schema: schemas.convert(body) } },
  };
}

function parametersOf(
  schema: TObject | null,
  place: 'path' | 'query',
  schemas: ComponentSchemas,
): JsonObject[] {
  if (schema === null) return [];
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: place,
      required: place === 'path' || !isOptionalField(property),
      ...(description === undefined ? {} : { description }),
      ...parameterSchema(rest as TSchema, schemas),
    };
  });
}

/** The schema of a parameter. A comma-separated list is an array with `style: form` and `explode: false`. */
function parameterSchema(schema: TSchema, schemas: ComponentSchemas): JsonObject {
  if (schema[Kind] !== CSV_KIND) return { schema: schemas.convert(schema) };
  const { csvValues, csvItemsMax } = schema as unknown as CsvSchema;
  const items = { type: 'string', enum: [...csvValues] };
  return {
    style: 'form',
    explode: false,
    schema: { type: 'array', items, minItems: 1, maxItems: csvItemsMax },
  };
}
