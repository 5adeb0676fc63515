// The parts of one HTTP thread: its own reader of the store, the routes for polls, the pushed streams and the
// listener. All other requests go to the query thread. Each HTTP thread runs in a worker (http.worker.ts),
// and all listen on the same port.

import type { Gate } from '../../access/gate.ts';
import { LINK_TICKET_LIVES_MS } from '../../access/limits.ts';
import { FairShares } from '../../access/quotas/fair-shares.ts';
import { cacheRooms } from '../../access/quotas/memory-budget.ts';
import { StrangerPace } from '../../access/quotas/stranger-pace.ts';
import { StreamPlaces } from '../../access/quotas/stream-places.ts';
import { systemClock } from '../../clock.ts';
import { encodeId } from '../../domain/ids.ts';
import { startRedirect } from '../../http/edge/redirect.ts';
import { rehearse } from '../../http/edge/rehearsal.ts';
import { type HttpServer, type ServeOptions, startHttp } from '../../http/edge/serve.ts';
import { pathsByThread, type Route } from '../../http/kit/route.ts';
import type { HttpDeps } from '../../http/kit/server-parts.ts';
import { OddsAnswers } from '../../http/odds-answers.ts';
import { createPolledApp } from '../../http/polled-app.ts';
import { RemoteApp } from '../../http/remote/remote-app.ts';
import { ThreadCaller } from '../../http/remote/thread-caller.ts';
import { oddsRoutes } from '../../http/routes/odds.ts';
import { streamRoutes } from '../../http/routes/streams.ts';
import { SlateOddsAnswers } from '../../http/slate-odds-answers.ts';
import { every } from '../../pause.ts';
import { leaguesElsewhere, type NameCalls } from '../../query/lookup/name-calls.ts';
import { createPolledQueries, type PolledQueries } from '../../query/polled.ts';
import { SlateReader } from '../../store/reader.ts';
import { StreamSockets } from '../../stream/connections/stream-sockets.ts';
import { LiveSignals } from '../../stream/signals/live-signals.ts';
import { SignalChannels } from '../../stream/signals/signal-channels.ts';
import { StreamHub } from '../../stream/stream-hub.ts';
import { StreamOpener, type StreamParts } from '../../stream/stream-opener.ts';
import { MetricRoutes } from '../../telemetry/request-metrics.ts';
import type { Telemetry } from '../../telemetry/thread-telemetry.ts';
import { readCertificate, watchCertificate } from '../certificate.ts';
import { plausibleLimitsOf, windowsOf } from '../record/signal-bounds.ts';
import { scoringOnDemand } from './scoring.ts';
import {
  collectingTurns,
  healthOf,
  historyCaller,
  httpDeps,
  keepSwept,
  openGate,
  type ServingOptions,
  type SharedServing,
  servedBy,
  telemetryOf,
} from './serving-thread.ts';

/**
 * How many calls about names to the query thread may wait, and for how long. Beyond either limit, a call
 * fails with 503.
 */
const NAME_CALLS_LIMITS = { whom: 'the names of the slate', pendingMax: 1_024, deadlineMs: 8_000 };

/** How often to check for the first slate. */
const REHEARSAL_CHECK_MS = 25;

/** The messages from the main thread to an HTTP worker. */
export type ToHttp =
  | { readonly type: 'start'; readonly shared: SharedServing; readonly thread: number }
  /** Two ports to the query thread, sent at the start and whenever that thread was replaced. */
  | { readonly type: 'query'; readonly requests: MessagePort; readonly names: MessagePort }
  /** A port to the history thread, sent at the start and whenever that thread was replaced. */
  | { readonly type: 'history'; readonly port: MessagePort }
  /** A port for keys to the worker of accounts, sent at the start and whenever that worker was replaced. */
  | { readonly type: 'keys'; readonly port: MessagePort }
  /** The query thread has died. Ports to the next one follow. */
  | { readonly type: 'query_lost' }
  | { readonly type: 'accept'; readonly isAccepting: boolean }
  | { readonly type: 'collect' }
  /** Clients, as `address port`, that have stopped reading although the system holds bytes for them. */
  | { readonly type: 'stuck'; readonly peers: readonly string[] }
  /** @param graceMs how long requests in flight may take */
  | { readonly type: 'stop'; readonly graceMs: number };

export interface HttpThread {
  readonly server: HttpServer;
  readonly telemetry: Telemetry;
  /** Forwards all other requests to the query thread. */
  readonly queries: RemoteApp;
  /** Calls the thread that knows the names of the slate. */
  readonly names: ThreadCaller;
  /** Reads keys that are not in a file of this machine. */
  readonly keys: ThreadCaller;
  /** Calls the thread that answers about the past. */
  readonly history: ThreadCaller;
  /**
   * Stops listening, finishes what is in flight within this time, and closes everything the thread has open.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts the thread. It is listening when this returns. @throws Error if the port is taken or the database
 * cannot be opened
 */
export function startHttpThread(options: ServingOptions): HttpThread {
  const { config } = options;
  const { gate, keys, close: closeGate } = openGate(options);
  const budget = new FairShares(options.budgetMemory, options.thread);
  const queries = new RemoteApp(systemClock);
  const { names, calls: nameCalls, leagues } = nameCaller();
  const { history, calls: historyCalls } = historyCaller(options);
  const { reader, scoring, polled, liveSignals } = slateParts(options);
  const { slate } = polled;
  const answers = new OddsAnswers(polled, cacheRooms(budget));
  const turns = collectingTurns(options);
  const slatePace = new StrangerPace(options.clock, (ms) => Bun.sleep(ms));
  const pushed = pushedOf({ ...polled, liveSignals }, { leagues, gate, budget, turns, slatePace }, options);
  const slateAnswers = new SlateOddsAnswers({ ...polled, budget, slatePace, clock: options.clock });
  const oddsBy = (used: OddsAnswers): Route[] =>
    oddsRoutes({
      ...{ slate, leagues, answers: used, slateAnswers },
      ...{ history: historyCalls, openings: null, liquidity: null },
    });
  const whenQueried = untilOnce(async (nowMs) => {
    await queries.whenRouted;
    return nameCalls.whenIndexed({ nowMs });
  });
  const health = healthOf(options, { slate, whenQueried });
  const app = createPolledApp(servedBy(config, [...health, ...oddsBy(answers), ...streamRoutes(pushed)]));
  const telemetry = telemetryOf(options, new MetricRoutes(pathsByThread(app.routes)), () => ({
    cache: answers.cache,
    scoring: scoring.stats(),
    pendingCount: server.pendingCount(),
    planCount: server.planCount(),
    streamCount: pushed.readerCount,
  }));
  const deps = httpDeps(options, gate, telemetry);
  // Rehearse before listening if there is a slate, because a thread that replaces another has polls waiting.
  const endRehearsal = rehearseOnceReady({
    reader,
    isReady: () => slate.isReady(options.clock.wallMs()),
    deps,
    routes: () => servedBy(config, oddsBy(new OddsAnswers(polled))),
  });
  const served = { app, remote: queries, deps, budget, turns };
  const { server, close: closeListener } = listen(options, served, answers);
  telemetry.start();
  return {
    ...{ server, telemetry, queries, names, keys, history },
    stop: async (graceMs) => {
      endRehearsal();
      await closeListener();
      await server.drain(config.stopDrainMs);
      pushed.close();
      await server.stop(graceMs);
      await telemetry.close();
      await scoring.close();
      queries.close();
      names.close();
      history.close();
      closeGate();
    },
  };
}

/** Calls the query thread about the names of the slate. */
function nameCaller() {
  const names = new ThreadCaller({ clock: systemClock, ...NAME_CALLS_LIMITS });
  const calls = names.functions<NameCalls>();
  return { names, calls, leagues: leaguesElsewhere(calls) };
}

/** The thread's reader of the store, and what it answers polls and pushes with. */
function slateParts({ config, log, storeBuffer, tapeMemory }: ServingOptions) {
  const reader = new SlateReader(storeBuffer);
  const scoring = scoringOnDemand(storeBuffer, log);
  const polled = createPolledQueries({
    reader,
    windows: windowsOf(config),
    scorer: scoring,
    clock: systemClock,
    keepsHistory: tapeMemory !== null,
  });
  const liveSignals = new LiveSignals({ ...polled, reader, scorer: scoring }, plausibleLimitsOf(config));
  return { reader, scoring, polled, liveSignals };
}

type Served = Pick<ServeOptions, 'app' | 'remote' | 'deps' | 'budget' | 'turns'>;

/**
 * Listens on the service's port, and on the one that redirects to it. `close` ends the redirects, the watch
 * on the certificate, and the sweeps of cached answers; the caller stops the server.
 */
function listen({ config, log }: ServingOptions, served: Served, { cache }: Pick<OddsAnswers, 'cache'>) {
  const certificate = config.tls === null ? null : readCertificate(config.tls);
  const server = startHttp({
    ...served,
    hostname: config.host,
    port: config.port,
    tls: certificate,
    // Set reusePort even for a single thread: its replacement may listen before the system has closed the old
    // socket.
    reusePort: true,
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
  });
  const endCertificate =
    config.tls === null || certificate === null
      ? null
      : watchCertificate({ tls: config.tls, served: certificate, log, onChange: server.renew });
  const stopRedirect =
    config.httpRedirectPort === null
      ? null
      : startRedirect({ hostname: config.host, port: config.httpRedirectPort, publicUrl: config.publicUrl });
  const endSweeps = keepSwept([cache, server]);
  return {
    server,
    async close(): Promise<void> {
      endSweeps();
      endCertificate?.();
      await stopRedirect?.();
    },
  };
}

interface RehearsalOptions {
  readonly reader: SlateReader;
  readonly isReady: () => boolean;
  readonly deps: HttpDeps;
  /**
   * Creates fresh routes, because whatever a rehearsal caches is thrown away. Empty on a node that
   * answers no polls.
   */
  readonly routes: () => readonly Route[];
}

/**
 * Rehearses polls (http/edge/rehearsal.ts) of any one fixture as soon as there is a slate, now or later.
 * @returns a function that ends the wait
 */
function rehearseOnceReady({ reader, isReady, deps, routes }: RehearsalOptions): () => void {
  if (routes().length === 0) return () => undefined;
  const attempt = (): boolean => {
    const eventNumber = isReady() ? anyEventOf(reader) : null;
    if (eventNumber === null) return false;
    const path = `/v1/events/${encodeId('event', eventNumber)}/odds`;
    rehearse({ app: createPolledApp(routes()), deps, paths: [path, `${path}?markets=1x2`] });
    return true;
  };
  if (attempt()) return () => undefined;
  const stop = every(REHEARSAL_CHECK_MS, () => {
    if (attempt()) stop();
  });
  return stop;
}

function anyEventOf(reader: SlateReader): number | null {
  for (let slot = 0; slot < reader.slotCount(); slot += 1) {
    const eventNumber = reader.read(slot, (page) => reader.columns.eventNumber[page]!);
    if (eventNumber !== undefined) return eventNumber;
  }
  return null;
}

/** What a thread pushes: streams, their signals and WebSockets. */
interface Pushed {
  readonly opener: StreamOpener;
  readonly sockets: StreamSockets;
  /** How many streams are open. */
  readonly readerCount: number;
  close(): void;
}

function pushedOf(
  { slate, liveSignals, oddsChanges, wholeSlates }: PolledQueries & { readonly liveSignals: LiveSignals },
  {
    gate,
    ...parts
  }: Pick<StreamParts, 'leagues' | 'budget' | 'turns' | 'slatePace'> & { readonly gate: Gate },
  { config, clock, log, streamMemory, thread }: ServingOptions,
): Pushed {
  const hub = new StreamHub({
    changes: oddsChanges,
    slates: wholeSlates,
    clock,
    every,
    onError: (error) => log.error('stream_beat_failed', { error: String(error) }),
  });
  const signals = new SignalChannels({
    live: liveSignals,
    clock,
    every,
    turn: (channel) => parts.turns.turn(channel),
    onError: (error) => log.error('signal_tick_failed', { error: String(error) }),
  });
  const opener = new StreamOpener({
    ...parts,
    slate,
    hub,
    signals,
    liveSignals,
    places: new StreamPlaces(streamMemory, thread),
  });
  const sockets = new StreamSockets({
    opener,
    clock,
    publicUrl: config.publicUrl,
    issueTicket: (principal) => gate.issueTicket(principal, LINK_TICKET_LIVES_MS),
    every,
    onError: (error) => log.error('socket_failed', { error: String(error) }),
  });
  return {
    opener,
    sockets,
    get readerCount() {
      return hub.readerCount;
    },
    close: () => {
      hub.close();
      sockets.close();
      signals.close();
    },
  };
}

/**
 * A function that calls `ask`, until the promise of one call has resolved to true. From then on it returns
 * null.
 */
function untilOnce(ask: (nowMs: number) => Promise<boolean>): (nowMs: number) => Promise<void> | null {
  let isDone = false;
  return (nowMs) =>
    isDone
      ? null
      : ask(nowMs).then((answer) => {
          isDone = answer;
        });
}
