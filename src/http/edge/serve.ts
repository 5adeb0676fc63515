// The server socket: everything that is decided before routing (host, method, places in flight), the deadline
// of every request, and a stop that finishes what is in flight.

import { ClientAddresses } from '../../access/client-address.ts';
import type { FairShares } from '../../access/quotas/fair-shares.ts';
import { FairTurns } from '../../access/quotas/fair-turns.ts';
import { ServiceError } from '../../errors.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { limitReceiveBuffers } from '../../platform/receive-buffers.ts';
import { SmallCollections } from '../../platform/small-collections.ts';
import { SOCKET_MESSAGE_BYTES_MAX } from '../../stream/limits.ts';
import type { HttpApp } from '../app.ts';
import { createServerParts, ownBudget } from '../kit/create-server-parts.ts';
import { createPlaces, IN_FLIGHT_MAX } from '../kit/in-flight.ts';
import { pathOf } from '../kit/matched-route.ts';
import { RequestContext } from '../kit/request/request-context.ts';
import type { HttpDeps } from '../kit/server-parts.ts';
import { UrlPlans } from '../kit/url-plans.ts';
import type { RemoteApp } from '../remote/remote-app.ts';
import { Answerer } from './answerer.ts';
import { BodyIntake } from './bodies/body-intake.ts';
import { Connections, IDLE_TIMEOUT_S, socketOptions } from './connections.ts';
import { Drain } from './drain.ts';
import { HostCheck } from './host-check.ts';
import { Listener, type Listening, type TlsFiles } from './listener.ts';
import { freeMax, type Load, loadOf } from './load.ts';
import { PipelineGuard } from './pipeline-guard.ts';

export interface ServeOptions {
  readonly app: HttpApp;
  /** Answers the requests that `app` does not answer. If absent, `app` answers all of them. */
  readonly remote?: RemoteApp;
  readonly deps: HttpDeps;
  readonly hostname: string;
  /** 0 chooses any free port. */
  readonly port: number;
  /** Null serves plain HTTP. */
  readonly tls?: TlsFiles | null;
  /** Set when several threads listen on the port. */
  readonly reusePort?: boolean;
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly deadlineMs?: number;
  /** Places in flight. With more requests in flight, callers without a key are refused (load.ts). */
  readonly inFlightMax?: number;
  /** Open requests that one address, or one account with its keys, may have. */
  readonly inFlightPerClientMax?: number;
  /** See AnswererOptions. */
  readonly restingMax?: number;
  /** The budget of arriving bodies and unread answers; by default one of this server alone. */
  readonly budget?: FairShares;
  /** The turns in which the pieces of large answers are made; by default those of this server alone. */
  readonly turns?: FairTurns;
}

export interface HttpServer {
  readonly hostname: string;
  readonly port: number;
  /** The number of URLs with a plan. */
  planCount(): number;
  /** The number of requests whose answer has not been sent in full. */
  pendingCount(): number;
  /** The number of requests whose body is still arriving. */
  bodyCount(): number;
  /** Evicts compressed answers that are no longer used. Call it regularly. */
  sweep(): void;
  /** Ends the streams of clients that read nothing. @param peers each as `address port` */
  stuck(peers: readonly string[]): void;
  /** Uses another certificate for new connections; existing ones continue. */
  renew(tls: TlsFiles): void;
  /** Starts or stops accepting new connections. @throws when another process has taken the port meanwhile */
  accept(isAccepting: boolean): void;
  /**
   * Prepares the stop: for `drainMs`, each answer is the last on its connection and /ready is 503. New
   * connections are still accepted.
   */
  drain(drainMs: number): Promise<void>;
  /** Stops listening, finishes requests in flight for at most `graceMs`, then closes all connections. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Ciphers for TLS 1.2 with forward secrecy and authentication; all of TLS 1.3 have both. Bun offers no older
 * version.
 */
const TLS_CIPHERS = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** Starts listening. @throws when the port is taken or an option is invalid */
export function startHttp(options: ServeOptions): HttpServer {
  const { parts, connections, bodies, plans, answer, lastAnswer } = requestsOf(options, () =>
    listener.pendingCount(),
  );
  let draining: Drain | null = null;
  let tls = options.tls ?? null;
  const listener = new Listener({
    port: options.port,
    retireMs: (IDLE_TIMEOUT_S + 2) * 1_000,
    listen: (port) => listen({ options, port, tls, fetch }),
  });

  // Bun expects no response when the connection has become a WebSocket.
  function fetch(request: Request, listening: Listening): Response | Promise<Response> {
    if (draining !== null) return lastAnswer(draining, request, listening) as Promise<Response>;
    const response = answer(request, listening) as Response | Promise<Response>;
    return listener.isRetiring(listening) ? closing(response) : response;
  }

  return {
    hostname: listener.hostname,
    port: listener.port,
    planCount: () => plans.size,
    pendingCount: () => listener.pendingCount(),
    bodyCount: () => bodies.count,
    sweep: () => parts.forms.sweep(),
    stuck: (peers) => connections.stuck(peers),
    renew: (renewed) => {
      tls = renewed;
      listener.replace();
    },
    accept: (isAccepting) => (isAccepting ? listener.resume() : listener.pause()),
    drain: async (drainMs) => {
      draining = new Drain();
      if (drainMs === 0) return;
      await Bun.sleep(drainMs);
      await draining.hold();
    },
    stop: async (graceMs) => {
      const stopped = listener.stop(graceMs);
      await draining?.release();
      await stopped;
      bodies.close();
    },
  };
}

/**
 * What answers the requests of one server, whichever of its listeners they come from.
 * @param pendingCount how many requests Bun counts as pending, on all listeners
 */
function requestsOf(options: ServeOptions, pendingCount: () => number) {
  const { app, deps, remote, restingMax, inFlightMax = IN_FLIGHT_MAX } = options;
  const deadlineMs = options.deadlineMs ?? REQUEST_DEADLINE_MS;
  const hosts = new HostCheck(options.allowedHosts, deps.publicUrl);
  const connections = new Connections(new ClientAddresses(options.trustedProxies));
  const { peerOf, keepOpen, upgrade } = connections;
  const inFlight = createPlaces(inFlightMax, options.inFlightPerClientMax);
  const budget = options.budget ?? ownBudget();
  const bodies = new BodyIntake(deps.clock, budget);
  const turns = options.turns ?? new FairTurns({ monotonicMs: () => deps.clock.monotonicMs() });
  const parts = createServerParts({ deps, inFlight, budget, turns, peerOf, keepOpen, upgrade });
  const pipelines = new PipelineGuard();
  const collections = new SmallCollections();
  const plans = new UrlPlans();
  const times = { deadlineMs, restingMax };
  const answerer = new Answerer({ parts, app, remote, hosts, plans, bodies, loadNow, ...times });
  /** How many more requests need no check, because they cannot exceed the limit. */
  let uncheckedCount = 0;

  function answer(request: Request, listening: Listening): Response | Promise<Response> | undefined {
    connections.latest = listening;
    collections.count();
    if (pipelines.isFlood(request, listening)) return answerer.refuse(request, flood());
    return answerer.answer(request, loadOnArrival());
  }

  /**
   * The load when a request arrives. Reading Bun's count for each request would noticeably slow cache hits. A
   * request raises the count by at most one. So after a reading, as many requests as fit below the limit of
   * `free` need no further reading.
   */
  function loadOnArrival(): Load {
    if (uncheckedCount <= 0) return loadNow();
    uncheckedCount -= 1;
    return 'free';
  }

  function loadNow(): Load {
    const pending = pendingCount();
    uncheckedCount = freeMax(inFlightMax) - pending;
    const notInFlight = bodies.count + answerer.restingCount + connections.keptOpenCount;
    return loadOf(pending - notInFlight, inFlightMax);
  }

  /** Answers during a stop: each answer is the last on its connection, and /ready is 503. */
  function lastAnswer(drain: Drain, request: Request, listening: Listening) {
    if (pathOf(request.url) !== '/ready') return drain.answer(() => answer(request, listening));
    connections.latest = listening;
    return drain.answer(() => new RequestContext(parts, request).fail(stopping()));
  }
  return { parts, connections, bodies, plans, answer, lastAnswer };
}

interface Listen {
  readonly options: ServeOptions;
  readonly port: number;
  readonly tls: TlsFiles | null;
  readonly fetch: (request: Request, listening: Listening) => Response | Promise<Response>;
}

/** Opens the port. @throws when it is taken or an option is invalid */
function listen({ options, port, tls, fetch }: Listen): Listening {
  const listening = Bun.serve({
    hostname: options.hostname,
    port,
    reusePort: options.reusePort ?? false,
    ...(tls === null ? {} : { tls: { ...tls, ciphers: TLS_CIPHERS } }),
    development: false,
    idleTimeout: IDLE_TIMEOUT_S,
    // No limit here, because Bun would refuse with an empty answer. The answerer refuses at BODY_BYTES_MAX,
    // with the same envelope as all errors.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch,
    websocket: socketOptions(SOCKET_MESSAGE_BYTES_MAX),
    error(error) {
      options.deps.log.error('request_failed_outside_handler', { error: error.stack ?? error.message });
      return new Response(null, { status: 500 });
    },
  });
  limitReceiveBuffers(listening.port!);
  return listening;
}

function stopping(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot take requests: the server is stopping', {
    fix: 'Ask another server, or this one once it has started again',
    retryAfterSeconds: 1,
  });
}

/** Closes the connection, which also drops the other requests that it has sent. */
function flood(): ServiceError {
  return new ServiceError('rate_limit_exceeded', 'Cannot answer: too many requests at once on a connection', {
    fix: 'Read an answer before sending the next request, or open more connections',
    retryAfterSeconds: 1,
    headers: { connection: 'close' },
  });
}

/** Makes an answer the last on its connection. An event stream is an answer too, and continues. */
async function closing(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  response?.headers.set('connection', 'close');
  return response;
}
