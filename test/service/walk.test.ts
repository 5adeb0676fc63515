// Calls every operation of the served OpenAPI document as each kind of caller and compares each answer with
// its schema by Ajv, which shares no code with the server's validator. The files in surface/ send further
// requests to the same service.

import { describe, expect, test } from 'bun:test';
import { call, headerProblemsOf } from '../support/call.ts';
import { CALLERS, type Caller } from '../support/callers.ts';
import { listOf } from '../support/list-of.ts';
import type { Operation } from '../support/openapi-document.ts';
import './surface/contract-details.ts';
import './surface/error-codes.ts';
import './surface/odds.ts';
import { surface } from './surface/shared-surface.ts';

/**
 * The callers that send the wrong requests in turn. Callers without a key are paced, and a refusal counts as
 * four requests for them; surface/fuzz.ts sends some wrong requests as every caller.
 */
const SENDS_ERRORS: readonly [Caller, Caller] = ['free', 'enterprise'];
/** Every caller sends this many requests of each operation. They name events of every status. */
const SENT_BY_ALL = 4;

/**
 * Whether the caller sends a good request. Two callers share those after the first few if they see the same
 * prices: free and keyless callers are in one tier, and the others differ only in limits.
 */
function sendsGood(caller: Caller, index: number): boolean {
  if (index < SENT_BY_ALL || caller === 'enterprise') return true;
  return caller === (index % 2 === 0 ? 'free' : 'keyless');
}

/** test/service/sign-up.test.ts calls the operations that take a session instead of a key. */
function dataOperations(): Operation[] {
  return surface.document.operations.filter((operation) => !operation.isAccount);
}

test('the document has every operation that a routes file names', async () => {
  const folder = new URL('../../src/http/routes/', import.meta.url).pathname;
  const { operations, streams } = surface.document;
  const ids = new Set([...operations, ...streams].map((operation) => operation.operationId));
  const missing: string[] = [];
  for (const file of new Bun.Glob('**/*.ts').scanSync(folder)) {
    const text = await Bun.file(folder + file).text();
    const named = [...text.matchAll(/operationId: '(\w+)'/g)].map((match) => match[1]!);
    missing.push(...named.filter((id) => !ids.has(id)).map((id) => `${file}: ${id}`));
  }
  expect(missing).toEqual([]);
});

describe.each([...CALLERS])('as %s', (caller) => {
  test('every documented operation answers as documented, to valid and to invalid input', async () => {
    const problems: string[] = [];
    let sent = 0;
    for (const operation of dataOperations()) {
      const isAllowed = !operation.needsKey || caller !== 'keyless';
      let answeredWell = 0;
      for (const [index, request] of surface.samples.good(operation).entries()) {
        if (!sendsGood(caller, index)) continue;
        const answered = await surface.send(caller, request);
        sent += 1;
        if (answered.status === 200) answeredWell += 1;
        const expected = isAllowed ? expectedOf(caller, request.path + request.body) : [401];
        const found = surface.problemsOf(operation, answered);
        if (!expected.includes(answered.status)) found.push(`status ${answered.status}, not ${expected}`);
        problems.push(
          ...found.map((problem) => `${request.method} ${request.path} ${request.body}: ${problem}`),
        );
      }
      if (isAllowed && answeredWell === 0 && !isOfPast(operation.path))
        problems.push(`${operation.operationId} was never answered with 200`);
      for (const [index, request] of surface.samples.bad(operation).entries()) {
        if (SENDS_ERRORS[index % 2] !== caller) continue;
        const answered = await surface.send(caller, request);
        sent += 1;
        const found = surface.problemsOf(operation, answered);
        problems.push(
          ...found.map((problem) => `${request.method} ${request.path} ${request.body}: ${problem}`),
        );
      }
    }
    expect(problems).toEqual([]);
    expect(sent).toBeGreaterThan(100);
  });
});

test('an unknown path and a wrong method answer in the envelope with every header, to every caller', async () => {
  for (const caller of CALLERS) {
    for (const [method, path, status] of [
      ['GET', '/v1/nothing', 404],
      ['POST', '/nothing', 404],
      ['DELETE', '/v1/sports', 405],
      ['PUT', '/v1/odds/batch', 405],
    ] as const) {
      const answered = await surface.send(caller, { method, path, body: null });
      expect(answered.status).toBe(status);
      expect(headerProblemsOf(answered, null)).toEqual([]);
      expect(answered.body).toMatchObject({
        error: { code: status === 404 ? 'not_found' : 'invalid_request' },
      });
    }
  }
});

test('pages, documents and probes carry the rate headers and cost nothing', async () => {
  const headers = { 'x-forwarded-for': surface.callers.nextAddress() };
  for (const path of listOf(`
    /, /openapi.json, /asyncapi.json, /docs, /docs/errors, /llms.txt, /llms-full.txt, /health
  `)) {
    const answered = await call(surface.running.url + path, { headers });
    expect([path, answered.status]).toEqual([path, 200]);
    expect([path, answered.headers.get('x-ratelimit-remaining')]).toEqual([path, '30']);
    expect(headerProblemsOf({ ...answered, text: '' }, null)).toEqual([]);
  }
});

/**
 * Naming the sharp bookmaker is forbidden for callers who may not see it; any other well-formed request is
 * answered.
 */
function expectedOf(caller: Caller, request: string): readonly number[] {
  const seesSharp = caller !== 'keyless' && caller !== 'free';
  // Answers of /convert/ routes contain no quotes, even if the request names a bookmaker.
  const namesSharp = /[=,"]pinnacle|%2Cpinnacle|%20pinnacle/.test(request) && !request.includes('/convert/');
  if (isOfPast(request)) return [200, 403, 404];
  return namesSharp && !seesSharp ? [403] : resultsMayMiss(request) ? [200, 404] : [200];
}

/**
 * The clock of this service does not move, so it has no history. test/history calls these operations on a
 * service that has one.
 */
function isOfPast(request: string): boolean {
  return /\/(?:history|closing|settlement|line_history|get_closing_line|signals\/record)/.test(request);
}

/** Only finished fixtures have a result. */
function resultsMayMiss(request: string): boolean {
  return request.startsWith('/v1/results/');
}

// Its tests run after all others, because they change and close accounts.
await import('./surface/fuzz.ts');
