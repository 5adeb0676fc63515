// Every hit of one fixture, at once and on the calling thread: for find_value and find_arbitrage. Slate-wide work goes
// to the pool.

import type { SlateReader } from '../store/reader.ts';
import { checkCriteria, type ScoreCriteria } from './criteria.ts';
import { bitCount } from './fixture-score.ts';
import {
  ARB_STRIDE,
  type ArbHit,
  arbHitAt,
  COUNT_ARB,
  COUNT_ARB_DROPPED,
  COUNT_BOOKMAKER_MASK,
  COUNT_SHARP_LINES,
  COUNT_VALUE,
  COUNT_VALUE_DROPPED,
  createScoreBuffers,
  VALUE_STRIDE,
  type ValueHit,
  valueHitAt,
} from './hits.ts';
import { scoreQuotes } from './kernel.ts';

export interface FixtureHits {
  readonly eventNumber: number;
  readonly version: number;
  /** Visible books with a quote that took part. */
  readonly bookCount: number;
  /** Lines at which the sharp book took part; 0 explains why there is no value. */
  readonly sharpLineCount: number;
  /** In row order: market, period, line, outcome. */
  readonly valueHits: readonly ValueHit[];
  readonly arbHits: readonly ArbHit[];
  /** Hits above the caps, left out. */
  readonly droppedValueCount: number;
  readonly droppedArbCount: number;
}

/** @returns every hit of the event's published page, or undefined when it is not on the slate */
export function scoreFixture(
  reader: SlateReader,
  eventNumber: number,
  criteria: ScoreCriteria,
): FixtureHits | undefined {
  checkCriteria(criteria);
  const { columns, quotesPerFixture } = reader;
  return reader.readEvent(eventNumber, (page) => {
    const quoteCount = columns.quoteCount[page]!;
    const out = createScoreBuffers(quoteCount);
    scoreQuotes(columns, page * quotesPerFixture, quoteCount, columns.sport[page]!, criteria, out);
    const { counts } = out;
    const valueHits: ValueHit[] = [];
    for (let hit = 0; hit < counts[COUNT_VALUE]!; hit++)
      valueHits.push(valueHitAt(out.value, hit * VALUE_STRIDE));
    const arbHits: ArbHit[] = [];
    for (let hit = 0; hit < counts[COUNT_ARB]!; hit++) arbHits.push(arbHitAt(out.arb, hit * ARB_STRIDE));
    return {
      eventNumber,
      version: columns.version[page]!,
      bookCount: bitCount(counts[COUNT_BOOKMAKER_MASK]!),
      sharpLineCount: counts[COUNT_SHARP_LINES]!,
      valueHits,
      arbHits,
      droppedValueCount: counts[COUNT_VALUE_DROPPED]!,
      droppedArbCount: counts[COUNT_ARB_DROPPED]!,
    };
  });
}
