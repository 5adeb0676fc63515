// The page at `/` for a person with a browser, and the map of the service for anything else.

import { PAGE_STYLE } from './errors-page.ts';

/** What stands where, for machines. */
export interface ServiceMap {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly openapi: string;
  readonly docs: string;
  readonly errors: string;
  readonly llms: string;
  readonly tools: string;
  readonly mcp: string;
  readonly events: string;
  readonly health: string;
  readonly ready: string;
  readonly metrics: string;
  readonly sign_up: string;
}

/** @param publicUrl base of links, no trailing slash */
export function serviceMap(publicUrl: string, version: string): ServiceMap {
  return {
    name: 'Overround',
    version,
    description: 'Read-only sports odds over REST, agent tools and MCP',
    openapi: `${publicUrl}/openapi.json`,
    docs: `${publicUrl}/docs`,
    errors: `${publicUrl}/docs/errors`,
    llms: `${publicUrl}/llms.txt`,
    tools: `${publicUrl}/v1/mcp/tools`,
    mcp: `${publicUrl}/mcp`,
    events: `${publicUrl}/v1/events`,
    health: `${publicUrl}/health`,
    ready: `${publicUrl}/ready`,
    metrics: `${publicUrl}/metrics`,
    sign_up: `${publicUrl}/platform/signup`,
  };
}

/** The page. */
export function homePage(map: ServiceMap, publicUrl: string, bookmakers: string): string {
  const rows = [
    ['/docs', 'the API reference, to read and to try'],
    ['/openapi.json', 'the same for programs: OpenAPI 3.1'],
    ['/docs/errors', 'every error code, and what to do about it'],
    ['/llms.txt', 'the service for a language model'],
    ['/v1/mcp/tools', 'the agent tools with their schemas; MCP itself is at <code>/mcp</code>'],
    ['/v1/events?status=live&amp;limit=5', 'what is being played now'],
    ['/ready', 'whether there are prices; <a href="/metrics">/metrics</a> for Prometheus'],
  ].map(([path, what]) => `<tr><td><a href="${path}">${path}</a></td><td>${what}</td></tr>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Overround</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<h1>Overround</h1>
<p class="meta">${map.description}. Version ${map.version}.</p>
<p>Football and basketball, ${escaped(bookmakers)}, 1x2, Asian handicap and totals. Without a key you are served the free
tier, which leaves out the sharp book.</p>
<pre><code>curl -s '${escaped(publicUrl)}/v1/events?limit=3'</code></pre>
<table>
<thead><tr><th>Where</th><th>What</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');
}
