// The socket side: everything that is decided before routing (host, method, places in flight), the deadline of every
// request, and a stop that finishes what is in flight.

import { ClientAddresses } from '../../access/client-address.ts';
import { FreePace } from '../../access/free-pace.ts';
import { ServiceError } from '../../errors.ts';
import { parseAddress } from '../../ip-address.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { SOCKET_MESSAGE_BYTES_MAX } from '../../stream/limits.ts';
import type { HttpApp } from '../app.ts';
import { Forms } from '../kit/forms.ts';
import { AnswerHeaders } from '../kit/headers.ts';
import { busy, createBodyPlaces, InFlight } from '../kit/in-flight.ts';
import { PlanTable } from '../kit/plan-table.ts';
import { withoutLength } from '../kit/reply.ts';
import { Negotiator } from '../kit/representation.ts';
import { RequestContext } from '../kit/request-context.ts';
import { refuseKeyInQuery } from '../kit/request-input.ts';
import type { ReadyAnswers } from '../kit/route.ts';
import { type HttpDeps, type OpenPlan, pathOf, type ServerParts } from '../kit/server-parts.ts';
import { type SocketHandler, socketOptions } from '../kit/socket.ts';
import { Drain } from './drain.ts';
import { answerHit } from './hits.ts';
import { HostCheck } from './host-check.ts';
import { Listener, type Listening } from './listener.ts';
import { PipelineGuard } from './pipeline-guard.ts';

export interface ServeOptions {
  readonly app: HttpApp;
  readonly deps: HttpDeps;
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Set when several threads listen on the port. */
  readonly reusePort?: boolean;
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly deadlineMs?: number;
  readonly inFlightMax?: number;
  readonly inFlightPerClientMax?: number;
  /** URLs with a plan; by default PLANS_MAX. */
  readonly plansMax?: number;
}

export interface HttpServer {
  readonly hostname: string;
  readonly port: number;
  /** URLs with a plan. */
  planCount(): number;
  /** Requests whose answer has not been handed over in full. */
  pendingCount(): number;
  /** Ends the streams of clients, named as `address port`, that read nothing. */
  stuck(peers: readonly string[]): void;
  /** Whether new connections are accepted. Again: @throws when another process took the port meanwhile */
  accept(isAccepting: boolean): void;
  /** For `drainMs` each answer is the last of its connection and /ready is 503; connections are still accepted. */
  drain(drainMs: number): Promise<void>;
  /** Stops listening, finishes what is in flight for at most `graceMs`, then closes the rest. */
  stop(graceMs: number): Promise<void>;
}

/** What the URL of a plan means to this server. */
interface Plan {
  readonly host: string | null;
  /** Path template of its route. */
  readonly path: string;
  readonly answers: ReadyAnswers | null;
  readonly run: OpenPlan['run'];
}

/** Answers being made or sent, per thread. Full: 503 and retry. */
const IN_FLIGHT_MAX = 2_048;
/** The same, of one client address. Full: 503 and retry. */
const IN_FLIGHT_PER_CLIENT_MAX = 128;
/** A connection that moves no byte for this long is closed: slow headers, slow bodies, slow readers. */
const IDLE_TIMEOUT_S = 20;

/** Starts listening. @throws when the port is taken or an option is unusable */
export function startHttp(options: ServeOptions): HttpServer {
  const { app, deps } = options;
  const deadlineMs = options.deadlineMs ?? REQUEST_DEADLINE_MS;
  const inFlightMax = options.inFlightMax ?? IN_FLIGHT_MAX;
  const hosts = new HostCheck(options.allowedHosts, deps.publicUrl);
  const addresses = new ClientAddresses(options.trustedProxies);
  const headers = new AnswerHeaders(deps.publicUrl.startsWith('https:'));
  const inFlight = new InFlight({
    total: inFlightMax,
    perClient: options.inFlightPerClientMax ?? IN_FLIGHT_PER_CLIENT_MAX,
  });

  const bodies = createBodyPlaces();
  const parts: ServerParts = {
    deps,
    inFlight,
    bodies,
    freePace: new FreePace(),
    headers,
    negotiator: new Negotiator(),
    forms: new Forms(),
    peerOf,
    keepOpen,
    upgrade,
  };
  const pipelines = new PipelineGuard();
  const plans = new PlanTable<Plan>(options.plansMax);
  let socket: Listening | null = null;
  /** What to do when the client at an `address port` reads nothing. */
  const keptOpen = new Map<string, () => void>();
  let draining: Drain | null = null;

  const listener = new Listener({
    port: options.port,
    listen: (port) =>
      Bun.serve({
        hostname: options.hostname,
        port,
        reusePort: options.reusePort ?? false,
        development: false,
        idleTimeout: IDLE_TIMEOUT_S,
        // Unlimited here, since Bun refuses without a body. The reader of bodies refuses at BODY_BYTES_MAX, with the
        // envelope that all errors have.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        // Bun wants nothing for a request whose connection has become a WebSocket.
        fetch: (request, listening) =>
          (draining === null ? answer(request, listening) : lastAnswer(draining, request, listening)) as
            | Response
            | Promise<Response>,
        websocket: socketOptions(SOCKET_MESSAGE_BYTES_MAX),
        error(error) {
          deps.log.error('request_failed_outside_handler', { error: error.stack ?? error.message });
          return new Response(null, { status: 500 });
        },
      }),
  });
  function answer(request: Request, listening: Listening): Response | Promise<Response> | undefined {
    socket = listening;
    if (pipelines.isFlood(request, listening)) return new RequestContext(parts, request).fail(flood());
    const received = bodies.account.total + bodies.other.total;
    const isBusy = listening.pendingRequests - received > inFlightMax;
    const plan = isBusy || request.method !== 'GET' ? null : planOf(request);
    let context: RequestContext | null = null;
    try {
      if (plan !== null && plan.answers !== null) {
        const response = answerHit(parts, { path: plan.path, answers: plan.answers }, request);
        if (response !== null) return response;
      }
      context = new RequestContext(parts, request);
      if (plan !== null) return settled(plan.run(context), context);
      hosts.check(request);
      refuseKeyInQuery(request.url);
      if (request.method === 'CONNECT') throw connectRefused();
      if (isBusy) throw busy();
      const response = app.handle(context);
      if (context.plan !== null) remember(context, context.plan);
      return settled(response, context);
    } catch (error) {
      return (context ?? new RequestContext(parts, request)).fail(error);
    }
  }

  function lastAnswer(drain: Drain, request: Request, listening: Listening) {
    if (pathOf(request.url) !== '/ready') return drain.answer(() => answer(request, listening));
    socket = listening;
    return drain.answer(() => new RequestContext(parts, request).fail(stopping()));
  }

  function keepOpen(request: Request, onStuck: () => void): () => void {
    const listening = socket;
    const end = listening?.requestIP(request) ?? null;
    const peer = end === null ? '' : `${parseAddress(end.address)?.toString() ?? end.address} ${end.port}`;
    listening?.timeout(request, 0);
    keptOpen.set(peer, onStuck);
    return () => {
      listening?.timeout(request, IDLE_TIMEOUT_S);
      if (keptOpen.get(peer) === onStuck) keptOpen.delete(peer);
    };
  }

  function peerOf(request: Request): string {
    return addresses.of(socket?.requestIP(request)?.address ?? null, request);
  }

  /** The plan of a request's URL. The URL has only the first of several Host headers, so the header is compared too. */
  function planOf(request: Request): Plan | null {
    const plan = plans.find(request.url);
    return plan !== null && plan.host === request.headers.get('host') ? plan : null;
  }

  function remember({ request, principal }: RequestContext, plan: OpenPlan): void {
    plans.offer(request.url, principal.keyId ?? 'keyless', () => ({
      host: request.headers.get('host'),
      path: plan.route.path,
      answers: plan.keep(),
      run: plan.run,
    }));
  }

  function upgrade(request: Request, handler: SocketHandler, headers: Record<string, string>): boolean {
    return socket?.upgrade(request, { data: handler, headers }) ?? false;
  }

  function settled(answer: Response | Promise<Response>, context: RequestContext) {
    if (context.isUpgraded) return undefined;
    if (context.request.method === 'HEAD') return inTime(headOf(answer, context), context);
    return answer instanceof Promise ? inTime(answer, context) : answer;
  }

  async function headOf(answer: Response | Promise<Response>, context: RequestContext): Promise<Response> {
    const response = await answer;
    return context.isLengthUnknown ? withoutLength(response) : response;
  }

  /** Takes a place in flight until the answer is made, and answers 503 when that takes too long. */
  function inTime(answer: Promise<Response>, context: RequestContext): Promise<Response> {
    context.hold();
    const { promise, resolve } = Promise.withResolvers<Response>();
    const timer = setTimeout(
      () => resolve(context.fail(context.isReceiving ? tooSlow() : tooLate())),
      deadlineMs,
    );
    answer.then(
      (response) => finish(response),
      (error: unknown) => finish(context.fail(error)),
    );
    function finish(response: Response): void {
      clearTimeout(timer);
      context.release();
      resolve(response);
    }
    return promise;
  }

  return {
    hostname: listener.hostname,
    port: listener.port,
    planCount: () => plans.size,
    pendingCount: () => listener.pendingCount(),
    stuck: (peers) => {
      for (const peer of peers) keptOpen.get(peer)?.();
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
    },
  };
}

function tooLate(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer in time: the deadline has passed', {
    retryAfterSeconds: 1,
  });
}

function stopping(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot take requests: the server is stopping', {
    fix: 'Ask another server, or this one once it has started again',
    retryAfterSeconds: 1,
  });
}

/** Closes the connection, or its body would go on taking a place. */
function tooSlow(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer in time: the body did not come', {
    fix: 'Send the whole body at once',
    retryAfterSeconds: 1,
    headers: { connection: 'close' },
  });
}

/** Closes the connection, which drops what else it has sent. */
function flood(): ServiceError {
  return new ServiceError('rate_limit_exceeded', 'Cannot answer: too many requests at once on a connection', {
    fix: 'Read an answer before sending the next request, or open more connections',
    retryAfterSeconds: 1,
    headers: { connection: 'close' },
  });
}

function connectRefused(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot use CONNECT: this is not a proxy', {
    status: 405,
    fix: 'Use GET or POST on a path of /openapi.json',
    headers: { allow: 'GET, HEAD, POST, DELETE, OPTIONS' },
  });
}
