// A running server as the stdio server sees it: the manifest and one POST route per tool, backed by the stub
// tools.

import { KEYLESS } from '../../src/domain/tiers.ts';
import { ValidationError } from '../../src/errors.ts';
import { toEnvelope } from '../../src/mcp/served-tool.ts';
import { callTool, compileTool } from '../../src/tools/kit/call-tool.ts';
import { toJsonSchema } from '../../src/tools/kit/tool.ts';
import { STANDARD } from './serve.ts';
import { leakyTool, linesTool, PUBLIC_URL, refusingTool } from './stub-tools.ts';

export const KEY = 'isk_stub';

export interface RestStub extends AsyncDisposable {
  readonly url: string;
}

export function serveRestStub(): RestStub {
  const tools = [linesTool, refusingTool, leakyTool].map((tool) => compileTool(tool, { checkOutput: true }));
  const manifest = tools.map(({ tool }) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    method: 'POST',
    path: `/v1/mcp/${tool.name}`,
    input_schema: toJsonSchema(tool.input),
    output_schema: toJsonSchema(tool.output),
  }));
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/v1/mcp/tools') return Response.json({ tools: manifest });
      const compiled = tools.find(({ tool }) => pathname === `/v1/mcp/${tool.name}`);
      if (compiled === undefined) return new Response('Not found', { status: 404 });
      const isKnown = request.headers.get('authorization') === `Bearer ${KEY}`;
      try {
        const principal = isKnown ? STANDARD : KEYLESS;
        return Response.json(await callTool(compiled, await request.json(), { principal, nowMs: 0 }));
      } catch (failure) {
        if (failure instanceof ValidationError)
          return Response.json({ detail: failure.detail }, { status: 422 });
        return Response.json(toEnvelope(failure, PUBLIC_URL), { status: 503 });
      }
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}
