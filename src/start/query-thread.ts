// The query thread: everything that takes longer than a poll may wait. Lists, names, tools, MCP, pages, documents and
// accounts are answered here for all HTTP threads, which hand those requests over (src/http/remote/).

import { SharedTime } from '../access/beat.ts';
import { Leases } from '../access/leases.ts';
import { attachAccessMemory } from '../access/memory.ts';
import { PLATFORM_CALLS, type Platform } from '../accounts/platform.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createApp } from '../http/app.ts';
import { allowedHostnames } from '../http/edge/host-check.ts';
import { startMetricsListener } from '../http/edge/metrics-listener.ts';
import { pathsByThread, type Route, type RouteGroup, type UntypedInput } from '../http/kit/route.ts';
import { OddsAnswers } from '../http/odds-answers.ts';
import { QueryServer } from '../http/remote/query-server.ts';
import { catalogueRoutes } from '../http/routes/catalogue.ts';
import { convertRoutes } from '../http/routes/convert.ts';
import { credentialRoutes } from '../http/routes/credentials.ts';
import { docsRoutes } from '../http/routes/docs.ts';
import { eventRoutes } from '../http/routes/events.ts';
import { oddsRoutes } from '../http/routes/odds.ts';
import { healthRoutes, metricsRoutes, usageRoutes } from '../http/routes/operations.ts';
import { operatorRoutes } from '../http/routes/operator.ts';
import { pageRoutes } from '../http/routes/pages.ts';
import { platformRoutes } from '../http/routes/platform.ts';
import { resolveRoutes } from '../http/routes/resolve.ts';
import { resultRoutes } from '../http/routes/results.ts';
import { streamRoutes } from '../http/routes/streams.ts';
import { ticketRoutes } from '../http/routes/tickets.ts';
import { mcpRoutes, toolRoutes } from '../http/routes/tools.ts';
import { SlateOddsAnswers } from '../http/slate-odds-answers.ts';
import { McpEndpoint } from '../mcp/handler.ts';
import { serveLocalTools } from '../mcp/served-tool.ts';
import { ARCHIVE_CALLS, type ArchiveCalls } from '../query/archive-calls.ts';
import { SAMPLE_STEP_MS } from '../query/movements.ts';
import { createNameCalls, leaguesHere, type NameCalls } from '../query/name-calls.ts';
import type { NameDirectory } from '../query/name-directory.ts';
import type { Queries } from '../query/queries.ts';
import { silentAfterMs } from '../store/source-reports.ts';
import type { LoopWatch } from '../telemetry/loop-watch.ts';
import { attachMetricsMemory, NodeNumbers } from '../telemetry/metrics-memory.ts';
import { MetricRoutes } from '../telemetry/request-metrics.ts';
import { ServiceMetrics } from '../telemetry/service-metrics.ts';
import { Telemetry } from '../telemetry/thread-telemetry.ts';
import type { CompiledTool } from '../tools/kit/call-tool.ts';
import { VERSION } from '../version.ts';
import type { Callee } from './callees.ts';
import { followCertificate } from './certificate.ts';
import {
  damageOf,
  every,
  httpDeps,
  nodeRoleOf,
  openGate,
  type ServingOptions,
  type SharedServing,
  servedBy,
} from './serving-thread.ts';
import { ThreadCaller } from './thread-calls.ts';
import { createTooling } from './tooling.ts';

/** How soon after one step of indexing names the next follows while there is more to do, and how often it is looked for. */
const NAMES_STEP_MS = 1;
const NAMES_CHECK_MS = 250;
/** Calls to the worker of accounts. Full, or not answered by then: 503. */
const ACCOUNT_CALLS = { whom: 'the accounts', pendingMax: 64, deadlineMs: 8_000 };
/** The same for results, apart, so that a flood of one does not shut out the other. */
const ARCHIVE_CALLS_LIMITS = { whom: 'the archive', pendingMax: 64, deadlineMs: 8_000 };

/** What main says to the query worker. */
export type ToQueryWorker =
  | { readonly type: 'start'; readonly shared: SharedServing; readonly thread: number }
  /** A port to the worker of accounts, at the start and whenever that worker was replaced. */
  | { readonly type: 'port'; readonly callee: Callee; readonly port: MessagePort }
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
  /** Where /platform is answered. */
  readonly accounts: ThreadCaller;
  /** Where results are answered. */
  readonly archive: ThreadCaller;
  /** Where keys are looked up that are not in a file of this machine. */
  readonly keys: ThreadCaller;
  /** Closes what the thread has open. HTTP threads have stopped before. */
  stop(): Promise<void>;
}

/** Starts it. @throws when the database cannot be opened */
export function startQueryThread(options: ServingOptions): QueryThread {
  const { config, clock, log, leaseMemory } = options;
  const { gate, keys, close: closeGate } = openGate(options);
  const accounts = new ThreadCaller({ clock: systemClock, ...ACCOUNT_CALLS });
  const platform = accounts.functions<Platform>(PLATFORM_CALLS);
  const isSecure = config.publicUrl.startsWith('https:');
  const archive = new ThreadCaller({ clock: systemClock, ...ARCHIVE_CALLS_LIMITS });
  const { scoringThreads } = config;
  const tooling = createTooling(
    { ...options, scoringThreads },
    archive.functions<ArchiveCalls>(ARCHIVE_CALLS),
  );
  const { queries, tools } = tooling;
  const { names, slate } = queries;
  const mcp = createMcpEndpoint(tools, options);
  const answers = new OddsAnswers(queries);
  const certificate = followCertificate(config.tls);
  const groups = [
    healthRoutes({
      slate,
      damage: damageOf(options),
      role: nodeRoleOf(config),
      whenQueried: (nowMs) => names.whenIndexed(nowMs),
    }),
    ...(config.metricsListener === null
      ? [metricsRoutes({ page: (nowMs, type) => metrics.page(nowMs, type), token: config.metricsToken })]
      : []),
    afterIndexing(names, catalogueRoutes(queries)),
    afterListing(queries, eventRoutes(queries)),
    oddsRoutes({
      ...queries,
      leagues: leaguesHere(queries),
      answers,
      slateAnswers: new SlateOddsAnswers(queries),
    }),
    streamRoutes(null),
    afterIndexing(names, resolveRoutes(queries)),
    convertRoutes(),
    afterListing(queries, resultRoutes(queries)),
    usageRoutes(gate),
    ticketRoutes(gate),
    platformRoutes(platform, isSecure),
    credentialRoutes(platform, isSecure),
    afterIndexing(names, toolRoutes(tools)),
    afterIndexing(names, mcpRoutes(mcp)),
  ];
  const operator = operatorRoutes({ platform, slate, stateAt: (nowMs) => metrics.state(nowMs) });
  const docs = docsRoutes({
    routes: groups.flatMap((group) => group.routes),
    tools: tools.map(({ tool }) => tool),
    publicUrl: config.publicUrl,
  });
  const pages = pageRoutes({
    publicUrl: config.publicUrl,
    hasMetrics: config.metricsListener === null,
    // A serving node has no feed of its own: it knows its leader's from what is replicated.
    isSimulated: () => config.feeds.some(({ kind }) => kind === 'simulator') || slate.isOf('simulator'),
    isDevelopment: !config.production,
    prematchWindowMs: config.prematchFreshnessMs,
    tools: tools.map(({ tool }) => tool),
  });
  const app = createApp(servedBy(config, [...groups, operator, docs, pages]));
  const routes = new MetricRoutes(pathsByThread(app.routes));
  const telemetry = new Telemetry({
    memory: options.metricsMemory,
    thread: options.thread,
    routes,
    clock: systemClock,
    log,
    config,
    read: () => ({
      cache: answers.cache,
      scoring: tooling.scoringStats(),
      pendingCount: requests.pendingCount,
      planCount: requests.planCount,
      streamCount: 0,
    }),
  });
  const requests = new QueryServer({ app, deps: httpDeps(options, gate, telemetry) });
  names.warm();
  const metrics = new ServiceMetrics({
    ...{ memory: options.metricsMemory, routes, reader: tooling.reader, clock: systemClock },
    silentAfterMs: silentAfterMs(config.prematchFreshnessMs),
    certificateEndsAtMs: certificate.endsAtMs,
    publish: () => {
      telemetry.publish();
      if (leaseMemory !== null) tellLimits(leaseMemory, options);
    },
  });
  telemetry.start();
  const stopMetrics =
    config.metricsListener === null
      ? null
      : startMetricsListener({
          ...config.metricsListener,
          token: config.metricsToken,
          page: (nowMs, type) => metrics.page(nowMs, type),
          nowMs: () => clock.wallMs(),
        });
  const endIndexing = indexNames(names, clock, telemetry.loop);
  const endSampling = every(SAMPLE_STEP_MS, () => queries.movements.step(clock.wallMs()));
  return {
    requests,
    names: createNameCalls(queries),
    telemetry,
    accounts,
    archive,
    keys,
    stop: async () => {
      await stopMetrics?.();
      certificate.stop();
      requests.close();
      endIndexing();
      endSampling();
      metrics.close();
      await telemetry.close();
      await mcp.close();
      await tooling.close();
      accounts.close();
      archive.close();
      closeGate();
    },
  };
}

function createMcpEndpoint(tools: readonly CompiledTool[], { config, log }: ServingOptions): McpEndpoint {
  const { publicUrl } = config;
  function report(where: string, failure: unknown): void {
    log.error('mcp_failure', {
      where,
      error: failure instanceof Error ? (failure.stack ?? '') : String(failure),
    });
  }
  const hostnames = allowedHostnames(config.allowedHosts, publicUrl);
  return new McpEndpoint({
    tools: serveLocalTools(tools, { publicUrl, report }),
    version: VERSION,
    publicUrl,
    allowedHostnames: hostnames,
    allowedOriginHostnames: hostnames,
    report,
  });
}

/** Routes that look for names: a request that comes before a fresh slate is indexed waits, and holds up no other. */
function afterIndexing(names: NameDirectory, group: RouteGroup): RouteGroup {
  return afterwards(group, (_route, _input, nowMs) => names.whenIndexed(nowMs));
}

/** Routes over lists of the slate, of which those that filter by league look for a name. One fixture needs no list. */
function afterListing({ names, slate }: Queries, group: RouteGroup): RouteGroup {
  return afterwards(group, ({ path }, input, nowMs) => {
    if (asksForLeague(input)) return names.whenIndexed(nowMs);
    return path.includes(':') ? null : slate.whenListed();
  });
}

/** The routes, each waiting for what `whenReady` says its request needs; null is nothing. */
function afterwards(
  group: RouteGroup,
  whenReady: (route: Route, input: UntypedInput, nowMs: number) => Promise<void> | null,
): RouteGroup {
  const routes = group.routes.map((route): Route => {
    const handle: Route['handle'] = (input, context) => {
      const waited = whenReady(route, input, context.nowMs);
      return waited === null ? route.handle(input, context) : waited.then(() => route.handle(input, context));
    };
    return { ...route, handle };
  });
  return { ...group, routes };
}

function asksForLeague({ query }: UntypedInput): boolean {
  return (query as { readonly league?: unknown }).league !== undefined;
}

/** Keeps the slate's names indexed, a step at a time between requests. Answers how to end it. */
function indexNames(names: NameDirectory, clock: Clock, loop: LoopWatch): () => void {
  let timer: Timer;
  const step = (): void => {
    const isDone = loop.run('index of names', () => names.step(clock.wallMs()));
    timer = setTimeout(step, isDone ? NAMES_CHECK_MS : NAMES_STEP_MS);
  };
  timer = setTimeout(step, NAMES_STEP_MS);
  return () => clearTimeout(timer);
}

/** What the metrics say of limits: read here, so that it is right also while the thread that settles them is gone. */
function tellLimits(
  leaseMemory: SharedArrayBuffer,
  { accessMemory, metricsMemory }: Pick<SharedServing, 'accessMemory' | 'metricsMemory'>,
): void {
  const leases = new Leases(leaseMemory);
  const time = new SharedTime(attachAccessMemory(accessMemory), systemClock);
  const numbers = new NodeNumbers(attachMetricsMemory(metricsMemory));
  numbers.set('limits_divided', Number(leases.dividedBy(time.nowMs()) > 0));
  numbers.set('limits_nodes', leases.nodes);
}
