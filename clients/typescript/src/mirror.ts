// A mirror of one view of the slate that keeps itself up to date, by polling, by server-sent events or by WebSocket. Every
// cut, restart and refusal goes the same way: wait, at least as long as the server asks and longer each time, then go on
// from the cursor; where that cannot be, from the whole view. What it holds is at any moment what the server said at `cursor`.

import { ChangeNote, type MirrorChange, type Signal } from './changes.ts';
import { OverroundError } from './errors.ts';
import { Backoff, type BackoffOptions } from './runtime.ts';
import type { components, operations } from './schema.ts';
import { poll, type Session, type SocketConstructor, stream, webSocket } from './sessions.ts';
import { type Fixture, MirrorGap, type OddsChanges, Slate } from './slate.ts';
import type { Transport } from './transport.ts';

type Schemas = components['schemas'];
type OddsQuery = NonNullable<operations['getOdds']['parameters']['query']>;

/** The filters of `GET /v1/odds`. */
export type ViewFilters = Omit<OddsQuery, 'since'>;

export interface MirrorOptions extends ViewFilters {
  /** How it is told of changes: server-sent events (the default), WebSocket, or asking again and again. */
  readonly via?: 'events' | 'websocket' | 'polling';
  /** Milliseconds between two questions of `polling`; 1,000 by default, 100 at least. */
  readonly pollEveryMs?: number;
  /** The slowest pace that will do, of the two streams; the fastest of the tier by default. */
  readonly tick_ms?: number;
  /** Also follow value and arbitrage, over the two streams. */
  readonly signals?: readonly ('value' | 'arbitrage')[];
  readonly min_edge_pct?: number;
  readonly min_margin_pct?: number;
  /** The most fixtures it holds, 50,000 by default: a view with more fails the mirror. */
  readonly fixturesMax?: number;
  /** Pauses between connections: 500 ms at first, 30 s at most. */
  readonly reconnect?: Partial<BackoffOptions>;
  /** Called whenever the connection changes. */
  readonly onState?: (state: MirrorState, error: OverroundError | null) => void;
}

/** `waiting`: the connection is gone and is tried again after a pause; what is held stays readable. */
export type MirrorState = 'connecting' | 'live' | 'waiting' | 'closed' | 'failed';

const POLL_EVERY_MS = 1_000;
const POLL_EVERY_MS_MIN = 100;
const FIXTURES_MAX = 50_000;
const RECONNECT: BackoffOptions = { firstPauseMs: 500, pauseMsMax: 30_000 };
/** A connection that held for so long was a good one: the next pause is the first again. */
const GOOD_CONNECTION_MS = 10_000;

export class Mirror implements AsyncIterable<MirrorChange> {
  readonly #transport: Transport;
  readonly #slate: Slate;
  readonly #signals = new Map<string, Signal>();
  readonly #notes = new Set<ChangeNote>();
  readonly #stop = new AbortController();
  readonly #ready = deferred();
  readonly #onState: (state: MirrorState, error: OverroundError | null) => void;
  #state: MirrorState = 'connecting';
  #error: OverroundError | null = null;
  #cursor: string | null = null;
  /** Where the next session goes on from: `#cursor`, or null after what means that the whole view has to be asked for. */
  #since: string | null = null;
  #asOf: string | null = null;
  #isStale = false;

  /** Begins at once. `client.mirror(...)` makes one. */
  constructor(transport: Transport, options: MirrorOptions, WebSocket: SocketConstructor | null) {
    this.#transport = transport;
    this.#onState = options.onState ?? (() => undefined);
    this.#slate = new Slate(options.fixturesMax ?? FIXTURES_MAX);
    this.#ready.promise.catch(() => undefined); // Whoever waits for it is told all the same.
    void this.#run(this.#sessionOf(options, WebSocket), { ...RECONNECT, ...options.reconnect });
  }

  /** How many fixtures it holds. */
  get size(): number {
    return this.#slate.size;
  }

  /**
   * The server's version of what it holds; null before the first whole view. After a gap or a restart it stays with what is
   * held until the next whole view takes its place.
   */
  get cursor(): string | null {
    return this.#cursor;
  }

  /** When the feed last confirmed the slate, as the server last said. */
  get asOf(): string | null {
    return this.#asOf;
  }

  get isStale(): boolean {
    return this.#isStale;
  }

  get state(): MirrorState {
    return this.#state;
  }

  /** Why it waits or failed. */
  get error(): OverroundError | null {
    return this.#error;
  }

  get(id: string): Fixture | undefined {
    return this.#slate.get(id);
  }

  fixtures(): Iterable<Fixture> {
    return this.#slate.fixtures();
  }

  /** Open signals by id, where `signals` asked for them. */
  get signals(): ReadonlyMap<string, Signal> {
    return this.#signals;
  }

  /** Resolves when it holds the whole view for the first time. @throws OverroundError when it fails before */
  async ready(): Promise<this> {
    await this.#ready.promise;
    return this;
  }

  /** Ends it: the connection is closed, loops over it end. What it holds stays readable. */
  close(): void {
    if (this.#state === 'failed' || this.#state === 'closed') return;
    this.#say('closed', null);
    this.#stop.abort();
    this.#ready.reject(new OverroundError('The mirror was closed', { code: 'closed' }));
    for (const note of this.#notes) note.wake();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  /**
   * What changes, from now on; the first is what is held already. A loop that is slower than the slate is told of several
   * changes at once. @throws OverroundError when the mirror fails
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<MirrorChange> {
    const note = new ChangeNote();
    if (this.#cursor !== null) {
      const held = [...this.#slate.fixtures()].map(({ id }) => ({ event_id: id }));
      note.add(this.#cursor, { full: true, fixtures: held as OddsChanges['fixtures'], removed: [] });
      for (const signal of this.#signals.values()) note.addSignal(this.#cursor, signal);
    }
    this.#notes.add(note);
    try {
      for (;;) {
        const change = note.take();
        // A whole view names all of it, so that whoever drops what it remembers has it anew.
        if (change?.full === true)
          yield { ...change, changed: new Set(Array.from(this.#slate.fixtures(), ({ id }) => id)) };
        else if (change !== null) yield change;
        else if (this.#state === 'failed') throw this.#error;
        else if (this.#state === 'closed') return;
        else await note.wait();
      }
    } finally {
      this.#notes.delete(note);
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
        // A cursor of a tier or a view that is gone: the whole view is asked for, once.
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
      this.#say('waiting', error);
      try {
        await runtime.sleep(backoff.next(leastMs), this.#stop.signal);
      } catch {
        return; // Closed meanwhile.
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
      // Servers of 0.1 tell no freshness with a heartbeat.
      heartbeat: ({ cursor, as_of = this.#asOf, stale = this.#isStale }: Schemas['StreamHeartbeat']) => {
        if (this.#since !== null) this.#note({ cursor, as_of, stale });
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
    this.#took(changes, changes);
  }

  #takePart(part: Schemas['StreamSnapshot']): void {
    this.#slate.applyPart(part);
    if (!part.last) return;
    const fixtures = [...this.#slate.fixtures()].map(({ id }) => ({ event_id: id }));
    this.#took(part, { full: true, fixtures: fixtures as OddsChanges['fixtures'], removed: [] });
  }

  #takeDelta(delta: Schemas['StreamDelta']): void {
    if (delta.from !== this.#since) throw new MirrorGap(`a delta from ${delta.from} after ${this.#since}`);
    this.#take({ ...delta, cursor: delta.to });
  }

  #note({ cursor, as_of, stale }: Freshness): void {
    this.#cursor = cursor;
    this.#since = cursor;
    this.#asOf = as_of;
    this.#isStale = stale;
  }

  #took(freshness: Freshness, changes: Pick<OddsChanges, 'full' | 'fixtures' | 'removed'>): void {
    const { cursor } = freshness;
    this.#note(freshness);
    if (changes.full || changes.fixtures.length > 0 || changes.removed.length > 0) {
      for (const note of this.#notes) note.add(cursor, changes);
    }
    this.#ready.resolve();
    if (this.#state !== 'live') this.#say('live', null);
  }

  #takeSignal(signal: Signal): void {
    if (signal.change === 'closed') this.#signals.delete(signal.id);
    else this.#signals.set(signal.id, signal);
    for (const note of this.#notes) note.addSignal(this.#cursor, signal);
  }

  /** Closes those that the server no longer names: they closed while nobody was connected. */
  #keepSignals(ids: readonly string[]): void {
    const open = new Set(ids);
    for (const [id, signal] of this.#signals) {
      if (!open.has(id)) this.#takeSignal({ ...signal, change: 'closed' });
    }
  }

  #fail(error: OverroundError): void {
    this.#say('failed', error);
    this.#ready.reject(error);
    for (const note of this.#notes) note.wake();
  }

  #say(state: MirrorState, error: OverroundError | null): void {
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

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: OverroundError) => void;
}

/** Promise.withResolvers, which Node 20 lacks. */
function deferred(): Deferred {
  let resolve!: Deferred['resolve'];
  let reject!: Deferred['reject'];
  const promise = new Promise<void>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
