// The scoring kernel: one pass over the quotes of one page finds value and arbitrage together. It works on columns and
// scalars, writes hits into the caller's typed arrays and allocates nothing. A page that turns under it may feed it
// garbage: every loop is bounded and nothing throws, and SlateReader.read calls it again on the new page.

import { type SignalGate, type SignalMoment, signalGate } from '../domain/signal-gate.ts';
import type { SlateColumns, SlateReader } from '../store/reader.ts';
import type { ScoreCriteria } from './criteria.ts';
import {
  ARB_IN_REACH,
  COUNT_FINISHED,
  COUNT_LATE,
  LINE_IN_REACH,
  type ScoreBuffers,
  VALUE_IN_REACH,
} from './hit-rows.ts';
import { writeArb, writeValue } from './line-hits.ts';
import { beginPage, nextLineInReach } from './lines-in-reach.ts';

/**
 * Scores the quotes of one page, as far as its gate lets them through. Inside `SlateReader.read` only.
 * @returns the first instant at which time alone may change the answer, Unix ms
 */
export function scorePage(
  reader: SlateReader,
  page: number,
  criteria: ScoreCriteria,
  moment: SignalMoment,
  out: ScoreBuffers,
): number {
  const { columns, quotesPerFixture } = reader;
  const quoteCount = columns.quoteCount[page]!;
  const gate = signalGate(reader.matchFacts(page), moment, criteria.maxAgeMs);
  if (gate.closedBy !== null) {
    out.counts.fill(0);
    out.counts[gate.closedBy === 'finished' ? COUNT_FINISHED : COUNT_LATE] = 1;
    return gate.changesAtMs;
  }
  const base = page * quotesPerFixture;
  const oldestAtMs = scoreQuotes(columns, base, quoteCount, columns.sport[page]!, criteria, gate, out);
  return Math.min(gate.changesAtMs, oldestAtMs + gate.quoteLifeMs + 1);
}

/**
 * Scores rows base .. base + quoteCount - 1, sorted by quote key. Only open quotes with every price above 1 take part;
 * without `seesSharp` quotes of sharp books do not exist. Quotes of books outside `bookmakerMask` are no best price, no leg
 * and in no count, but those of sharp books stay the reference.
 *
 * Value: the best price of each outcome (ties: first book of the catalogue) against the sharp book's fair price at that
 * same line, of several sharp books the tightest (`tighterRow`); edge = decimal / fair - 1. Fair prices are by the power
 * method in a 1x2 (the two-way one of basketball too) and proportional in two-way markets. Where the sharp book's inverse
 * sum is below 1 there is nothing to take away, hence no fair price and no value.
 *
 * Arbitrage: the best price of each outcome, inverse sum below 1, legs from two books or more. When one book has every
 * best price, the leg that costs least to take elsewhere is taken elsewhere.
 *
 * Quotes of a period that is over, and quotes older than the gate's, are left out and counted.
 *
 * Writes counts, and hits in row order, into `out`; `out.counts` is cleared first.
 * @returns source time of the oldest quote that took part, Infinity when the gate asks for no age
 */
export function scoreQuotes(
  columns: SlateColumns,
  base: number,
  quoteCount: number,
  sport: number,
  criteria: ScoreCriteria,
  gate: Pick<SignalGate, 'endedPeriodMask' | 'quoteFromMs'>,
  out: ScoreBuffers,
): number {
  const end = base + quoteCount;
  beginPage(criteria, out);
  let row = base;
  while (row < end) {
    row = nextLineInReach(columns, row, end, sport, criteria, gate, out);
    const inReach = out.line[LINE_IN_REACH]!;
    if ((inReach & VALUE_IN_REACH) !== 0) writeValue(columns, criteria, gate.quoteFromMs, out);
    if ((inReach & ARB_IN_REACH) !== 0) writeArb(columns, criteria, gate.quoteFromMs, out);
  }
  return out.oldestAtMs[0]!;
}
