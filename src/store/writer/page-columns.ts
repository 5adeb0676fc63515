// Writes everything in a page except its quote rows (quote-rows.ts): it copies and empties pages, and writes
// identity, match state and clock, and corrects times after the clock was set back. Writer only, and only
// into drafts.

import { STATUS_SCHEDULED } from '../../domain/catalogue.ts';
import { statusAt } from '../../domain/match-status.ts';
import { ANY_BOOKMAKER } from '../../domain/signal-gate.ts';
import { assert } from '../../errors.ts';
import { BOOKMAKERS_MAX, CLOCK_BYTES_MAX } from '../../limits.ts';
import type { StoreViews } from '../layout.ts';
import { LINE_GROUPS } from '../quote-key.ts';
import type { FixtureState } from '../records.ts';
import { endOfQuotes, moveQuoteRows } from './quote-rows.ts';

/** A score or card count that the feed has not sent. */
const UNKNOWN = -1;
const INT16_MAX = 32_767;
const EMPTY_CLOCK = new Uint8Array(0);
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** Copies everything of page `source` into page `target` except its version and generation. */
export function copyPage(views: StoreViews, source: number, target: number): void {
  views.eventNumber[target] = views.eventNumber[source]!;
  views.commonVersion[target] = views.commonVersion[source]!;
  views.arrivedVersion[target] = views.arrivedVersion[source]!;
  views.identityVersion[target] = views.identityVersion[source]!;
  views.statusVersion[target] = views.statusVersion[source]!;
  views.stateVersion[target] = views.stateVersion[source]!;
  views.withdrawnVersion[target] = views.withdrawnVersion[source]!;
  views.status[target] = views.status[source]!;
  views.sport[target] = views.sport[source]!;
  views.leagueEntity[target] = views.leagueEntity[source]!;
  views.homeEntity[target] = views.homeEntity[source]!;
  views.awayEntity[target] = views.awayEntity[source]!;
  views.scheduledAtMs[target] = views.scheduledAtMs[source]!;
  views.feedStatus[target] = views.feedStatus[source]!;
  views.feedStatusAtMs[target] = views.feedStatusAtMs[source]!;
  views.stateAtMs[target] = views.stateAtMs[source]!;
  views.scoreHome[target] = views.scoreHome[source]!;
  views.scoreAway[target] = views.scoreAway[source]!;
  views.cardsHome[target] = views.cardsHome[source]!;
  views.cardsAway[target] = views.cardsAway[source]!;
  const clockStart = source * CLOCK_BYTES_MAX;
  const clockByteCount = views.clockByteCount[source]!;
  views.clockBytes.copyWithin(target * CLOCK_BYTES_MAX, clockStart, clockStart + clockByteCount);
  views.clockByteCount[target] = clockByteCount;
  views.clockChangedAtMs[target] = views.clockChangedAtMs[source]!;
  views.lastMessageAtMs[target] = views.lastMessageAtMs[source]!;
  views.commonMessageAtMs[target] = views.commonMessageAtMs[source]!;
  views.confirmerMask[target] = views.confirmerMask[source]!;
  const firstConfirmed = source * BOOKMAKERS_MAX;
  views.fixtureConfirmedAtMs.copyWithin(
    target * BOOKMAKERS_MAX,
    firstConfirmed,
    firstConfirmed + BOOKMAKERS_MAX,
  );
  views.quoteCount[target] = views.quoteCount[source]!;
  views.commonQuoteCount[target] = views.commonQuoteCount[source]!;
  views.openQuoteCount[target] = views.openQuoteCount[source]!;

  const firstGroup = source * LINE_GROUPS;
  views.groupWithdrawnVersion.copyWithin(target * LINE_GROUPS, firstGroup, firstGroup + LINE_GROUPS);

  const rowsPerPage = views.capacity.quotesPerFixture;
  moveQuoteRows(views, target * rowsPerPage, source * rowsPerPage, endOfQuotes(views, source));
}

/**
 * Empties `page` for a new fixture: no state, no quotes. The caller writes the identity. Every field counts
 * as changed in the batch of `version`.
 */
export function clearPage(views: StoreViews, page: number, version: number): void {
  views.commonVersion[page] = version;
  views.arrivedVersion[page] = version;
  views.identityVersion[page] = version;
  views.statusVersion[page] = version;
  views.stateVersion[page] = version;
  views.withdrawnVersion[page] = 0; // a client that did not see the fixture arrive is sent all of it
  views.groupWithdrawnVersion.fill(0, page * LINE_GROUPS, (page + 1) * LINE_GROUPS);
  views.status[page] = STATUS_SCHEDULED;
  views.feedStatus[page] = STATUS_SCHEDULED;
  views.feedStatusAtMs[page] = Number.NaN;
  views.stateAtMs[page] = Number.NEGATIVE_INFINITY;
  views.scoreHome[page] = UNKNOWN;
  views.scoreAway[page] = UNKNOWN;
  views.cardsHome[page] = UNKNOWN;
  views.cardsAway[page] = UNKNOWN;
  views.clockByteCount[page] = 0;
  views.clockChangedAtMs[page] = Number.NaN;
  views.lastMessageAtMs[page] = Number.NEGATIVE_INFINITY;
  views.commonMessageAtMs[page] = Number.NEGATIVE_INFINITY;
  views.confirmerMask[page] = ANY_BOOKMAKER;
  views.fixtureConfirmedAtMs.fill(0, page * BOOKMAKERS_MAX, (page + 1) * BOOKMAKERS_MAX);
  views.quoteCount[page] = 0;
  views.commonQuoteCount[page] = 0;
  views.openQuoteCount[page] = 0;
}

/** Teams, league and kickoff: rows of the entity table, and Unix ms or NaN. */
interface Identity {
  readonly sport: number;
  readonly leagueEntity: number;
  readonly homeEntity: number;
  readonly awayEntity: number;
  readonly scheduledAtMs: number;
}

/** Writes an identity into a draft. @returns whether it differs from the one before */
export function writeIdentity(views: StoreViews, page: number, identity: Identity): boolean {
  const isSame =
    views.sport[page] === identity.sport &&
    views.leagueEntity[page] === identity.leagueEntity &&
    views.homeEntity[page] === identity.homeEntity &&
    views.awayEntity[page] === identity.awayEntity &&
    Object.is(views.scheduledAtMs[page], identity.scheduledAtMs);
  views.sport[page] = identity.sport;
  views.leagueEntity[page] = identity.leagueEntity;
  views.homeEntity[page] = identity.homeEntity;
  views.awayEntity[page] = identity.awayEntity;
  views.scheduledAtMs[page] = identity.scheduledAtMs;
  return !isSame;
}

/**
 * Writes a match state into a draft. A null score or null cards keep the last known.
 * @returns whether score, cards or clock changed
 */
export function writeState(views: StoreViews, page: number, state: FixtureState): boolean {
  if (Number.isNaN(views.feedStatusAtMs[page]!) || views.feedStatus[page] !== state.status) {
    views.feedStatusAtMs[page] = state.atMs;
  }
  views.feedStatus[page] = state.status;
  views.stateAtMs[page] = state.atMs;
  const isScoreNew = writePair(views.scoreHome, views.scoreAway, page, state.score);
  const areCardsNew = writePair(views.cardsHome, views.cardsAway, page, state.cards);
  const isClockNew = writeClock(views, page, state.clock, state.atMs);
  return isScoreNew || areCardsNew || isClockNew;
}

/** Status of a page at `nowMs`, as an index into EVENT_STATUSES. */
export function statusOfPage(views: StoreViews, page: number, nowMs: number): number {
  return statusAt(
    {
      sport: views.sport[page]!,
      feedStatus: views.feedStatus[page]!,
      feedStatusAtMs: views.feedStatusAtMs[page]!,
      scheduledAtMs: views.scheduledAtMs[page]!,
      // While a quote is open, only the presence of a clock matters, so its text is not decoded.
      clock: views.openQuoteCount[page] === 0 ? clockText(views, page) : hasClock(views, page) ? '' : null,
      clockChangedAtMs: views.clockChangedAtMs[page]!,
      openQuoteCount: views.openQuoteCount[page]!,
    },
    nowMs,
  );
}

/** Clock text of a page, null when the feed sent none. */
export function clockText(views: StoreViews, page: number): string | null {
  if (!hasClock(views, page)) return null;
  const start = page * CLOCK_BYTES_MAX;
  // A copy, because TextDecoder refuses shared memory.
  return DECODER.decode(new Uint8Array(views.clockBytes.slice(start, start + views.clockByteCount[page]!)));
}

function hasClock(views: StoreViews, page: number): boolean {
  return views.clockByteCount[page]! > 0;
}

/** How a clock was set back: its time now, and how much earlier that is than its time before. */
export interface ClockSetBack {
  readonly nowMs: number;
  readonly byMs: number;
}

/**
 * Lowers by `byMs` those times of a draft that are later than `nowMs`. A quote whose time changes gets the
 * version given for its bookmaker.
 */
export function setBackStamps(
  views: StoreViews,
  page: number,
  { nowMs, byMs }: ClockSetBack,
  versionOf: (key: number) => number,
): void {
  const earlier = (atMs: number) => (atMs > nowMs ? atMs - byMs : atMs);
  for (const column of [
    views.lastMessageAtMs,
    views.commonMessageAtMs,
    views.stateAtMs,
    views.feedStatusAtMs,
    views.clockChangedAtMs,
  ]) {
    column[page] = earlier(column[page]!);
  }
  const { fixtureConfirmedAtMs } = views;
  for (let at = page * BOOKMAKERS_MAX; at < (page + 1) * BOOKMAKERS_MAX; at++) {
    fixtureConfirmedAtMs[at] = earlier(fixtureConfirmedAtMs[at]!);
  }
  for (let row = page * views.capacity.quotesPerFixture; row < endOfQuotes(views, page); row++) {
    if (views.quoteAtMs[row]! <= nowMs) continue;
    views.quoteAtMs[row] = earlier(views.quoteAtMs[row]!);
    views.quoteVersion[row] = versionOf(views.quoteKey[row]!);
  }
}

/** Writes the clock into a draft. @returns whether its text changed */
export function writeClock(views: StoreViews, page: number, clock: string | null, atMs: number): boolean {
  const bytes = clock === null ? EMPTY_CLOCK : ENCODER.encode(clock);
  assert(bytes.length <= CLOCK_BYTES_MAX, 'the parser bounds clock text');
  const start = page * CLOCK_BYTES_MAX;
  let isSame = views.clockByteCount[page] === bytes.length;
  for (let index = 0; isSame && index < bytes.length; index++) {
    isSame = views.clockBytes[start + index] === bytes[index];
  }
  if (isSame && !Number.isNaN(views.clockChangedAtMs[page]!)) return false;
  views.clockBytes.set(bytes, start);
  views.clockByteCount[page] = bytes.length;
  views.clockChangedAtMs[page] = atMs;
  return !isSame;
}

/** Writes a score or card counts. @returns whether they changed */
function writePair(
  homeColumn: Int16Array,
  awayColumn: Int16Array,
  page: number,
  pair: readonly [number, number] | null,
): boolean {
  if (pair === null) return false;
  const [home, away] = pair;
  // The columns are Int16 and would store a larger count as a wrong, smaller one.
  for (const count of pair) assert(count >= 0 && count <= INT16_MAX, 'the parser bounds scores and cards');
  const isNew = homeColumn[page] !== home || awayColumn[page] !== away;
  homeColumn[page] = home;
  awayColumn[page] = away;
  return isNew;
}
