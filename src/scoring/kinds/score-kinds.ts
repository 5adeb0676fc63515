// Middles, moves and steam of one fixture. Runs wherever hits are found: in scoring workers for scans, on the
// calling thread for one fixture.

import { SHARP_BOOKMAKERS_MASK, STATUS_SCHEDULED, visibleBookmakerMask } from '../../domain/catalogue.ts';
import { statusAt } from '../../domain/match-status.ts';
import {
  confirmationsExpireAtMs,
  type SignalMoment,
  signalGate,
  unconfirmedOf,
} from '../../domain/signal-gate.ts';
import { BOOKMAKERS_MAX } from '../../limits.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { ScoreCriteria } from '../criteria.ts';
import type { KindCriteria } from './kind-criteria.ts';
import {
  COUNT_AWAITED_BY_KINDS,
  COUNT_IMPLAUSIBLE,
  COUNT_LEFT_OUT,
  COUNT_ROWS,
  createKindRows,
  KIND_STRIDE,
  type KindHit,
  type KindRows,
  keepRows,
  kindHitAt,
} from './kind-rows.ts';
import { createMiddleScratch, type MiddleScratch, writeMiddles } from './middles.ts';
import { createMoveScratch, findWindows, type MoveScratch, writeMoves, writeSteam } from './moves.ts';
import { FixtureTables } from './result-tables.ts';

/** The memory that scoring one fixture needs, made once per thread. */
export interface KindBuffers extends KindRows {
  readonly tables: FixtureTables;
  readonly middle: MiddleScratch;
  readonly move: MoveScratch;
  readonly quoteFromMs: Float64Array;
}

export function createKindBuffers(quotesPerFixture: number): KindBuffers {
  return {
    ...createKindRows(),
    tables: new FixtureTables(),
    middle: createMiddleScratch(),
    move: createMoveScratch(quotesPerFixture),
    quoteFromMs: new Float64Array(BOOKMAKERS_MAX),
  };
}

/**
 * Moves are searched again after this time. The windows are a little behind the page, so a search may miss
 * the newest move.
 */
const MOVES_VALID_MS = 60_000;
/** Pause before the next try if the windows were being changed. */
const UNREAD_RETRY_MS = 1_000;

/**
 * Writes the hits of one page into `out`. Only call it inside `SlateReader.read`.
 * @returns the first instant at which they may change through the passing of time alone, Unix ms
 */
export function scoreKindsOfPage(
  reader: SlateReader,
  { slot, page }: { readonly slot: number; readonly page: number },
  criteria: ScoreCriteria & { readonly kinds: KindCriteria },
  moment: SignalMoment,
  out: KindBuffers,
): number {
  out.counts.fill(0);
  const { columns, quotesPerFixture } = reader;
  const own = reader.ownConfirmationsOf(page);
  const facts = reader.matchFacts(page);
  const gate = signalGate(facts, moment, criteria.maxAgeMs, own, out.quoteFromMs);
  if (gate.closedBy !== null) return gate.changesAtMs;
  const { kinds, seesSharp, bookmakerMask, marketMask } = criteria;
  const visibleMask = visibleBookmakerMask(seesSharp);
  // Middles are valued by the prices of all visible bookmakers, even of those outside `bookmakerMask`. So a
  // heartbeat that confirms any of them may change the hits.
  out.counts[COUNT_AWAITED_BY_KINDS] = unconfirmedOf(gate, moment, own, visibleMask);
  const base = page * quotesPerFixture;
  const end = base + columns.quoteCount[page]!;
  if (kinds.middle !== null) {
    out.tables.set(reader, page, { moment, seesSharp });
    writeMiddles({
      ...{ columns, base, end, marketMask, out },
      quoteFromMs: gate.quoteFromMs,
      periodMask: criteria.periodMask & ~gate.endedPeriodMask,
      bookmakerMask: bookmakerMask & visibleMask,
      sharpMask: SHARP_BOOKMAKERS_MASK & visibleMask,
      ...kinds.middle,
      tables: out.tables,
      scratch: out.middle,
    });
  }
  let untilMs = gate.changesAtMs;
  if (kinds.move !== null || kinds.steam !== null) {
    const isScheduled = statusAt(facts, moment.nowMs) === STATUS_SCHEDULED;
    const moved = {
      ...{ columns, slot, base, end, marketMask, out },
      scratch: out.move,
      sport: columns.sport[page]!,
      nowS: Math.floor(moment.nowMs / 1_000),
      quoteFromMs: gate.quoteFromMs,
      periodMask: criteria.periodMask & ~gate.endedPeriodMask,
      bookmakerMask: bookmakerMask & visibleMask,
    };
    const firstRow = out.counts[COUNT_ROWS]!;
    untilMs = Math.min(untilMs, moment.nowMs + MOVES_VALID_MS);
    const isRead = reader.readWindows(slot, columns.eventNumber[page]!, () => {
      keepRows(out, firstRow);
      out.move.untilS[0] = Number.POSITIVE_INFINITY;
      findWindows(moved);
      if (kinds.move !== null) writeMoves(moved, kinds.move);
      if (kinds.steam !== null && isScheduled) writeSteam(moved, kinds.steam);
    });
    if (!isRead) keepRows(out, firstRow);
    untilMs = Math.min(untilMs, isRead ? out.move.untilS[0]! * 1_000 : moment.nowMs + UNREAD_RETRY_MS);
  }
  return Math.min(untilMs, confirmationsExpireAtMs(gate, moment, own, visibleMask));
}

/** Every hit of one fixture, and what was left out. */
interface FixtureKinds {
  /** When the passing of time alone may change the hits, Unix ms. */
  readonly validUntilMs: number;
  /** Bookmakers whose heartbeat may change the hits, at any time, as a mask. */
  readonly awaitedMask: number;
  readonly hits: readonly KindHit[];
  /** Hits above the cap of what is plausible. */
  readonly implausibleCount: number;
  /** Hits left out because their kind already had the most rows that one fixture may have. */
  readonly leftOutCount: number;
}

/** @returns the hits of the event's published page; none when it is not on the slate */
export function fixtureKinds(
  reader: SlateReader,
  eventNumber: number,
  criteria: ScoreCriteria & { readonly kinds: KindCriteria },
  moment: SignalMoment,
  out: KindBuffers = createKindBuffers(reader.quotesPerFixture),
): FixtureKinds {
  const found = reader.readEvent(eventNumber, (page, slot) => {
    const validUntilMs = scoreKindsOfPage(reader, { slot, page }, criteria, moment, out);
    return {
      validUntilMs,
      awaitedMask: out.counts[COUNT_AWAITED_BY_KINDS]!,
      hits: Array.from({ length: out.counts[COUNT_ROWS]! }, (_, row) =>
        kindHitAt(out.rows, row * KIND_STRIDE),
      ),
      implausibleCount: out.counts[COUNT_IMPLAUSIBLE]!,
      leftOutCount: out.counts[COUNT_LEFT_OUT]!,
    };
  });
  const validUntilMs = Number.POSITIVE_INFINITY;
  return found ?? { validUntilMs, awaitedMask: 0, hits: [], implausibleCount: 0, leftOutCount: 0 };
}
