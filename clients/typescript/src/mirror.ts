// A mirror of one view of the slate that keeps itself up to date, by polling, by server-sent events or by
// WebSocket. When a connection is lost or refused, or the server restarts, it waits at least as long as the
// server asks, and longer each time. Then it continues from its cursor, or from the whole view if it cannot.
// It fails only on an error that another try cannot mend. Its content is always exactly what the server had
// at `cursor`.

import { type MirrorChange, PendingChange, type Signal } from './changes.ts';
import { OverroundError } from './errors.ts';
import { MirrorGap } from './held-slate.ts';
import { Backoff, type BackoffOptions } from './runtime.ts';
import type { components, operations } from './schema.ts';
import { poll, type Session, type SocketConstructor, stream, webSocket } from './sessions.ts';
import { type Fixture, type OddsChanges, type OddsQuote, Slate } from './slate.ts';
import type { Transport } from './transport.ts';

type Schemas = components['schemas'];
type OddsQuery = NonNullable<operations['getOdds']['parameters']['query']>;

/** The filters of `GET /v1/odds`. */
export type ViewFilters = Omit<OddsQuery, 'since'>;

type FollowedSignals = Omit<Schemas['FollowedSignals'], 'kinds' | 'note'>;

/** For the two streams: conditions for the signals to report, as in `GET /v1/stream`. */
export type SignalThresholds = {
  readonly [Name in keyof FollowedSignals]?: NonNullable<FollowedSignals[Name]>;
};

export interface MirrorOptions extends ViewFilters, SignalThresholds {
  /** How the mirror receives changes: by server-sent events (the default), WebSocket, or polling. */
  readonly via?: 'events' | 'websocket' | 'polling';
  /** Milliseconds between two requests of `polling`; 1,000 by default, at least 100. */
  readonly pollEveryMs?: number;
  /** For the two streams: the longest acceptable tick. Default: the shortest tick of the tier. */
  readonly tick_ms?: number;
  /** For the two streams: also follow signals of these kinds. */
  readonly signals?: readonly Signal['kind'][];
  /**
   * The most fixtures that the mirror may hold; 50,000 by default. A view with more fixtures fails the
   * mirror.
   */
  readonly fixturesMax?: number;
  /** The pauses before reconnecting: from 500 ms to 30 s by default. */
  readonly reconnect?: Partial<BackoffOptions>;
  /** Called whenever the connection state changes. */
  readonly onState?: (state: MirrorState, error: OverroundError | null) => void;
}

/** `waiting`: the connection was lost and is retried after a pause; the content stays readable. */
export type MirrorState = 'connecting' | 'live' | 'waiting' | 'closed' | 'failed';

const POLL_EVERY_MS = 1_000;
const POLL_EVERY_MS_MIN = 100;
const FIXTURES_MAX = 50_000;
const RECONNECT: BackoffOptions = { firstPauseMs: 500, pauseMsMax: 30_000 };
/** After a connection that lasted this long, the next pause is the shortest again. */
const GOOD_CONNECTION_MS = 10_000;

export class Mirror implements AsyncIterable<MirrorChange> {
  readonly #transport: Transport;
  readonly #slate: Slate;
  readonly #signals = new Map<string, Signal>();
  readonly #pendingChanges = new Set<PendingChange>();
  readonly #stop = new AbortController();
  readonly #ready = deferred();
  readonly #onState: (state: MirrorState, error: OverroundError | null) => void;
  #state: MirrorState = 'connecting';
  #error: OverroundError | null = null;
  #cursor: string | null = null;
  /** The cursor from which the next session continues; null when the whole view must be loaded. */
  #since: string | null = null;
  #asOf: string | null = null;
  #isStale = false;
  /** If the server has several sources: when each bookmaker's source last confirmed its open prices. */
  #confirmedAt: ReadonlyMap<string, string> | null = null;

  /** Connects immediately. Use `client.mirror(...)` to create a mirror. */
  constructor(transport: Transport, options: MirrorOptions, WebSocket: SocketConstructor | null) {
    this.#transport = transport;
    this.#onState = options.onState ?? (() => undefined);
    this.#slate = new Slate(options.fixturesMax ?? FIXTURES_MAX);
    // Callers of ready() still get the rejection. Without this, it would also be reported as unhandled.
    this.#ready.promise.catch(() => undefined);
    void this.#run(this.#sessionOf(options, WebSocket), { ...RECONNECT, ...options.reconnect });
  }

  /** The number of fixtures that the mirror holds. */
  get size(): number {
    return this.#slate.size;
  }

  /**
   * The server's version of the content; null before the first whole view. After a missed change or a
   * restart, it remains the version of the old content until the next whole view replaces that.
   */
  get cursor(): string | null {
    return this.#cursor;
  }

  /**
   * When the feed last confirmed the slate, according to the server. With several sources, it is the oldest
   * of the sources' confirmations, among those whose prices may still be open.
   */
  get asOf(): string | null {
    return this.#asOf;
  }

  get isStale(): boolean {
    return this.#isStale;
  }

  /**
   * The latest time at which the source of a quote is known to have confirmed it: that of its last message
   * or, while the quote is open, of a later heartbeat of the source.
   */
  confirmedAt({ bookmaker, status, as_of }: Pick<OddsQuote, 'bookmaker' | 'status' | 'as_of'>): string {
    if (status !== 'open') return as_of;
    const heartbeatAt = this.#confirmedAt === null ? this.#asOf : this.#confirmedAt.get(bookmaker);
    return heartbeatAt != null && Date.parse(heartbeatAt) > Date.parse(as_of) ? heartbeatAt : as_of;
  }

  get state(): MirrorState {
    return this.#state;
  }

  /** Why the mirror is waiting or has failed. */
  get error(): OverroundError | null {
    return this.#error;
  }

  get(id: string): Fixture | undefined {
    return this.#slate.get(id);
  }

  fixtures(): Iterable<Fixture> {
    return this.#slate.fixtures();
  }

  /** Open signals by id, if `signals` asked for them. */
  get signals(): ReadonlyMap<string, Signal> {
    return this.#signals;
  }

  /**
   * Resolves when the mirror first holds the whole view. @throws OverroundError when the mirror fails or is
   * closed before that
   */
  async ready(): Promise<this> {
    await this.#ready.promise;
    return this;
  }

  /** Closes the connection and ends all loops over the mirror. The content stays readable. */
  close(): void {
    if (this.#state === 'failed' || this.#state === 'closed') return;
    this.#setState('closed', null);
    this.#stop.abort();
    this.#ready.reject(new OverroundError('The mirror was closed', { code: 'closed' }));
    for (const pending of this.#pendingChanges) pending.wake();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  /**
   * The content when the loop begins, as the first change, and the changes after it. A slow loop receives
   * several changes merged into one. @throws OverroundError when the mirror fails
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<MirrorChange> {
    const pending = new PendingChange();
    if (this.#cursor !== null) {
      const held = [...this.#slate.fixtures()].map(({ id }) => ({ event_id: id }));
      pending.add(this.#cursor, { full: true, fixtures: held as OddsChanges['fixtures'], removed: [] });
      for (const signal of this.#signals.values()) pending.addSignal(this.#cursor, signal);
    }
    this.#pendingChanges.add(pending);
    try {
      for (;;) {
        const change = pending.take();
        // If the whole view was replaced, the change names every fixture, so that a reader can drop what it
        // remembers and start over.
        if (change?.full === true)
          yield { ...change, changed: new Set(Array.from(this.#slate.fixtures(), ({ id }) => id)) };
        else if (change !== null) yield change;
        else if (this.#state === 'failed') throw this.#error;
        else if (this.#state === 'closed') return;
        else await pending.wait();
      }
    } finally {
      this.#pendingChanges.delete(pending);
    }
  }

  async #run(session: Session, reconnect: BackoffOptions): Promise<void> {
    const { runtime } = this.#transport.options;
    const backoff = new Backoff(runtime, reconnect);
    for (;;) {
      const openedAtMs = runtime.nowMs();
      let leastMs = 0;
      let error: OverroundError | null = null;
      try {
        leastMs = await session(this.#since, this.#stop.signal);
      } catch (thrown) {
        if (this.#stop.signal.aborted) return;
        error = this.#asError(thrown);
        // The cursor may belong to another tier or view, so load the whole view, once.
        const mayBeCursor = error.status === 400 && this.#since !== null;
        if (mayBeCursor || thrown instanceof MirrorGap) this.#since = null;
        else if (!error.isRetriable) {
          this.#fail(error);
          return;
        }
        leastMs = error.retryAfterMs ?? 0;
      }
      if (this.#stop.signal.aborted) return;
      this.#slate.dropDraft();
      if (runtime.nowMs() - openedAtMs >= GOOD_CONNECTION_MS) backoff.reset();
      this.#setState('waiting', error);
      try {
        await runtime.sleep(backoff.next(leastMs), this.#stop.signal);
      } catch {
        return; // The mirror was closed during the pause.
      }
    }
  }

  #sessionOf(options: MirrorOptions, WebSocket: SocketConstructor | null): Session {
    const { via = 'events', pollEveryMs, fixturesMax, reconnect, onState, ...query } = options;
    if (!['events', 'websocket', 'polling'].includes(via)) {
      throw new TypeError(`Cannot follow via ${via}: allowed are events, websocket and polling`);
    }
    const sink = {
      changes: (changes: OddsChanges) => this.#take(changes),
      part: (part: Schemas['StreamSnapshot']) => this.#takePart(part),
      delta: (delta: Schemas['StreamDelta']) => this.#takeDelta(delta),
      // Servers of version 0.1 send no freshness with a heartbeat. The last known freshness is then kept.
      heartbeat: (heartbeat: Schemas['StreamHeartbeat']) => {
        const { cursor, as_of = this.#asOf, stale = this.#isStale, confirmations } = heartbeat;
        if (this.#since === null) return;
        this.#setFreshness({ cursor, as_of, stale });
        this.#confirmedAt = confirmations == null ? null : confirmedAtOf(confirmations);
      },
      signal: (signal: Signal) => this.#takeSignal(signal),
      signalIds: (ids: readonly string[]) => this.#keepSignals(ids),
    };
    const context = { transport: this.#transport, query, sink };
    if (via === 'polling') {
      if (query.signals !== undefined) throw new TypeError('Cannot poll for signals: follow them via events');
      return poll({ ...context, everyMs: Math.max(POLL_EVERY_MS_MIN, pollEveryMs ?? POLL_EVERY_MS) });
    }
    return via === 'events' ? stream(context) : webSocket({ ...context, WebSocket });
  }

  #take(changes: OddsChanges): void {
    this.#slate.apply(changes);
    this.#applied(changes, changes);
  }

  #takePart(part: Schemas['StreamSnapshot']): void {
    if (!this.#slate.apply(part)) return;
    const fixtures = [...this.#slate.fixtures()].map(({ id }) => ({ event_id: id }));
    this.#applied(part, { full: true, fixtures: fixtures as OddsChanges['fixtures'], removed: [] });
  }

  #takeDelta(delta: Schemas['StreamDelta']): void {
    if (delta.from !== this.#since) throw new MirrorGap(`a delta from ${delta.from} after ${this.#since}`);
    this.#take({ ...delta, cursor: delta.to });
  }

  #setFreshness({ cursor, as_of, stale }: Freshness): void {
    this.#cursor = cursor;
    this.#since = cursor;
    this.#asOf = as_of;
    this.#isStale = stale;
  }

  #applied(freshness: Freshness, changes: Pick<OddsChanges, 'full' | 'fixtures' | 'removed'>): void {
    const { cursor } = freshness;
    this.#setFreshness(freshness);
    // A whole view may come from a server that was restarted with other sources. Until the first heartbeat of
    // that server, `as_of` counts for all of its sources.
    if (changes.full) this.#confirmedAt = null;
    // Only answers about the past have no cursor, and a mirror never asks about the past.
    const hasChanged = changes.full || changes.fixtures.length > 0 || changes.removed.length > 0;
    if (hasChanged && cursor !== null) {
      for (const pending of this.#pendingChanges) pending.add(cursor, changes);
    }
    this.#ready.resolve();
    if (this.#state !== 'live') this.#setState('live', null);
  }

  #takeSignal(signal: Signal): void {
    if (signal.change === 'closed') this.#signals.delete(signal.id);
    else this.#signals.set(signal.id, signal);
    for (const pending of this.#pendingChanges) pending.addSignal(this.#cursor, signal);
  }

  /**
   * Closes signals that the server no longer lists, because they closed while the mirror was not connected.
   */
  #keepSignals(ids: readonly string[]): void {
    const open = new Set(ids);
    for (const [id, signal] of this.#signals) {
      if (!open.has(id)) this.#takeSignal({ ...signal, change: 'closed' });
    }
  }

  #fail(error: OverroundError): void {
    this.#setState('failed', error);
    this.#ready.reject(error);
    for (const pending of this.#pendingChanges) pending.wake();
  }

  #setState(state: MirrorState, error: OverroundError | null): void {
    this.#state = state;
    this.#error = error;
    this.#onState(state, error);
  }

  #asError(thrown: unknown): OverroundError {
    if (thrown instanceof OverroundError) return thrown;
    const isGap = thrown instanceof MirrorGap;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new OverroundError(
      isGap ? `A change was missed: ${message}` : `The connection broke: ${message}`,
      {
        code: isGap ? 'gap' : 'unreachable',
        isRetriable: true,
        cause: thrown,
      },
    );
  }
}

type Freshness = Pick<OddsChanges, 'cursor' | 'as_of' | 'stale'>;

function confirmedAtOf(confirmations: readonly Schemas['Confirmation'][]): ReadonlyMap<string, string> {
  return new Map(
    confirmations.flatMap(({ bookmakers, as_of }) => bookmakers.map((bookmaker) => [bookmaker, as_of])),
  );
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: OverroundError) => void;
}

/** A substitute for Promise.withResolvers, which Node 20 lacks. */
function deferred(): Deferred {
  let resolve!: Deferred['resolve'];
  let reject!: Deferred['reject'];
  const promise = new Promise<void>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
