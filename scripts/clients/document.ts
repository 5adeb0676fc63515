// The source of the generated client code: the served OpenAPI document, reduced to what a client needs, plus
// the stream events of the AsyncAPI document as further schemas.

import { NodeHealth } from '../../src/contract/operations.ts';
import { assert } from '../../src/errors.ts';
import { ComponentSchemas } from '../../src/http/docs/openapi-schema.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { startService } from '../../src/start/service.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Json } from '../contract/changes.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

export interface Document {
  readonly openapi: string;
  readonly info: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The documents of a server with the built-in roster. */
export interface ServedDocuments {
  readonly openapi: Json;
  readonly asyncapi: Json;
}

/** Starts a service, reads both documents, and stops the service. */
export async function servedDocuments(): Promise<ServedDocuments> {
  using folder = temporaryFolder();
  const settings = {
    PORT: '0',
    DATA_DIR: folder.path,
    LOG_LEVEL: 'error',
    NODE_ENV: 'test',
    STOP_DRAIN_MS: '0',
  };
  const fixtures = { SIMULATOR_FOOTBALL_FIXTURES: '1', SIMULATOR_BASKETBALL_FIXTURES: '1' };
  const service = await startService(loadConfig({ ...settings, ...fixtures }));
  try {
    const [openapi, asyncapi] = await Promise.all(
      ['openapi', 'asyncapi'].map(async (name) => (await fetch(`${service.url}/${name}.json`)).json()),
    );
    return { openapi: openapi as Json, asyncapi: asyncapi as Json };
  } finally {
    await service.stop();
  }
}

/** The document that clients are generated from. */
export function clientDocument({ openapi, asyncapi }: ServedDocuments): Document {
  return cutDown(
    withNodes(openapi as unknown as Document),
    asyncapi as unknown as Pick<Document, 'components'>,
  );
}

/**
 * Adds the answers that only a node of a cluster gives to the document of a single server, because a client
 * may talk to either.
 */
function withNodes({ paths, components, ...rest }: Document): Document {
  const nodes = new ComponentSchemas();
  const ofNode = nodes.convert(NodeHealth);
  const health = paths['/health']!.get!;
  const alone = answerOf(health.responses);
  assert(alone !== null, '/health answers with JSON');
  const answer = {
    description: 'OK',
    content: { 'application/json': { schema: { anyOf: [alone, ofNode] } } },
  };
  return {
    ...rest,
    paths: { ...paths, '/health': { get: { ...health, responses: { ...health.responses, 200: answer } } } },
    components: { schemas: { ...components.schemas, ...(nodes.toJson() as Record<string, Schema>) } },
  };
}

/**
 * Leaves out what clients do not need: stream operations, because the hand-written mirror follows streams;
 * MessagePack; and every error format except the envelope. Bookmakers become plain strings, because a server
 * may have others.
 */
function cutDown(openApi: Document, asyncApi: Pick<Document, 'components'>): Document {
  const bookmakers = new Set(openApi.components.schemas.BookmakerInfo!.properties!.key!.enum);
  const paths = Object.entries(openApi.paths).flatMap(([path, operations]) => {
    const kept = Object.entries(operations).filter(([, { responses }]) => answerOf(responses) !== null);
    return kept.length === 0 ? [] : [[path, Object.fromEntries(kept.map(withOneAnswer))]];
  });
  const schemas = { ...asyncApi.components.schemas, ...openApi.components.schemas };
  const sorted = Object.fromEntries(
    Object.entries(schemas).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  const whole = { paths: Object.fromEntries(paths), components: { schemas: sorted } };
  return {
    openapi: '3.1.0',
    info: openApi.info,
    ...(withoutNoise(whole, bookmakers) as Pick<Document, 'paths' | 'components'>),
  };
}

function withOneAnswer([method, operation]: [string, Operation]): [string, unknown] {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const failure = { $ref: '#/components/schemas/ErrorEnvelope' };
  return [
    method,
    {
      operationId,
      summary,
      description,
      ...(parameters === undefined ? {} : { parameters }),
      ...(requestBody === undefined ? {} : { requestBody }),
      responses: {
        200: {
          description: 'The answer.',
          content: { 'application/json': { schema: answerOf(responses) } },
        },
        default: {
          description: 'Refused or failed.',
          content: { 'application/json': { schema: failure } },
        },
      },
    },
  ];
}

/** The schema of an operation's JSON answer; null when it does not answer with JSON. */
export function answerOf(responses: Operation['responses']): Schema | null {
  return responses[200]?.content?.['application/json']?.schema ?? null;
}

const NOISE = new Set(['examples', 'pattern', 'title']);

function withoutNoise(value: unknown, bookmakers: ReadonlySet<unknown>, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutNoise(one, bookmakers));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, part]) => {
    if (isNames) return true;
    return !NOISE.has(key) && !(key === 'enum' && isSameSet(part as readonly unknown[], bookmakers));
  });
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      withoutNoise(part, bookmakers, !isNames && (key === 'properties' || key === 'schemas')),
    ]),
  );
}

function isSameSet(values: readonly unknown[], others: ReadonlySet<unknown>): boolean {
  return values.length === others.size && values.every((value) => others.has(value));
}
