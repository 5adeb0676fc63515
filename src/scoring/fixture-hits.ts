// All hits of one fixture, computed on the calling thread, for find_value and find_arbitrage. Scans of the
// whole slate go to the pool.

import type { SignalMoment } from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';
import { checkCriteria, type ScoreCriteria } from './criteria.ts';
import {
  COUNT_REFERENCE_MASK,
  COUNT_SHARP_LEFT_OUT,
  createScoreBuffers,
  type ScoreBuffers,
} from './hit-rows.ts';
import { scorePage } from './kernel.ts';
import { SCORE_STRIDE, type ScoreWithHits, scoreAt, withHits, writeScore } from './score-rows.ts';

/** The score of a fixture with all its hits, and the further facts that find_value returns. */
export interface FixtureHits extends ScoreWithHits {
  /** Lines without a fair price, because the reference bookmaker's own inverse prices sum below 1. */
  readonly sharpLeftOutCount: number;
  /** The first bookmaker, in catalogue order, whose prices alone gave a fair price; null without one. */
  readonly reference: number | null;
}

/**
 * The thread's buffers, made once. New buffers of tens of kilobytes for each fixture would grow to hundreds
 * of megabytes before the garbage collector runs.
 */
let scratch: { readonly quotes: number; readonly out: ScoreBuffers; readonly row: Float64Array } | null =
  null;

function scratchFor(quotes: number): { readonly out: ScoreBuffers; readonly row: Float64Array } {
  if (scratch === null || scratch.quotes < quotes)
    scratch = { quotes, out: createScoreBuffers(quotes), row: new Float64Array(SCORE_STRIDE) };
  return scratch;
}

/** @returns all hits in the event's published page, or undefined when the event is not on the slate */
export function fixtureHits(
  reader: SlateReader,
  eventNumber: number,
  criteria: ScoreCriteria,
  moment: SignalMoment,
): FixtureHits | undefined {
  checkCriteria(criteria);
  const { columns } = reader;
  return reader.readEvent(eventNumber, (page) => {
    const { out, row } = scratchFor(reader.quotesPerFixture);
    const validUntilMs = scorePage(reader, page, criteria, moment, out);
    writeScore(row, 0, { eventNumber, version: columns.version[page]!, validUntilMs }, out);
    return {
      ...withHits(scoreAt(row, 0)!, out, { value: 0, arb: 0 }),
      sharpLeftOutCount: out.counts[COUNT_SHARP_LEFT_OUT]!,
      reference: firstOf(out.counts[COUNT_REFERENCE_MASK]!),
    };
  });
}

/** Index of the lowest set bit; null for an empty mask. */
function firstOf(mask: number): number | null {
  return mask === 0 ? null : 31 - Math.clz32(mask & -mask);
}
