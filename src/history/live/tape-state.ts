// What the tape knows about the slate: every line on the slate, and the current gap. It turns the
// records of the ring (store/tape-ring.ts) into rows of the live segment. A record that repeats what the tape
// already has adds nothing, so the whole slate can be sent again at any time.

import { MINUTE_MS } from '../../clock.ts';
import { BOOKMAKER_KEYS, STATUS_LIVE, STATUS_SCHEDULED } from '../../domain/catalogue.ts';
import { IntMap } from '../../memory/int-map.ts';
import { bookmakerOfKey } from '../../store/quote-key.ts';
import {
  eventStatusOf,
  kindOf,
  lineStatusOf,
  RECORD_WORDS,
  scoreAwayOf,
  scoreHomeOf,
  TAPE_FLOAT,
  TAPE_KIND,
  TAPE_LINE_WITHDRAWN,
  TAPE_WORD,
} from '../../store/tape-ring.ts';
import { firstLiveOf, unseenAround } from '../closing-price.ts';
import { MARK_LEFT, type TapeMark } from '../mark.ts';
import type { Gap, GapReason } from '../tick.ts';
import type { FixtureDescription } from './fixture-names.ts';
import { countsIn, isSame, type KnownFixture, knownFixtureOf, markOf } from './known-fixture.ts';
import { keepLeft, lastMarks } from './left-fixtures.ts';
import { LiveSegment } from './live-segment.ts';
import type { ReusedRow } from './segment-columns.ts';
import type { WrittenChanges } from './written-changes.ts';

/** What was published about a fixture. Times are Unix ms. */
export interface PublishedFixture {
  /** NaN: unknown. */
  readonly kickoffMs: number;
  readonly eventStatus: number;
  readonly nowMs: number;
  /**
   * When the tape's gap, with gaps that touch it, began; NaN if it has none. The match may have become live
   * at any time in it.
   */
  readonly gapFromMs: number;
}

/** What a log has about a fixture. Times are Unix ms. */
export interface RestoredFixture {
  /** NaN: unknown. */
  readonly kickoffMs: number;
  /** When the match was first live; NaN if the log does not show it live. */
  readonly liveAtMs: number;
  /** Whether the match had begun when the log ended. */
  readonly hasBegun: boolean;
}

/** Is notified of what the tape learns, in the order of publishing. */
export interface TapeListener {
  /** Called when the tape continues a log, for each fixture that is on the slate or has left it. */
  restored(eventNumber: number, facts: RestoredFixture): void;
  /** Called when a fixture is new, or its names, kickoff, status, score or red cards changed. */
  fixture(eventNumber: number, facts: PublishedFixture): void;
}

export interface OpenGap {
  readonly fromMs: number;
  readonly reason: GapReason;
}

export interface TapeStateOptions {
  /** Describes the fixture of a record; returns the same object as long as nothing about it changed. */
  readonly describe: (words: Int32Array, floats: Float64Array, place: number) => FixtureDescription;
  /**
   * The reason to record for an overrun that is noticed now. For example, the ring may be full because the
   * disk is full.
   */
  readonly overrunReason: () => GapReason;
  readonly listener?: TapeListener;
}

/** A first snapshot that comes within this time after the beginning of the tape leaves no gap before it. */
const FIRST_SLATE_MS_MAX = MINUTE_MS;

export class TapeState {
  readonly #options: TapeStateOptions;
  readonly #fixtures = new Map<number, KnownFixture>();
  #segment = new LiveSegment();
  /** The line of a record. The one object is filled again for each record that is read. */
  readonly #row = { standing: false } as ReusedRow;
  #gap: OpenGap | null = null;
  /** When the current gap began, or the first of several gaps that touch it. */
  #unseenFromMs = Number.NaN;
  /** When the last gap ended. */
  #seenFromMs = Number.NEGATIVE_INFINITY;
  /** The gap before the first snapshot of an empty tape; null without one. */
  #firstGap: OpenGap | null = null;
  readonly #closedGaps: Gap[] = [];
  #latestSourceMs = Number.NEGATIVE_INFINITY;
  /** During a sync: the lines that it has not named yet. */
  #unseen: Map<number, IntMap> | null = null;
  /** During a sync: the fixtures that it has not named yet. */
  #unseenFixtures: Set<number> | null = null;

  /** The changes in the ring that the former leader already wrote; null if there was no takeover. */
  takenOver: WrittenChanges | null = null;

  constructor(options: TapeStateOptions) {
    this.#options = options;
  }

  get segment(): LiveSegment {
    return this.#segment;
  }

  /** Whether the whole slate is being sent. */
  get isSyncing(): boolean {
    return this.#unseen !== null;
  }

  get gap(): OpenGap | null {
    return this.#gap;
  }

  get lineCount(): number {
    let count = 0;
    for (const { rowByKey } of this.#fixtures.values()) count += rowByKey.size;
    return count;
  }

  /**
   * The latest source time of a price, which does not depend on our clock. -Infinity without a price.
   */
  get latestSourceMs(): number {
    return this.#latestSourceMs;
  }

  /** Gaps that ended since the last call. */
  takeClosedGaps(): Gap[] {
    return this.#closedGaps.splice(0);
  }

  /**
   * Continues a segment that was read from a log.
   * @param gaps the gaps on record, without the one that has not ended
   */
  restore(segment: LiveSegment, gap: OpenGap | null, gaps: readonly Gap[]): void {
    this.#segment = segment;
    this.#gap = gap;
    this.#fixtures.clear();
    const allGaps = gap === null ? gaps : [...gaps, { ...gap, toMs: null }];
    if (gap !== null) this.#unseenFromMs = unseenAround(allGaps, gap.fromMs + 1)!.fromMs;
    for (const [eventNumber, mark] of lastMarks(segment)) {
      if (mark.status !== MARK_LEFT) {
        const known = knownFixtureOf(segment, mark);
        this.#fixtures.set(eventNumber, known);
        for (const row of known.rowByKey.values) {
          this.#latestSourceMs = Math.max(this.#latestSourceMs, segment.row(row).atMs);
        }
      }
      const states = statesIn(segment, eventNumber);
      const kickoffMs = segment.fixtures[mark.fixtureIndex]!.fixture.kickoffMs ?? Number.NaN;
      const liveAtMs = firstLiveOf(states, allGaps) ?? Number.NaN;
      const last = states.findLast(({ status }) => status !== MARK_LEFT)?.status ?? STATUS_SCHEDULED;
      const hasBegun = !Number.isNaN(liveAtMs) || last !== STATUS_SCHEDULED;
      this.#options.listener?.restored(eventNumber, { kickoffMs, liveAtMs, hasBegun });
    }
  }

  /**
   * Ends the segment. The next one begins with every line on the slate.
   * @param beginMs after the clock was set back: lines on the slate count as published by this time
   * @returns the segment that ended
   */
  beginSegment(beginMs = Number.POSITIVE_INFINITY): LiveSegment {
    const ended = this.#segment;
    const next = new LiveSegment(BOOKMAKER_KEYS, beginMs);
    keepLeft(ended, next, beginMs);
    for (const known of this.#fixtures.values()) {
      known.fixtureIndex = next.addFixture(known.description);
      known.markedAtMs = Math.min(known.markedAtMs, beginMs);
      next.repeatMark(markOf(known));
      const rows = Array.from(known.rowByKey.values, (at) => ended.row(at));
      known.rowByKey.clear();
      for (const row of rows) {
        const quoteKey = keyInRoster(row.quoteKey, ended.bookmakers);
        if (quoteKey === null) continue; // the bookmaker has left the roster
        const receivedAtMs = Math.min(row.receivedAtMs, beginMs);
        const standing = { ...row, receivedAtMs, quoteKey, fixtureIndex: known.fixtureIndex, standing: true };
        known.rowByKey.set(quoteKey, next.add(standing));
      }
    }
    this.#segment = next;
    return ended;
  }

  openGap(gap: OpenGap): void {
    if (this.#gap !== null) return;
    this.#gap = gap;
    if (gap.fromMs > this.#seenFromMs) this.#unseenFromMs = gap.fromMs;
  }

  /**
   * Opens the gap of an empty tape, unless it has one: until the first snapshot, nobody knows what was on the
   * slate.
   */
  openFirstGap(fromMs: number): void {
    this.#firstGap = { fromMs, reason: 'feed_lost' };
    this.openGap(this.#firstGap);
  }

  /** Records a gap that has an end. */
  noteGap(gap: Gap): void {
    this.#closedGaps.push(gap);
  }

  /** Ends the current gap, for example because another one begins. */
  closeGap(toMs: number): void {
    if (this.#gap === null) return;
    const { fromMs, reason } = this.#gap;
    // After a clock was set back the gap may end before it began. Then it is dropped, because the times that
    // occurred twice are a gap of their own.
    if (toMs > fromMs) this.#closedGaps.push({ fromMs, toMs, reason });
    this.#seenFromMs = toMs > fromMs ? toMs : Number.NEGATIVE_INFINITY;
    this.#gap = null;
  }

  /** Applies one record of the ring. */
  apply(words: Int32Array, floats: Float64Array, place: number): void {
    const at = place * RECORD_WORDS;
    const half = at / 2;
    const nowMs = floats[half + TAPE_FLOAT.receivedAtMs]!;
    const kind = kindOf(words, at);
    if (kind === TAPE_KIND.line || kind === TAPE_KIND.fixture) {
      if (this.takenOver?.has(place) === true) return;
      if (kind === TAPE_KIND.line) this.#line(words, floats, place);
      else this.#fixture(words, floats, place);
    } else if (kind === TAPE_KIND.left) this.#left(floats[half + TAPE_FLOAT.eventNumber]!, place, nowMs);
    else if (kind === TAPE_KIND.syncBegin) this.#beginSync(nowMs, eventStatusOf(words, at) === 1);
    else if (kind === TAPE_KIND.syncEnd) this.#endSync(nowMs, eventStatusOf(words, at) === 1);
    else if (kind === TAPE_KIND.feedLost) this.openGap({ fromMs: nowMs, reason: 'feed_lost' });
    else if (kind === TAPE_KIND.unseen) this.openGap({ fromMs: nowMs, reason: 'stopped' });
    else this.openGap({ fromMs: nowMs, reason: this.#options.overrunReason() });
  }

  /** A sync may take several steps. If nothing is on the tape yet, it has a gap until the sync ends. */
  #beginSync(nowMs: number, isFeedLost: boolean): void {
    if (this.#fixtures.size === 0) {
      const isFirst = this.#gap !== null && this.#gap === this.#firstGap;
      if (isFirst && nowMs - this.#gap!.fromMs <= FIRST_SLATE_MS_MAX) this.#gap = null;
      this.openGap({ fromMs: nowMs, reason: isFeedLost ? 'feed_lost' : 'stopped' });
    }
    this.#unseen = new Map(Array.from(this.#fixtures, ([event, { rowByKey }]) => [event, rowByKey.copy()]));
    this.#unseenFixtures = new Set(this.#fixtures.keys());
  }

  /**
   * If the beginning of the sync was not read, its end is ignored, because another sync has been requested.
   */
  #endSync(nowMs: number, isFeedLost: boolean): void {
    if (this.#unseen === null) return;
    for (const [eventNumber, keys] of this.#unseen) {
      const known = this.#fixtures.get(eventNumber);
      if (known === undefined) continue;
      for (const key of keys.keys) this.#withdraw(known, key, nowMs);
      if (this.#unseenFixtures!.has(eventNumber)) this.#forget(eventNumber, nowMs);
    }
    this.#unseen = null;
    this.#unseenFixtures = null;
    if (isFeedLost) this.openGap({ fromMs: nowMs, reason: 'feed_lost' });
    else this.closeGap(nowMs);
  }

  #fixture(words: Int32Array, floats: Float64Array, place: number): KnownFixture {
    const at = place * RECORD_WORDS;
    const eventNumber = floats[at / 2 + TAPE_FLOAT.eventNumber]!;
    const eventStatus = eventStatusOf(words, at);
    const description = this.#options.describe(words, floats, place);
    let known = this.#fixtures.get(eventNumber);
    this.#unseenFixtures?.delete(eventNumber);
    const counts = countsIn(words, at);
    if (known?.description === description && known.eventStatus === eventStatus && isSame(known, counts)) {
      return known;
    }
    const nowMs = floats[at / 2 + TAPE_FLOAT.receivedAtMs]!;
    const state = { description, eventStatus, ...counts, markedAtMs: nowMs };
    if (known === undefined) {
      known = { ...state, fixtureIndex: this.#segment.addFixture(description), rowByKey: new IntMap() };
      this.#fixtures.set(eventNumber, known);
    } else {
      if (known.description !== description) known.fixtureIndex = this.#segment.addFixture(description);
      Object.assign(known, state);
    }
    this.#segment.addMark(markOf(known));
    const kickoffMs = floats[at / 2 + TAPE_FLOAT.scheduledAtMs]!;
    const gapFromMs = this.#gap === null ? Number.NaN : this.#unseenFromMs;
    this.#options.listener?.fixture(eventNumber, { kickoffMs, eventStatus, nowMs, gapFromMs });
    return known;
  }

  /**
   * A change of the match has a record of its own, which comes before its lines. So a line's record changes
   * only the line.
   */
  #line(words: Int32Array, floats: Float64Array, place: number): void {
    const at = place * RECORD_WORDS;
    const half = at / 2;
    const eventNumber = floats[half + TAPE_FLOAT.eventNumber]!;
    const known = this.#fixtures.get(eventNumber) ?? this.#fixture(words, floats, place);
    const key = words[at + TAPE_WORD.quoteKey]!;
    const row = this.#row;
    row.fixtureIndex = known.fixtureIndex;
    row.quoteKey = key;
    row.priceA = words[at + TAPE_WORD.priceA]!;
    row.priceB = words[at + TAPE_WORD.priceB]!;
    row.priceC = words[at + TAPE_WORD.priceC]!;
    row.status = lineStatusOf(words, at);
    row.inPlay = eventStatusOf(words, at) === STATUS_LIVE;
    row.scoreHome = scoreHomeOf(words, at);
    row.scoreAway = scoreAwayOf(words, at);
    row.atMs = floats[half + TAPE_FLOAT.quoteAtMs]!;
    row.receivedAtMs = floats[half + TAPE_FLOAT.receivedAtMs]!;
    this.#unseen?.get(eventNumber)?.delete(key);
    if (row.status === TAPE_LINE_WITHDRAWN) {
      if (known.rowByKey.delete(key)) this.#segment.add(row);
      return;
    }
    this.#latestSourceMs = Math.max(this.#latestSourceMs, row.atMs);
    const held = known.rowByKey.get(key);
    if (held !== undefined && !this.#segment.differs(held, row)) return;
    known.rowByKey.set(key, this.#segment.add(row));
  }

  /** Withdraws a line for which the ring has no record of its own. */
  #withdraw(known: KnownFixture, quoteKey: number, nowMs: number): void {
    if (!known.rowByKey.delete(quoteKey)) return;
    const { fixtureIndex, eventStatus, scoreHome, scoreAway } = known;
    this.#segment.add({
      ...{ fixtureIndex, quoteKey, priceA: 0, priceB: 0, priceC: 0, status: TAPE_LINE_WITHDRAWN },
      ...{ inPlay: eventStatus === STATUS_LIVE, standing: false, scoreHome, scoreAway },
      ...{ atMs: nowMs, receivedAtMs: nowMs },
    });
  }

  #left(eventNumber: number, place: number, nowMs: number): void {
    const known = this.#fixtures.get(eventNumber);
    if (known === undefined) return;
    for (const key of known.rowByKey.keys.slice()) {
      // If the former leader has written this withdrawal, it may also have written that the line came back.
      // Then the line must stay.
      if (this.takenOver?.hasWithdrawal(place, eventNumber, key) === true) continue;
      this.#withdraw(known, key, nowMs);
    }
    if (this.takenOver?.hasLeft(place, eventNumber) === true) return;
    if (known.rowByKey.size === 0) this.#forget(eventNumber, nowMs);
  }

  /** Forgets a fixture that has left the slate, and adds a mark that says that it left. */
  #forget(eventNumber: number, nowMs: number): void {
    const { fixtureIndex } = this.#fixtures.get(eventNumber)!;
    this.#fixtures.delete(eventNumber);
    this.#segment.addMark({ fixtureIndex, atMs: nowMs, status: MARK_LEFT, score: null, cards: null });
  }
}

/** The marks of a fixture in a segment, each with the fixture as it was described then. */
function statesIn(segment: LiveSegment, eventNumber: number): TapeMark[] {
  return segment
    .marksOf(eventNumber)
    .map((mark) => ({ ...mark, fixture: segment.fixtures[mark.fixtureIndex]!.fixture }));
}

/** The quote key with the bookmaker's number in this roster; null when the bookmaker is not in it. */
function keyInRoster(quoteKey: number, bookmakers: readonly string[]): number | null {
  if (bookmakers === BOOKMAKER_KEYS) return quoteKey;
  const held = bookmakerOfKey(quoteKey);
  const bookmaker = BOOKMAKER_KEYS.indexOf(bookmakers[held]!);
  return bookmaker < 0 ? null : quoteKey - held + bookmaker;
}
