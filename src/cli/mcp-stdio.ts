// The stdio MCP server: `bun run --silent mcp`. It serves the tools of the server at OVERROUND_URL, or of a
// local server if one answers, with OVERROUND_API_KEY; otherwise it starts an embedded server. Standard
// output carries only the protocol; logs go to standard error.

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Clock, systemClock } from '../clock.ts';
import { KEYLESS, type Principal } from '../domain/tiers.ts';
import { messageOf } from '../errors.ts';
import { REQUEST_DEADLINE_MS } from '../limits.ts';
import { createLog, type Log, writeStandardError } from '../log.ts';
import { loadRemoteTools } from '../mcp/remote-tools.ts';
import type { ResourceChanges } from '../mcp/resource-updates.ts';
import { type ServedTool, serveLocalTools } from '../mcp/served-tool.ts';
import { createServerFactory, type ServerFactoryOptions } from '../mcp/server-factory.ts';
import { type Config, loadConfig } from '../settings/config.ts';
import { watchResources } from '../start/resource-watch.ts';
import { startService } from '../start/service.ts';
import type { Tooling } from '../start/threads/tooling.ts';
import type { ServerSettings } from '../terminal/server-settings.ts';
import { VERSION } from '../version.ts';

/** Where the tools of this process come from. */
export interface ToolSource {
  readonly tools: readonly ServedTool[];
  readonly publicUrl: string;
  /** The caller. Over stdio there is one: the owner of the process. */
  readonly principal: Principal;
  readonly clock: Clock;
  /** Notifies about changed resources; absent for the tools of another server. */
  readonly changes?: ResourceChanges;
  close(): Promise<void>;
}

/** Starts an embedded server that lives as long as the process. */
export type CreateEmbeddedTools = () => Promise<ToolSource>;

/** The caller over stdio runs this process and owns its data, so it sees everything. */
const OWNER: Principal = { tier: 'enterprise', seesSharp: true, keyId: null };
/** Longest wait for the first snapshot. Tools called before it answer that the slate is not ready. */
const SNAPSHOT_WAIT_MS = 5_000;
const SNAPSHOT_CHECK_MS = 10;

/**
 * Runs the stdio server until it ends. From here on `console` prints to standard error. @returns the exit
 * code
 */
export async function runStdioServer(
  settings: ServerSettings,
  createEmbeddedTools: CreateEmbeddedTools,
): Promise<number> {
  keepStandardOutputForProtocol();
  const log = createLog({ clock: systemClock, json: false, level: 'info', write: writeStandardError });
  try {
    const source =
      settings.url === null
        ? await createEmbeddedTools()
        : await openRemote({ url: settings.url, apiKey: settings.apiKey, log });
    log.info('mcp_stdio_ready', {
      tools: source.tools.length,
      server: settings.url ?? 'embedded',
      ...(settings.url !== null && settings.apiKey === null
        ? { tier: 'free, without the sharp book: set OVERROUND_API_KEY' }
        : {}),
    });
    await serveUntilInputEnds({
      tools: source.tools,
      version: VERSION,
      publicUrl: source.publicUrl,
      contextOf: () => ({ principal: source.principal, nowMs: source.clock.wallMs() }),
      report: (where, failure) => log.error('mcp_failure', { where, failure: String(failure) }),
      ...(source.changes === undefined ? {} : { changes: source.changes }),
    });
    await source.close();
    return 0;
  } catch (failure) {
    log.error('mcp_stdio_failed', {
      failure: messageOf(failure),
      ...(settings.url === null ? { fix: 'If a server is running, set OVERROUND_URL to its address' } : {}),
    });
    return 1;
  }
}

/**
 * Serves one client, with the protocol version that it starts with, until standard input ends or the client
 * is gone.
 */
async function serveUntilInputEnds(options: ServerFactoryOptions): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdout.once('error', () => resolve());
  });
  const handle = serveStdio(createServerFactory(options), {
    transport: new StdioServerTransport(),
    onerror: (failure) => options.report('stdio', failure),
  });
  await ended;
  await handle.close();
}

async function openRemote({
  url,
  apiKey,
  log,
}: {
  readonly url: string;
  readonly apiKey: string | null;
  readonly log: Log;
}): Promise<ToolSource> {
  const tools = await loadRemoteTools({
    baseUrl: url,
    apiKey,
    deadlineMs: REQUEST_DEADLINE_MS,
    report: (tool, failure) => log.error('server_out_of_reach', { tool, failure: String(failure) }),
  });
  // The server derives the tier from the key it gets; the principal here is not used.
  return { tools, publicUrl: url, principal: KEYLESS, clock: systemClock, close: async () => {} };
}

/**
 * Starts the whole service in this process, on a free port of the loopback interface, and serves its tools
 * without a key.
 * @throws Error for the operator when another server runs on the data folder and does not answer on PORT
 */
export async function createEmbeddedTools(): Promise<ToolSource> {
  const config: Config = { ...loadConfig(), host: '127.0.0.1', port: 0, httpThreads: 1 };
  // The development key is shown once, in the log. Nobody reads this log, so this start creates no key; the
  // next start of a server may create it.
  const service = await startService(config, { makesDevelopmentKey: false });
  const tooling = await service.openTooling();
  await firstSnapshot(tooling, service.clock);
  const tools = serveLocalTools(tooling.tools, {
    publicUrl: service.url,
    report: (tool, failure) => service.log.error('tool_failed', { tool, failure: String(failure) }),
  });
  return {
    tools,
    publicUrl: service.url,
    principal: OWNER,
    clock: service.clock,
    changes: watchResources({
      tooling,
      principal: OWNER,
      clock: service.clock,
      onError: (failure) => service.log.error('resource_watch_failed', { failure: String(failure) }),
    }),
    close: async () => {
      await tooling.close();
      await service.stop();
    },
  };
}

/** Resolves when the first snapshot is complete, or after SNAPSHOT_WAIT_MS. */
async function firstSnapshot(tooling: Tooling, clock: Clock): Promise<void> {
  const giveUpAtMs = clock.monotonicMs() + SNAPSHOT_WAIT_MS;
  while (!tooling.queries.slate.feed().snapshotComplete && clock.monotonicMs() < giveUpAtMs) {
    await Bun.sleep(SNAPSHOT_CHECK_MS);
  }
}

/** Redirects console output, because libraries that print would break the protocol. */
function keepStandardOutputForProtocol(): void {
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
}
