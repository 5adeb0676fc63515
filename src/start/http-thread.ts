// What one HTTP thread is made of: its own reader of the store, its queries, its routes and its listener. Each runs in
// a worker (http.worker.ts), all on the same port.

import { join } from 'node:path';
import { createGate } from '../access/gate.ts';
import { StreamPlaces } from '../access/stream-places.ts';
import { Tickets } from '../access/tickets.ts';
import { PLATFORM_CALLS, type Platform } from '../accounts/platform.ts';
import { KEYS_SCHEMA } from '../accounts/schema.ts';
import { SqliteKeyDirectory } from '../accounts/sqlite-key-repository.ts';
import { type Clock, systemClock } from '../clock.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import { createApp } from '../http/app.ts';
import { allowedHostnames } from '../http/edge/host-check.ts';
import { type HttpServer, startHttp } from '../http/edge/serve.ts';
import type { Route, RouteGroup, UntypedInput } from '../http/kit/route.ts';
import { OddsAnswers } from '../http/odds-answers.ts';
import { catalogueRoutes } from '../http/routes/catalogue.ts';
import { convertRoutes } from '../http/routes/convert.ts';
import { credentialRoutes } from '../http/routes/credentials.ts';
import { docsRoutes } from '../http/routes/docs.ts';
import { eventRoutes } from '../http/routes/events.ts';
import { oddsRoutes } from '../http/routes/odds.ts';
import { operationsRoutes, usageRoutes } from '../http/routes/operations.ts';
import { operatorRoutes } from '../http/routes/operator.ts';
import { pageRoutes } from '../http/routes/pages.ts';
import { platformRoutes } from '../http/routes/platform.ts';
import { resolveRoutes } from '../http/routes/resolve.ts';
import { resultRoutes } from '../http/routes/results.ts';
import { streamRoutes } from '../http/routes/streams.ts';
import { ticketRoutes } from '../http/routes/tickets.ts';
import { mcpRoutes, toolRoutes } from '../http/routes/tools.ts';
import { SlateOddsAnswers } from '../http/slate-odds-answers.ts';
import { StreamOpener } from '../http/stream-opener.ts';
import { StreamSockets } from '../http/stream-sockets.ts';
import type { Log } from '../log.ts';
import { McpEndpoint } from '../mcp/handler.ts';
import { serveLocalTools } from '../mcp/served-tool.ts';
import { ARCHIVE_CALLS, type ArchiveCalls } from '../query/archive-calls.ts';
import { SAMPLE_STEP_MS } from '../query/movements.ts';
import type { NameDirectory } from '../query/name-directory.ts';
import type { Queries } from '../query/queries.ts';
import { SignalChannels } from '../stream/signal-channels.ts';
import { StreamHub } from '../stream/stream-hub.ts';
import type { LoopWatch } from '../telemetry/loop-watch.ts';

import { Telemetry } from '../telemetry/thread-telemetry.ts';
import type { CompiledTool } from '../tools/kit/call-tool.ts';
import { VERSION } from '../version.ts';
import type { Callee } from './accounts.worker.ts';
import { fillRandom } from './random.ts';
import type { ServedConfig } from './requirements.ts';
import { ThreadCaller } from './thread-calls.ts';
import { createTooling } from './tooling.ts';

export interface HttpThreadOptions {
  /** From 0. */
  readonly thread: number;
  /** Scoring workers of this thread. */
  readonly scoringThreads: number;
  readonly config: ServedConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
  readonly accessMemory: SharedArrayBuffer;
  readonly metricsMemory: SharedArrayBuffer;
  readonly streamMemory: SharedArrayBuffer;
  readonly ticketMemory: SharedArrayBuffer;
  /** Null on a machine alone. */
  readonly leaseMemory: SharedArrayBuffer | null;
}

/** How soon after one step of indexing names the next follows while there is more to do, and how often it is looked for. */
const NAMES_STEP_MS = 1;
const NAMES_CHECK_MS = 250;
/** Requests in flight may take this long when the service stops. */
export const HTTP_STOP_GRACE_MS = 5_000;
/** Calls of one HTTP thread to the worker of accounts. Full, or not answered by then: 503. */
const ACCOUNT_CALLS = { whom: 'the accounts', pendingMax: 64, deadlineMs: 8_000 };
/** The same for results, apart, so that a flood of one does not shut out the other. */
const ARCHIVE_CALLS_LIMITS = { whom: 'the archive', pendingMax: 64, deadlineMs: 8_000 };

/** What all HTTP threads are given alike; it crosses to a worker as it is. */
export type SharedHttpOptions = Omit<HttpThreadOptions, 'thread' | 'scoringThreads' | 'clock' | 'log'>;

/** What main says to an HTTP worker. */
export type ToHttp =
  | {
      readonly type: 'start';
      readonly shared: SharedHttpOptions;
      readonly thread: number;
      readonly scoringThreads: number;
    }
  /** A port to the worker of accounts, at the start and whenever that worker was replaced. */
  | { readonly type: 'port'; readonly callee: Callee; readonly port: MessagePort }
  | { readonly type: 'accept'; readonly isAccepting: boolean }
  | { readonly type: 'collect' }
  /** Clients, as `address port`, that read nothing of what the system holds for them. */
  | { readonly type: 'stuck'; readonly peers: readonly string[] }
  | { readonly type: 'stop' };

export interface HttpThread {
  readonly server: HttpServer;
  readonly telemetry: Telemetry;
  /** Where /platform is answered. */
  readonly accounts: ThreadCaller;
  /** Where results are answered. */
  readonly archive: ThreadCaller;
  /** Stops listening, finishes what is in flight within HTTP_STOP_GRACE_MS, and closes what the thread has open. */
  stop(): Promise<void>;
}

/** Starts one: it listens when this returns. @throws when the port is taken or the database cannot be opened */
export function startHttpThread(options: HttpThreadOptions): HttpThread {
  const { config, clock, log, accessMemory } = options;
  const path = join(config.dataDir, DATABASE_NAME);
  const gateDatabase = openDatabase({ path, schemas: [KEYS_SCHEMA], create: false, check: false });
  // `clock` may stand still (FEED_NOW): it is the slate's. Limits, sessions, keys and logs live in real time.
  const gate = createGate({
    memory: accessMemory,
    leaseMemory: options.leaseMemory,
    directory: new SqliteKeyDirectory(gateDatabase),
    clock: systemClock,
    tickets: new Tickets(options.ticketMemory, { thread: options.thread, fillRandom }),
  });
  const accounts = new ThreadCaller({ clock: systemClock, ...ACCOUNT_CALLS });
  const platform = accounts.functions<Platform>(PLATFORM_CALLS);
  const isSecure = config.publicUrl.startsWith('https:');
  const archive = new ThreadCaller({ clock: systemClock, ...ARCHIVE_CALLS_LIMITS });
  const tooling = createTooling(options, archive.functions<ArchiveCalls>(ARCHIVE_CALLS));
  const { queries, tools } = tooling;
  const mcp = createMcpEndpoint(tools, options);
  const answers = new OddsAnswers(queries);
  const hub = new StreamHub({
    changes: queries.oddsChanges,
    clock,
    every,
    onError: (error) => log.error('stream_beat_failed', { error: String(error) }),
  });
  const signals = new SignalChannels({
    live: tooling.liveSignals,
    clock,
    every,
    onError: (error) => log.error('signal_tick_failed', { error: String(error) }),
  });
  const opener = new StreamOpener(queries, {
    hub,
    signals,
    liveSignals: tooling.liveSignals,
    places: new StreamPlaces(options.streamMemory, options.thread),
  });
  const sockets = new StreamSockets({
    opener,
    clock,
    publicUrl: config.publicUrl,
    every,
    onError: (error) => log.error('socket_failed', { error: String(error) }),
  });
  const groups = [
    afterListing(
      queries,
      operationsRoutes(queries, { page: (nowMs) => telemetry.page(nowMs), token: config.metricsToken }),
    ),
    afterIndexing(queries.names, catalogueRoutes(queries)),
    afterListing(queries, eventRoutes(queries)),
    afterIndexing(queries.names, oddsRoutes(queries, answers, new SlateOddsAnswers(queries)), asksForLeague),
    afterIndexing(queries.names, streamRoutes(opener, sockets), asksForLeague),
    afterIndexing(queries.names, resolveRoutes(queries)),
    convertRoutes(),
    afterListing(queries, resultRoutes(queries)),
    usageRoutes(gate),
    ticketRoutes(gate),
    platformRoutes(platform, isSecure),
    credentialRoutes(platform, isSecure),
    afterIndexing(queries.names, toolRoutes(tools)),
    afterIndexing(queries.names, mcpRoutes(mcp)),
  ];
  const operator = operatorRoutes({
    platform,
    slate: queries.slate,
    stateAt: (nowMs) => telemetry.state(nowMs),
  });
  const docs = docsRoutes({
    routes: groups.flatMap((group) => group.routes),
    tools: tools.map(({ tool }) => tool),
    publicUrl: config.publicUrl,
  });
  const pages = pageRoutes({
    publicUrl: config.publicUrl,
    isSimulated: config.feeds.some(({ kind }) => kind === 'simulator'),
    isDevelopment: !config.production,
    tools: tools.map(({ tool }) => tool),
  });
  const app = createApp([...groups, operator, docs, pages]);
  const telemetry = new Telemetry({
    memory: options.metricsMemory,
    thread: options.thread,
    paths: app.routes.map((route) => route.path),
    reader: tooling.reader,
    clock: systemClock,
    log,
    config,
    read: () => ({
      cache: answers.cache,
      scoring: tooling.scoringStats(),
      pendingCount: server.pendingCount(),
      planCount: server.planCount(),
      streamCount: hub.readerCount,
    }),
  });
  queries.names.warm();
  const server = startHttp({
    app,
    deps: {
      clock,
      gate,
      publicUrl: config.publicUrl,
      log,
      nextRequestId: requestIds(),
      count: (route, status, latencyMs) => telemetry.count(route, status, latencyMs),
      tellsRequests: telemetry.tellsRequests,
      observe: (finished) => telemetry.observe(finished),
    },
    hostname: config.host,
    port: config.port,
    // Also with one thread: the one that replaces it may listen before the system has closed its socket.
    reusePort: true,
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
  });
  telemetry.start();
  const endIndexing = indexNames(queries.names, clock, telemetry.loop);
  const sampler = setInterval(() => queries.movements.step(clock.wallMs()), SAMPLE_STEP_MS);
  return {
    server,
    telemetry,
    accounts,
    archive,
    stop: async () => {
      await server.drain(config.stopDrainMs);
      hub.close();
      sockets.close();
      signals.close();
      await server.stop(HTTP_STOP_GRACE_MS);
      endIndexing();
      clearInterval(sampler);
      await telemetry.close();
      await mcp.close();
      await tooling.close();
      accounts.close();
      archive.close();
      gateDatabase.close();
    },
  };
}

/** Ids that no other thread and no other run makes: 48 random bits of this thread, and a count. */
function requestIds(): () => string {
  const prefix = Buffer.from(fillRandom(new Uint8Array(6))).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}

function createMcpEndpoint(tools: readonly CompiledTool[], { config, log }: HttpThreadOptions): McpEndpoint {
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

/** Repeats a job of the thread, without keeping the process alive for it. */
function every(ms: number, run: () => unknown): () => void {
  const timer = setInterval(run, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** Routes that look for names: a request that comes before a fresh slate is indexed waits, and holds up no other. */
function afterIndexing(
  names: NameDirectory,
  group: RouteGroup,
  needsNames: (input: UntypedInput) => boolean = () => true,
): RouteGroup {
  return afterwards(group, (_, input, nowMs) => (needsNames(input) ? names.whenIndexed(nowMs) : null));
}

/** Routes over lists of the slate, of which those that filter by league look for a name. One fixture needs no list. */
function afterListing({ names, slate }: Queries, group: RouteGroup): RouteGroup {
  return afterwards(group, ({ path }, input, nowMs) => {
    // Ready is who answers queries for names too without work that everybody would wait for.
    if (path === '/ready' || asksForLeague(input)) return names.whenIndexed(nowMs);
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
