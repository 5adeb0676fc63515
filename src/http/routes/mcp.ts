// The MCP endpoint: any method reaches the endpoint, which answers in its own protocol. One HTTP request is one unit.

import type { McpEndpoint } from '../../mcp/handler.ts';
import { Reply } from '../kit/reply.ts';
import { definePage, type RequestContext, type RouteGroup } from '../kit/route.ts';

export function mcpRoutes(endpoint: McpEndpoint): RouteGroup {
  async function handle({ request, principal, nowMs }: RequestContext): Promise<Reply> {
    return Reply.ofResponse(await endpoint.fetch(request, { principal, nowMs }));
  }
  return {
    name: 'mcp',
    routes: (['POST', 'GET', 'DELETE'] as const).map((method) =>
      definePage({ path: '/mcp', method, access: 'metered', handle }),
    ),
  };
}
