// The query thread does everything that takes longer than a poll may wait. It answers lists, names, tools,
// MCP, pages, documents and accounts for all HTTP threads, which forward those requests to it
// (src/http/remote/).

import { Leases } from '../../access/cluster/leases.ts';
import { SharedTime } from '../../access/heartbeat.ts';
import { FairShares, sharesState } from '../../access/quotas/fair-shares.ts';
import { attachAccessMemory } from '../../access/quotas/memory.ts';
import { cacheRooms } from '../../access/quotas/memory-budget.ts';
import type { Platform } from '../../accounts/platform.ts';
import type { AlertCalls } from '../../alerts/alert-calls.ts';
import { namedWhere, type WhereQueries } from '../../alerts/rules/named-where.ts';
import { systemClock } from '../../clock.ts';
import { assert, stackOf } from '../../errors.ts';
import { createApp } from '../../http/app.ts';
import { allowedHostnames } from '../../http/edge/host-check.ts';
import { startMetricsListener } from '../../http/edge/metrics-listener.ts';
import { Questions } from '../../http/kit/questions.ts';
import { pathsByThread } from '../../http/kit/route.ts';
import { OddsAnswers } from '../../http/odds-answers.ts';
import { QueryServer } from '../../http/remote/query-server.ts';
import { ThreadCaller } from '../../http/remote/thread-caller.ts';
import type { McpEndpoint } from '../../mcp/handler.ts';
import { serveLocalTools } from '../../mcp/served-tool.ts';
import { every } from '../../pause.ts';
import type { ArchiveCalls } from '../../query/lists/archive-calls.ts';
import { createNameCalls, type NameCalls } from '../../query/lookup/name-calls.ts';
import { keepIndexed, warmNames } from '../../query/lookup/warm-names.ts';
import { SAMPLE_STEP_MS } from '../../query/markets/movements.ts';
import { silentAfterMs } from '../../store/source-reports.ts';
import { attachMetricsMemory } from '../../telemetry/metrics-memory.ts';
import { NodeNumbers } from '../../telemetry/node-numbers.ts';
import { MetricRoutes } from '../../telemetry/request-metrics.ts';
import { ServiceMetrics, type ServiceMetricsOptions } from '../../telemetry/service-metrics.ts';
import type { Telemetry } from '../../telemetry/thread-telemetry.ts';
import { alertTools } from '../../tools/alerts/alert-tools.ts';
import { type CompiledTool, compileTool } from '../../tools/kit/call-tool.ts';
import type { ToolContext } from '../../tools/kit/tool.ts';
import { VERSION } from '../../version.ts';
import { followCertificate } from '../certificate.ts';
import type { Callee } from './callees.ts';
import { queryRoutes } from './query-routes.ts';
import {
  collectingTurns,
  historyCaller,
  httpDeps,
  keepSwept,
  openGate,
  type ServingOptions,
  type SharedServing,
  servedBy,
  telemetryOf,
} from './serving-thread.ts';
import { createTooling, type Tooling } from './tooling.ts';

/**
 * How many calls to the worker of accounts may wait, and for how long. Beyond either limit, a call fails with
 * 503. Callers without a key may take a quarter of the places, as many requests as two HTTP threads pass on
 * for them. So the places rarely run out, and the worker, which knows the owners of accounts, decides whose
 * password is hashed next. If too many passwords wait, it refuses a stranger at once.
 */
const ACCOUNT_CALLS = { whom: 'the accounts', pendingMax: 4_096, perCallerMax: 6, deadlineMs: 8_000 };
/**
 * Calls to the archive, which has the results of matches. They are counted apart from the calls for accounts,
 * so that a flood of one kind does not block the other.
 */
const ARCHIVE_CALLS_LIMITS = { whom: 'the archive', pendingMax: 256, deadlineMs: 8_000 };

/** The messages from the main thread to the query worker. */
export type ToQueryWorker =
  | { readonly type: 'start'; readonly shared: SharedServing; readonly thread: number }
  /** A port to the worker of accounts, sent at the start and whenever that worker was replaced. */
  | { readonly type: 'port'; readonly callee: Callee; readonly port: MessagePort }
  /** A port to the history thread, sent at the start and whenever that thread was replaced. */
  | { readonly type: 'history'; readonly port: MessagePort }
  /** Two ports to an HTTP thread: for requests, and for calls about names. */
  | {
      readonly type: 'caller';
      readonly thread: number;
      readonly requests: MessagePort;
      readonly names: MessagePort;
    }
  | { readonly type: 'collect' }
  | { readonly type: 'stop' };

export interface QueryThread {
  readonly requests: QueryServer;
  readonly names: NameCalls;
  readonly telemetry: Telemetry;
  /** Calls the worker that answers /platform. */
  readonly accounts: ThreadCaller;
  /** Calls the worker that answers requests for results of matches. */
  readonly archive: ThreadCaller;
  /** Reads keys that are not in a file of this machine. */
  readonly keys: ThreadCaller;
  /** Calls the thread that answers about the past. */
  readonly history: ThreadCaller;
  /** Closes everything the thread has open. Call it after the HTTP threads have stopped. */
  stop(): Promise<void>;
}

/** Starts the thread. @throws Error if the database cannot be opened */
export function startQueryThread(options: ServingOptions): QueryThread {
  const { config, clock } = options;
  const { gate, keys, close: closeGate } = openGate(options);
  const { accounts, archive, history, ...calls } = callersOf(options);
  const { platform, alerts } = calls;
  const tooling = createTooling({ ...options, scoringThreads: config.scoringThreads }, calls.tooling);
  const { queries, tools } = tooling;
  const { names } = queries;
  const mcp = createMcpEndpoint([...tools, ...accountTools(alerts, queries)], options);
  const budget = new FairShares(options.budgetMemory, options.thread);
  const answers = new OddsAnswers(queries, cacheRooms(budget));
  const certificate = followCertificate(config.tls);
  const answered = queryRoutes({
    ...{ options, gate, platform, alerts, tooling, mcp, answers },
    metrics: { page: (nowMs, type) => metrics.page(nowMs, type), state: (nowMs) => metrics.state(nowMs) },
  });
  const app = createApp(servedBy(config, answered), (need, nowMs) =>
    need === 'names' ? names.whenIndexed(nowMs) : queries.slate.whenListed(),
  );
  const routes = new MetricRoutes(pathsByThread(app.routes));
  const telemetry = telemetryOf(options, routes, () => ({
    cache: answers.cache,
    scoring: tooling.scoringStats(),
    pendingCount: requests.pendingCount,
    planCount: requests.planCount,
    streamCount: 0,
  }));
  const questions = questionsOf(options, tooling);
  const requests = new QueryServer({ app, deps: httpDeps(options, gate, telemetry), budget, questions });
  warmNames(() => Bun.gc(true));
  const metrics = serviceMetrics(options, {
    ...{ routes, telemetry, reader: tooling.reader },
    certificateEndsAtMs: certificate.endsAtMs,
  });
  telemetry.start();
  const stopMetrics = listenForMetrics(options, metrics);
  const endIndexing = keepIndexed(() =>
    telemetry.loop.run('index of names', () => names.step(clock.wallMs())),
  );
  const endSweeps = keepSwept([answers.cache, requests]);
  const endSampling = every(SAMPLE_STEP_MS, () => queries.movements.step(clock.wallMs()));
  return {
    ...{ requests, names: createNameCalls(queries), telemetry, accounts, archive, keys, history },
    stop: async () => {
      await stopMetrics?.();
      certificate.stop();
      requests.close();
      endIndexing();
      endSweeps();
      endSampling();
      metrics.close();
      await telemetry.close();
      await mcp.close();
      await tooling.close();
      for (const caller of [accounts, archive, history]) caller.close();
      closeGate();
    },
  };
}

function questionsOf(options: ServingOptions, { reader }: Pick<Tooling, 'reader'>): Questions {
  return new Questions({
    turns: collectingTurns(options),
    slateVersion: () => reader.slateVersion(),
    wallMs: () => options.clock.wallMs(),
  });
}

/** Calls to the threads that know accounts, results and the past. */
function callersOf(options: ServingOptions) {
  const accounts = new ThreadCaller({ clock: systemClock, ...ACCOUNT_CALLS });
  const archive = new ThreadCaller({ clock: systemClock, ...ARCHIVE_CALLS_LIMITS });
  const { history, calls } = historyCaller(options);
  return {
    accounts,
    archive,
    history,
    platform: accounts.functions<Platform>(),
    alerts: accounts.functions<AlertCalls>(),
    tooling: { archive: archive.functions<ArchiveCalls>(), history: calls },
  };
}

function serviceMetrics(
  { config, metricsMemory, budgetMemory, leaseMemory, accessMemory }: ServingOptions,
  {
    telemetry,
    ...parts
  }: Pick<ServiceMetricsOptions, 'routes' | 'reader' | 'certificateEndsAtMs'> & {
    readonly telemetry: Telemetry;
  },
): ServiceMetrics {
  return new ServiceMetrics({
    ...parts,
    memory: metricsMemory,
    clock: systemClock,
    silentAfterMs: silentAfterMs(config.prematchFreshnessMs),
    budget: () => sharesState(budgetMemory),
    publish: () => {
      telemetry.publish();
      if (leaseMemory !== null) reportLimits(leaseMemory, { accessMemory, metricsMemory });
    },
  });
}

/** Serves the metrics on their own port, if there is one. @returns a function that stops it */
function listenForMetrics(
  { config, clock }: ServingOptions,
  metrics: ServiceMetrics,
): (() => Promise<void>) | null {
  if (config.metricsListener === null) return null;
  return startMetricsListener({
    ...config.metricsListener,
    token: config.metricsToken,
    page: (nowMs, type) => metrics.page(nowMs, type),
    nowMs: () => clock.wallMs(),
  });
}

/** The MCP endpoint, opened by the first request for it: with its SDK it takes twenty megabytes. */
function createMcpEndpoint(
  tools: readonly CompiledTool[],
  { config, log }: ServingOptions,
): Pick<McpEndpoint, 'fetch' | 'close'> {
  const { publicUrl } = config;
  function report(where: string, failure: unknown): void {
    log.error('mcp_failure', { where, error: stackOf(failure) });
  }
  const hostnames = allowedHostnames(config.allowedHosts, publicUrl);
  let endpoint: McpEndpoint | null = null;
  const open = async (): Promise<McpEndpoint> => {
    const { McpEndpoint } = await import('../../mcp/handler.ts');
    endpoint ??= new McpEndpoint({
      tools: serveLocalTools(tools, { publicUrl, report }),
      version: VERSION,
      publicUrl,
      allowedHostnames: hostnames,
      allowedOriginHostnames: hostnames,
      report,
    });
    return endpoint;
  };
  return {
    fetch: async (request, context) => await (endpoint ?? (await open())).fetch(request, context),
    close: async () => await endpoint?.close(),
  };
}

/**
 * Adds the limits to the metrics. They are read here so that they stay right even while the thread that
 * settles limits is down.
 */
function reportLimits(
  leaseMemory: SharedArrayBuffer,
  { accessMemory, metricsMemory }: Pick<SharedServing, 'accessMemory' | 'metricsMemory'>,
): void {
  const leases = new Leases(leaseMemory);
  const time = new SharedTime(attachAccessMemory(accessMemory), systemClock);
  const numbers = new NodeNumbers(attachMetricsMemory(metricsMemory));
  numbers.set('limits_divided', Number(leases.dividedBy(time.nowMs()) > 0));
  numbers.set('limits_nodes', leases.nodes);
}

/** The tools about the caller's account. Only MCP has them: over REST there are the routes of alerts. */
function accountTools(alerts: AlertCalls, queries: WhereQueries): CompiledTool[] {
  const tools = alertTools({
    ensure: async (body, context) => {
      const { where, names } = await namedWhere(queries, body.where ?? {}, context.nowMs);
      return alerts.ensureAlert({ keyId: keyIdOf(context), body: { ...body, where, names } });
    },
    list: (context) => alerts.listAlerts({ keyId: keyIdOf(context) }),
  });
  return tools.map((tool) => compileTool(tool, { checkOutput: true }));
}

function keyIdOf({ principal: { keyId } }: ToolContext): string {
  assert(keyId !== null, 'callers of these tools have a key of an account');
  return keyId;
}
