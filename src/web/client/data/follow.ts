// Keeps a mirror on the slate: one answer of /v1/odds, then the stream from its cursor on. Whatever goes wrong is said in
// `connection`, and tried again with pauses that grow to half a minute or as long as the server asks.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { systemClock } from '../../../clock.ts';
import type { OddsChanges } from '../../../contract/odds-changes.ts';
import type {
  StreamBye,
  StreamDelta,
  StreamHeartbeat,
  StreamHello,
  StreamSnapshot,
} from '../../../contract/stream.ts';
import type { StreamSignal, StreamSignals } from '../../../contract/stream-signals.ts';
import { ApiFailure, callApi, callJson, serverNowMs } from './api.ts';
import { apiKey } from './choices.ts';
import { eventsOf, type StreamEvent } from './event-stream.ts';
import type { Mirror } from './mirror.ts';
import { SIGNAL_PARAMETER, type SignalBook } from './signal-book.ts';
import { TicketSocket } from './ticket-socket.ts';

export type ConnectionState =
  /** Before the first answer. */
  | 'loading'
  /** The stream is open. */
  | 'live'
  /** The stream may not be opened, so the slate is asked for now and then. */
  | 'polling'
  /** The stream broke and is opened again. */
  | 'reconnecting'
  /** The browser has no network. */
  | 'offline'
  /** A limit is used up. */
  | 'limited'
  /** The service answers 503: it starts, or its feed has sent no slate. */
  | 'unavailable'
  /** The request itself is refused: a dead key, a filter that is none. Nothing is tried until it changes. */
  | 'refused';

export interface Connection {
  readonly state: ConnectionState;
  readonly sinceMs: number;
  readonly failure: ApiFailure | null;
  readonly retryAtMs: number | null;
}

const FIRST_PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
/** A stream that says nothing for this many heartbeats is taken for dead. */
const MISSED_HEARTBEATS_MAX = 3;
const POLL_MS = 30_000;

export class Follower {
  readonly connection = signal<Connection>({
    state: 'loading',
    sinceMs: systemClock.wallMs(),
    failure: null,
    retryAtMs: null,
  });
  /** When the feed was last heard, on this machine's clock; null before that is known. */
  readonly heardAtMs = signal<number | null>(null);
  /** Pace of the stream, null while there is none. */
  readonly tickMs = signal<number | null>(null);
  /** Whether the page was opened with a ticket whose view it no longer has: a ticket opens one connection. */
  readonly isTicketOver = signal(false);
  /** Has the views of the ticket's key while it lasts. */
  #ticket: TicketSocket | null;
  readonly #mirror: Mirror;
  readonly #signals: SignalBook | null;
  #stop = new AbortController();
  /** Ends the stream that is open, and no more. */
  #quiet = new AbortController();
  #wake: () => void = () => undefined;

  /**
   * @param options.signals where signals are kept, for pages that show them
   * @param options.ticket of the page's address; the visitor's own key counts before it
   */
  constructor(
    mirror: Mirror,
    {
      signals = null,
      ticket = null,
    }: { readonly signals?: SignalBook | null; readonly ticket?: string | null } = {},
  ) {
    this.#mirror = mirror;
    this.#ticket = ticket === null || apiKey.peek() !== null ? null : new TicketSocket(ticket);
    this.#signals = signals;
    addEventListener('online', () => this.#wake());
    // A stream may outlive the loss of the network without a word: the next one goes on from its cursor.
    addEventListener('offline', () => {
      this.#say('offline');
      this.#quiet.abort();
    });
    // Gives the place of the stream back before the next page asks for one.
    addEventListener('pagehide', () => this.#stop.abort());
  }

  /**
   * Follows another view from now on. The first picture comes from /v1/odds or, for a unit less, from the stream itself.
   * @param query of /v1/odds, without a cursor
   */
  follow(query: string, { first = 'odds' }: { readonly first?: 'odds' | 'stream' } = {}): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#mirror.clear();
    this.#signals?.clear();
    this.#say('loading');
    void this.#run(query, first, this.#stop.signal);
  }

  /** Tries at once instead of after the pause. */
  retry(): void {
    this.#wake();
  }

  async #run(query: string, first: 'odds' | 'stream', stop: AbortSignal): Promise<void> {
    let cursor: string | null = null;
    let pauseMs = FIRST_PAUSE_MS;
    let polls = false;
    let hadTicket = false;
    while (!stop.aborted) {
      const ticket = this.#liveTicket();
      // A cursor of the key's view is none of the view without it.
      if (hadTicket && ticket === null) cursor = null;
      hadTicket = ticket !== null;
      try {
        const asksFirst = first === 'odds' && ticket === null;
        if (polls || (cursor === null && asksFirst)) cursor = await this.#load(query, cursor, stop);
        const ended: { cursor: string | null; pauseMs: number } = await this.#stream(query, cursor, stop);
        ({ cursor } = ended);
        polls = false;
        pauseMs = FIRST_PAUSE_MS;
        if (!ticket?.isOver) await this.#pause('reconnecting', null, ended.pauseMs, stop);
      } catch (error) {
        if (stop.aborted) return;
        const failure = error instanceof ApiFailure ? error : null;
        const state = stateOf(failure);
        // A ticket that was too old, or whose key has no stream left: the visitor is served without one.
        if (state === 'polling') ticket?.close();
        if (ticket?.isOver) continue;
        polls = state === 'polling';
        // Nothing is shown yet: the slate is asked for at once. The place of a page that was just left may be free by then.
        if (polls && cursor === null) continue;
        if (state === 'refused' && cursor !== null) cursor = null;
        else if (state === 'refused') {
          this.#say(state, failure);
          return;
        }
        const waitMs = polls ? POLL_MS : Math.max(pauseMs, failure?.retryAfterMs ?? 0);
        pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
        await this.#pause(state, failure, waitMs, stop);
      }
    }
  }

  /** The whole view, or what changed since a cursor. @returns the next cursor */
  async #load(query: string, since: string | null, stop: AbortSignal): Promise<string> {
    const path = `/v1/odds?${query}${sinceParameter(since)}`;
    const answer = await callJson<Static<typeof OddsChanges>>(path, { signal: stop });
    this.#mirror.apply(answer);
    this.#heard(answer.as_of);
    return answer.cursor;
  }

  /** Reads the stream until it ends. @throws when it breaks before its first event */
  async #stream(
    query: string,
    since: string | null,
    stop: AbortSignal,
  ): Promise<{ readonly cursor: string | null; readonly pauseMs: number }> {
    const quiet = new AbortController();
    this.#quiet = quiet;
    const signal = AbortSignal.any([stop, quiet.signal]);
    const signals = this.#signals === null ? '' : `&signals=${SIGNAL_PARAMETER}`;
    const events = await this.#open(`${query}${signals}${sinceParameter(since)}`, signal);
    let cursor = since;
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    let silenceMs = 0;
    const parts: Static<typeof StreamSnapshot>[] = [];
    try {
      for await (const { name, data } of events) {
        clearTimeout(watchdog);
        if (silenceMs > 0) watchdog = setTimeout(() => quiet.abort(), silenceMs);
        if (stop.aborted) break;
        switch (name) {
          case 'hello': {
            const hello = data as Static<typeof StreamHello>;
            silenceMs = hello.heartbeat_ms * MISSED_HEARTBEATS_MAX;
            this.tickMs.value = hello.tick_ms;
            this.#say('live');
            break;
          }
          case 'snapshot': {
            const part = data as Static<typeof StreamSnapshot>;
            if (part.part === 1) parts.length = 0;
            parts.push(part);
            if (!part.last) break;
            this.#mirror.apply({ ...part, fixtures: parts.flatMap(({ fixtures }) => fixtures) });
            parts.length = 0;
            this.#heard(part.as_of);
            ({ cursor } = part);
            break;
          }
          case 'delta': {
            const delta = data as Static<typeof StreamDelta>;
            this.#mirror.apply(delta);
            this.#heard(delta.as_of);
            cursor = delta.to;
            break;
          }
          case 'signal':
            this.#signals?.tell(data as Static<typeof StreamSignal>);
            break;
          case 'signals':
            this.#signals?.summarise(data as Static<typeof StreamSignals>);
            break;
          case 'heartbeat': {
            const heartbeat = data as Static<typeof StreamHeartbeat>;
            this.#mirror.confirm(heartbeat);
            this.heardAtMs.value = systemClock.wallMs() - heartbeat.feed_age_ms;
            break;
          }
          case 'bye': {
            const bye = data as Static<typeof StreamBye>;
            return { cursor, pauseMs: bye.reconnect_after_ms };
          }
        }
      }
    } catch (error) {
      if (stop.aborted || error instanceof ApiFailure) throw error;
      // The connection broke, or nothing came for too long: the next one goes on from the cursor.
    } finally {
      clearTimeout(watchdog);
      this.tickMs.value = null;
    }
    return { cursor, pauseMs: FIRST_PAUSE_MS };
  }

  /** The connection of the ticket, while it lasts and the visitor gave no key; told once that it has ended. */
  #liveTicket(): TicketSocket | null {
    const ticket = this.#ticket;
    if (ticket === null || (!ticket.isOver && apiKey.peek() === null)) return ticket;
    ticket.close();
    this.#ticket = null;
    this.isTicketOver.value = true;
    return null;
  }

  async #open(query: string, signal: AbortSignal): Promise<AsyncGenerator<StreamEvent>> {
    if (this.#ticket !== null) return this.#ticket.events(query, signal);
    const { body } = await callApi(`/v1/stream?${query}`, { signal });
    if (body === null) throw new ApiFailure('');
    return eventsOf(body);
  }

  /** Notes the feed's time of an answer, on this machine's clock. */
  #heard(asOf: string | null): void {
    if (asOf === null) return;
    const atMs = systemClock.wallMs() - Math.max(0, serverNowMs() - Date.parse(asOf));
    this.heardAtMs.value = Math.max(this.heardAtMs.peek() ?? 0, atMs);
  }

  #say(state: ConnectionState, failure: ApiFailure | null = null, retryAtMs: number | null = null): void {
    const { state: former, sinceMs } = this.connection.peek();
    const nowMs = systemClock.wallMs();
    this.connection.value = { state, failure, retryAtMs, sinceMs: former === state ? sinceMs : nowMs };
  }

  #pause(state: ConnectionState, failure: ApiFailure | null, ms: number, stop: AbortSignal): Promise<void> {
    this.#say(navigator.onLine ? state : 'offline', failure, systemClock.wallMs() + ms);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      stop.addEventListener('abort', () => this.#wake(), { once: true });
    });
  }
}

function sinceParameter(cursor: string | null): string {
  return cursor === null ? '' : `&since=${encodeURIComponent(cursor)}`;
}

function stateOf(failure: ApiFailure | null): ConnectionState {
  if (failure === null || failure.status === 0) return 'reconnecting';
  if (failure.status === 429) return failure.scope === 'streams' ? 'polling' : 'limited';
  if (failure.status >= 500) return 'unavailable';
  return 'refused';
}
