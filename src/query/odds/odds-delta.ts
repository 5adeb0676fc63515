// One delta of one view, as bytes in pieces, JSON or MessagePack: its fixtures, what is sent of each, and
// which fixtures left.

import type { OddsDeltaState } from '../../contract/stream/odds-changes.ts';
import { EVENT_STATUSES } from '../../domain/catalogue.ts';
import { encodeId } from '../../domain/ids.ts';
import type { Departure } from '../../store/departures.ts';
import { LINE_GROUP_KEYS } from '../../store/quote-key.ts';
import { JsonPieces } from '../json/json-pieces.ts';
import { toEvent } from '../slate/fixture-view.ts';
import type { CopiedFixture, SlateCopy } from '../slate/slate-copy.ts';
import type { EncodedRows, OddsEncoder } from './odds-encoder.ts';
import { passes } from './odds-filter.ts';
import { isInView, type OddsView, type ViewedFixture } from './odds-view.ts';

const DECODER = new TextDecoder();
/**
 * First bytes in MessagePack: of a map, with its count of entries (at most 15) in the low bits, and of an
 * array whose count follows in 32 bits.
 */
export const PACKED_MAP = 0x80;
export const PACKED_ARRAY_32 = 0xdd;
const NOTHING_REMOVED = '],"removed":[]}';
/**
 * The buffer in which all pieces are written, one after the other. A buffer per piece would make several
 * times the garbage of the piece itself.
 */
const PIECES = new JsonPieces();
const PACKED_FIXTURE = new JsonPieces();

function emptied(pieces: JsonPieces): JsonPieces {
  pieces.clear();
  return pieces;
}

interface DeltaFacts {
  readonly view: OddsView;
  readonly copy: SlateCopy;
  readonly encoder: OddsEncoder;
  /** The delta has what changed after this version; -1 for everything. */
  readonly since: number;
  readonly cursor: string;
  /** When the feed last confirmed the slate, null before it did. */
  readonly asOf: string | null;
  readonly isStale: boolean;
  readonly leagueIdOf: (entityRow: number) => string;
}

/**
 * A part of an answer. It is built from its position alone, so for a slow reader the parts not yet read need
 * not be stored.
 */
export interface DeltaPiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The fixture that the next piece begins with; null for the last piece. */
  readonly next: number | null;
}

/** A fixture of the delta, and what is sent of it. */
interface ChangedFixture {
  readonly fixture: CopiedFixture;
  readonly sendsEvent: boolean;
  readonly sendsState: boolean;
  /** Whether `odds` is the fixture's whole list and not only what changed. */
  readonly isReplaced: boolean;
}

export class OddsDelta {
  /** Whether the delta is the whole view. Then the receiver drops what it has. */
  readonly isFull: boolean;
  readonly cursor: string;
  readonly isStale: boolean;
  /**
   * Ids of fixtures that are no longer in the view, perhaps some that the receiver never held. None of them
   * is among the fixtures of this delta.
   */
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

  /** Whether nothing has changed in the view. The cursor may still have changed. */
  get isEmpty(): boolean {
    return this.#changed.length === 0 && this.removed.length === 0 && !this.isFull;
  }

  get fixtureCount(): number {
    return this.#changed.length;
  }

  /**
   * The whole answer as JSON, in pieces of about 64 KB that end with a fixture. Each piece has its own
   * memory, so it stays valid.
   */
  body(): Generator<Uint8Array<ArrayBuffer>> {
    return inOrder((first) => this.jsonPiece(first));
  }

  /**
   * The whole answer as MessagePack, in pieces of about 64 KB that end with a fixture.
   * @param pack encodes a value as MessagePack, with plain maps
   */
  packed(pack: (value: unknown) => Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    return inOrder((first) => this.packedPiece(first, pack));
  }

  /** The piece of `body` that begins with the fixture of this index. */
  jsonPiece(first: number): DeltaPiece {
    const pieces = emptied(PIECES);
    if (first === 0) pieces.ascii(this.#head());
    const next = this.#fixturesFrom(pieces, first, first > 0);
    if (next === null) {
      pieces.ascii(
        this.removed.length === 0 ? NOTHING_REMOVED : `],"removed":${JSON.stringify(this.removed)}}`,
      );
    }
    return { bytes: pieces.take(), next };
  }

  /** The piece of `packed` that begins with the fixture of this index. */
  packedPiece(first: number, pack: (value: unknown) => Uint8Array): DeltaPiece {
    const pieces = emptied(PIECES);
    if (first === 0) this.#packedHead(pieces, pack);
    const json = emptied(PACKED_FIXTURE);
    let next = first;
    while (next < this.#changed.length && !pieces.isFull) {
      this.#fixture(json, this.#changed[next]!);
      pieces.bytes(pack(JSON.parse(DECODER.decode(json.take()))));
      next += 1;
    }
    if (next < this.#changed.length) return { bytes: pieces.take(), next };
    pieces.bytes(pack('removed'));
    pieces.bytes(pack(this.removed));
    return { bytes: pieces.take(), next: null };
  }

  /**
   * Fixtures from this index on, until the piece has about 64 KB: JSON separated by commas, without the
   * brackets of an array. Empty when there are none.
   */
  fixturesPiece(first: number): DeltaPiece {
    const pieces = emptied(PIECES);
    const next = this.#fixturesFrom(pieces, first, false);
    return { bytes: pieces.take(), next };
  }

  /**
   * Writes fixtures until the piece is full.
   * @returns the index after the last one written, null at the end
   */
  #fixturesFrom(pieces: JsonPieces, first: number, hasComma: boolean): number | null {
    let next = first;
    while (next < this.#changed.length && !pieces.isFull) {
      if (hasComma || next > first) pieces.ascii(',');
      this.#fixture(pieces, this.#changed[next]!);
      next += 1;
    }
    return next < this.#changed.length ? next : null;
  }

  #packedHead(pieces: JsonPieces, pack: (value: unknown) => Uint8Array): void {
    const head = Object.entries(this.#headFields());
    pieces.bytes(Uint8Array.of(PACKED_MAP | (head.length + 2)));
    for (const part of head.flat()) pieces.bytes(pack(part));
    pieces.bytes(pack('fixtures'));
    const count = new DataView(new ArrayBuffer(5));
    count.setUint8(0, PACKED_ARRAY_32);
    count.setUint32(1, this.#changed.length);
    pieces.bytes(new Uint8Array(count.buffer));
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
    // Not only ASCII: the state holds the feed's clock, which may be any text.
    if (sendsState) pieces.text(`,"state":${JSON.stringify(stateOf(fixture))}`);
    else pieces.ascii(',"state":null');
    pieces.ascii(isReplaced ? ',"replace":true,"odds":[' : ',"replace":false,"odds":[');
    pieces.bytes(encoder.quotes(rowsOf(copy, fixture), view.odds, isReplaced ? -1 : since));
    pieces.ascii(']}');
  }
}

function* inOrder(pieceAt: (first: number) => DeltaPiece): Generator<Uint8Array<ArrayBuffer>> {
  for (let first: number | null = 0; first !== null; ) {
    const piece = pieceAt(first);
    yield piece.bytes;
    first = piece.next;
  }
}

/** Finds what changed and is in the view, and what has left the view. */
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

/** What has changed in a fixture of the view, or null when nothing has. */
function changeOf({ view, copy, since }: DeltaFacts, fixture: CopiedFixture): ChangedFixture | null {
  const isNew = fixture.arrivedVersion > since || mayHavePassed(view, fixture, since);
  // The event contains the status too.
  const sendsEvent = isNew || fixture.identityVersion > since || fixture.statusVersion > since;
  const sendsState = isNew || fixture.stateVersion > since;
  const isReplaced = isNew || hasWithdrawnLine(fixture, view, since);
  if (!sendsEvent && !sendsState && !isReplaced && !hasChangedQuote(copy, fixture, view, since)) return null;
  return { fixture, sendsEvent, sendsState, isReplaced };
}

/** Whether a change after `since` could have moved a fixture of the slate into or out of the view. */
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
  if (departure.settledVersion > since) return true; // Its values at `since` are not known.
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
