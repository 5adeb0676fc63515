// How the endpoint answers failures, as the SDK's own client sees it in every protocol version.
// served-tool.test.ts compares all other answers with those of REST.

import { fullGC, heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import { connect, ERAS, makeEndpoint, STANDARD, serveEndpoint } from './serve.ts';
import { PUBLIC_URL, SECRET } from './stub-tools.ts';

interface TextResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
}

function textOf(result: unknown): string {
  const { content } = result as TextResult;
  expect(content.map(({ type }) => type)).toEqual(['text']);
  return content[0]?.text ?? '';
}

function errorOf(result: unknown): Record<string, unknown> {
  const { isError, structuredContent } = result as TextResult;
  expect(isError).toBe(true);
  expect(structuredContent).toBeUndefined();
  return (JSON.parse(textOf(result)) as { error: Record<string, unknown> }).error;
}

for (const { era, mode } of ERAS) {
  describe(`McpEndpoint, ${era} client`, () => {
    test('answers an expected failure as a tool error with the whole envelope', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      await client.listTools();
      expect(errorOf(await client.callTool({ name: 'refuse', arguments: {} }))).toEqual({
        code: 'upstream_unavailable',
        message: 'Cannot answer: the slate is loading',
        fix: 'Wait',
        is_retriable: true,
        retry_after_seconds: 7,
        documentation_url: `${PUBLIC_URL}/docs/errors#upstream_unavailable`,
      });
      expect(served.reported).toEqual([]);
    });

    test('answers bad arguments with a code and a fix', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      const result = await client.callTool({ name: 'list_lines', arguments: { limit: 'three' } });
      expect(errorOf(result)).toMatchObject({
        code: 'validation_error',
        fix: 'limit: Input should be a valid integer',
      });
    });

    test('reports the message of a thrown error, and does not show it to the client', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      const result = await client.callTool({ name: 'leak', arguments: {} });
      expect(errorOf(result).code).toBe('internal');
      expect(JSON.stringify(result)).not.toContain('hunter2');
      expect(served.reported.map(({ where, failure }) => [where, String(failure)])).toEqual([
        ['leak', `Error: Cannot connect to ${SECRET}`],
      ]);
    });
  });
}

test('the server that is made for each request is freed afterwards', async () => {
  const endpoint = makeEndpoint([]);
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  });
  const headers = {
    ...{ host: '127.0.0.1', 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  };
  const functionsAfter = async (requests: number): Promise<number> => {
    for (let count = 0; count < requests; count++) {
      const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body });
      const response = await endpoint.fetch(request, { principal: STANDARD, nowMs: 0 });
      expect([response.status, (await response.text()).includes('protocolVersion')]).toEqual([200, true]);
    }
    fullGC();
    return heapStats().objectTypeCounts.Function ?? 0;
  };
  const before = await functionsAfter(50);
  expect(await functionsAfter(200)).toBeLessThan(before + 200);
  await endpoint.close();
});
