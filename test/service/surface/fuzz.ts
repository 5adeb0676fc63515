// Hundreds of requests that no ordinary client would send, over every documented operation and some other
// paths. Each is answered in time, never with 500, always as documented, and no answer contains a secret that
// was sent.

import { expect, test } from 'bun:test';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { AccountClient } from '../../support/account-client.ts';
import { type Answered, headerProblemsOf } from '../../support/call.ts';
import type { Operation } from '../../support/openapi-document.ts';
import { runs } from '../../support/runs.ts';
import { hasAll, untilMet } from '../../support/until-met.ts';
import { nastyText, SECRET, toRequest, valuesFor, type Wild, wildRequest } from '../wild-requests.ts';
import { surface } from './shared-surface.ts';

const ANSWER_MAX_MS = 60_000;
const RUNS = { requests: runs(250), accounts: runs(80), raw: runs(50) };
/** Statuses that the HTTP kit sends, so their body is not compared with one operation's answers. */
const KIT_STATUSES = new Set([404, 405, 413, 415]);

test(`${RUNS.requests} wild requests with keys and without get only documented answers`, async () => {
  const operations = surface.document.operations.filter((operation) => !operation.isAccount);
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(
    wildRequest(operations),
    valuesFor(operations, surface),
    async (wild, values) => {
      const operation = operations[wild.operationIndex]!;
      const answered = await sendWild(operation, wild, values);
      statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
      expect(problemsOf(operation, wild, answered)).toEqual([]);
    },
  );
  const wanted = [200, 400, 401, 403, 404, 405, 422];
  await untilMet(
    () => fc.assert(property, { numRuns: RUNS.requests, examples: [forbidden(operations)] }),
    () => hasAll(statuses, wanted),
  );
  // The test is meaningful only if many requests were answered and every kind of refusal occurred.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining(wanted));
  expect(statuses.get(200)).toBeGreaterThan(RUNS.requests / 20);
}, 120_000);

test(`${RUNS.accounts} wild requests to accounts, with and without a session, get only documented answers and no secret`, async () => {
  const operations = surface.document.operations.filter(
    ({ isAccount, operationId }) => isAccount && operationId !== 'logOut',
  );
  const person = { email: 'wild@example.com', address: surface.callers.nextAddress() };
  const client = new AccountClient(surface.running, person);
  await client.enter();
  const session = { authorization: `Bearer ${client.token}` };
  const statuses = new Set<number>();
  const property = fc.asyncProperty(
    wildRequest(operations),
    valuesFor(operations, surface),
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
  );
  const wanted = [200, 400, 401, 404, 405, 422];
  await untilMet(
    () => fc.assert(property, { numRuns: RUNS.accounts }),
    () => hasAll(statuses, wanted),
  );
  expect([...statuses]).toEqual(expect.arrayContaining(wanted));
}, 120_000);

test(`the server continues to answer after ${RUNS.raw} malformed requests on the wire`, async () => {
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
}, 120_000);

/**
 * A well-formed request for prices that its caller may not see. Chance alone would produce one only once in a
 * thousand.
 */
function forbidden(operations: readonly Operation[]): [Wild, Record<string, unknown>] {
  const wild: Wild = {
    operationIndex: operations.findIndex(({ operationId }) => operationId === 'getEventOdds'),
    caller: 'keyless',
    method: null,
    pathValues: [],
    query: null,
    body: null,
    brokenBody: null,
    headers: {},
  };
  return [wild, { event_id: surface.eventIds[0], bookmakers: 'pinnacle' }];
}

function sendWild(operation: Operation, wild: Wild, values: Record<string, unknown>): Promise<Answered> {
  const request = toRequest(operation, { wild, values, document: surface.document });
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
    // Another operation answered, or src/http/kit refused the request. Every refusal is in the error
    // envelope.
    const isError = answered.status >= 400 && answered.status !== 422;
    if (isError) problems.push(...surface.document.problemsOf(operation, 400, answered.body));
    return problems;
  }
  return [...problems, ...surface.problemsOf(operation, answered)];
}

/**
 * Sends bytes and reads until the server closes; a server that does not close is disconnected, which fails
 * the test.
 */
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
