// Random requests over the operations of the document: mostly valid values, so that requests pass the first
// check, mixed with texts, numbers, headers and bodies at the edges of every parser.

import fc from 'fast-check';
import { CALLERS, type Caller } from '../support/callers.ts';
import { codePoint } from '../support/code-point.ts';
import type { JsonSchema, OpenApiDocument, Operation } from '../support/openapi-document.ts';
import type { SampleRequest } from '../support/samples.ts';

/** The password, code, cookie or key in these requests. No answer may contain it. */
export const SECRET = 'hunter2-never-comes-back';

/** All random choices of one request. */
export interface Wild {
  readonly operationIndex: number;
  readonly caller: Caller;
  readonly method: string | null;
  readonly pathValues: readonly string[];
  readonly query: readonly { readonly nameIndex: number; readonly value: string }[] | null;
  readonly body: unknown;
  readonly brokenBody: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Unusual values of parameters, separated by spaces: numbers, dates, ids, names of Object.prototype. */
const EDGE_WORDS = `
  0 -0 1 -1 200 201 1e3 0x10 NaN Infinity null undefined true __proto__ constructor toString hasOwnProperty
  ../../etc/passwd ..%2f %00 , " \\ <script> a@b İ ﬁ １２３ - vs
  0000-01-01 0000-00-00 9999-12-31 2026-02-29 2024-02-29 -271821-04-20 275760-09-13
  evt_ evt_00000000 evt_zzzzzzzz lg_Xk29LmQa evt_🙂 EVT_Xk29LmQa
  UTC utc GMT Etc/GMT+12 America/Argentina/ComodRivadavia +02:00 Europe/
  pinnacle crown,crown crown, CROWN 1x2 decimal malay full_time football`
  .trim()
  .split(/\s+/);
const EDGE_TEXTS = [
  '',
  ' ',
  'Arsenal vs Chelsea',
  '- - -',
  "'; DROP TABLE keys; --",
  '\u202e',
  '\ud800',
  '\u0000',
];
const LONG_TEXTS = ['a'.repeat(65), 'a'.repeat(201), 'ﷺ'.repeat(200), 'e\u0301'.repeat(90)];
const EDGE_NUMBERS = [0, -0, 1, -1, 0.25, -0.75, 100, 100.25, 1e308, -1e308, 5e-324, 2 ** 53, 1.0000001];
const EDGE_HEADERS = [
  '*',
  '"',
  'W/"x"',
  'bytes=0-1',
  'null',
  `overround_session=${SECRET}`,
  'text/plain',
  '../x',
];
const PLAIN_HEADERS =
  `accept if-none-match x-request-id origin range cookie x-forwarded-host te accept-encoding
  forwarded x-http-method-override upgrade-insecure-requests`.split(/\s+/);
const WRONG_KEYS = [`Bearer ${SECRET}`, `Basic ${SECRET}`, 'Bearer', `Bearer isk_${'0'.repeat(32)}`, SECRET];
const WRONG_TYPES = ['text/json', 'application/json;charset=utf-16', 'application/json ; x', ';', '*/*'];
const BROKEN_BODIES = ['{', '{"a":', '[[[[', '\ufeff{}', '{}{}'];

export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ unit: codePoint, maxLength: 30 }) },
  { weight: 6, arbitrary: fc.constantFrom(...EDGE_WORDS, ...EDGE_TEXTS, ...LONG_TEXTS) },
);

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  { weight: 2, arbitrary: fc.double() },
  { weight: 2, arbitrary: fc.constantFrom(...EDGE_NUMBERS) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 1, arbitrary: fc.array(nastyText, { maxLength: 25 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

const printable = (charsMax: number) => fc.stringMatching(new RegExp(`^[ -~]{0,${charsMax}}$`));

const nastyHeaders = fc.dictionary(
  fc.constantFrom(...PLAIN_HEADERS),
  fc.oneof(printable(40), fc.constantFrom(...EDGE_HEADERS)),
  { maxKeys: 3 },
);

/** Headers because of which a request may be refused before anything else is read. */
const lockedHeaders = fc.oneof(
  fc.record({ authorization: fc.oneof(printable(60), fc.constantFrom(...WRONG_KEYS)) }),
  fc.record({ 'content-type': fc.constantFrom(...WRONG_TYPES) }),
);

/** A value of `arbitrary` in one of ten cases, otherwise null. */
function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

export function wildRequest(operations: readonly Operation[]): fc.Arbitrary<Wild> {
  return fc.record({
    operationIndex: fc.nat(operations.length - 1),
    caller: fc.constantFrom(...CALLERS),
    method: rarely(fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS')),
    pathValues: fc.array(nastyText, { minLength: 2, maxLength: 2 }),
    query: rarely(fc.array(fc.record({ nameIndex: fc.nat(12), value: nastyText }), { maxLength: 4 })),
    body: fc.oneof(nastyValue, fc.dictionary(nastyText, nastyValue, { maxKeys: 3 })),
    brokenBody: rarely(fc.oneof(nastyText, fc.constantFrom(...BROKEN_BODIES))),
    headers: fc.oneof({ weight: 9, arbitrary: nastyHeaders }, { weight: 1, arbitrary: lockedHeaders }),
  });
}

/** The parts of a service from which wild requests are made. */
interface WildSlate {
  readonly document: OpenApiDocument;
  readonly eventIds: readonly string[];
}

/** Mostly valid values for the fields of any operation, so that requests pass the first check. */
export function valuesFor(
  operations: readonly Operation[],
  slate: WildSlate,
): fc.Arbitrary<Record<string, unknown>> {
  const schemas = new Map<string, JsonSchema>();
  for (const { parameters, body } of operations) {
    for (const { name, schema } of parameters) schemas.set(name, schema);
    for (const [name, schema] of Object.entries(
      body === null ? {} : (propertiesOf(slate.document, body) ?? {}),
    )) {
      schemas.set(name, schema);
    }
  }
  const fields = [...schemas].map(([name, schema]) => [
    name,
    fc.option(valueFor(name, schema, slate), { nil: undefined, freq: 2 }),
  ]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
}

function valueFor(
  name: string,
  schema: JsonSchema,
  { document, eventIds }: WildSlate,
): fc.Arbitrary<unknown> {
  if (name === 'event_id') return fc.constantFrom(...eventIds);
  if (name === 'event_ids') return fc.array(fc.constantFrom(...eventIds), { minLength: 1, maxLength: 21 });
  const { examples } = document.resolve(schema);
  const value = document.resolve(document.valueOfOptional(schema) ?? schema);
  const { enum: words, type, minimum, maximum, items } = value;
  const itemWords = items === undefined ? undefined : document.resolve(items).enum;
  const given = words ?? itemWords ?? examples;
  if (type === 'integer' || type === 'number') {
    return fc.oneof(
      fc.integer({ min: Math.floor(minimum ?? 0) - 1, max: Math.ceil(maximum ?? 300) + 1 }),
      fc.constant(given?.[0] ?? 1),
    );
  }
  if (given === undefined) return nastyText;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...given) }, { weight: 1, arbitrary: nastyText });
}

function propertiesOf(
  document: OpenApiDocument,
  schema: JsonSchema,
): Readonly<Record<string, JsonSchema>> | undefined {
  return document.resolve(schema).properties;
}

/** The request for an operation that results from `wild` and `values`. */
export function toRequest(
  operation: Operation,
  { wild, values, document }: { wild: Wild; values: Record<string, unknown>; document: OpenApiDocument },
): SampleRequest {
  let wildIndex = 0;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? wild.pathValues[wildIndex++ % 2]!;
    // A client removes path segments that consist only of dots, so the request would reach another operation.
    return encode(String(value)).replace(/^\.{0,2}$/, 'x');
  });
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const pairs = names.flatMap((name) =>
    values[name] === undefined ? [] : [`${name}=${encode(textOf(values[name]))}`],
  );
  for (const { nameIndex, value } of wild.query ?? [])
    pairs.push(`${names[nameIndex] ?? 'extra'}=${encode(value)}`);
  const method = wild.method ?? operation.method;
  const canHaveBody = method !== 'GET' && method !== 'HEAD';
  const fields = Object.entries(
    operation.body === null ? {} : (propertiesOf(document, operation.body) ?? {}),
  );
  const right = Object.fromEntries(
    fields.flatMap(([name, schema]) => {
      const value = values[name];
      const isListed =
        document.resolve(document.valueOfOptional(schema) ?? schema).type === 'array' &&
        !Array.isArray(value);
      return value === undefined ? [] : [[name, isListed ? [value] : value]];
    }),
  );
  const extra = typeof wild.body === 'object' && wild.body !== null ? wild.body : {};
  const body =
    wild.brokenBody ?? JSON.stringify(Object.keys(right).length > 0 ? { ...extra, ...right } : wild.body);
  return {
    method,
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    body: canHaveBody && operation.body !== null ? (body ?? '') : null,
  };
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}
