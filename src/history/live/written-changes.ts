// Finds which changes in the ring of a node that takes over are on the tape already. Both nodes follow the
// same feed, but they publish a change at different instants and in different batches: one lags by
// milliseconds, or by a second on a busy machine. So changes are compared by their content, not by their
// time. In the ring, everything up to the last change of a line that the former leader wrote is on the tape;
// what comes after it is not.

import { BOOKMAKER_KEYS, MARKET_TYPES, outcomesOf, PERIODS, SPORT_KEYS } from '../../domain/catalogue.ts';
import { decodeId } from '../../domain/ids.ts';
import { marketOfKey, packQuoteKey } from '../../store/quote-key.ts';
import {
  eventStatusOf,
  kindOf,
  lineStatusOf,
  RECORD_WORDS,
  scoreAwayOf,
  scoreHomeOf,
  sportOf,
  TAPE_FLOAT,
  TAPE_KIND,
  TAPE_LINE_WITHDRAWN,
  TAPE_WORD,
  type TapeRingReader,
} from '../../store/tape-ring.ts';
import { MARK_LEFT, pairOf, type TapeMark } from '../mark.ts';
import { TICK_STATUSES, type Tick } from '../tick.ts';
import type { LiveSegment } from './live-segment.ts';

/** The longest time between the instants at which two nodes publish the same change. */
export const NODES_APART_MS = 5_000;

interface WrittenChange {
  /** Equal for the same change on both nodes. */
  readonly content: string;
  readonly publishedAtMs: number;
}

/** The changes on the tape of one line, or of one fixture apart from its lines. */
interface Written {
  /** Oldest first. */
  readonly changes: WrittenChange[];
  /** The latest source time of a price; the store never goes back behind it. */
  latestSourceMs: number;
  /** The last change that shows a price, not a withdrawal. */
  lastShown: WrittenChange | null;
  /** The record in the ring that is the change `lastShown`; NONE when the ring does not have it. */
  shownAt: number;
  /** The record in the ring that is the last change; NONE when the ring does not have it. */
  lastAt: number;
}

const NONE = -1;
/** The key of the fixture itself, in place of a line's key. */
const FIXTURE = -1;
const WITHDRAWN = 'withdrawn';
const LEFT = 'left';

export class WrittenChanges {
  readonly #ring: TapeRingReader;
  readonly #firstPlace: number;
  /** When each record was published. It is copied first, because the tape changes these times later. */
  readonly #publishedAtMs: Float64Array;
  readonly #byEvent = new Map<number, Map<number, Written>>();
  /** Changes on the tape were added from this instant on. Everything before it counts as written. */
  #completeFromMs = Number.POSITIVE_INFINITY;

  /** @param ring the ring of this node, whose present content is compared with the tape */
  constructor(ring: TapeRingReader) {
    this.#ring = ring;
    this.#firstPlace = ring.placeOf(ring.position());
    this.#publishedAtMs = Float64Array.from(
      { length: ring.waitingCount() },
      (_, at) => ring.floats[(this.#placeOf(at) * RECORD_WORDS) / 2 + TAPE_FLOAT.receivedAtMs]!,
    );
  }

  /** The earliest publication time at which a change on the tape can also be in the ring. */
  get neededFromMs(): number {
    return (this.#publishedAtMs[0] ?? Number.POSITIVE_INFINITY) - NODES_APART_MS;
  }

  /** Adds a part of the tape, the oldest first. @param beginMs when it begins */
  addSegment(segment: LiveSegment, beginMs: number): void {
    this.#completeFromMs = Math.min(this.#completeFromMs, beginMs);
    for (let at = 0; at < segment.rowCount; at++) this.addTick(segment.tick(at));
    for (const { fixtureIndex, ...mark } of segment.marks) {
      this.addMark({ fixture: segment.fixtures[fixtureIndex]!.fixture, ...mark });
    }
  }

  /** Adds rows and marks of a file. @param beginMs when the file begins, Unix ms */
  addFile(ticks: Iterable<Tick>, marks: Iterable<TapeMark>, beginMs: number): void {
    this.#completeFromMs = Math.min(this.#completeFromMs, beginMs);
    for (const tick of ticks) this.addTick(tick);
    for (const mark of marks) this.addMark(mark);
  }

  addTick(tick: Tick): void {
    const bookmaker = BOOKMAKER_KEYS.indexOf(tick.bookmaker);
    if (bookmaker < 0) return;
    const market = MARKET_TYPES.indexOf(tick.marketType);
    const key = packQuoteKey(market, PERIODS.indexOf(tick.period), 4 * (tick.line ?? 0), bookmaker);
    const prices = outcomesOf(SPORT_KEYS.indexOf(tick.sport), market).map((name) => tick.pricesE4[name] ?? 0);
    const written = this.#written(decodeId('event', tick.eventId), key);
    const content = lineContent(TICK_STATUSES.indexOf(tick.status), tick.atMs, prices);
    this.#add(written, { content, publishedAtMs: tick.receivedAtMs });
    if (content !== WITHDRAWN) written.latestSourceMs = Math.max(written.latestSourceMs, tick.atMs);
  }

  addMark({ fixture, atMs, status, score, cards }: TapeMark): void {
    const written = this.#written(decodeId('event', fixture.eventId), FIXTURE);
    this.#add(written, {
      content: fixtureContent(status, fixture.kickoffMs, [score, cards]),
      publishedAtMs: atMs,
    });
  }

  /** Finds the last written change of each line and fixture in the ring. Call it when all parts are added. */
  align(): void {
    this.#eachChange((written, content, at) => {
      const { lastShown, shownAt } = written;
      if (content === lastShown?.content && this.#isNearer(lastShown, at, shownAt)) written.shownAt = at;
    });
    for (const own of this.#byEvent.values()) for (const one of own.values()) one.lastAt = one.shownAt;
    this.#eachChange((written, content, at) => {
      const { shownAt, lastAt } = written;
      const last = written.changes.at(-1)!;
      if (last === written.lastShown || content !== last.content || at < shownAt) return;
      // If the ring has `lastShown`, the first withdrawal after it is the one on the tape.
      if (shownAt === NONE ? this.#isNearer(last, at, lastAt) : lastAt === shownAt) written.lastAt = at;
    });
  }

  /** Whether the change at this place of the ring is on the tape. */
  has(place: number): boolean {
    const at = this.#indexOf(place);
    const { eventNumber, key, content, sourceMs } = this.#record(at);
    return this.#isWritten(this.#byEvent.get(eventNumber)?.get(key), { content, at, sourceMs });
  }

  /**
   * For a record that says that a fixture left the slate: whether the tape has the withdrawal of one of its
   * lines.
   * @param place the place of that record in the ring
   */
  hasWithdrawal(place: number, eventNumber: number, key: number): boolean {
    const written = this.#byEvent.get(eventNumber)?.get(key);
    return this.#isWritten(written, { content: WITHDRAWN, at: this.#indexOf(place), sourceMs: null });
  }

  /**
   * For a record that says that a fixture left the slate: whether the tape has noted that the fixture left.
   */
  hasLeft(place: number, eventNumber: number): boolean {
    const written = this.#byEvent.get(eventNumber)?.get(FIXTURE);
    return this.#isWritten(written, { content: LEFT, at: this.#indexOf(place), sourceMs: null });
  }

  /** Whether a change is on the tape. @param sourceMs null when the source gave the change no time */
  #isWritten(
    written: Written | undefined,
    {
      content,
      at,
      sourceMs,
    }: { readonly content: string; readonly at: number; readonly sourceMs: number | null },
  ): boolean {
    const publishedAtMs = this.#publishedAtMs[at]!;
    const last = written?.changes.at(-1);
    if (written === undefined || last === undefined) return publishedAtMs < this.#completeFromMs;
    if (written.lastAt !== NONE) return at <= written.lastAt;
    // The ring does not have the last written change. This node published that change before the ring begins,
    // has not published it yet, or published it together with later changes.
    const known = last.content === WITHDRAWN ? withoutSource : (text: string) => text;
    const isSame = (one: WrittenChange): boolean =>
      known(one.content) === known(content) && Math.abs(one.publishedAtMs - publishedAtMs) <= NODES_APART_MS;
    if (written.changes.some(isSame)) return true;
    if (sourceMs !== null) return sourceMs < written.latestSourceMs;
    return publishedAtMs <= last.publishedAtMs;
  }

  /** Adds a change. Only the last change from before the ring begins is kept. */
  #add(written: Written, change: WrittenChange): void {
    const { changes } = written;
    if (changes.length === 1 && changes[0]!.publishedAtMs < this.neededFromMs) changes.length = 0;
    changes.push(change);
    if (change.content !== WITHDRAWN && change.content !== LEFT) written.lastShown = change;
  }

  /**
   * Calls back, in order, for each change in the ring, if the tape has a change of the same line or fixture.
   */
  #eachChange(found: (written: Written, content: string, at: number) => void): void {
    for (let at = 0; at < this.#publishedAtMs.length; at++) {
      const { kind, eventNumber, key, content } = this.#record(at);
      const own = this.#byEvent.get(eventNumber);
      if (kind !== TAPE_KIND.left) {
        const written = own?.get(key);
        if (written !== undefined) found(written, content, at);
      } else for (const [one, written] of own ?? []) found(written, one === FIXTURE ? LEFT : WITHDRAWN, at);
    }
  }

  /** Whether a record is close enough in time to be this change, and closer than another record. */
  #isNearer({ publishedAtMs }: WrittenChange, at: number, other: number): boolean {
    const apartMs = Math.abs(publishedAtMs - this.#publishedAtMs[at]!);
    if (apartMs > NODES_APART_MS) return false;
    return other === NONE || apartMs <= Math.abs(publishedAtMs - this.#publishedAtMs[other]!);
  }

  #written(eventNumber: number, key: number): Written {
    return this.#byEvent
      .getOrInsertComputed(eventNumber, () => new Map<number, Written>())
      .getOrInsertComputed(key, () => ({
        ...{ changes: [], latestSourceMs: Number.NEGATIVE_INFINITY },
        ...{ lastShown: null, shownAt: NONE, lastAt: NONE },
      }));
  }

  #placeOf(at: number): number {
    return this.#ring.placeOf(this.#firstPlace + at);
  }

  #indexOf(place: number): number {
    return this.#ring.placeOf(place - this.#firstPlace);
  }

  #record(at: number) {
    const { words, floats } = this.#ring;
    const word = this.#placeOf(at) * RECORD_WORDS;
    const half = word / 2;
    const kind = kindOf(words, word);
    const eventNumber = floats[half + TAPE_FLOAT.eventNumber]!;
    if (kind === TAPE_KIND.line) {
      const sourceMs = floats[half + TAPE_FLOAT.quoteAtMs]!;
      const key = words[word + TAPE_WORD.quoteKey]!;
      const { length } = outcomesOf(sportOf(words, word), marketOfKey(key));
      const prices = words.subarray(word + TAPE_WORD.priceA, word + TAPE_WORD.priceA + length);
      const content = lineContent(lineStatusOf(words, word), sourceMs, prices);
      return { kind, eventNumber, key, content, sourceMs };
    }
    const scheduledAtMs = floats[half + TAPE_FLOAT.scheduledAtMs]!;
    const kickoffMs = Number.isNaN(scheduledAtMs) ? null : scheduledAtMs;
    const counts = [
      pairOf(scoreHomeOf(words, word), scoreAwayOf(words, word)),
      pairOf(words[word + TAPE_WORD.cardsHome], words[word + TAPE_WORD.cardsAway]),
    ];
    const content = fixtureContent(eventStatusOf(words, word), kickoffMs, counts);
    return { kind, eventNumber, key: FIXTURE, content, sourceMs: null };
  }
}

/**
 * The content of a line's change. All withdrawals have the same content, because nodes may have different
 * source times of them.
 */
function lineContent(status: number, sourceMs: number, prices: { join(): string }): string {
  return status === TAPE_LINE_WITHDRAWN ? WITHDRAWN : `${sourceMs} ${status} ${prices.join()}`;
}

/**
 * The content without its source time. If the source sent a price and then only confirmed it, a node that
 * published both messages together shows the later time, so the times of two nodes may differ.
 */
function withoutSource(content: string): string {
  return content.slice(content.indexOf(' ') + 1);
}

function fixtureContent(status: number, kickoffMs: number | null, counts: readonly unknown[]): string {
  return status === MARK_LEFT ? LEFT : `${status} ${kickoffMs} ${counts.join(' ')}`;
}
