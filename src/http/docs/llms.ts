// /llms.txt and /llms-full.txt: the API as plain text for language models, made from the routes and the
// tools themselves.

import type { TSchema } from '@sinclair/typebox';
import { BOOKMAKER_COUNT_TEXT } from '../../domain/catalogue.ts';
import { ERRORS } from '../../errors.ts';
import { type Tool, toJsonSchema } from '../../tools/kit/tool.ts';
import { isDescribed, type Route } from '../kit/route.ts';

export interface LlmsOptions {
  readonly routes: readonly Route[];
  readonly tools: readonly Tool[];
  readonly publicUrl: string;
}

const INTRODUCTION = [
  '# Overround',
  '',
  `> A read-only sports-odds API: football and basketball, ${BOOKMAKER_COUNT_TEXT}, 1x2, Asian handicap and totals, full and half time.`,
  '',
  'It reports prices, value and arbitrage. It never sizes stakes, links to bets or takes bets. Every field of an answer is always present; optional ones are null. Every odds payload has the time of its data in `as_of`, and `stale` says whether that is too old; filter quotes on `status` = `open` before using a price.',
  '',
  'Send `Authorization: Bearer <key>`; without a key you are served the free tier, which leaves out the sharp book. Errors are `{"error": {"code", "message", "fix", "is_retriable", "retry_after_seconds", "documentation_url"}}`: apply `fix` when it is there. Times are ISO-8601 UTC.',
];

/** The short text: what the API offers and where. */
export function llmsText({ routes, tools, publicUrl }: LlmsOptions): string {
  return [
    ...INTRODUCTION,
    '',
    '## Agent tools',
    '',
    `Over MCP (streamable HTTP) at ${publicUrl}/mcp, or POST ${publicUrl}/v1/mcp/<tool> with a JSON body; the local stdio server is \`bun run --silent mcp\`.`,
    '',
    ...tools.map((tool) => `- ${tool.name}: ${tool.description}`),
    '',
    '## Endpoints',
    '',
    ...documented(routes).map((route) => `- ${route.method} ${templateOf(route.path)}: ${route.summary}`),
    '',
    '## As it changes',
    '',
    `Poll GET ${publicUrl}/v1/odds with \`since\` set to the last \`cursor\` and get what changed, quote by quote; or have it pushed: GET ${publicUrl}/v1/stream (server-sent events) and ${publicUrl}/v1/ws (WebSocket, JSON or MessagePack), from any cursor. With \`signals=value,arbitrage\` both also report when value and arbitrage open, change and close. A browser, which sends no Authorization header there, opens them with a ticket of POST ${publicUrl}/v1/tickets.`,
    '',
    '## More',
    '',
    `- [Everything, with schemas](${publicUrl}/llms-full.txt)`,
    `- [OpenAPI 3.1](${publicUrl}/openapi.json)`,
    `- [AsyncAPI 3](${publicUrl}/asyncapi.json): the events of streams and sockets`,
    `- [Error codes](${publicUrl}/docs/errors)`,
    '',
  ].join('\n');
}

/** The full text: the short one, with every schema and every error code. */
export function llmsFullText(options: LlmsOptions): string {
  const tools = options.tools.flatMap((tool) => [
    `### ${tool.name}`,
    '',
    tool.description,
    '',
    `Input: ${schemaText(tool.input)}`,
    '',
    `Output: ${schemaText(tool.output)}`,
    '',
  ]);
  const routes = documented(options.routes).flatMap((route) => [
    `### ${route.method} ${templateOf(route.path)}`,
    '',
    route.description,
    '',
    ...parts(route),
    '',
  ]);
  const errors = Object.entries(ERRORS).map(([code, { status, help }]) => `- ${status} ${code}: ${help}`);
  return [
    llmsText(options),
    '## Tools in full',
    '',
    ...tools,
    '## Endpoints in full',
    '',
    ...routes,
    '## Errors',
    '',
    ...errors,
    '',
  ].join('\n');
}

function parts(route: Route): string[] {
  const named: [string, TSchema | null][] = [
    ['Path', route.params],
    ['Query', route.query],
    ['Body', route.body],
    ['Answer', route.response],
  ];
  return named.flatMap(([name, schema]) => (schema === null ? [] : [`${name}: ${schemaText(schema)}`]));
}

/** The routes of the section on routes. Tools have a section of their own. */
function documented(routes: readonly Route[]): readonly Route[] {
  return routes.filter((route) => isDescribed(route) && !route.tags.includes('Agent tools'));
}

/** `/v1/events/:event_id` as `/v1/events/{event_id}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function schemaText(schema: TSchema): string {
  return JSON.stringify(toJsonSchema(schema));
}
