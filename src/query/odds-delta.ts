// One delta of one view, as bytes in pieces, JSON or MessagePack: which fixtures are in it and what of each, and which ones left.

import type { OddsDeltaState } from '../contract/odds-changes.ts';
import { EVENT_STATUSES } from '../domain/catalogue.ts';
import { encodeId } from '../domain/ids.ts';
import type { Departure } from '../store/departures.ts';
import { LINE_GROUP_KEYS } from '../store/quote-key.ts';
import { toEvent } from './fixture-view.ts';
import { JsonPieces } from './json-pieces.ts';
import type { EncodedRows, OddsEncoder } from './odds-encoder.ts';
import { passes } from './odds-filter.ts';
import { isInView, type OddsView, type ViewedFixture } from './odds-view.ts';
import type { CopiedFixture, SlateCopy } from './slate-copy.ts';

const DECODER = new TextDecoder();
/** MessagePack: a map of up to 15 entries, their count in the low bits; and a list whose count takes 32 bits. */
const PACKED_MAP = 0x80;
const PACKED_ARRAY_32 = 0xdd;
const NOTHING_REMOVED = '],"removed":[]}';

interface DeltaFacts {
  readonly view: OddsView;
  readonly copy: SlateCopy;
  readonly encoder: OddsEncoder;
  /** What changed after this version is in the delta; -1 for all. */
  readonly since: number;
  readonly cursor: string;
  /** When the feed last confirmed the slate, null before it did. */
  readonly asOf: string | null;
  readonly isStale: boolean;
  readonly leagueIdOf: (entityRow: number) => string;
}

/** A fixture of the delta, and what of it is sent. */
interface ChangedFixture {
  readonly fixture: CopiedFixture;
  readonly sendsEvent: boolean;
  readonly sendsState: boolean;
  /** Whether `odds` is the fixture's whole list and not only what changed. */
  readonly isReplaced: boolean;
}

export class OddsDelta {
  /** Whether it is the whole view: what the receiver holds is to be dropped. */
  readonly isFull: boolean;
  readonly cursor: string;
  readonly isStale: boolean;
  /** Ids of fixtures that are in the view no longer; perhaps some that the receiver never held. None is in `pieces`. */
  readonly removed: readonly string[];
  readonly #facts: DeltaFacts;
  readonly #changed: readonly ChangedFixture[];

  constructor(facts: DeltaFacts) {
    this.#facts = facts;
    this.isFull = facts.since < 0;
    this.cursor = facts.cursor;
    this.isStale = facts.isStale;
    const { changed, removed } = sortOut(facts);
    this.#changed = changed;
    this.removed = removed;
  }

  /** Whether nothing has changed in the view. The cursor may have moved all the same. */
  get isEmpty(): boolean {
    return this.#changed.length === 0 && this.removed.length === 0 && !this.isFull;
  }

  get fixtureCount(): number {
    return this.#changed.length;
  }

  /** What the copy it is made from holds, for who bounds memory. */
  get byteCount(): number {
    return this.#facts.copy.byteCount;
  }

  /** The whole answer as JSON, in pieces of some 64 KB that end with a fixture. Each is good for ever. */
  *body(): Generator<Uint8Array<ArrayBuffer>> {
    const pieces = new JsonPieces();
    pieces.ascii(this.#head());
    let isFirst = true;
    for (const changed of this.#changed) {
      if (!isFirst) pieces.ascii(',');
      isFirst = false;
      this.#fixture(pieces, changed);
      if (pieces.isFull) yield pieces.take();
    }
    pieces.ascii(
      this.removed.length === 0 ? NOTHING_REMOVED : `],"removed":${JSON.stringify(this.removed)}}`,
    );
    yield pieces.take();
  }

  /**
   * The whole answer as MessagePack, in pieces likewise. @param pack makes MessagePack of a value, with plain maps
   */
  *packed(pack: (value: unknown) => Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    const pieces = new JsonPieces();
    const head = Object.entries(this.#headFields());
    pieces.bytes(Uint8Array.of(PACKED_MAP | (head.length + 2)));
    for (const part of head.flat()) pieces.bytes(pack(part));
    pieces.bytes(pack('fixtures'));
    const count = new DataView(new ArrayBuffer(5));
    count.setUint8(0, PACKED_ARRAY_32);
    count.setUint32(1, this.#changed.length);
    pieces.bytes(new Uint8Array(count.buffer));
    const json = new JsonPieces();
    for (const changed of this.#changed) {
      this.#fixture(json, changed);
      pieces.bytes(pack(JSON.parse(DECODER.decode(json.take()))));
      if (pieces.isFull) yield pieces.take();
    }
    pieces.bytes(pack('removed'));
    pieces.bytes(pack(this.removed));
    yield pieces.take();
  }

  /** The fixtures alone, each piece the inside of a JSON array of some 64 KB. */
  *fixtures(): Generator<Uint8Array<ArrayBuffer>> {
    const pieces = new JsonPieces();
    for (const changed of this.#changed) {
      if (!pieces.isEmpty) pieces.ascii(',');
      this.#fixture(pieces, changed);
      if (pieces.isFull) yield pieces.take();
    }
    if (!pieces.isEmpty) yield pieces.take();
  }

  /** When the feed last confirmed the slate, as a text; null before it did. */
  get asOf(): string | null {
    return this.#facts.asOf;
  }

  #headFields() {
    return { cursor: this.cursor, full: this.isFull, as_of: this.asOf, stale: this.isStale };
  }

  #head(): string {
    return `${JSON.stringify(this.#headFields()).slice(0, -1)},"fixtures":[`;
  }

  #fixture(pieces: JsonPieces, { fixture, sendsEvent, sendsState, isReplaced }: ChangedFixture): void {
    const { view, copy, encoder, since } = this.#facts;
    pieces.ascii(`{"event_id":"${fixture.view.id}","event":`);
    if (sendsEvent) pieces.text(JSON.stringify(eventOf(fixture)));
    else pieces.ascii('null');
    // Not only ASCII: the state holds the feed's clock, which is any text.
    if (sendsState) pieces.text(`,"state":${JSON.stringify(stateOf(fixture))}`);
    else pieces.ascii(',"state":null');
    pieces.ascii(isReplaced ? ',"replace":true,"odds":[' : ',"replace":false,"odds":[');
    pieces.bytes(encoder.quotes(rowsOf(copy, fixture), view.odds, isReplaced ? -1 : since));
    pieces.ascii(']}');
  }
}

/** What changed and is in the view, and what has left it. */
function sortOut(facts: DeltaFacts): { changed: ChangedFixture[]; removed: string[] } {
  const { view, copy, since } = facts;
  const changed: ChangedFixture[] = [];
  const removed: string[] = [];
  const present = new Set<number>();
  for (const fixture of copy.fixtures) {
    if (isInView(view, viewedOf(fixture))) {
      const change = changeOf(facts, fixture);
      if (change === null) continue;
      present.add(fixture.view.eventNumber);
      changed.push(change);
    } else if (fixture.arrivedVersion <= since && mayHavePassed(view, fixture, since)) {
      removed.push(fixture.view.id);
    }
  }
  for (const departure of copy.departures ?? []) {
    if (!wasInView(facts, departure) || present.has(departure.eventNumber)) continue;
    removed.push(encodeId('event', departure.eventNumber));
  }
  return { changed, removed };
}

/** What of a fixture in the view has changed, or null when nothing has. */
function changeOf({ view, copy, since }: DeltaFacts, fixture: CopiedFixture): ChangedFixture | null {
  const isNew = fixture.arrivedVersion > since || mayHavePassed(view, fixture, since);
  // The event names the status too.
  const sendsEvent = isNew || fixture.identityVersion > since || fixture.statusVersion > since;
  const sendsState = isNew || fixture.stateVersion > since;
  const isReplaced = isNew || hasWithdrawnLine(fixture, view, since);
  if (!sendsEvent && !sendsState && !isReplaced && !hasChangedQuote(copy, fixture, view, since)) return null;
  return { fixture, sendsEvent, sendsState, isReplaced };
}

/** Whether something changed after `since` that decides whether a fixture of the slate is in the view. */
function mayHavePassed(view: OddsView, fixture: CopiedFixture, since: number): boolean {
  const dependsOnStatus = view.status !== null;
  const dependsOnIdentity = view.leagueId !== null || view.range !== null;
  return (
    (dependsOnStatus && fixture.statusVersion > since) ||
    (dependsOnIdentity && fixture.identityVersion > since)
  );
}

/** Whether a fixture that left may have been in the view at `since`. */
function wasInView({ view, since, leagueIdOf }: DeltaFacts, departure: Departure): boolean {
  if (departure.version <= since || departure.arrivedVersion > since) return false;
  const { sport, status, leagueEntity, scheduledAtMs } = departure;
  if (view.sport !== null && view.sport !== sport) return false;
  if (departure.settledVersion > since) return true; // what it was at `since` is not known
  return isInView(view, { sport, status, leagueId: leagueIdOf(leagueEntity), scheduledAtMs });
}

/** Whether a line was withdrawn that the view may have shown. */
function hasWithdrawnLine({ withdrawnVersions }: CopiedFixture, view: OddsView, since: number): boolean {
  return (
    withdrawnVersions?.some(
      (version, group) => version > since && passes(view.odds, LINE_GROUP_KEYS[group]!),
    ) ?? false
  );
}

function hasChangedQuote(copy: SlateCopy, fixture: CopiedFixture, view: OddsView, since: number): boolean {
  const { quoteKey, quoteVersion } = copy.rows;
  for (let row = fixture.firstRow; row < fixture.endRow; row++) {
    if (quoteVersion[row]! > since && passes(view.odds, quoteKey[row]!)) return true;
  }
  return false;
}

function viewedOf({ view, status }: CopiedFixture): ViewedFixture {
  return {
    sport: view.sportIndex,
    status,
    leagueId: view.league.id,
    scheduledAtMs: view.scheduledAtMs,
  };
}

function rowsOf(copy: SlateCopy, { view, firstRow, endRow }: CopiedFixture): EncodedRows {
  return { columns: copy.rows, sport: view.sportIndex, firstRow, endRow };
}

function eventOf({ view, status }: CopiedFixture) {
  return toEvent({ view, status: EVENT_STATUSES[status]! });
}

function stateOf({ view, status }: CopiedFixture): OddsDeltaState {
  const { score, cards, facts } = view;
  return { status: EVENT_STATUSES[status]!, score, cards, clock: facts.clock };
}
