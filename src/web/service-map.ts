// The answer of `/` to clients other than browsers: a map of the service.

/** @param publicUrl base of links, no trailing slash @param hasMetrics whether metrics are on this port */
export function serviceMap(publicUrl: string, version: string, hasMetrics: boolean) {
  return {
    name: 'Overround',
    version,
    description: 'Read-only sports odds over REST, agent tools and MCP',
    openapi: `${publicUrl}/openapi.json`,
    docs: `${publicUrl}/docs`,
    start: `${publicUrl}/docs/start`,
    console: `${publicUrl}/console`,
    errors: `${publicUrl}/docs/errors`,
    llms: `${publicUrl}/llms.txt`,
    tools: `${publicUrl}/v1/mcp/tools`,
    mcp: `${publicUrl}/mcp`,
    events: `${publicUrl}/v1/events`,
    health: `${publicUrl}/health`,
    ready: `${publicUrl}/ready`,
    ...(hasMetrics ? { metrics: `${publicUrl}/metrics` } : {}),
    sign_up: `${publicUrl}/platform/signup`,
  };
}
