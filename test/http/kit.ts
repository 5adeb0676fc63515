// A small application over a real socket for the tests of this folder: one route of each kind, a gate that
// counts, and a client that sends raw bytes.

import { Type } from '@sinclair/typebox';
import type { Admission, FinishedRequest as AdmittedRequest, Caller, Gate } from '../../src/access/gate.ts';
import { sessionCredential } from '../../src/access/key-cache.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import {
  DateParameter,
  FormatParameter,
  LimitParameter,
  MarketsParameter,
} from '../../src/contract/parameters.ts';
import { exact, optional } from '../../src/contract/schema.ts';
import { MarketTypeSchema, SportKeySchema } from '../../src/contract/values.ts';
import { KEYLESS, type Principal, type TierKey } from '../../src/domain/tiers.ts';
import { ServiceError } from '../../src/errors.ts';
import { createApp } from '../../src/http/app.ts';
import { type HttpServer, type ServeOptions, startHttp } from '../../src/http/edge/serve.ts';
import type { Questions } from '../../src/http/kit/questions.ts';
import { Reply } from '../../src/http/kit/reply.ts';
import { definePage, defineRoute, type Route } from '../../src/http/kit/route.ts';
import type { HttpDeps } from '../../src/http/kit/server-parts.ts';
import { createPolledApp } from '../../src/http/polled-app.ts';
import { QueryServer } from '../../src/http/remote/query-server.ts';
import { RemoteApp } from '../../src/http/remote/remote-app.ts';
import type { LoggedRequest } from '../../src/telemetry/access-log.ts';
import { RawConnection } from '../support/raw-connection.ts';

export const ECHO = exact({ seen: Type.Unknown() }, { title: 'Echo' });
export const GOOD_KEY = 'Bearer good';
const GOOD_PRINCIPAL: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
export const FREE_KEY = 'Bearer free';
const FREE_PRINCIPAL: Principal = { tier: 'free', seesSharp: false, keyId: 'key_2' };
/** Session tokens of accounts, by their plan. */
export const SESSIONS: ReadonlyMap<string, TierKey> = new Map([
  ['ses_standard', 'standard'],
  ['ses_free', 'free'],
]);
const SESSION_CALLERS: ReadonlyMap<string, Caller> = new Map(
  [...SESSIONS].map(([token, tier]) => [
    token,
    { principal: { tier, seesSharp: tier !== 'free', keyId: token }, needsAddress: false },
  ]),
);
export const SECRET = 'secret-in-a-thrown-message';

const WITHOUT_KEY: Caller = { principal: KEYLESS, needsAddress: true };
const UNKNOWN_KEY: Caller = { ...WITHOUT_KEY };

/**
 * A gate that knows two keys and two sessions, and counts calls and units. While `refusal` is set, it refuses
 * every caller.
 */
export class TestGate implements Gate {
  readonly recorded: AdmittedRequest[] = [];
  /** Keys whose address was noted. */
  readonly noted: string[] = [];
  unitsCharged = 0;
  identifiedCount = 0;
  refusal: ServiceError | null = null;
  daily: Admission['daily'] = null;
  isRemote = false;
  /** Keys that another thread has to read first. */
  readonly unread = new Set<string>();

  lookUp(credential: string): Promise<void> | null {
    if (!this.unread.has(credential)) return null;
    return Promise.resolve().then(() => void this.unread.delete(credential));
  }

  lookUpTicket(ticket: string): Promise<void> | null {
    return this.lookUp(`Bearer ${ticket}`);
  }

  identify(credential: string | null): Caller {
    this.identifiedCount += 1;
    if (credential === null) return WITHOUT_KEY;
    if (this.unread.has(credential)) return UNKNOWN_KEY;
    if (credential === FREE_KEY) return { principal: FREE_PRINCIPAL, needsAddress: false };
    const session = SESSION_CALLERS.get(credential.slice(1));
    if (session !== undefined && credential === sessionCredential(credential.slice(1))) return session;
    return credential === GOOD_KEY ? { principal: GOOD_PRINCIPAL, needsAddress: false } : UNKNOWN_KEY;
  }

  /** Behaves as if the sessions in `SESSIONS` had been identified before. */
  seenTier(credential: string): TierKey | null {
    return SESSIONS.get(credential.slice(1)) ?? null;
  }

  redeem(ticket: string): Caller {
    return this.identify(`Bearer ${ticket}`);
  }

  charge(caller: Caller, _clientAddress: string, units: 0 | 1): Admission {
    const isKnown = caller.principal.tier === 'standard';
    const refusal =
      caller === UNKNOWN_KEY
        ? new ServiceError('unauthorized', 'Cannot use this key: it is not a live key')
        : this.refusal;
    if (refusal === null) this.unitsCharged += units;
    return {
      principal: caller.principal,
      refusal,
      limit: isKnown ? 600 : 60,
      remaining: 29,
      resetAtS: 1_700_000_000,
      daily: this.daily,
    };
  }

  check(caller: Caller, clientAddress: string): Admission {
    return this.charge(caller, clientAddress, 0);
  }

  noteAddress({ keyId }: Principal, address: string): void {
    this.noted.push(`${keyId} ${address}`);
  }

  record(request: AdmittedRequest): void {
    this.recorded.push(request);
  }

  usage(): null {
    return null;
  }

  issueTicket(): { readonly ticket: string; readonly expiresAtMs: number } {
    return { ticket: 'tkt_test', expiresAtMs: 0 };
  }

  isLive(): boolean {
    return true;
  }
}

/** Routes of every kind. `/hang` never answers. */
export function testRoutes(): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/things',
      operationId: 'list_things',
      summary: 'Things',
      description: 'Things.',
      tags: ['Things'],
      access: 'metered',
      query: Type.Object({
        limit: LimitParameter,
        format: FormatParameter,
        markets: MarketsParameter,
        date: DateParameter,
        sport: optional(SportKeySchema),
        q: optional(Type.String({ maxLength: 10 })),
      }),
      response: ECHO,
      handle: ({ query }) => ({ seen: query }),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/things/:thing_id/odds/:market_type',
      operationId: 'get_thing',
      summary: 'Thing',
      description: 'Thing.',
      tags: ['Things'],
      access: 'metered',
      params: Type.Object({ thing_id: Type.String({ maxLength: 20 }), market_type: MarketTypeSchema }),
      response: ECHO,
      errors: ['not_found'],
      handle: ({ params }) => new Reply(JSON.stringify({ seen: params }), { etag: '"v1"' }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/things',
      operationId: 'post_thing',
      summary: 'Post',
      description: 'Post.',
      tags: ['Things'],
      access: 'key',
      body: Type.Object({
        name: Type.String({ minLength: 1 }),
        count: optional(Type.Integer({ minimum: 0 })),
        sport: optional(SportKeySchema),
        markets: MarketsParameter,
        nested: optional(Type.Object({ sport: optional(SportKeySchema) })),
      }),
      response: ECHO,
      handle: ({ body }) => ({ seen: body }),
    }),
    defineRoute({
      method: 'POST',
      path: '/platform/login',
      operationId: 'login',
      summary: 'Login',
      description: 'Login.',
      tags: ['Account'],
      access: 'account',
      response: ECHO,
      handle: (_input, context) => ({ seen: context.header('authorization') }),
    }),
    definePage({
      path: '/crash',
      handle: () => {
        throw new Error(SECRET);
      },
    }),
    definePage({ path: '/crash-later', handle: () => Promise.reject(new Error(SECRET)) }),
    definePage({ path: '/hang', access: 'metered', handle: () => new Promise<Reply>(() => {}) }),
    definePage({ path: '/large', handle: () => new Reply(new Uint8Array(32 * 1024 * 1024).fill(97)) }),
  ];
}

interface RemoteSides {
  readonly caller: RemoteApp;
  readonly server: QueryServer;
}

export interface TestServer extends AsyncDisposable {
  /** The two sides of the message port; null if one thread does everything. */
  readonly remote: RemoteSides | null;
  readonly http: HttpServer;
  readonly gate: TestGate;
  readonly finished: LoggedRequest[];
  readonly logged: string[];
  readonly url: string;
}

/** Starts the test application on a free port of the loopback address. */
export function startTestServer(
  options: Partial<ServeOptions> & {
    readonly routes?: readonly Route[];
    readonly clock?: Clock;
    /**
     * Whether this server answers only the routes of HTTP threads, and sends all other requests over a
     * message port, as an HTTP thread sends them to the query thread.
     */
    readonly isRemote?: boolean;
    /**
     * The turns in which the other side of the message port works. Default: it answers each request at once.
     */
    readonly questions?: Questions;
    /** How many requests may wait for the other side of the message port. */
    readonly pendingMax?: number;
  } = {},
): TestServer {
  const gate = new TestGate();
  const finished: LoggedRequest[] = [];
  const logged: string[] = [];
  let serial = 0;
  const deps: HttpDeps = {
    clock: options.clock ?? systemClock,
    gate,
    publicUrl: 'http://odds.example',
    log: { error: (message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`) },
    nextRequestId: () => `generated-${++serial}`,
    count: () => {},
    reportsRequests: true,
    observe: (request) => finished.push(request),
  };
  const routes = options.routes ?? testRoutes();
  const app = createApp(routes);
  const { budget, deadlineMs, pendingMax, questions } = options;
  const remote =
    options.isRemote === true
      ? {
          caller: new RemoteApp(deps.clock, pendingMax),
          server: new QueryServer({
            ...{ app, deps, questions: questions ?? null },
            ...(budget === undefined ? {} : { budget }),
            ...(deadlineMs === undefined ? {} : { deadlineMs }),
          }),
        }
      : null;
  if (remote !== null) connectRemote(remote);
  const http = startHttp({
    ...(remote === null ? { app } : { app: createPolledApp(routes), remote: remote.caller }),
    deps,
    hostname: '127.0.0.1',
    port: 0,
    allowedHosts: ['allowed.example'],
    trustedProxies: [],
    ...options,
  });
  return {
    ...{ http, gate, finished, logged, remote, url: `http://127.0.0.1:${http.port}` },
    [Symbol.asyncDispose]: async () => {
      await http.stop(100);
      remote?.caller.close();
      remote?.server.close();
    },
  };
}

/** Gives both sides a new channel, as main does when one of the threads was replaced. */
export function connectRemote({ caller, server }: RemoteSides): void {
  const { port1, port2 } = new MessageChannel();
  server.connect(0, port1);
  caller.connect(port2);
}

/** Sends raw bytes and collects the answer until the peer closes or `isComplete` returns true. */
export async function sendRaw(
  port: number,
  text: string,
  isComplete: (received: string) => boolean = hasWholeAnswer,
): Promise<string> {
  const connection = await RawConnection.open(port);
  connection.send(text);
  const answer = await connection.answer(isComplete);
  connection.end();
  return answer;
}

/** Whether `received` holds one answer with as many bytes of body as its Content-Length says. */
function hasWholeAnswer(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /^content-length: (\d+)/im.exec(received.slice(0, end));
  return length !== null && received.length >= end + 4 + Number(length[1]);
}

/** A body that never ends. */
export function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
}
