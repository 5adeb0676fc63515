// A slate that random feed messages change, readers that receive its signals, and a plain model. The model
// searches every fixture at any instant with the function that find_value and find_arbitrage use.

import { expect } from 'bun:test';
import fc from 'fast-check';
import type { TurnCaller } from '../../src/access/quotas/fair-turns.ts';
import type { ArbOpportunity, ValueBet } from '../../src/contract/signals/found.ts';
import type { StreamSignal, StreamSignals } from '../../src/contract/stream/stream-signals.ts';
import { EVENT_STATUSES } from '../../src/domain/catalogue.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import { ServiceError } from '../../src/errors.ts';
import { LeagueFilter } from '../../src/query/lookup/league-filter.ts';
import { isInView, type OddsViewWords, oddsView } from '../../src/query/odds/odds-view.ts';
import { excludedOf, SignalQueries } from '../../src/query/signals/signals.ts';
import type { FixtureNow } from '../../src/query/slate/fixture-view.ts';
import { fixtureHits } from '../../src/scoring/fixture-hits.ts';
import type { ScanRequest } from '../../src/scoring/scan.ts';
import type { ScoreWithHits } from '../../src/scoring/score-rows.ts';
import type { Frame } from '../../src/stream/frames.ts';
import { HOLD_BYTES } from '../../src/stream/limits.ts';
import { LiveSignals, type LiveSignalsBounds } from '../../src/stream/signals/live-signals.ts';
import { SignalChannels } from '../../src/stream/signals/signal-channels.ts';
import type { SignalCaller } from '../../src/stream/signals/signal-shares.ts';
import type { SignalView, SignalWords } from '../../src/stream/signals/signal-view.ts';
import { NO_BOUND } from '../../src/stream/stream-hub.ts';
import { atOnce, StreamReader } from '../../src/stream/stream-reader.ts';
import {
  closeWire,
  heartbeatWire,
  quoteWire,
  removeWire,
  stateWire,
  type WireMessage,
  wireTime,
} from '../feed/wire.ts';
import { fixtureWire, SlateDesk } from '../query/slate-desk.ts';
import { Timers } from './hub-clients.ts';

export const TICK_MS = 100;
const LIMITS = { maxEdge: 0.1, maxMargin: 0.1 };
const FREE: Principal = { tier: 'free', seesSharp: false, keyId: null };
const STANDARD: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };
const KICKOFFS = [null, '2026-03-01T12:10:00Z', '2026-03-01T10:30:00Z', '2026-03-02T12:00:00Z'];

/** What the readers subscribe to. */
export const VIEWS: readonly { readonly words: OddsViewWords & SignalWords; readonly seesSharp: boolean }[] =
  [
    { words: { signals: ['value', 'arbitrage'] }, seesSharp: true },
    { words: { signals: ['value', 'arbitrage'] }, seesSharp: false },
    { words: { signals: ['value'], min_edge_pct: 0, format: 'malay' }, seesSharp: true },
    { words: { signals: ['value'], min_edge_pct: 3 }, seesSharp: true },
    { words: { signals: ['arbitrage'], min_margin_pct: 1, status: 'live' }, seesSharp: false },
    {
      words: { signals: ['arbitrage', 'value'], markets: ['totals'], bookmakers: ['crown'] },
      seesSharp: true,
    },
    { words: { signals: ['value'], date: '2026-03-01' }, seesSharp: true },
  ];

export type FeedAct =
  | {
      readonly kind: 'batch';
      readonly wires: readonly { readonly wire: WireMessage; readonly agoS: number }[];
    }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'time'; readonly seconds: number };

const event = fc.constantFrom('e1', 'e2', 'e3', 'e4');
const price = fc.constantFrom(1.85, 1.95, 1.97, 2.05, 2.2);
const twoWay = fc.tuple(price, price).map(([home, away]) => [home, away]);
const line = fc.oneof(
  fc.record({
    market_type: fc.constant('asian_handicap'),
    period: fc.constantFrom('full_time', 'half_time'),
    line: fc.constantFrom(-0.75, 0),
    prices: twoWay,
  }),
  fc.record({
    market_type: fc.constant('totals'),
    period: fc.constant('full_time'),
    line: fc.constantFrom(2.5, 3),
    prices: twoWay,
  }),
  fc.record({
    market_type: fc.constant('1x2'),
    period: fc.constant('full_time'),
    line: fc.constant(null),
    prices: fc.constantFrom([2.5, 3.2, 2.9], [2.6, 3.3, 2.8], [2.4, 3.4, 3.1]),
  }),
);
const bookmaker = fc.constantFrom('crown', 'sbobet', 'pinnacle', 'pinnacle');
const status = fc.constantFrom('open', 'open', 'open', 'suspended');
const wire: fc.Arbitrary<WireMessage> = fc.oneof(
  {
    weight: 16,
    arbitrary: fc
      .tuple(event, line, bookmaker, status)
      .map(([name, quote, book, state]) => quoteWire(0, name, { ...quote, bookmaker: book, status: state })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(event, line, bookmaker)
      .map(([name, { prices: _, ...quote }, book]) => closeWire(0, name, { ...quote, bookmaker: book })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(event, fc.constantFrom('scheduled', 'live', 'finished'), fc.constantFrom(null, '1h 3', '2h 50'))
      .map(([name, state, clock]) => stateWire(0, name, { status: state, clock, score: [0, 1] })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(event, fc.constantFrom(...KICKOFFS))
      .map(([name, kickoff]) => fixtureWire(name, kickoff)),
  },
  { weight: 1, arbitrary: event.map((name) => removeWire(0, name)) },
  { weight: 2, arbitrary: fc.constant(heartbeatWire(0)) },
);
const ago = fc.constantFrom(0, 0, 0, 30, 280, 4_000);
export const feedAct: fc.Arbitrary<FeedAct> = fc.oneof(
  {
    weight: 16,
    arbitrary: fc
      .array(fc.record({ wire, agoS: ago }), { minLength: 1, maxLength: 8 })
      .map((wires): FeedAct => ({ kind: 'batch', wires })),
  },
  { weight: 1, arbitrary: fc.constant<FeedAct>({ kind: 'snapshot' }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(1, 20, 61, 301, 1_800).map((seconds): FeedAct => ({ kind: 'time', seconds })),
  },
);

/** Every fixture with every bookmaker on its lines: enough for value, arbitrage and a goal grid. */
function fullSlate(): WireMessage[] {
  return ['e1', 'e2', 'e3', 'e4'].flatMap((name, index) => fullFixture(name, KICKOFFS[index]!));
}

export function fullFixture(name: string, kickoff: string | null): WireMessage[] {
  return [
    fixtureWire(name, kickoff),
    ...['crown', 'sbobet', 'pinnacle'].flatMap((book, rank) => [
      quoteWire(0, name, {
        bookmaker: book,
        market_type: '1x2',
        line: null,
        prices: [2.5 + rank / 10, 3.2, 2.9 - rank / 10],
      }),
      quoteWire(0, name, {
        bookmaker: book,
        market_type: 'totals',
        line: 2.5,
        prices: [2.05 - rank / 20, 1.95],
      }),
    ]),
  ];
}

/** The scoring pool. It scores immediately; when `failing` it refuses; when `busy` it waits for `release`. */
class Scorer {
  mode: 'well' | 'failing' | 'busy' = 'well';
  readonly #reader: SlateDesk['ingest']['reader'];
  #release: (() => void)[] = [];

  constructor(reader: SlateDesk['ingest']['reader']) {
    this.#reader = reader;
  }

  async scanHits({ eventNumbers, moment, ...criteria }: ScanRequest): Promise<readonly ScoreWithHits[]> {
    if (this.mode === 'failing') throw new ServiceError('upstream_unavailable', 'Cannot scan slate: made up');
    if (this.mode === 'busy') await new Promise<void>((resolve) => this.#release.push(resolve));
    return eventNumbers.flatMap(
      (eventNumber) => fixtureHits(this.#reader, eventNumber, criteria, moment) ?? [],
    );
  }

  release(): void {
    for (const run of this.#release.splice(0)) run();
  }
}

/** A value bet or an arbitrage without the fields that change only because time passes. */
export type Facts = Record<string, unknown>;

/** One client: the events that it received, and the signals that it believes to be open. */
export class SignalClient {
  readonly reader: StreamReader;
  readonly events: { readonly event: string; readonly data: unknown }[] = [];
  readonly open = new Map<string, StreamSignal>();
  readonly leave: () => void;
  hello: unknown;
  isStalled = false;
  #unread: Frame[] = [];

  /** @param caller the caller; by default it has an account or a network of its own */
  constructor(stage: SignalStage, view: SignalView, caller = stage.nextCaller(view)) {
    this.reader = new StreamReader(
      {
        send: (frame) => {
          this.#unread.push(frame);
          if (!this.isStalled) this.read();
        },
        unsentBytes: () => (this.#unread.length === 0 ? 0 : HOLD_BYTES + 1),
        end: () => undefined,
      },
      { isAllowed: () => true, nowMs: 0, inTurn: atOnce },
    );
    this.reader.isInStep = true;
    const extension = stage.channels.extension(view, TICK_MS, caller);
    this.hello = extension.hello;
    this.leave = extension.join(this.reader, NO_BOUND);
  }

  stall(): void {
    this.isStalled = true;
    this.reader.send({ ...PADDING });
  }

  resume(): void {
    this.isStalled = false;
    this.read();
    this.reader.pump();
  }

  read(): void {
    for (const { event, data } of this.#unread.splice(0)) {
      if (event === 'heartbeat') continue;
      this.#take(event, JSON.parse(new TextDecoder().decode(data)));
    }
  }

  #take(event: string, data: unknown): void {
    this.events.push({ event, data });
    if (event === 'signals') {
      const { ids } = data as StreamSignals;
      if (ids === null) return;
      for (const id of ids) expect(this.open.has(id)).toBe(true);
      for (const id of [...this.open.keys()]) if (!ids.includes(id)) this.open.delete(id);
      return;
    }
    const signal = data as StreamSignal;
    if (signal.change === 'closed') expect(this.open.delete(signal.id)).toBe(true);
    else this.open.set(signal.id, signal);
  }
}

const PADDING: Frame = {
  event: 'heartbeat',
  cursor: null,
  data: new Uint8Array(0),
  bytes: new Uint8Array(0),
};

export class SignalStage {
  readonly desk = new SlateDesk();
  readonly scorer = new Scorer(this.desk.ingest.reader);
  readonly channels: SignalChannels;
  /** Resolves when a channel may do its part of a tick. */
  turn: (channel: TurnCaller) => Promise<void> = () => Promise.resolve();
  readonly live: LiveSignals;
  /** How far the monotonic clock moves each time that it is read. */
  readMs = 0;
  #readsMs = 0;
  readonly #signals: SignalQueries;
  readonly #leagues = new LeagueFilter(this.desk.names);
  #callers = 0;
  readonly #timers = new Timers();

  constructor(bounds?: LiveSignalsBounds) {
    const { slate, ingest, events } = this.desk;
    const { reader } = ingest;
    const scorer = { scan: () => Promise.reject(new Error('nobody scans here')) };
    this.#signals = new SignalQueries({ reader, events, scorer });
    this.live = new LiveSignals(
      { reader, slate, signals: this.#signals, scorer: this.scorer },
      LIMITS,
      bounds,
    );
    this.channels = new SignalChannels({
      live: this.live,
      clock: {
        wallMs: () => this.desk.nowMs,
        monotonicMs: () => {
          this.#readsMs += this.readMs;
          return this.desk.nowMs + this.#readsMs;
        },
      },
      every: this.#timers.every,
      turn: (channel) => this.turn(channel),
      onError: (error) => {
        throw error;
      },
    });
    this.desk.snapshot(...this.#timed(fullSlate().map((wire) => ({ wire, agoS: 0 }))));
  }

  /** A caller that follows nothing yet. */
  nextCaller({ criteria: { seesSharp } }: SignalView): SignalCaller {
    this.#callers += 1;
    return { name: `caller ${this.#callers}`, hasKey: seesSharp };
  }

  fire(ms: number): Promise<unknown> {
    return this.#timers.fire(ms);
  }

  view({ words, seesSharp }: (typeof VIEWS)[number]): SignalView {
    const principal = seesSharp ? STANDARD : FREE;
    const { nowMs, slate } = this.desk;
    const odds = oddsView({ slate, leagues: this.#leagues }, words, { principal, nowMs });
    return this.live.view(words, odds, principal)!;
  }

  apply(act: FeedAct): void {
    if (act.kind === 'batch') this.desk.send(...this.#timed(act.wires));
    else if (act.kind === 'snapshot')
      this.desk.snapshot(...this.#timed(fullSlate().map((wire) => ({ wire, agoS: 0 }))));
    else {
      this.desk.ingest.nowMs += act.seconds * 1_000;
      this.desk.ingest.sweep();
    }
  }

  /** The signals that the tools would report for every fixture of the view, by id. */
  expected(view: SignalView): Map<string, Facts> {
    const all = new Map<string, Facts>();
    for (const fixture of this.#fixturesOf(view)) {
      const { criteria, kind, odds } = view;
      const found = this.#signals.ofFixture(fixture, { criteria, format: odds.odds.format });
      const { id } = fixture.view;
      for (const bet of kind === 'arbitrage' ? [] : found.valueBets) {
        all.set(idOf('value', id, bet), factsOf(bet));
      }
      for (const arb of kind === 'value' ? [] : found.opportunities) {
        all.set(idOf('arbitrage', id, arb), factsOf(arb));
      }
    }
    return all;
  }

  /** How many signals the tools would report as left out. */
  excluded(view: SignalView): unknown {
    const scores = this.#fixturesOf(view).map(
      (fixture) => this.#signals.ofFixture(fixture, { criteria: view.criteria, format: 'decimal' }).score,
    );
    return excludedOf(scores, view.kind);
  }

  #fixturesOf({ odds }: SignalView): FixtureNow[] {
    return this.desk.slate.peek(this.desk.nowMs).filter(({ view, status }) =>
      isInView(odds, {
        sport: view.sportIndex,
        status: EVENT_STATUSES.indexOf(status),
        leagueId: view.league.id,
        scheduledAtMs: view.scheduledAtMs,
      }),
    );
  }

  #timed(wires: readonly { readonly wire: WireMessage; readonly agoS: number }[]): WireMessage[] {
    return wires.map(({ wire, agoS }) => ({ ...wire, at: wireTime(this.desk.nowMs - agoS * 1_000) }));
  }
}

export function idOf(kind: string, eventId: string, shown: ValueBet | ArbOpportunity): string {
  const { market_type, period, line } = shown;
  const parts = [kind, eventId, market_type, period, ...(line === null ? [] : [line])];
  return ('outcome' in shown ? [...parts, shown.outcome] : parts).join(':');
}

export function factsOf(shown: ValueBet | ArbOpportunity): Facts {
  const { age_s: _, confirmed_at: __, legs, ...facts } = shown as Facts & { legs?: Facts[] };
  if (legs === undefined) return facts;
  return { ...facts, legs: legs.map(({ age_s: _age, confirmed_at: _at, ...leg }) => leg) };
}
