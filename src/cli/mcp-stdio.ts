// The local MCP server: `bun run --silent mcp`. With OVERROUND_URL (and OVERROUND_API_KEY) it serves the tools of a
// running server; otherwise it starts an embedded one. Standard output carries protocol only, logs go to standard error.

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Clock, systemClock } from '../clock.ts';
import { type Config, loadConfig } from '../config.ts';
import { KEYLESS, type Principal } from '../domain/tiers.ts';
import { REQUEST_DEADLINE_MS } from '../limits.ts';
import { createLog, type Log, writeStandardError } from '../log.ts';
import { loadRemoteTools } from '../mcp/remote-tools.ts';
import type { ResourceChanges } from '../mcp/resource-updates.ts';
import { type ServedTool, serveLocalTools } from '../mcp/served-tool.ts';
import { createServerFactory, type ServerFactoryOptions } from '../mcp/server-factory.ts';
import { watchResources } from '../start/resource-watch.ts';
import { startService } from '../start/service.ts';
import type { Tooling } from '../start/tooling.ts';
import type { ServerSettings } from '../terminal/server-settings.ts';
import { VERSION } from '../version.ts';

/** Where the tools of this process come from. */
export interface ToolSource {
  readonly tools: readonly ServedTool[];
  readonly publicUrl: string;
  /** Who calls: over stdio there is one caller, the owner of the process. */
  readonly principal: Principal;
  readonly clock: Clock;
  /** What tells that a resource changed; absent where that is not known. */
  readonly changes?: ResourceChanges;
  close(): Promise<void>;
}

/** Starts an embedded server for the life of the process. The wiring of the whole service supplies it. */
export type CreateEmbeddedTools = () => Promise<ToolSource>;

/** The caller over stdio runs this process and owns its data, so nothing is held back. */
const OWNER: Principal = { tier: 'enterprise', seesSharp: true, keyId: null };
/** Longest wait for the first snapshot; tools called before it is there say so. */
const SNAPSHOT_WAIT_MS = 5_000;
const SNAPSHOT_LOOK_MS = 10;

/** Runs the stdio server to its end; from here on `console` prints to standard error. @returns the exit code */
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
    log.info('mcp_stdio_ready', { tools: source.tools.length, server: settings.url ?? 'embedded' });
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
    log.error('mcp_stdio_failed', { failure: failure instanceof Error ? failure.message : String(failure) });
    return 1;
  }
}

/** Serves one client, in whichever protocol era it opens with, until standard input ends or the client is gone. */
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
  // The server decides the tier by the key it is sent; the principal given here is not used.
  return { tools, publicUrl: url, principal: KEYLESS, clock: systemClock, close: async () => {} };
}

/** Starts the whole service in this process, on a free port of the loopback, and serves its tools without a key. */
export async function createEmbeddedTools(): Promise<ToolSource> {
  const config: Config = { ...loadConfig(), host: '127.0.0.1', port: 0, httpThreads: 1 };
  // The development key is shown once, in the log. Nobody reads the log here, so it is left for the next start.
  const service = await startService(config, { makesDevelopmentKey: false, sharesDataDir: true });
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

/** Resolves when the first snapshot is complete, at the latest after SNAPSHOT_WAIT_MS. */
async function firstSnapshot(tooling: Tooling, clock: Clock): Promise<void> {
  const giveUpAtMs = clock.monotonicMs() + SNAPSHOT_WAIT_MS;
  while (!tooling.queries.slate.feed().snapshotComplete && clock.monotonicMs() < giveUpAtMs) {
    await Bun.sleep(SNAPSHOT_LOOK_MS);
  }
}

/** Libraries that print would break the protocol. */
function keepStandardOutputForProtocol(): void {
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
}
