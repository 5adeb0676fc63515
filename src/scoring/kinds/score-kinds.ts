// Middles, moves and steam of one fixture. Runs wherever hits are found: in scoring workers for scans, on the
// calling thread for one fixture.

import { SHARP_BOOKMAKERS_MASK, visibleBookmakerMask } from '../../domain/catalogue.ts';
import { confirmationsChangeAtMs, type SignalMoment, signalGate } from '../../domain/signal-gate.ts';
import { BOOKMAKERS_MAX } from '../../limits.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { ScoreCriteria } from '../criteria.ts';
import type { KindCriteria } from './kind-criteria.ts';
import {
  COUNT_IMPLAUSIBLE,
  COUNT_LEFT_OUT,
  COUNT_ROWS,
  createKindRows,
  KIND_STRIDE,
  type KindHit,
  type KindRows,
  kindHitAt,
} from './kind-rows.ts';
import { createMiddleScratch, type MiddleScratch, writeMiddles } from './middles.ts';
import { FixtureTables } from './result-tables.ts';

/** The memory that scoring one fixture needs, made once per thread. */
export interface KindBuffers extends KindRows {
  readonly tables: FixtureTables;
  readonly middle: MiddleScratch;
  readonly quoteFromMs: Float64Array;
}

export function createKindBuffers(): KindBuffers {
  return {
    ...createKindRows(),
    tables: new FixtureTables(),
    middle: createMiddleScratch(),
    quoteFromMs: new Float64Array(BOOKMAKERS_MAX),
  };
}

/**
 * Writes the hits of one page into `out`. Only call it inside `SlateReader.read`.
 * @returns the first instant at which they may change through the passing of time alone, Unix ms
 */
export function scoreKindsOfPage(
  reader: SlateReader,
  page: number,
  criteria: ScoreCriteria & { readonly kinds: KindCriteria },
  moment: SignalMoment,
  out: KindBuffers,
): number {
  out.counts.fill(0);
  const { columns, quotesPerFixture } = reader;
  const own = reader.ownConfirmationsOf(page);
  const gate = signalGate(reader.matchFacts(page), moment, criteria.maxAgeMs, own, out.quoteFromMs);
  if (gate.closedBy !== null) return gate.changesAtMs;
  const { kinds, seesSharp, bookmakerMask, marketMask } = criteria;
  const visibleMask = visibleBookmakerMask(seesSharp);
  const base = page * quotesPerFixture;
  const end = base + columns.quoteCount[page]!;
  if (kinds.middle !== null) {
    out.tables.set(reader, page, { moment, seesSharp });
    const bounds = {
      marketMask,
      periodMask: criteria.periodMask & ~gate.endedPeriodMask,
      bookmakerMask: bookmakerMask & visibleMask,
      sharpMask: SHARP_BOOKMAKERS_MASK & visibleMask,
      ...kinds.middle,
    };
    writeMiddles(columns, base, end, bounds, gate.quoteFromMs, out.tables, out.middle, out);
  }
  const masks = { takingPartMask: visibleMask, staleMask: 0 };
  return Math.min(gate.changesAtMs, confirmationsChangeAtMs(gate, moment, own, masks));
}

/** Every hit of one fixture, and what was left out. */
export interface FixtureKinds {
  readonly hits: readonly KindHit[];
  /** Hits above the cap of what is plausible. */
  readonly implausibleCount: number;
  /** Hits beyond KIND_ROWS_MAX. */
  readonly leftOutCount: number;
}

/** @returns the hits of the event's published page; none when it is not on the slate */
export function fixtureKinds(
  reader: SlateReader,
  eventNumber: number,
  criteria: ScoreCriteria & { readonly kinds: KindCriteria },
  moment: SignalMoment,
): FixtureKinds {
  const found = reader.readEvent(eventNumber, (page) => {
    const out = createKindBuffers();
    scoreKindsOfPage(reader, page, criteria, moment, out);
    return {
      hits: Array.from({ length: out.counts[COUNT_ROWS]! }, (_, row) =>
        kindHitAt(out.rows, row * KIND_STRIDE),
      ),
      implausibleCount: out.counts[COUNT_IMPLAUSIBLE]!,
      leftOutCount: out.counts[COUNT_LEFT_OUT]!,
    };
  });
  return found ?? { hits: [], implausibleCount: 0, leftOutCount: 0 };
}
