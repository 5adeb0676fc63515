// One WebSocket of GET /v1/ws: the messages of its client, and its subscriptions, each of which is a stream
// of the hub.

import { type Clock, toIsoText } from '../../clock.ts';
import { compileInput } from '../../contract/input.ts';
import { SOCKET_REQUESTS, type SocketOp } from '../../contract/stream/socket.ts';
import type { ByeReason } from '../../contract/stream/stream.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { LeagueIds } from '../../query/lookup/league-filter.ts';
import { byeFrame, type Frame, frameOf } from '../frames.ts';
import {
  KEYLESS_SOCKET_OPS_ENDING,
  KEYLESS_SOCKET_OPS_MAX,
  SOCKET_IDLE_MS,
  SOCKET_OPS_ENDING,
  SOCKET_OPS_EVERY_MS,
  SOCKET_OPS_MAX,
  SUBSCRIPTIONS_MAX,
} from '../limits.ts';
import type { OpenStream } from '../stream-hub.ts';
import type { StreamCaller, StreamOpener, StreamOptions } from '../stream-opener.ts';
import type { FrameSink } from '../stream-reader.ts';
import {
  keyless,
  type SocketOps,
  taken,
  tooManyMessages,
  tooManySubscriptions,
  toSocketError,
  unknownSubscription,
  unreadable,
} from './socket-errors.ts';
import type { Socket, SocketHandler } from './socket-handler.ts';
import { SocketLine } from './socket-line.ts';
import { readSocketMessage, type SocketWire, socketMessageOf } from './socket-messages.ts';

const PARSERS = {
  subscribe: compileInput(SOCKET_REQUESTS.subscribe, 'body'),
  unsubscribe: compileInput(SOCKET_REQUESTS.unsubscribe, 'body'),
  ping: compileInput(SOCKET_REQUESTS.ping, 'body'),
  renew: compileInput(SOCKET_REQUESTS.renew, 'body'),
} as const;

/** Close codes of RFC 6455, 7.4: going away, policy violation, try again later. */
const CLOSE_CODES: Readonly<Record<ByeReason, number>> = {
  shutdown: 1001,
  key_revoked: 1008,
  limit: 1008,
  slow_reader: 1013,
};

const KEY_OPS: SocketOps = { max: SOCKET_OPS_MAX, ending: SOCKET_OPS_ENDING };
const KEYLESS_OPS: SocketOps = { max: KEYLESS_SOCKET_OPS_MAX, ending: KEYLESS_SOCKET_OPS_ENDING };

/** A client is cut off at once if it sends this many times the number of messages that ends a connection. */
const CUT_TIMES = 2;

/** The caller at the other end of a connection, and the encoding of its messages. */
export interface SocketCaller extends Omit<StreamCaller, 'nowMs'> {
  readonly wire: SocketWire;
  /** Whether the client accepts permessage-deflate. */
  readonly deflates: boolean;
  /** False once the caller's key is no longer valid. */
  readonly isAllowed: () => boolean;
}

export interface SocketParts {
  readonly opener: StreamOpener;
  readonly clock: Clock;
  readonly issueTicket: (principal: Principal) => { readonly ticket: string; readonly expiresAtMs: number };
  /** Base of links in errors. */
  readonly publicUrl: string;
  /** Called with failures that the client has not caused. */
  readonly onError: (error: unknown) => void;
  /** Called when the connection has closed. */
  readonly onClosed: (socket: StreamSocket) => void;
}

interface Subscription {
  /** Null until the stream is open: the subscription may have to wait, or its league is being looked up. */
  stream: OpenStream | null;
  readonly leave: () => void;
}

export class StreamSocket implements SocketHandler {
  readonly #parts: SocketParts;
  readonly #caller: SocketCaller;
  readonly #line: SocketLine;
  readonly #subscriptions = new Map<string, Subscription>();
  /**
   * Aborted when the connection has closed. If a client ends a subscription that is still waiting, the
   * subscription still counts for the pace: otherwise a connection could subscribe and unsubscribe without
   * end.
   */
  readonly #left = new AbortController();
  #emptySinceMs: number;
  #windowStartMs: number;
  #opCount = 0;

  constructor(parts: SocketParts, caller: SocketCaller) {
    this.#parts = parts;
    this.#caller = caller;
    const backlog = parts.opener.backlog(caller);
    this.#line = new SocketLine({ clock: parts.clock, deflates: caller.deflates, backlog });
    this.#emptySinceMs = parts.clock.monotonicMs();
    this.#windowStartMs = this.#emptySinceMs;
  }

  opened(socket: Socket): void {
    this.#line.attach(socket);
  }

  received(message: string | Uint8Array): void {
    const { max, ending } = this.#ops;
    const count = this.#countOp();
    // The connection ends once earlier messages are answered. A flood is cut off immediately, because Bun
    // would still deliver every message that it has read.
    if (count > CUT_TIMES * ending) this.#line.cut();
    if (count > ending + 1 || this.#line.isEnding) return;
    const act = (): void => {
      if (count > ending) this.sendAway('limit');
      else if (count > max) throw tooManyMessages(this.#ops);
      else this.#act(readSocketMessage(message, this.#caller.wire));
    };
    try {
      this.#parts.opener.inTurn(this.#caller, () => this.#orFail(act));
    } catch (error) {
      if (count > ending) this.sendAway('limit');
      else this.#fail(null, error);
    }
  }

  drained(): void {
    this.#line.drained();
    for (const { stream } of [...this.#subscriptions.values()]) stream?.drained();
  }

  pinged(): void {
    // A client that floods does not read its pongs either, and a closing handshake would wait behind those
    // pongs. So cut the connection.
    if (this.#countOp() > this.#ops.ending) this.#line.cut();
  }

  ponged(text: string): void {
    // Bun's own pings have no text, so their pongs are counted too; there are one or two a minute.
    if (!this.#line.ponged(text) && this.#countOp() > this.#ops.ending) this.#line.cut();
  }

  closed(): void {
    this.#line.closed();
    this.#left.abort();
    for (const id of [...this.#subscriptions.keys()]) this.#end(id);
    this.#parts.onClosed(this);
  }

  /**
   * Called regularly. Ends a connection that is stuck, has had no subscription for too long, or whose key is
   * no longer valid.
   */
  watch(nowMs: number): void {
    this.#line.cutIfOverdue(nowMs);
    if (this.#line.isStuck(nowMs)) this.sendAway('slow_reader');
    else if (!this.#caller.isAllowed()) this.sendAway('key_revoked');
    else if (this.#subscriptions.size === 0 && nowMs - this.#emptySinceMs > SOCKET_IDLE_MS) {
      this.sendAway('limit');
    }
  }

  /**
   * Sends the reason to each subscription, or to the connection if it has none, and closes the connection.
   */
  sendAway(reason: ByeReason): void {
    if (this.#line.isEnding) return;
    const bye = byeFrame(reason);
    const ids = [...this.#subscriptions.keys()];
    for (const id of ids.length === 0 ? [null] : ids) this.#send(bye, id);
    this.#line.end(CLOSE_CODES[reason], reason);
    for (const id of ids) this.#end(id);
  }

  get #ops(): SocketOps {
    return this.#caller.principal.keyId === null ? KEYLESS_OPS : KEY_OPS;
  }

  /**
   * Counts a message, a ping, or a pong without a ping.
   * @returns how many there were within SOCKET_OPS_EVERY_MS
   */
  #countOp(): number {
    const nowMs = this.#parts.clock.monotonicMs();
    if (nowMs - this.#windowStartMs > SOCKET_OPS_EVERY_MS) {
      this.#windowStartMs = nowMs;
      this.#opCount = 0;
    }
    this.#opCount += 1;
    return this.#opCount;
  }

  /** Runs `job` unless the connection is ending. If the job throws, the client is sent the error. */
  #orFail(job: () => void): void {
    if (this.#line.isEnding) return;
    try {
      job();
    } catch (error) {
      this.#fail(null, error);
    }
  }

  #act(message: unknown): void {
    const op = opOf(message);
    if (op === null) throw unreadable(this.#caller.wire);
    if (op === 'ping') {
      PARSERS.ping.parse(message);
      this.#send(frameOf('pong', null, {}), null);
      return;
    }
    if (op === 'renew') {
      PARSERS.renew.parse(message);
      this.#sendTicket();
      return;
    }
    const id = idOf(message);
    try {
      if (op === 'subscribe') this.#subscribe(message);
      else this.#unsubscribe(PARSERS.unsubscribe.parse(message).id);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /**
   * Answers a request for a ticket. A client that connected with a ticket has no key, so it requests the next
   * one here.
   */
  #sendTicket(): void {
    const { principal } = this.#caller;
    if (principal.keyId === null) throw keyless();
    const { ticket, expiresAtMs } = this.#parts.issueTicket(principal);
    this.#send(frameOf('ticket', null, { ticket, expires_at: toIsoText(expiresAtMs) }), null);
  }

  #subscribe(message: unknown): void {
    const { op: _op, id, ...query } = PARSERS.subscribe.parse(withListsAsTexts(message));
    if (this.#subscriptions.has(id)) throw taken();
    if (this.#subscriptions.size >= SUBSCRIPTIONS_MAX) throw tooManySubscriptions();
    const { opener, clock } = this.#parts;
    // Take the place first, so that a subscription without a place does not count for the pace.
    const leavePlace = opener.takePlace(this.#callerNow());
    let paced: Promise<void> | null;
    try {
      paced = opener.pace(this.#caller, query, this.#left.signal);
    } catch (error) {
      leavePlace();
      throw error;
    }
    // A subscription that ends while it waits keeps its place, and still counts at the pace, until the wait
    // is over. Otherwise one address could make all others without a key wait, or have them refused.
    const leave = (): void => {
      if (paced === null || this.#left.signal.aborted) leavePlace();
      else paced.then(leavePlace, leavePlace);
    };
    const subscription: Subscription = { stream: null, leave };
    this.#subscriptions.set(id, subscription);
    // The subscription may be ended while it waits, or while its league is being looked up.
    const isOpen = (): boolean => this.#subscriptions.get(id) === subscription;
    const open = (leagues: LeagueIds | null): void => {
      if (leagues === null || !isOpen()) return;
      try {
        const optionsNow = () => opener.optionsOf(query, { ...this.#callerNow(), leagues });
        const first = optionsNow();
        const start = (options: StreamOptions): void => {
          const sink = this.#sinkOf(id);
          subscription.stream = opener.hub.open({ ...options, sink, isAllowed: this.#caller.isAllowed });
        };
        const waited = opener.hub.whenReached(first.view, first.since);
        if (waited === null) start(first);
        else
          waited
            .then(() => (isOpen() ? start(optionsNow()) : undefined))
            .catch((error: unknown) => this.#failOpening(id, error));
      } catch (error) {
        this.#failOpening(id, error);
      }
    };
    const find = (): LeagueIds | Promise<LeagueIds> => opener.leaguesOf(query, clock.wallMs());
    const leagues = paced === null ? find() : paced.then(() => (isOpen() ? find() : null));
    const fail = (error: unknown): void => {
      // Once the subscription has ended, another one may have its id.
      if (isOpen()) this.#failOpening(id, error);
    };
    if (leagues instanceof Promise) leagues.then(open, fail);
    else open(leagues);
  }

  #failOpening(id: string, error: unknown): void {
    this.#end(id);
    this.#fail(id, error);
  }

  #unsubscribe(id: string): void {
    if (!this.#subscriptions.has(id)) throw unknownSubscription();
    this.#end(id);
  }

  /** Removes a subscription and frees its place. */
  #end(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return;
    this.#subscriptions.delete(id);
    subscription.leave();
    subscription.stream?.gone();
    if (this.#subscriptions.size === 0) this.#emptySinceMs = this.#parts.clock.monotonicMs();
  }

  #sinkOf(id: string): FrameSink {
    return {
      send: (frame) => {
        // A stream that sends `bye` ends the whole connection: `sendAway` then sends a `bye` to every
        // subscription.
        if (frame.event !== 'bye') this.#send(frame, id);
      },
      unsentBytes: () => this.#line.unsentBytes(),
      end: (reason) => this.sendAway(reason),
    };
  }

  #callerNow(): StreamCaller {
    return { ...this.#caller, nowMs: this.#parts.clock.wallMs() };
  }

  #send(frame: Frame, id: string | null): void {
    this.#line.send(socketMessageOf(frame, this.#caller.wire, id));
  }

  #fail(id: string | null, error: unknown): void {
    const { publicUrl, onError } = this.#parts;
    const data = toSocketError(error, publicUrl);
    if (data.error.code === 'internal') onError(error);
    this.#send(frameOf('error', null, data), id);
  }
}

function opOf(message: unknown): SocketOp | null {
  const op = fieldOf(message, 'op');
  return typeof op === 'string' && Object.hasOwn(SOCKET_REQUESTS, op) ? (op as SocketOp) : null;
}

/**
 * The id in a message, so that an error about the message can name the subscription. Null when there is no
 * usable id.
 */
function idOf(message: unknown): string | null {
  const id = fieldOf(message, 'id');
  return typeof id === 'string' && id.length <= 64 ? id : null;
}

function fieldOf(message: unknown, name: string): unknown {
  if (typeof message !== 'object' || message === null || !Object.hasOwn(message, name)) return undefined;
  return (message as Record<string, unknown>)[name];
}

/**
 * Joins each array of texts in a message with commas. Clients may send lists as arrays, but the schema
 * expects them as in a query string.
 */
function withListsAsTexts(message: unknown): unknown {
  return Object.fromEntries(
    Object.entries(message as object).map(([name, value]) => [
      name,
      Array.isArray(value) && value.every((word) => typeof word === 'string') ? value.join(',') : value,
    ]),
  );
}
