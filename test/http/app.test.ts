// The application without a socket: an answer that is ready is returned at once.

import { expect, test } from 'bun:test';
import { FairTurns } from '../../src/access/quotas/fair-turns.ts';
import { FreePace } from '../../src/access/quotas/free-pace.ts';
import { systemClock } from '../../src/clock.ts';
import { createApp, type WholeApp } from '../../src/http/app.ts';
import { Forms } from '../../src/http/kit/forms.ts';
import { AnswerHeaders } from '../../src/http/kit/headers.ts';
import { createPlaces } from '../../src/http/kit/in-flight.ts';
import { Reply } from '../../src/http/kit/reply.ts';
import { Negotiator } from '../../src/http/kit/representation.ts';
import { RequestContext } from '../../src/http/kit/request-context.ts';
import { definePage, defineRoute } from '../../src/http/kit/route.ts';
import { ECHO, SECRET, TestGate, testRoutes } from './kit.ts';

const edge = {
  deps: {
    clock: systemClock,
    gate: new TestGate(),
    publicUrl: 'http://odds.example',
    log: { error: () => {} },
    nextRequestId: () => 'id',
    count: () => {},
    reportsRequests: false,
    observe: () => {},
  },
  inFlight: createPlaces(1),
  freePace: new FreePace(),
  headers: new AnswerHeaders(false),
  negotiator: new Negotiator(),
  forms: new Forms(),
  turns: new FairTurns({ monotonicMs: () => 0 }),
  questions: null,
  peerOf: () => '127.0.0.1',
  keepOpen: () => () => undefined,
  upgrade: () => false,
};

// Elysia awaits a handler whose source looks asynchronous, which costs a promise and a deadline timer per
// request.
test('createApp: routes that answer at once are not awaited, errors included', () => {
  const app = createApp([{ name: 'test', routes: testRoutes() }]);
  for (const path of ['/v1/things', '/v1/things?limit=x', '/v1/things/a/odds/1x2', '/crash', '/large']) {
    const answer = answerOf(app, edge, new Request(`http://localhost${path}`));
    expect(answer, path).toBeInstanceOf(Response);
  }
});

test('createApp: an answer that does not fit its schema is 500 and says nothing of itself', async () => {
  const misshapen = [{}, { seen: 1, more: SECRET }, [SECRET], null, { see: SECRET }];
  for (const answer of [...misshapen, ...misshapen.map((value) => Reply.json(value))]) {
    const route = defineRoute({
      ...{ method: 'GET', path: '/v1/misshapen', operationId: 'misshapen', summary: '', description: '' },
      ...{ tags: [], access: 'open', response: ECHO },
      handle: () => answer as { seen: unknown },
    });
    const app = createApp([{ name: 'test', routes: [route] }]);
    const response = await answerOf(app, edge, new Request('http://localhost/v1/misshapen'));
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal' } });
    expect(text).not.toContain(SECRET);
  }
});

test('createApp: methods of one path may come from several groups, and Allow names them all', async () => {
  const page = (method: 'GET' | 'POST') =>
    definePage({ path: '/shared', method, handle: () => new Reply('{}') });
  const app = createApp([
    { name: 'reading', routes: [page('GET')] },
    { name: 'writing', routes: [page('POST')] },
  ]);
  const send = (method: string) => answerOf(app, edge, new Request('http://localhost/shared', { method }));
  expect((await send('GET')).status).toBe(200);
  expect((await send('POST')).status).toBe(200);
  expect((await send('DELETE')).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
});

function answerOf(
  app: WholeApp,
  edge: ConstructorParameters<typeof RequestContext>[0],
  request: Request,
): Response | Promise<Response> {
  return app.find(request)(new RequestContext(edge, request));
}
