// Creates the SDK's server objects: one per HTTP request (stateless) or one per stdio connection, from one
// list of tools, for protocol 2026-07-28 and the 2025 protocols. The text of an error thrown here never
// reaches a client.

import {
  isInputRequiredResult,
  type McpRequestContext,
  McpServer,
  type McpServerFactory,
  type ServerContext,
  type ServerOptions,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { BOOKMAKER_COUNT_TEXT } from '../domain/catalogue.ts';
import { isObject } from '../parse-json.ts';
import type { JsonSchema, ToolContext } from '../tools/kit/tool.ts';
import { type AskedCall, callOrAsk } from './ask-which.ts';
import { listedInput } from './listed-schema.ts';
import { offerUpdates, type ResourceChanges } from './resource-updates.ts';
import { registerResourcesAndPrompts, SCHEME } from './resources-and-prompts.ts';
import { type ServedTool, toEnvelope } from './served-tool.ts';
import { toCallToolResult } from './tool-result.ts';

/** Lists are fixed while the process runs. Clients of protocol 2026-07-28 may cache them this long. */
const LIST_CACHE_MS = 300_000;

const INSTRUCTIONS = [
  `Overround answers questions about current and live betting odds of ${BOOKMAKER_COUNT_TEXT}, read-only.`,
  'Start from a natural-language fixture with get_sharp_line, match_info or find_match; use the event_id they return for get_match_odds and compare_lines.',
  'When a result has status "ambiguous", ask the user the question in ask_user or repeat the call with a date or both teams; never guess.',
  'Every odds answer carries as_of and stale: say so when stale is true.',
].join(' ');

export interface ServerFactoryOptions {
  readonly tools: readonly ServedTool[];
  readonly version: string;
  /** Base of `documentation_url`, without a trailing slash. */
  readonly publicUrl: string;
  /** The caller and the time of the call. `request` is the HTTP request being served; absent over stdio. */
  contextOf(request: Request | undefined): ToolContext;
  report(toolName: string, failure: unknown): void;
  /** Notifies about changed resources, on lasting connections. */
  readonly changes?: ResourceChanges;
  readonly extension?: ServerExtension;
}

/**
 * Additions to a server besides the tools. Only tests use this: the conformance suite needs fixtures of its
 * own.
 */
export interface ServerExtension {
  readonly options?: Pick<ServerOptions, 'requestState'>;
  register(server: McpServer, context: McpRequestContext): void;
}

/**
 * Tools that read the whole slate. A client that sends a progress token is notified when they start and end.
 */
const LONG_TOOLS: ReadonlySet<string> = new Set(['scan_slate', 'list_movers', 'compare_books']);

/** The factory that `createMcpHandler` and `serveStdio` call for each server they need. */
export function createServerFactory(options: ServerFactoryOptions): McpServerFactory {
  const hint = { ttlMs: LIST_CACHE_MS } as const;
  const schemas = options.tools.map((tool) => ({
    tool,
    inputSchema: asListedSchema(listedInput(tool.inputSchema)),
  }));
  const accountTools = options.tools.some(({ account }) => account !== undefined);
  const toolByName = new Map(options.tools.map((tool) => [tool.name, tool]));
  const answer = answererOf(options, toolByName.get('find_match'));
  return (request) => {
    try {
      return build(request);
    } catch (failure) {
      // The SDK answers 500 without reporting the reason, so it is reported here.
      options.report('mcp_server', failure);
      throw failure;
    }
  };

  function build(request: McpRequestContext): McpServer {
    const server = new McpServer(
      { name: 'overround', title: 'Overround', version: options.version },
      {
        capabilities: { tools: { listChanged: false } },
        instructions: INSTRUCTIONS,
        ...options.extension?.options,
        // The list of tools is cached for one caller only, because it depends on the caller.
        cacheHints: {
          'tools/list': { ...hint, cacheScope: 'private' },
          'server/discover': { ...hint, cacheScope: 'public' },
        },
      },
    );
    const contextOf = () => options.contextOf(request.requestInfo);
    const isOfAccount = accountTools && contextOf().principal.isOfAccount === true;
    for (const { tool, inputSchema } of schemas) {
      if (tool.account !== undefined && !isOfAccount) continue;
      const { title, description } = tool;
      server.registerTool(
        tool.name,
        { title, description, inputSchema, annotations: annotationsOf(tool) },
        (given, context) => answer({ tool, input: isObject(given) ? given : {}, server, context }, contextOf),
      );
    }
    registerResourcesAndPrompts(server, toolByName, contextOf);
    const { changes } = options;
    if (changes !== undefined) {
      const isLegacy = request.era === 'legacy';
      const report = (failure: unknown) => options.report('resource updates', failure);
      offerUpdates(server, { scheme: SCHEME, changes, isLegacy, report });
    }
    options.extension?.register(server, request);
    return server;
  }
}

/** The function that answers calls of all tools. */
function answererOf({ report, publicUrl }: ServerFactoryOptions, finder: ServedTool | undefined) {
  return async (called: Omit<AskedCall, 'call' | 'finder'>, contextOf: () => ToolContext) => {
    const { tool, context } = called;
    const call: AskedCall['call'] = (of, args) => of.call(args, contextOf());
    try {
      await reportProgress(tool, context, 0);
      const outcome = await callOrAsk({ ...called, call, finder });
      await reportProgress(tool, context, 1);
      return isInputRequiredResult(outcome) ? outcome : toCallToolResult(tool, outcome, publicUrl);
    } catch (failure) {
      // When the client has left or its time is over, nothing can be sent any more, not even progress. That
      // is no failure of the server.
      if (!context.mcpReq.signal.aborted) report(tool.name, failure);
      return toCallToolResult(tool, { kind: 'error', envelope: toEnvelope(failure, publicUrl) }, publicUrl);
    }
  };
}

/**
 * The hints for clients. A tool that changes something can be called again without harm, and it changes
 * nothing outside the account.
 */
function annotationsOf({ account }: ServedTool) {
  return account?.changes === true
    ? { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    : { readOnlyHint: true, openWorldHint: false };
}

async function reportProgress(
  { name, title }: ServedTool,
  { mcpReq }: ServerContext,
  progress: 0 | 1,
): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || !LONG_TOOLS.has(name)) return;
  const message = progress === 0 ? `${title}: reading the slate` : `${title}: done`;
  const params = { progressToken, progress, total: 1, message };
  await mcpReq.notify({ method: 'notifications/progress', params });
}

/**
 * A schema that the SDK lists but does not check: `callTool` checks arguments once, by the same rules as
 * REST.
 */
export function asListedSchema(schema: JsonSchema): StandardSchemaWithJSON<unknown, unknown> {
  const json = { ...schema };
  return {
    '~standard': {
      version: 1,
      vendor: 'overround',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
