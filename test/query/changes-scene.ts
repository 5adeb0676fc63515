// A slate that random feed messages change, and mirrors of views that poll the changes since their cursors.

import fc from 'fast-check';
import type { Event } from '../../src/contract/event.ts';
import type { OddsQuote } from '../../src/contract/odds.ts';
import type { OddsDeltaState } from '../../src/contract/stream/odds-changes.ts';
import type { Principal } from '../../src/domain/tiers.ts';
import { LeagueFilter } from '../../src/query/lookup/league-filter.ts';
import { NameDirectory } from '../../src/query/lookup/name-directory.ts';
import { OddsChangeReader } from '../../src/query/odds/odds-changes.ts';
import type { OddsDelta } from '../../src/query/odds/odds-delta.ts';
import { OddsEncoder } from '../../src/query/odds/odds-encoder.ts';
import { type OddsView, type OddsViewWords, oddsView } from '../../src/query/odds/odds-view.ts';
import { Slate } from '../../src/query/slate/slate.ts';
import { SlateCopier } from '../../src/query/slate/slate-copy.ts';
import { attachStore, CONTROL, type StoreCapacity, WIDE } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import {
  closeWire,
  eventWire,
  heartbeatWire,
  helloWire,
  quoteWire,
  removeWire,
  stateWire,
  type WireMessage,
  wireTime,
} from '../feed/wire.ts';
import { IngestDesk, ROOMY } from '../ingest/ingest-desk.ts';

const EVENTS = ['e1', 'e2', 'e3', 'e4', 'e5'];
const START_MS = Date.UTC(2026, 2, 1, 12);
/** A window so long that the feed never counts as silent. */
const WINDOWS = { liveMs: 1e12, prematchMs: 1e12 };
const SHARP = 'pinnacle';

const FREE: Principal = { tier: 'free', seesSharp: false, keyId: null };
const STANDARD: Principal = { tier: 'standard', seesSharp: true, keyId: 'key_1' };

/** There is room for only a few departures, so that some cursors become too old. */
const CAPACITY: StoreCapacity = { ...ROOMY, fixtures: 4, departures: 6 };

interface Change {
  readonly event_id: string;
  readonly event: Event | null;
  readonly state: OddsDeltaState | null;
  readonly replace: boolean;
  readonly odds: readonly OddsQuote[];
}
export interface Answer {
  readonly cursor: string;
  readonly full: boolean;
  readonly as_of: string | null;
  readonly stale: boolean;
  readonly fixtures: readonly Change[];
  readonly removed: readonly string[];
}

/** What changed in a view after version `since`, at one instant; everything when `since` is -1. */
export async function deltaSince(
  changes: OddsChangeReader,
  asked: { readonly view: OddsView; readonly since: number; readonly nowMs: number },
): Promise<OddsDelta> {
  return changes.deltaOf(await changes.copySince(asked.since, asked.nowMs), asked);
}

export type Step =
  | { readonly kind: 'message'; readonly wire: WireMessage }
  | { readonly kind: 'publish' }
  /** A snapshot of these fixtures replaces the slate. */
  | { readonly kind: 'snapshot'; readonly wires: readonly WireMessage[] }
  /**
   * The ingest worker dies half-way through a publish, or after it applied messages that it did not publish.
   * Another worker takes over, and applies a snapshot if `wires` is set.
   */
  | {
      readonly kind: 'death';
      readonly isHalfway: boolean;
      readonly unpublished: readonly WireMessage[];
      readonly wires: readonly WireMessage[] | null;
    }
  | { readonly kind: 'time'; readonly minutes: number }
  | { readonly kind: 'poll'; readonly mirror: number };

const event = fc.constantFrom(...EVENTS);
const at = fc.integer({ min: 0, max: 1_000 }).map((step) => wireTime(START_MS + step));
const line = fc.constantFrom(
  { market_type: 'asian_handicap', line: -0.75 },
  { market_type: 'asian_handicap', line: 0 },
  { market_type: 'totals', line: 2.5 },
);
const bookmaker = fc.constantFrom('crown', 'sbobet', SHARP, SHARP);
const identity = fc.tuple(event, at, fc.nat(2), fc.nat(3)).map(([name, at, league, day]) =>
  eventWire(0, name, {
    at,
    league: { key: `l${league}`, name: `League ${league}` },
    scheduled_at: day === 3 ? null : `2026-03-0${1 + (day % 2)}T15:00:00Z`,
  }),
);
const quote = fc
  .tuple(event, at, line, bookmaker, fc.constantFrom(1.8, 1.95, 2.05), fc.constantFrom('open', 'suspended'))
  .map(([name, at, line, bookmaker, price, status]) =>
    quoteWire(0, name, { at, ...line, bookmaker, prices: [price, 1.9], status }),
  );
const message: fc.Arbitrary<WireMessage> = fc.oneof(
  { weight: 2, arbitrary: identity },
  { weight: 12, arbitrary: quote },
  {
    weight: 5,
    arbitrary: fc
      .tuple(event, at, line, bookmaker)
      .map(([name, at, line, bookmaker]) => closeWire(0, name, { at, ...line, bookmaker })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        event,
        at,
        fc.constantFrom('scheduled', 'live', 'finished'),
        fc.constantFrom(null, '1h 3', '2h 50'),
      )
      .map(([name, at, status, clock]) => stateWire(0, name, { at, status, clock, score: [0, 1] })),
  },
  { weight: 1, arbitrary: event.map((name) => removeWire(0, name)) },
  { weight: 1, arbitrary: at.map((at) => heartbeatWire(0, { at })) },
);
const snapshot = fc
  .tuple(fc.array(identity, { maxLength: 4 }), fc.array(quote, { maxLength: 10 }))
  .map(([identities, quotes]) => [...identities, ...quotes]);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: message.map((wire): Step => ({ kind: 'message', wire })) },
  { weight: 8, arbitrary: fc.constant<Step>({ kind: 'publish' }) },
  { weight: 9, arbitrary: fc.nat(20).map((mirror): Step => ({ kind: 'poll', mirror })) },
  { weight: 1, arbitrary: snapshot.map((wires): Step => ({ kind: 'snapshot', wires })) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('death' as const),
      isHalfway: fc.boolean(),
      unpublished: fc.array(message, { maxLength: 5 }),
      wires: fc.option(snapshot),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(1, 60, 200, 300).map((minutes): Step => ({ kind: 'time', minutes })),
  },
);

/** One store, its live ingest worker, and the requests of readers. */
export class Scene {
  readonly buffer: SharedArrayBuffer;
  readonly changes: OddsChangeReader;
  desk: IngestDesk;
  readonly #slate: Slate;
  readonly #leagues: LeagueFilter;
  readonly #hearsSharp: boolean;
  #seq = 0;
  #batch: WireMessage[] = [];

  /** @param hearsSharp false if the feed never had the sharp bookmaker */
  constructor(hearsSharp = true) {
    this.#hearsSharp = hearsSharp;
    this.desk = new IngestDesk({ capacity: CAPACITY });
    this.buffer = this.desk.buffer;
    const reader = new SlateReader(this.buffer);
    this.#slate = new Slate(reader, WINDOWS);
    this.#leagues = new LeagueFilter(new NameDirectory(this.#slate));
    this.changes = new OddsChangeReader({
      reader,
      slate: this.#slate,
      copier: new SlateCopier(reader),
      encoder: new OddsEncoder(reader),
      windows: WINDOWS,
    });
    this.#snapshot([]);
  }

  apply(step: Exclude<Step, { kind: 'poll' }>): void {
    if (step.kind === 'message') {
      this.#batch.push(step.wire);
    } else if (step.kind === 'publish') {
      this.#publish();
    } else if (step.kind === 'snapshot') {
      this.#publish();
      this.#snapshot(step.wires);
    } else if (step.kind === 'death') {
      if (step.isHalfway) {
        this.#publishHalf();
      } else {
        this.#publish();
        this.#send([{ type: 'snapshot_begin' }, ...step.unpublished]); // nothing of a snapshot is published before its end
      }
      const { nowMs } = this.desk;
      this.desk = new IngestDesk({ buffer: this.buffer });
      this.desk.nowMs = nowMs;
      if (step.wires !== null) this.#snapshot(step.wires);
    } else {
      this.#publish();
      this.desk.nowMs += step.minutes * 60_000;
      this.desk.sweep();
    }
  }

  view(words: OddsViewWords, seesSharp: boolean): OddsView {
    const services = { slate: this.#slate, leagues: this.#leagues };
    return oddsView(services, words, { principal: seesSharp ? STANDARD : FREE, nowMs: this.desk.nowMs });
  }

  delta(view: OddsView, cursor: string | null): Promise<OddsDelta> {
    return deltaSince(this.changes, {
      view,
      since: this.changes.sinceOf(view, cursor),
      nowMs: this.desk.nowMs,
    });
  }

  /** The answer as text. */
  async text(view: OddsView, cursor: string | null): Promise<string> {
    const delta = await this.delta(view, cursor);
    return Buffer.concat([...delta.body()]).toString();
  }

  #publish(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#send(batch);
  }

  /**
   * Publishes the batch, and then undoes part of it, as if the writer had died before it wrote every second
   * page and the version of the slate.
   */
  #publishHalf(): void {
    const { slotPage, eventNumber, pageGeneration, wide, control } = attachStore(this.buffer);
    const before = Int32Array.from(slotPage);
    const version = Atomics.load(wide, WIDE.slateVersion);
    this.#publish();
    if (Atomics.load(wide, WIDE.slateVersion) === version) return;
    for (const [slot, old] of before.entries()) {
      const page = slotPage[slot]!;
      const isSameEvent = page < 0 || (old >= 0 && eventNumber[page] === eventNumber[old]);
      if (slot % 2 === 1 && old >= 0 && isSameEvent && pageGeneration[old]! % 2 === 0) slotPage[slot] = old;
    }
    Atomics.store(wide, WIDE.slateVersion, version);
    Atomics.sub(control, CONTROL.publishing, 1);
  }

  #snapshot(wires: readonly WireMessage[]): void {
    this.desk.send(helloWire({ epoch: `${this.#seq}` }));
    this.#send([{ type: 'snapshot_begin' }, ...wires, { type: 'snapshot_end' }]);
  }

  #send(wires: readonly WireMessage[]): void {
    const heard = wires.filter(({ bookmaker }) => this.#hearsSharp || bookmaker !== SHARP);
    this.desk.send(...heard.map((wire) => ({ ...wire, seq: ++this.#seq })));
  }
}

/** The filters that the views of a test choose from. */
export const VIEWS: readonly { readonly words: OddsViewWords; readonly seesSharp: boolean }[] = [
  { words: {}, seesSharp: true },
  { words: {}, seesSharp: false },
  { words: { status: 'live' }, seesSharp: true },
  { words: { status: 'scheduled', format: 'american' }, seesSharp: false },
  { words: { status: 'finished' }, seesSharp: false },
  { words: { date: '2026-03-01' }, seesSharp: false },
  { words: { date: '2026-03-02', timezone: 'Asia/Singapore' }, seesSharp: true },
  { words: { bookmakers: ['crown'], markets: ['totals'] }, seesSharp: true },
  { words: { bookmakers: ['pinnacle'] }, seesSharp: true },
  { words: { sport: 'basketball' }, seesSharp: true },
];

/** A mirror of one view, which a client would hold. */
export interface StreamedEvent {
  readonly event: string;
  readonly cursor: string | null;
  readonly data: Record<string, unknown>;
}

export class Mirror {
  readonly fixtures = new Map<
    string,
    { event: Event; state: OddsDeltaState; odds: Map<string, OddsQuote> }
  >();
  cursor: string | null = null;

  take(answer: Answer): void {
    if (answer.full) this.fixtures.clear();
    for (const id of answer.removed) this.fixtures.delete(id);
    for (const { event_id, event, state, replace, odds } of answer.fixtures) {
      const held = this.fixtures.get(event_id);
      const fixture = {
        event: event ?? held!.event,
        state: state ?? held!.state,
        odds: replace ? new Map<string, OddsQuote>() : held!.odds,
      };
      for (const quote of odds) fixture.odds.set(keyOf(quote), quote);
      this.fixtures.set(event_id, fixture);
    }
    this.cursor = answer.cursor;
  }

  /**
   * Applies an event of a stream or of a subscription.
   * @throws Error when a delta does not begin at the mirror's cursor
   */
  takeEvent({ event, cursor, data }: StreamedEvent): void {
    if (event === 'snapshot') {
      if (data.part === 1) this.fixtures.clear();
      this.take({ ...(data as unknown as Answer), full: false });
    } else if (event === 'delta') {
      if (data.from !== this.cursor || data.to !== cursor)
        throw new Error(`A delta from ${data.from} to ${data.to} at ${cursor} came after ${this.cursor}`);
      this.take(data as unknown as Answer);
    } else if (event === 'heartbeat') this.cursor = cursor;
  }

  /** The content as plain values, sorted, so that it does not depend on the order in which parts arrived. */
  content(): unknown {
    return [...this.fixtures]
      .map(([id, { event, state, odds }]) => ({
        id,
        event,
        state,
        odds: [...odds].sort(([left], [right]) => (left < right ? -1 : 1)),
      }))
      .sort((left, right) => (left.id < right.id ? -1 : 1));
  }
}

function keyOf({ bookmaker, market_type, period, line }: OddsQuote): string {
  return `${bookmaker} ${market_type} ${period} ${line}`;
}
