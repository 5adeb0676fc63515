// Thousands of requests that no client would send, over every documented operation and some paths besides: each is
// answered in time, never with 500, always as documented, and nothing secret that was sent comes back.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { AccountClient } from '../support/account-client.ts';
import { CALLERS, type Caller } from '../support/callers.ts';
import type { JsonSchema, Operation } from '../support/openapi-document.ts';
import { type Answered, headerProblemsOf, Surface } from '../support/surface.ts';

const SECRET = 'hunter2-never-comes-back';
const ANSWER_MAX_MS = 5_000;
const RUNS = { requests: 10_000, accounts: 1_500, raw: 600 };
/** Statuses whose body is not held against one operation's answers: they are the kit's own. */
const KIT_STATUSES = new Set([404, 405, 413, 415]);

let surface: Surface;
beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 60, settings: { HTTP_THREADS: '2' } });
});
afterAll(() => surface[Symbol.asyncDispose]());

interface Wild {
  readonly operationIndex: number;
  readonly caller: Caller;
  readonly method: string | null;
  readonly pathValues: readonly string[];
  readonly query: readonly { readonly nameIndex: number; readonly value: string }[] | null;
  readonly body: unknown;
  readonly brokenBody: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Texts at the edges of every parser on the way: numbers, dates, ids, encodings, names of Object.prototype. */
const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['', ' ', '0', '-0', '1', '-1', '200', '201', '1e3', '0x10', 'NaN', 'Infinity', 'null', 'undefined'],
      ...[
        'true',
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        '../../etc/passwd',
        '..%2f',
        '%00',
      ],
      ...[
        '0000-01-01',
        '0000-00-00',
        '9999-12-31',
        '2026-02-29',
        '2024-02-29',
        '-271821-04-20',
        '275760-09-13',
      ],
      ...['evt_', 'evt_00000000', 'evt_zzzzzzzz', 'lg_Xk29LmQa', 'evt_🙂', 'EVT_Xk29LmQa'],
      ...['UTC', 'utc', 'GMT', 'Etc/GMT+12', 'America/Argentina/ComodRivadavia', '+02:00', 'Europe/'],
      ...[
        'pinnacle',
        'crown,crown',
        ',',
        'crown,',
        'CROWN',
        '1x2',
        'decimal',
        'malay',
        'full_time',
        'football',
      ],
      ...[
        'Arsenal vs Chelsea',
        'vs',
        '- - -',
        'a@b',
        '"',
        "'; DROP TABLE keys; --",
        '<script>',
        'İ',
        'ﬁ',
        '\u202e',
      ],
      ...[
        'a'.repeat(65),
        'a'.repeat(201),
        'ﷺ'.repeat(200),
        '１２３',
        'e\u0301'.repeat(90),
        '\ud800',
        '\u0000',
      ],
    ),
  },
);

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  { weight: 2, arbitrary: fc.double() },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0,
      -0,
      1,
      -1,
      0.25,
      -0.75,
      100,
      100.25,
      1e308,
      -1e308,
      5e-324,
      2 ** 53,
      1.0000001,
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 1, arbitrary: fc.array(nastyText, { maxLength: 25 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

const nastyHeaders = fc.dictionary(
  fc.constantFrom(
    ...['accept', 'if-none-match', 'x-request-id', 'origin', 'range', 'cookie', 'x-forwarded-host', 'te'],
    ...['accept-encoding', 'forwarded', 'x-http-method-override', 'upgrade-insecure-requests'],
  ),
  fc.oneof(
    fc.stringMatching(/^[ -~]{0,40}$/),
    fc.constantFrom(
      '*',
      '"',
      'W/"x"',
      'bytes=0-1',
      'null',
      `overround_session=${SECRET}`,
      'text/plain',
      '../x',
    ),
  ),
  { maxKeys: 3 },
);

/** Headers that decide whether the request gets in at all. */
const lockedHeaders = fc.oneof(
  fc.record({
    authorization: fc.oneof(
      fc.stringMatching(/^[ -~]{0,60}$/),
      fc.constantFrom(
        `Bearer ${SECRET}`,
        `Basic ${SECRET}`,
        'Bearer',
        `Bearer isk_${'0'.repeat(32)}`,
        SECRET,
      ),
    ),
  }),
  fc.record({
    'content-type': fc.constantFrom(
      'text/json',
      'application/json;charset=utf-16',
      'application/json ; x',
      ';',
      '*/*',
    ),
  }),
);

/** Null most of the time. */
function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

function wildRequest(operations: readonly Operation[]): fc.Arbitrary<Wild> {
  return fc.record({
    operationIndex: fc.nat(operations.length - 1),
    caller: fc.constantFrom(...CALLERS),
    method: rarely(fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS')),
    pathValues: fc.array(nastyText, { minLength: 2, maxLength: 2 }),
    query: rarely(fc.array(fc.record({ nameIndex: fc.nat(12), value: nastyText }), { maxLength: 4 })),
    body: fc.oneof(nastyValue, fc.dictionary(nastyText, nastyValue, { maxKeys: 3 })),
    brokenBody: rarely(fc.oneof(nastyText, fc.constantFrom('{', '{"a":', '[[[[', '\ufeff{}', '{}{}'))),
    headers: fc.oneof({ weight: 9, arbitrary: nastyHeaders }, { weight: 1, arbitrary: lockedHeaders }),
  });
}

test(`${RUNS.requests} wild requests with keys and without: documented answers alone`, async () => {
  const operations = surface.document.operations.filter((operation) => !operation.isAccount);
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(wildRequest(operations), valuesFor(operations), async (wild, values) => {
      const operation = operations[wild.operationIndex]!;
      const answered = await sendWild(operation, wild, values);
      statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
      expect(problemsOf(operation, wild, answered)).toEqual([]);
    }),
    { numRuns: RUNS.requests },
  );
  // The fuzz is worth something only when it gets past the door and also meets it shut.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 422]));
  expect(statuses.get(200)).toBeGreaterThan(RUNS.requests / 20);
}, 60_000);

test(`${RUNS.accounts} wild requests to accounts, logged in and not: documented answers alone, no secret comes back`, async () => {
  const operations = surface.document.operations.filter(
    ({ isAccount, operationId }) => isAccount && operationId !== 'logOut',
  );
  const person = { email: 'wild@example.com', address: surface.callers.nextAddress() };
  const client = new AccountClient(surface.running, person);
  await client.enter();
  const session = { authorization: `Bearer ${client.token}` };
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      wildRequest(operations),
      valuesFor(operations),
      fc.boolean(),
      async (wild, values, hasSession) => {
        const operation = operations[wild.operationIndex]!;
        const headers = hasSession ? { ...wild.headers, ...session } : wild.headers;
        const right = { ...values, password: SECRET, code: SECRET };
        const answered = await sendWild(operation, { ...wild, headers }, right);
        statuses.add(answered.status);
        expect(answered.text).not.toContain(client.token);
        expect(problemsOf(operation, wild, answered)).toEqual([]);
      },
    ),
    { numRuns: RUNS.accounts },
  );
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 422]));
}, 60_000);

test(`${RUNS.raw} malformed requests on the wire leave the server answering`, async () => {
  const line = fc.oneof(fc.stringMatching(/^[ -~]{0,60}$/), nastyText);
  const wire = fc.record({
    start: fc.oneof(
      line,
      fc.constantFrom('GET /v1/sports HTTP/1.1', 'POST /v1/odds/batch HTTP/1.1', 'GET http://evil/ HTTP/1.1'),
      fc.constantFrom(
        'GET //v1/sports HTTP/1.1',
        'TRACE / HTTP/1.1',
        'CONNECT a:1 HTTP/1.1',
        'GET * HTTP/1.0',
      ),
    ),
    headers: fc.array(
      fc.oneof(
        line,
        fc.constantFrom(
          'Host: a',
          'Host: 127.0.0.1',
          'Host: x@127.0.0.1',
          'Content-Length: -1',
          'Content-Length: 9',
        ),
        fc.constantFrom(
          'Transfer-Encoding: chunked',
          'Content-Type: application/json',
          'Expect: 100-continue',
        ),
      ),
      { maxLength: 5 },
    ),
    body: line,
  });
  await fc.assert(
    fc.asyncProperty(wire, async ({ start, headers, body }) => {
      const answer = await exchangeBytes(
        `${[start, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`,
      );
      expect(answer).not.toMatch(/^HTTP\/1\.1 500/);
    }),
    { numRuns: RUNS.raw },
  );
  expect((await surface.send('enterprise', { method: 'GET', path: '/v1/sports', body: null })).status).toBe(
    200,
  );
}, 60_000);

/** Mostly right values for the fields of any operation, so that requests also get past the first check. */
function valuesFor(operations: readonly Operation[]): fc.Arbitrary<Record<string, unknown>> {
  const schemas = new Map<string, JsonSchema>();
  for (const { parameters, body } of operations) {
    for (const { name, schema } of parameters) schemas.set(name, schema);
    for (const [name, schema] of Object.entries(body === null ? {} : (propertiesOf(body) ?? {}))) {
      schemas.set(name, schema);
    }
  }
  const fields = [...schemas].map(([name, schema]) => [
    name,
    fc.option(valueFor(name, schema), { nil: undefined, freq: 2 }),
  ]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
}

function valueFor(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const { eventIds } = surface;
  if (name === 'event_id') return fc.constantFrom(...eventIds);
  if (name === 'event_ids') return fc.array(fc.constantFrom(...eventIds), { minLength: 1, maxLength: 21 });
  const { enum: words, examples, type, minimum, maximum, items } = surface.document.resolve(schema);
  const itemWords = items === undefined ? undefined : surface.document.resolve(items).enum;
  const given = words ?? itemWords ?? examples;
  if (type === 'integer' || type === 'number') {
    return fc.oneof(
      fc.integer({ min: (minimum ?? 0) - 1, max: (maximum ?? 300) + 1 }),
      fc.constant(given?.[0] ?? 1),
    );
  }
  if (given === undefined) return nastyText;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...given) }, { weight: 1, arbitrary: nastyText });
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined {
  return surface.document.resolve(schema).properties;
}

async function sendWild(
  operation: Operation,
  wild: Wild,
  values: Record<string, unknown>,
): Promise<Answered> {
  let wildIndex = 0;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? wild.pathValues[wildIndex++ % 2]!;
    return encode(String(value)) || 'x';
  });
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const pairs = names.flatMap((name) =>
    values[name] === undefined ? [] : [`${name}=${encode(textOf(values[name]))}`],
  );
  for (const { nameIndex, value } of wild.query ?? [])
    pairs.push(`${names[nameIndex] ?? 'extra'}=${encode(value)}`);
  const method = wild.method ?? operation.method;
  const canHaveBody = method !== 'GET' && method !== 'HEAD';
  const fields = Object.entries(operation.body === null ? {} : (propertiesOf(operation.body) ?? {}));
  const right = Object.fromEntries(
    fields.flatMap(([name, schema]) => {
      const value = values[name];
      const isListed = surface.document.resolve(schema).type === 'array' && !Array.isArray(value);
      return value === undefined ? [] : [[name, isListed ? [value] : value]];
    }),
  );
  const extra = typeof wild.body === 'object' && wild.body !== null ? wild.body : {};
  const body =
    wild.brokenBody ?? JSON.stringify(Object.keys(right).length > 0 ? { ...extra, ...right } : wild.body);
  const request = {
    method,
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    body: canHaveBody && operation.body !== null ? (body ?? '') : null,
  };
  const late = AbortSignal.timeout(ANSWER_MAX_MS);
  return Promise.race([
    surface.send(wild.caller, request, wild.headers),
    new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new Error(`No answer: ${JSON.stringify(request)}`)));
    }),
  ]);
}

function problemsOf(operation: Operation, wild: Wild, answered: Answered): string[] {
  const problems = headerProblemsOf(answered, null);
  if (answered.text.includes(SECRET)) problems.push('a secret came back');
  if (surface.callers.texts.some((key) => answered.text.includes(key))) problems.push('a key came back');
  const isOwn = wild.method === null || wild.method === operation.method;
  if (answered.status === 500) problems.push('500');
  if (wild.method === 'HEAD' || wild.method === 'OPTIONS') return problems;
  if (!isOwn || KIT_STATUSES.has(answered.status)) {
    // Another operation of the path, or the kit: the envelope all the same.
    const isError = answered.status >= 400 && answered.status !== 422;
    if (isError) problems.push(...surface.document.problemsOf(operation, 400, answered.body));
    return problems;
  }
  return [...problems, ...surface.problemsOf(operation, answered)];
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** Sends bytes and reads until the server closes; a server that does not is cut off, which fails the test. */
function exchangeBytes(text: string): Promise<string> {
  const { port } = new URL(surface.running.url);
  return new Promise((resolve, reject) => {
    const socket = new Socket();
    let answer = '';
    socket.setTimeout(ANSWER_MAX_MS, () => socket.destroy(new Error(`No answer to ${JSON.stringify(text)}`)));
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.connect(Number(port), '127.0.0.1', () => socket.end(text));
  });
}
