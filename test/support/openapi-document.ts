// The served OpenAPI document for tests: its operations, and each documented answer as a validator of Ajv,
// which shares no code with the TypeBox compiler that the server uses.

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly JsonSchema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly style?: string;
  readonly schema: JsonSchema;
}

interface Answer {
  readonly content?: { readonly 'application/json': { readonly schema: JsonSchema } };
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** The path in the form of OpenAPI, such as `/v1/events/{event_id}`. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | null;
  /** Whether the operation needs a key. */
  readonly needsKey: boolean;
  /** Whether the operation takes a session instead of a key. */
  readonly isAccount: boolean;
  readonly answers: Readonly<Record<string, Answer>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<Record<string, Answer>>;
}

interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export class OpenApiDocument {
  /** Operations that answer with one JSON body. */
  readonly operations: readonly Operation[];
  /**
   * Operations whose answer does not end, as events or as a socket. test/service/stream.test.ts and
   * socket.test.ts check those.
   */
  readonly streams: readonly Operation[];
  readonly components: Readonly<Record<string, JsonSchema>>;
  readonly #ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    // Without it, compiling takes a quarter less time.
    code: { optimize: false },
  });
  /** Validators by the text of their schema, because many operations share the schemas of their errors. */
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(raw: RawDocument) {
    addFormats.default(this.#ajv);
    // References point into this object. Ajv compiles only the parts that they point at.
    this.#ajv.addVocabulary(['components']);
    this.#ajv.addSchema({ $id: 'document', components: raw.components });
    this.components = raw.components.schemas;
    const all = Object.entries(raw.paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, operation]) => toOperation(path, method, operation)),
    );
    this.operations = all.filter((operation) => !isStream(operation));
    this.streams = all.filter(isStream);
  }

  /** If the field is a union of one type and null, that type; null for any other schema. */
  valueOfOptional(schema: JsonSchema): JsonSchema | null {
    const [field, other] = this.resolve(schema).anyOf ?? [];
    return field !== undefined && other?.type === 'null' ? field : null;
  }

  /** The schema that a reference points at, or the schema itself. */
  resolve(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.slice('#/components/schemas/'.length);
    return name === undefined ? schema : this.components[name]!;
  }

  /**
   * The problems of an answer: an undocumented status, or each failure of its body. Empty if there are none.
   */
  problemsOf(operation: Operation, status: number, body: unknown): string[] {
    const answer = operation.answers[status];
    if (answer === undefined) return [`status ${status} is not documented`];
    const schema = answer.content?.['application/json'].schema;
    if (schema === undefined) return body === null ? [] : [`a body where ${status} has none`];
    const validate = this.#validators.getOrInsertComputed(JSON.stringify(schema), () =>
      this.#ajv.compile(pointedAtDocument(schema) as object),
    );
    if (validate(body)) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  }
}

export async function fetchDocument(url: string): Promise<OpenApiDocument> {
  const response = await fetch(`${url}/openapi.json`);
  return new OpenApiDocument((await response.json()) as RawDocument);
}

function toOperation(path: string, method: string, raw: RawOperation): Operation {
  const schemes = raw.security.flatMap((entry) => Object.keys(entry));
  return {
    operationId: raw.operationId,
    method: method.toUpperCase(),
    path,
    tags: raw.tags,
    parameters: raw.parameters ?? [],
    body: raw.requestBody?.content['application/json'].schema ?? null,
    needsKey: raw.security.every((entry) => 'apiKey' in entry),
    isAccount: schemes.includes('sessionToken'),
    answers: raw.responses,
  };
}

function isStream({ answers }: Operation): boolean {
  return '101' in answers || Object.keys(answers[200]?.content ?? {}).includes('text/event-stream');
}

/** The schema with its references made absolute. */
function pointedAtDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointedAtDocument);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) =>
      key === '$ref' && typeof part === 'string' ? [key, `document${part}`] : [key, pointedAtDocument(part)],
    ),
  );
}
