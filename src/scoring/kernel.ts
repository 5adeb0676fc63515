// The scoring kernel: one pass over the quotes of one page finds value and arbitrage together. It works on
// columns and scalars, writes hits into the caller's typed arrays and allocates nothing. If the writer
// replaces the page during the pass, the kernel may read garbage; so every loop is bounded, nothing throws,
// and SlateReader.read runs the kernel again on the new page.

import { REFERENCE_CONSENSUS } from '../domain/reference.ts';
import {
  confirmationsExpireAtMs,
  type SignalMoment,
  signalGate,
  unconfirmedOf,
} from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';
import { writeConsensusValue } from './consensus-value.ts';
import type { ScoreCriteria } from './criteria.ts';
import {
  ARB_IN_REACH,
  COUNT_AWAITED_MASK,
  COUNT_BOOKMAKER_MASK,
  COUNT_FINISHED,
  COUNT_LATE,
  COUNT_STALE_MASK,
  LINE_COMPARED_ONLY_MASK,
  LINE_IN_REACH,
  type ScoreBuffers,
  VALUE_IN_REACH,
} from './hit-rows.ts';
import { writeArb, writeSharpTime, writeValue } from './line-hits.ts';
import { beginPage, nextLineInReach, type ScoredPage } from './lines-in-reach.ts';

/**
 * Scores the quotes of one page. A fixture that is over or late gets no hits. Only call it inside
 * `SlateReader.read`.
 * @returns the first instant at which the result may change through the passing of time alone, Unix ms
 */
export function scorePage(
  reader: SlateReader,
  page: number,
  criteria: ScoreCriteria,
  moment: SignalMoment,
  out: ScoreBuffers,
): number {
  const { columns, quotesPerFixture } = reader;
  const own = reader.ownConfirmationsOf(page);
  const gate = signalGate(reader.matchFacts(page), moment, criteria.maxAgeMs, own, out.quoteFromMs);
  if (gate.closedBy !== null) {
    out.counts.fill(0);
    out.counts[gate.closedBy === 'finished' ? COUNT_FINISHED : COUNT_LATE] = 1;
    return gate.changesAtMs;
  }
  const base = page * quotesPerFixture;
  const quotes = { columns, base, end: base + columns.quoteCount[page]!, sport: columns.sport[page]!, gate };
  const spareMs = scoreQuotes(quotes, criteria, out);
  // A stale quote of a bookmaker that hits are only compared with is in no count, but it still limits how
  // long the result is valid.
  const staleMask = out.counts[COUNT_STALE_MASK]! | out.line[LINE_COMPARED_ONLY_MASK]!;
  out.counts[COUNT_AWAITED_MASK] = unconfirmedOf(gate, moment, own, staleMask);
  const dependsOnMask = out.counts[COUNT_BOOKMAKER_MASK]! | staleMask;
  const expireAtMs = confirmationsExpireAtMs(gate, moment, own, dependsOnMask);
  return Math.min(gate.changesAtMs, expireAtMs, moment.nowMs + spareMs + 1);
}

/**
 * Scores rows base .. end - 1, which are sorted by quote key. Only open quotes with every price above 1 take
 * part. Without `seesSharp`, quotes of sharp bookmakers are treated as absent. Quotes of
 * bookmakers outside `bookmakerMask` are never a best price or a leg and are in no count, but the reference
 * may be one of them, and so may the sharp bookmaker that `sharpAtMs` is of.
 *
 * Value: the best price of each outcome (ties: first bookmaker of the catalogue) is compared with the
 * reference's fair price at the same line: edge = decimal / fair - 1. The reference is the sharp bookmaker
 * (of several the tightest one, `tighterRow`), a named bookmaker, or the consensus. The consensus has all
 * bookmakers that the caller may see, except those of the judged price's owner. Fair prices use the power
 * method in a 1x2 (also in basketball's two-way 1x2), and the proportional method in other two-way markets.
 * If the reference bookmaker's inverse sum is below 1, there is no margin to remove, so there is no fair
 * price and no value.
 *
 * Arbitrage: the best price of each outcome, with an inverse sum below 1 and legs of two owners or more. If
 * one owner has every best price, one leg moves to another owner: the one that costs least to move.
 *
 * Quotes of a period that is over, and quotes older than the gate allows, are left out and counted.
 *
 * Writes counts, and hits in row order, into `out`; `out.counts` is cleared first.
 * @returns the milliseconds until the first quote that took part becomes too old; Infinity if none will
 */
export function scoreQuotes(page: ScoredPage, criteria: ScoreCriteria, out: ScoreBuffers): number {
  const { columns, base, end, gate } = page;
  beginPage(criteria, out);
  let row = base;
  while (row < end) {
    row = nextLineInReach(page, row, criteria, out);
    const inReach = out.line[LINE_IN_REACH]!;
    if (inReach === 0) continue;
    writeSharpTime(columns, gate.quoteFromMs, out);
    if ((inReach & VALUE_IN_REACH) !== 0) {
      if (criteria.reference === REFERENCE_CONSENSUS)
        writeConsensusValue(columns, criteria, gate.quoteFromMs, out);
      else writeValue(columns, criteria, gate.quoteFromMs, out);
    }
    if ((inReach & ARB_IN_REACH) !== 0) writeArb(columns, criteria, gate.quoteFromMs, out);
  }
  return out.spareMs[0]!;
}
