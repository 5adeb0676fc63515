// The endpoint seen by the SDK's own client, in every protocol era.

import { fullGC, heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import { listedInput } from '../../src/mcp/listed-schema.ts';
import { RESULT_CHARS_MAX } from '../../src/mcp/trim.ts';
import { toJsonSchema } from '../../src/tools/kit/tool.ts';
import { connect, ERAS, makeEndpoint, STANDARD, serveEndpoint, textParts } from './serve.ts';
import { linesTool, PUBLIC_URL, SECRET } from './stub-tools.ts';

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

for (const { era, mode, protocol } of ERAS) {
  describe(`McpEndpoint, ${era} client`, () => {
    test('lists every tool with schemas, title and annotations', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      expect(client.getNegotiatedProtocolVersion()).toBe(protocol);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['list_lines', 'refuse', 'leak', 'hang', 'lie']);
      for (const tool of tools) {
        expect(tool.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
        expect(tool.inputSchema.type).toBe('object');
        expect(tool.outputSchema).toBeUndefined();
        expect(tool.description).not.toBe('');
      }
      expect<unknown>(tools[0]?.inputSchema).toEqual(listedInput(toJsonSchema(linesTool.input)));
    });

    test('calls a tool: structured content beside its summary, defaults applied', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      const result = await client.callTool({
        name: 'list_lines',
        arguments: { query: null },
      });
      expect(textParts(textOf(result))).toEqual({
        sentence: 'There are 2 lines.',
        data: result.structuredContent,
      });
      expect(result.structuredContent).toMatchObject({
        market_type: 'asian_handicap',
        count: 2,
        tier: 'free',
      });
    });

    test('passes the principal to the tool', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode, 'isk_whatever');
      const result = await client.callTool({ name: 'list_lines' });
      expect(result.structuredContent).toMatchObject({ tier: 'standard' });
    });

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
      const wrongType = await client.callTool({ name: 'list_lines', arguments: { limit: 'three' } });
      expect(errorOf(wrongType)).toMatchObject({
        code: 'validation_error',
        fix: 'limit: Input should be a valid integer',
      });
      const wrongWord = await client.callTool({
        name: 'list_lines',
        arguments: { markets: ['1x2', 'corners'] },
      });
      const error = errorOf(wrongWord);
      expect(error.code).toBe('invalid_request');
      expect(error.fix).toContain('1x2, asian_handicap, totals');
    });

    test('never lets a thrown message out, and reports it', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      const result = await client.callTool({ name: 'leak', arguments: {} });
      expect(errorOf(result).code).toBe('internal');
      expect(JSON.stringify(result)).not.toContain('hunter2');
      expect(served.reported.map(({ where, failure }) => [where, String(failure)])).toEqual([
        ['leak', `Error: Cannot connect to ${SECRET}`],
      ]);
    });

    test('reports an answer outside its schema as a bug', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      expect(errorOf(await client.callTool({ name: 'lie', arguments: {} })).code).toBe('internal');
      expect(String(served.reported[0]?.failure)).toContain(
        'Cannot answer lie: its answer does not fit its schema at /never',
      );
    });

    test('ends a call that takes too long as a retriable tool error', async () => {
      await using served = serveEndpoint({ toolDeadlineMs: 50 });
      await using client = await connect(served.url, mode);
      expect(errorOf(await client.callTool({ name: 'hang', arguments: {} }))).toMatchObject({
        code: 'upstream_unavailable',
        is_retriable: true,
        retry_after_seconds: 1,
      });
    });

    test('cuts an oversize answer and says how to narrow', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      await client.listTools();
      const result = await client.callTool({ name: 'list_lines', arguments: { limit: 20_000 } });
      const value = result.structuredContent as { lines: unknown[]; returned: number; note: string };
      expect(JSON.stringify(result.structuredContent).length).toBeLessThanOrEqual(RESULT_CHARS_MAX);
      expect(value).toMatchObject({ count: 20_000, truncated: true, returned: value.lines.length });
      const note = `Cut to fit: lines holds the first ${value.lines.length} of 20000; narrow with limit, markets, market_type.`;
      expect(value.note).toBe(note);
      expect(textOf(result).length).toBeLessThanOrEqual(RESULT_CHARS_MAX);
      expect(textParts(textOf(result))).toEqual({ sentence: `There are 20000 lines. ${note}`, data: value });
    });

    test('refuses an unknown tool', async () => {
      await using served = serveEndpoint();
      await using client = await connect(served.url, mode);
      await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toThrow('Tool nope not found');
    });
  });
}

test('requests leave nothing behind: each has a server of its own, which is freed', async () => {
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
