// Untrusted requests to the endpoint: their size is bounded, and bad ones are refused before the SDK sees
// them.

import { describe, expect, test } from 'bun:test';
import { KEYLESS } from '../../src/domain/tiers.ts';
import { BODY_BYTES_MAX } from '../../src/limits.ts';
import type { ServedTool, ToolOutcome } from '../../src/mcp/served-tool.ts';
import { makeEndpoint } from './serve.ts';
import { type Reported, serveStubs } from './stub-tools.ts';

const CONTEXT = { principal: KEYLESS, nowMs: 0 };
const CALL = call('list_lines');

function call(name: string): unknown {
  return { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: {} } };
}

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Request {
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      host: '127.0.0.1:3000',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' || body instanceof ReadableStream ? body : JSON.stringify(body),
  });
}

interface JsonRpcAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function answerOf(
  request: Request,
  options: Parameters<typeof makeEndpoint>[1] = {},
): Promise<{ status: number; headers: Headers; body: JsonRpcAnswer }> {
  const response = await makeEndpoint([], options).fetch(request, CONTEXT);
  const body = (await response.json()) as JsonRpcAnswer;
  return { status: response.status, headers: response.headers, body };
}

describe('McpEndpoint', () => {
  test('answers a 2025-era call as JSON, not as a stream', async () => {
    const { status, headers, body } = await answerOf(post(CALL));
    expect([status, headers.get('content-type'), body.id]).toEqual([200, 'application/json', 7]);
    expect(body.result).toBeDefined();
  });

  test('refuses every batch, even one with a call and its own cancellation', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    for (const batch of [[], [CALL], [CALL, cancel], Array(50).fill(CALL)]) {
      const { status, body } = await answerOf(post(batch));
      expect([status, body.error?.code, body.id]).toEqual([400, -32_600, null]);
      expect(body.error?.message).toContain('batch');
    }
  });

  test('refuses a body with more than 512 fields before it parses them', async () => {
    const args = Object.fromEntries(Array.from({ length: 513 }, (_, at) => [`a${at}`, at]));
    const { status, body } = await answerOf(post({ ...Object(CALL), args }));
    expect([status, body.error?.code]).toEqual([400, -32_700]);
    expect(body.error?.message).toContain('more than 512 fields');
  });

  test('refuses a body that is not a JSON object', async () => {
    expect((await answerOf(post('{"jsonrpc"'))).body.error?.code).toBe(-32_700);
    expect((await answerOf(post(''))).body.error?.code).toBe(-32_700);
    for (const text of ['null', '7', '"text"', 'true']) {
      expect((await answerOf(post(text))).body.error?.code).toBe(-32_600);
    }
  });

  test('refuses a body over the bound, declared or not', async () => {
    const padding = 'x'.repeat(BODY_BYTES_MAX);
    expect((await answerOf(post(JSON.stringify({ ...Object(CALL), padding })))).status).toBe(413);
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024));
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    expect((await answerOf(post(endless))).status).toBe(413);
  });

  test('refuses arguments nested thirty thousand levels deep before it parses them', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const text = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_lines","arguments":{"query":${deep}}}}`;
    const reported: Reported[] = [];
    const response = await makeEndpoint(reported).fetch(post(text), CONTEXT);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('nested more than 64 levels deep');
    expect(reported).toEqual([]);
  });

  test('refuses a Host that is not ours, and an Origin that is not ours or opaque', async () => {
    for (const host of ['evil.test', '127.0.0.1.evil.test', '127.0.0.1, evil.test', 'a/b', '']) {
      expect((await answerOf(post(CALL, { host }))).status).toBe(403);
    }
    for (const origin of ['http://evil.test', 'null', 'https://app.test.evil.test']) {
      expect((await answerOf(post(CALL, { origin }))).status).toBe(403);
    }
    for (const origin of ['https://app.test', 'http://app.test:8080']) {
      expect((await answerOf(post(CALL, { origin }))).status).toBe(200);
    }
  });

  test('refuses other content types', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      expect((await answerOf(post(CALL, { 'content-type': type }))).status).toBe(415);
    }
    const notJson = await answerOf(post('not JSON', { 'content-type': 'text/plain' }));
    expect(notJson.status).toBe(415);
    const withCharset = await answerOf(post(CALL, { 'content-type': 'application/json; charset=utf-8' }));
    expect(withCharset.status).toBe(200);
  });

  test('refuses other methods with Allow', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const request = new Request('http://127.0.0.1/mcp', { method, headers: { host: '127.0.0.1' } });
      const { status, headers } = await answerOf(request);
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  test('refuses subscriptions, because its lists never change', async () => {
    const listen = {
      jsonrpc: '2.0',
      id: 9,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const { status, body } = await answerOf(post(listen, { 'mcp-protocol-version': '2026-07-28' }));
    expect([status, body.id, body.error?.code]).toEqual([404, 9, -32_601]);
  });

  test('answers 503 at its own deadline, for a hanging tool and for a body that never ends', async () => {
    const hanging = await answerOf(post(call('hang')), { deadlineMs: 30 });
    expect([hanging.status, hanging.headers.get('retry-after')]).toEqual([503, '1']);
    const stalled = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    expect((await answerOf(post(stalled), { deadlineMs: 30 })).status).toBe(503);
  });

  test('reports no failure when a client that asked for progress leaves before it is answered', async () => {
    const reported: Reported[] = [];
    const [started, work] = [Promise.withResolvers<void>(), Promise.withResolvers<ToolOutcome>()];
    const [lines] = serveStubs();
    const scan: ServedTool = {
      ...lines!,
      name: 'scan_slate',
      call: () => {
        started.resolve();
        return work.promise;
      },
    };
    const endpoint = makeEndpoint(reported, { tools: [scan] });
    const leaving = new AbortController();
    const params = { name: 'scan_slate', arguments: {}, _meta: { progressToken: 1 } };
    const asked = post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    const left = endpoint.fetch(new Request(asked, { signal: leaving.signal }), CONTEXT);
    await started.promise;
    leaving.abort();
    work.resolve({ kind: 'result', value: {} });
    await (await left).text();
    // When the next call has been answered, the work for the first one is over too.
    await (await endpoint.fetch(post(CALL), CONTEXT)).text();
    expect(reported).toEqual([]);
  });

  test('does not show the message of a broken extension, but reports it', async () => {
    const reported: Reported[] = [];
    const register = () => {
      throw new Error('Cannot register: hunter2');
    };
    const endpoint = makeEndpoint(reported, { extension: { register } });
    const response = await endpoint.fetch(post(CALL), CONTEXT);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter2');
    expect(reported.length).toBe(1);
  });
});
