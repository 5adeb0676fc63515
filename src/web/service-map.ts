// What `/` answers to anything but a browser: the map of the service.

/** What stands where, for machines. */
interface ServiceMap {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly openapi: string;
  readonly docs: string;
  readonly start: string;
  readonly console: string;
  readonly errors: string;
  readonly llms: string;
  readonly tools: string;
  readonly mcp: string;
  readonly events: string;
  readonly health: string;
  readonly ready: string;
  /** Absent where metrics have a listener of their own. */
  readonly metrics?: string;
  readonly sign_up: string;
}

/** @param publicUrl base of links, no trailing slash @param hasMetrics whether they are on the same port */
export function serviceMap(publicUrl: string, version: string, hasMetrics: boolean): ServiceMap {
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
