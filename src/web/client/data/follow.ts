// Keeps a mirror up to date: one answer of /v1/odds, then the stream from that answer's cursor. Failures are
// shown in `connection` and retried. Pauses grow to half a minute, or last as long as the server asks.

import { signal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { cursorAfter, eventsOf, type StreamEvent } from '../../../../clients/typescript/src/events.ts';
import { MirrorGap } from '../../../../clients/typescript/src/held-slate.ts';
import { Backoff, systemRuntime } from '../../../../clients/typescript/src/runtime.ts';
import { type Watchdog, watchdogOf } from '../../../../clients/typescript/src/watchdog.ts';
import { systemClock } from '../../../clock.ts';
import type { OddsChanges } from '../../../contract/stream/odds-changes.ts';
import type {
  StreamBye,
  StreamDelta,
  StreamHeartbeat,
  StreamHello,
  StreamSnapshot,
} from '../../../contract/stream/stream.ts';
import type { StreamSignal, StreamSignals } from '../../../contract/stream/stream-signals.ts';
import { ApiFailure, callApi, callJson, serverNowMs } from './api.ts';
import { apiKey } from './choices.ts';
import { type ConnectionState, stateAfter } from './connection-state.ts';
import { keepRequest, STREAM_PATH } from './early-stream.ts';
import { firstTicket, keepTicket, linkView, nextTicket } from './link-ticket.ts';
import type { Changes, Mirror } from './mirror.ts';
import { SIGNAL_PARAMETER, type SignalBook } from './signal-book.ts';
import { TicketSocket } from './ticket-socket.ts';
import { parameter } from './view.ts';

export interface Connection {
  readonly state: ConnectionState;
  readonly sinceMs: number;
  readonly failure: ApiFailure | null;
  readonly retryAtMs: number | null;
}

const RECONNECT = { firstPauseMs: 1_000, pauseMsMax: 30_000 };
const POLL_MS = 30_000;

export class Follower {
  readonly connection = signal<Connection>({
    state: 'loading',
    sinceMs: systemClock.wallMs(),
    failure: null,
    retryAtMs: null,
  });
  /** When the server last heard from the feed, on this machine's clock; null before that is known. */
  readonly heardAtMs = signal<number | null>(null);
  /** The stream's tick in milliseconds; null without a stream. */
  readonly tickMs = signal<number | null>(null);
  /**
   * The connection that the ticket of the start link opened; null without a ticket, or once the link's view
   * has ended.
   */
  #ticket: TicketSocket | null;
  readonly #mirror: Mirror;
  readonly #signals: SignalBook | null;
  #stop = new AbortController();
  /**
   * The watchdog of the open stream, or of the last one; null before the first. Its `end` ends only that
   * stream, and the follower then opens another one.
   */
  #openStream: Watchdog | null = null;
  #wake: () => void = () => undefined;

  /**
   * A key of the visitor's own takes precedence over a ticket.
   * @param signals where signals are stored, for pages that show them
   */
  constructor(mirror: Mirror, signals: SignalBook | null = null) {
    this.#mirror = mirror;
    const ticket = firstTicket();
    this.#ticket = ticket === null || apiKey.peek() !== null ? null : new TicketSocket(ticket);
    if (this.#ticket !== null) linkView.value = 'open';
    this.#signals = signals;
    addEventListener('online', () => this.#wake());
    // A stream can survive the loss of the network unnoticed. End it; the next one continues from its cursor.
    addEventListener('offline', () => {
      this.#setState('offline');
      this.#openStream?.end();
    });
    // Closes the stream, so that the next page can open one within the same limit.
    addEventListener('pagehide', () => this.#stop.abort());
  }

  /**
   * Follows another view from now on. The first state comes from /v1/odds or, saving one unit, from the
   * stream itself.
   * @param query of /v1/odds, without a cursor
   */
  follow(query: string, { first = 'odds' }: { readonly first?: 'odds' | 'stream' } = {}): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#mirror.clear();
    this.#signals?.clear();
    this.#setState('loading');
    void this.#run(query, first, this.#stop.signal);
  }

  /**
   * Shows the slate of an instant of the past, and follows nothing.
   * @param query of /v1/odds, without a cursor
   */
  async show(query: string, at: string): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const stop = this.#stop.signal;
    // The page still has the present, so clear it. A slate of the past stays until the next one has arrived.
    if (this.connection.peek().state !== 'past') {
      this.#mirror.clear();
      this.#signals?.clear();
      this.#setState('loading');
    }
    try {
      const path = `/v1/odds?${query}&at=${encodeURIComponent(at)}`;
      this.#mirror.apply(await callJson<Static<typeof OddsChanges>>(path, { signal: stop }));
      this.#setState('past');
    } catch (error) {
      if (stop.aborted) return;
      if (!(error instanceof ApiFailure)) throw error;
      this.#setState(stateAfter(error), error);
    }
  }

  /** Retries immediately instead of after the pause. */
  retry(): void {
    this.#wake();
  }

  async #run(query: string, first: 'odds' | 'stream', stop: AbortSignal): Promise<void> {
    let cursor: string | null = null;
    const backoff = new Backoff(systemRuntime, RECONNECT);
    let polls = false;
    let hadTicket = false;
    while (!stop.aborted) {
      const ticket = await this.#liveTicket(stop);
      if (stop.aborted) return;
      // After the link's view has ended, start without a cursor: a cursor of the view with the link's key is
      // not valid without that key.
      if (hadTicket && ticket === null) cursor = null;
      hadTicket = ticket !== null;
      try {
        const loadsFirst = first === 'odds' && ticket === null;
        if (polls || (cursor === null && loadsFirst)) cursor = await this.#load(query, cursor, stop);
        const ended: { cursor: string | null; leastPauseMs: number } = await this.#stream(
          query,
          cursor,
          stop,
        );
        ({ cursor } = ended);
        polls = false;
        backoff.reset();
        if (!ticket?.isOver) await this.#pause('reconnecting', null, backoff.next(ended.leastPauseMs), stop);
      } catch (error) {
        if (stop.aborted) return;
        const failure = error instanceof ApiFailure ? error : null;
        const state = stateAfter(failure);
        // The link's key may open no further stream. Continue without the link.
        if (state === 'polling') this.#dropTicket();
        if (ticket?.isOver) continue;
        polls = state === 'polling';
        // Nothing is shown yet, so load the slate immediately. By then the stream of the page just left may
        // have closed.
        if (polls && cursor === null) continue;
        if (state === 'refused' && cursor !== null) cursor = null;
        else if (state === 'refused') {
          this.#setState(state, failure);
          return;
        }
        const pauseMs = backoff.next(failure?.retryAfterMs ?? 0);
        const waitMs = polls ? POLL_MS : pauseMs;
        await this.#pause(state, failure, waitMs, stop);
      }
    }
  }

  /** Loads the whole view, or the changes since a cursor. @returns the next cursor */
  async #load(query: string, since: string | null, stop: AbortSignal): Promise<string | null> {
    const path = `/v1/odds?${query}${sinceParameter(since)}`;
    const answer = await callJson<Static<typeof OddsChanges>>(path, { signal: stop });
    this.#apply(answer);
    return answer.cursor;
  }

  /** Reads the stream until it ends. @throws ApiFailure when the stream is refused */
  async #stream(
    query: string,
    since: string | null,
    stop: AbortSignal,
  ): Promise<{ readonly cursor: string | null; readonly leastPauseMs: number }> {
    const watchdog = watchdogOf(stop, 0);
    this.#openStream = watchdog;
    const reference = parameter('reference') === '' ? '' : `&reference=${parameter('reference')}`;
    const signals = this.#signals === null ? '' : `&signals=${SIGNAL_PARAMETER}${reference}`;
    if (since === null) keepRequest(`${STREAM_PATH}${query}${signals}`);
    const events = await this.#open(`${query}${signals}${sinceParameter(since)}`, watchdog.signal);
    let cursor = since;
    try {
      for await (const event of events) {
        const { name, data } = event;
        watchdog.heard((data as Partial<Static<typeof StreamHello>>).heartbeat_ms);
        if (stop.aborted) break;
        switch (name) {
          case 'hello':
            this.tickMs.value = (data as Static<typeof StreamHello>).tick_ms;
            this.#setState('live');
            break;
          case 'snapshot':
          case 'delta':
            this.#apply(data as Static<typeof StreamSnapshot> | Static<typeof StreamDelta>);
            break;
          case 'signal':
            this.#signals?.apply(data as Static<typeof StreamSignal>);
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
            if (bye.reason === 'key_revoked') this.#dropTicket();
            return { cursor, leastPauseMs: bye.reconnect_after_ms };
          }
        }
        cursor = cursorAfter(event) ?? cursor;
      }
    } catch (error) {
      if (stop.aborted || error instanceof ApiFailure) throw error;
      // The connection broke, or was silent for too long. The next connection continues from the cursor, or
      // from the whole view if a change was missed.
      if (error instanceof MirrorGap) cursor = null;
    } finally {
      watchdog.end();
      this.tickMs.value = null;
    }
    return { cursor, leastPauseMs: 0 };
  }

  /**
   * The connection of the ticket, or a new one if it was lost. Null when the link's view has ended or the
   * visitor entered a key. Waits while the server cannot be reached.
   */
  async #liveTicket(stop: AbortSignal): Promise<TicketSocket | null> {
    const backoff = new Backoff(systemRuntime, RECONNECT);
    while (this.#ticket !== null && !stop.aborted) {
      const ticket = this.#ticket;
      if (apiKey.peek() !== null) {
        ticket.close();
        this.#endLink('none');
        break;
      }
      if (!ticket.isOver) return ticket;
      const next = nextTicket() ?? ticket.ticket;
      const isUsed = next === ticket.ticket && (ticket.wasOpen || (await isReachable()));
      if (isUsed) {
        this.#endLink('over');
        break;
      }
      await this.#pause('reconnecting', null, backoff.next(), stop);
      if (!stop.aborted) this.#ticket = new TicketSocket(next);
    }
    return this.#ticket;
  }

  /** Closes the connection for good, because the link's key may open no further stream. */
  #dropTicket(): void {
    if (this.#ticket === null) return;
    keepTicket(null);
    this.#ticket.close();
  }

  #endLink(view: 'none' | 'over'): void {
    this.#ticket = null;
    keepTicket(null);
    linkView.value = view;
  }

  async #open(query: string, signal: AbortSignal): Promise<AsyncGenerator<StreamEvent>> {
    if (this.#ticket !== null) return this.#ticket.events(query, signal);
    const { body } = await callApi(`${STREAM_PATH}${query}`, { signal });
    return eventsOf(body!); // a stream that was not refused has a body
  }

  /** Applies changes, and stores when the server last heard from the feed, on this machine's clock. */
  #apply(changes: Changes): void {
    this.#mirror.apply(changes);
    if (changes.as_of === null) return;
    const atMs = systemClock.wallMs() - Math.max(0, serverNowMs() - Date.parse(changes.as_of));
    this.heardAtMs.value = Math.max(this.heardAtMs.peek() ?? 0, atMs);
  }

  #setState(
    state: ConnectionState,
    failure: ApiFailure | null = null,
    retryAtMs: number | null = null,
  ): void {
    const { state: former, sinceMs } = this.connection.peek();
    const nowMs = systemClock.wallMs();
    this.connection.value = { state, failure, retryAtMs, sinceMs: former === state ? sinceMs : nowMs };
  }

  #pause(state: ConnectionState, failure: ApiFailure | null, ms: number, stop: AbortSignal): Promise<void> {
    this.#setState(navigator.onLine ? state : 'offline', failure, systemClock.wallMs() + ms);
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

/** Whether the server answers and is ready. If it is, a connection that did not open was refused. */
async function isReachable(): Promise<boolean> {
  try {
    await callApi('/ready');
    return true;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return false;
  }
}

function sinceParameter(cursor: string | null): string {
  return cursor === null ? '' : `&since=${encodeURIComponent(cursor)}`;
}
