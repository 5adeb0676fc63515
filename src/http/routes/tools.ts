// Agent tools over REST, made from the tool registry: one POST route per tool, and the manifest. Also the MCP
// endpoint.

import { ToolManifest } from '../../contract/tool-parts.ts';
import { RESULT_CHARS_MAX } from '../../limits.ts';
import type { McpEndpoint } from '../../mcp/handler.ts';
import { type CompiledTool, runTool } from '../../tools/kit/call-tool.ts';
import { type ToolContext, toJsonSchema } from '../../tools/kit/tool.ts';
import { FixedAnswer } from '../kit/forms.ts';
import { Reply } from '../kit/reply.ts';
import type { HandlerContext } from '../kit/request/handler-context.ts';
import { definePage, defineRoute, type Route } from '../kit/route.ts';

const TAGS = ['Agent tools'];

/**
 * About the largest size in bytes of a result over MCP: the structured content, and the text, in which the
 * quotation marks of the JSON are escaped.
 */
const RESULT_BYTES_MAX = 2.25 * RESULT_CHARS_MAX;

/** The path of a tool over REST. */
function toolPath(name: string): string {
  return `/v1/mcp/${name}`;
}

export function toolRoutes(tools: readonly CompiledTool[]): Route[] {
  const answer = new FixedAnswer({ tools: tools.map(manifestEntry) });
  const manifest = new Reply(answer, { etag: answer.etag });
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/mcp/tools',
      operationId: 'listTools',
      summary: 'List agent tools',
      description: 'Every tool with its description and the JSON Schemas of its input and output.',
      tags: TAGS,
      access: 'metered',
      response: ToolManifest,
      handle: () => manifest,
    }),
    ...tools.map(toolRoute),
  ];
}

function toolRoute(compiled: CompiledTool): Route {
  const { name, title, description, input, output } = compiled.tool;
  return defineRoute({
    method: 'POST',
    path: toolPath(name),
    operationId: name,
    summary: title,
    description,
    tags: TAGS,
    access: 'metered',
    body: input,
    response: output,
    takesTurns: true,
    waitsFor: 'names',
    errors: ['forbidden', 'not_found'],
    handle: ({ body }, context) => runTool(compiled, body, toolContextOf(context)),
  });
}

function manifestEntry({ tool }: CompiledTool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    method: 'POST',
    path: toolPath(tool.name),
    input_schema: toJsonSchema(tool.input),
    output_schema: toJsonSchema(tool.output),
  };
}

/** The MCP endpoint, which answers in its own protocol. One HTTP request costs one unit. */
export function mcpRoutes(endpoint: Pick<McpEndpoint, 'fetch'>): Route[] {
  async function handle(context: HandlerContext): Promise<Reply> {
    return Reply.ofResponse(await endpoint.fetch(context.request, toolContextOf(context)), RESULT_BYTES_MAX);
  }
  return (['POST', 'GET', 'DELETE'] as const).map((method) =>
    definePage({ path: '/mcp', method, access: 'metered', takesTurns: true, waitsFor: 'names', handle }),
  );
}

function toolContextOf(context: HandlerContext): ToolContext {
  const { principal, nowMs } = context;
  return {
    principal,
    nowMs,
    inTurn: (question, work) => context.inTurn(question === null ? null : `tool ${question}`, work),
    pause: () => context.pause(),
    charge: context.charge,
  };
}
