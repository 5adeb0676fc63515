// Finds value against the consensus, at the few lines that consensus-reach.ts did not rule out. The consensus
// is the mean of the log-odds of all owners except the owner of the judged price, scaled to sum to one
// (domain/consensus.ts). Like the kernel, it reads columns and scalars, writes into the caller's arrays,
// allocates nothing and never throws.

import { MARKET_1X2 } from '../domain/catalogue.ts';
import { CONSENSUS_OWNERS_MIN } from '../domain/consensus.ts';
import { PRICE_ONE_E4 } from '../domain/odds-format.ts';
import { REFERENCE_CONSENSUS } from '../domain/reference.ts';
import { bookmakerOfKey, marketOfKey } from '../store/quote-key.ts';
import type { SlateColumns } from '../store/reader.ts';
import { isInConsensus, OWNER_OF } from './consensus-reach.ts';
import type { ScoreCriteria } from './criteria.ts';
import {
  CONSENSUS_COUNT,
  CONSENSUS_STRIDE,
  LINE_END_ROW,
  LINE_FIRST_ROW,
  LINE_OUTCOME_COUNT,
  LINE_VISIBLE_MASK,
  type ScoreBuffers,
} from './hit-rows.ts';
import { edgeOf, isWithin, rowAtBest, writeValueHit } from './line-hits.ts';
import { powerFair } from './power-method.ts';
import { bitCount } from './score-rows.ts';

/** Compares each best price of the line with the consensus of all other owners, and writes hits. */
export function writeConsensusValue(
  columns: SlateColumns,
  criteria: ScoreCriteria,
  quoteFromMs: Readonly<Float64Array>,
  out: ScoreBuffers,
): void {
  const ownerMask = sumByOwner(columns, quoteFromMs, out);
  for (let outcome = 0; outcome < out.line[LINE_OUTCOME_COUNT]!; outcome++) {
    const row = rowAtBest(columns, outcome, out.line, quoteFromMs);
    if (row < 0) continue;
    const judged = OWNER_OF[bookmakerOfKey(columns.quoteKey[row]!)]!;
    const others = ownerMask & ~(1 << judged);
    if (!writeConsensus(others, outcome, out) || !isWithin(edgeOf(outcome, out), criteria, out)) continue;
    out.referenceAtMs[0] = newestAtMs(columns, others, quoteFromMs, out);
    writeValueHit(columns, row, outcome, REFERENCE_CONSENSUS, out);
  }
}

/**
 * Sums the log-odds of the quotes of the line by owner into `out.consensus`.
 * @returns bit o set: owner o counts
 */
function sumByOwner(
  columns: SlateColumns,
  quoteFromMs: Readonly<Float64Array>,
  { line, fair, consensus }: ScoreBuffers,
): number {
  const firstRow = line[LINE_FIRST_ROW]!;
  const endRow = line[LINE_END_ROW]!;
  const outcomeCount = line[LINE_OUTCOME_COUNT]!;
  const byPower = marketOfKey(columns.quoteKey[firstRow]!) === MARKET_1X2;
  let ownerMask = 0;
  for (let row = firstRow; row < endRow; row++) {
    const bookmaker = bookmakerOfKey(columns.quoteKey[row]!);
    if (((line[LINE_VISIBLE_MASK]! >> bookmaker) & 1) === 0) continue;
    if (!isInConsensus(columns, row, outcomeCount, quoteFromMs)) continue;
    fair[0] = PRICE_ONE_E4 / columns.priceE4A[row]!;
    fair[1] = PRICE_ONE_E4 / columns.priceE4B[row]!;
    fair[2] = outcomeCount === 3 ? PRICE_ONE_E4 / columns.priceE4C[row]! : 0;
    // The proportional method is not needed, because scaling both prices of a two-way market does not change
    // their log-odds.
    if (byPower) powerFair(fair);
    const owner = OWNER_OF[bookmaker]!;
    const offset = owner * CONSENSUS_STRIDE;
    if (((ownerMask >> owner) & 1) === 0) consensus.fill(0, offset, offset + CONSENSUS_STRIDE);
    ownerMask |= 1 << owner;
    consensus[offset + CONSENSUS_COUNT]!++;
    if (outcomeCount === 2) {
      const logOdds = Math.log(fair[0] / fair[1]);
      consensus[offset]! += logOdds;
      consensus[offset + 1]! -= logOdds;
      continue;
    }
    for (let outcome = 0; outcome < outcomeCount; outcome++) {
      const probability = fair[outcome]!;
      consensus[offset + outcome]! += Math.log(probability / (1 - probability));
    }
  }
  return ownerMask;
}

/**
 * Writes the consensus probability of one outcome into `out.fair`.
 * @param owners bit o set: owner o counts
 * @returns false when fewer than three owners count
 */
function writeConsensus(owners: number, asked: number, { line, fair, consensus }: ScoreBuffers): boolean {
  const count = bitCount(owners);
  if (count < CONSENSUS_OWNERS_MIN) return false;
  let wanted = 0;
  let sum = 0;
  for (let outcome = 0; outcome < line[LINE_OUTCOME_COUNT]!; outcome++) {
    let logOdds = 0;
    for (let rest = owners; rest !== 0; rest &= rest - 1) {
      const offset = (31 - Math.clz32(rest & -rest)) * CONSENSUS_STRIDE;
      logOdds += consensus[offset + outcome]! / consensus[offset + CONSENSUS_COUNT]!;
    }
    const probability = 1 / (1 + Math.exp(-logOdds / count));
    sum += probability;
    if (outcome === asked) wanted = probability;
  }
  fair[asked] = wanted / sum;
  return true;
}

/** Source time of the newest quote of these owners at the line. Unix ms. */
function newestAtMs(
  columns: SlateColumns,
  owners: number,
  quoteFromMs: Readonly<Float64Array>,
  { line }: ScoreBuffers,
): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (let row = line[LINE_FIRST_ROW]!; row < line[LINE_END_ROW]!; row++) {
    const bookmaker = bookmakerOfKey(columns.quoteKey[row]!);
    if (((line[LINE_VISIBLE_MASK]! >> bookmaker) & (owners >> OWNER_OF[bookmaker]!) & 1) === 0) continue;
    if (!isInConsensus(columns, row, line[LINE_OUTCOME_COUNT]!, quoteFromMs)) continue;
    newest = Math.max(newest, columns.quoteAtMs[row]!);
  }
  return newest;
}
