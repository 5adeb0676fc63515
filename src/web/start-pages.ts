// The start pages: one for people, one for people who connect an AI agent. Every command can be pasted as it
// is.

import { PROGRAM_COMMAND } from '../program-files.ts';
import type { Bundle } from './bundle.ts';
import { escapeHtml, textPage } from './page.ts';

const KEY = '$OVERROUND_API_KEY';

/**
 * The page for people: how to get a first price in three minutes. @param publicUrl no trailing slash @param
 * bookmakers such as "seven bookmakers"
 */
export function startPage(publicUrl: string, bookmakers: string, bundle: Bundle): string {
  const body = `<h1>First price in three minutes</h1>
<p>Football and basketball, ${escapeHtml(bookmakers)}, 1x2, Asian handicap and totals. Without a key you get the free
tier, which does not include the sharp book.</p>
<h2>1. Ask without a key</h2>
${command(`curl -s '${publicUrl}/v1/events?status=live&limit=3'`)}
<h2>2. Get a key</h2>
<p>Sign up in the <a href="/console">console</a>, enter the code from the e-mail, and create a key. It is shown once.</p>
${command(`export OVERROUND_API_KEY=isk_...
curl -s -H "Authorization: Bearer ${KEY}" '${publicUrl}/v1/odds?status=live&period=full_time'`)}
<p>The operator of this server can also create one: <code>${PROGRAM_COMMAND} keys create --tier standard</code>.</p>
<h2>3. Follow what moves</h2>
<p>The answer has a <code>cursor</code>. The stream sends every change after it.</p>
${command(`curl -N -H "Authorization: Bearer ${KEY}" '${publicUrl}/v1/stream?status=live&period=full_time'`)}
<h2>4. Connect an agent</h2>
<p>The same data as tools over MCP, for a client that speaks streamable HTTP:</p>
${command(`{ "mcpServers": { "overround": { "url": "${publicUrl}/mcp", "headers": { "Authorization": "Bearer isk_..." } } } }`)}
<p>More on the <a href="/docs/agents">page for agents</a>.</p>
<h2>Next steps</h2>
<ul>
<li><a href="/">The board</a>: all prices as they move</li>
<li><a href="/docs">The API reference</a>, to read and to try</li>
<li><a href="/docs/errors">Every error code</a>, and what to do about it</li>
<li><a href="/openapi.json">OpenAPI 3.1</a> for generators, <a href="/asyncapi.json">AsyncAPI 3</a> for streams</li>
</ul>`;
  return textPage({ title: 'Start · Overround', description: 'First price in three minutes', bundle, body });
}

export interface AgentTool {
  readonly name: string;
  readonly title: string;
}

/** The page for agents, and for people who connect one. */
export function agentsPage(publicUrl: string, tools: readonly AgentTool[], bundle: Bundle): string {
  const rows = tools.map(
    ({ name, title }) => `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(title)}</td></tr>`,
  );
  const body = `<h1>For agents</h1>
<p>The tools answer questions about matches, prices, value and arbitrage. Most accept a fixture in plain words. If several
fixtures match, they list them instead of guessing.</p>
<h2>Connect over MCP</h2>
<p>Streamable HTTP at <code>${escapeHtml(publicUrl)}/mcp</code>, or the local stdio server:</p>
${command(`{ "mcpServers": { "overround": { "url": "${publicUrl}/mcp", "headers": { "Authorization": "Bearer isk_..." } } } }`)}
${command(`${PROGRAM_COMMAND} mcp`)}
<h2>Or call a tool with plain HTTP</h2>
${command(`curl -s -X POST '${publicUrl}/v1/mcp/scan_slate' -H 'content-type: application/json' -d '{"limit": 5}'`)}
<h2>Read first</h2>
<ul>
<li><a href="/llms.txt">/llms.txt</a>: the service on one page, for a language model</li>
<li><a href="/llms-full.txt">/llms-full.txt</a>: the same with every schema</li>
<li><a href="/v1/mcp/tools">/v1/mcp/tools</a>: the tools with their schemas</li>
</ul>
<h2>The tools</h2>
<table>
<thead><tr><th scope="col">Tool</th><th scope="col">Purpose</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
  return textPage({
    title: 'Agents · Overround',
    description: 'Tools for agents, over MCP and HTTP',
    bundle,
    body,
  });
}

/** A text to paste. It can be focused and scrolled by keyboard. */
function command(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}
