// Scoring: the kernel over whole slates beside the plain-object version.

import { bench, do_not_optimize, group } from 'mitata';
import { assert } from '../src/errors.ts';
import type { ScoreCriteria } from '../src/scoring/criteria.ts';
import { COUNT_ARB, COUNT_VALUE, createScoreBuffers, type ScoreBuffers } from '../src/scoring/hits.ts';
import { scoreQuotes } from '../src/scoring/kernel.ts';
import type { SlateReader } from '../src/store/reader.ts';
import { naiveScore } from '../test/scoring/naive.ts';
import { slateOf } from '../test/scoring/slate.ts';
import { benchFixtures } from './scoring-slate.ts';

const SEED = 20_260_101;
const QUOTES_PER_FIXTURE = 75;
const CRITERIA: ScoreCriteria = {
  marketMask: 7,
  periodMask: 3,
  seesSharp: true,
  minEdge: 0.01,
  maxEdge: 0.1,
  minMargin: 0,
  maxMargin: 0.1,
};

/** Value and arbitrage hits of every fixture, by the kernel on this thread. */
function scoreAll(reader: SlateReader, out: ScoreBuffers): number {
  const { columns, quotesPerFixture } = reader;
  const slotCount = reader.slotCount();
  let hitCount = 0;
  for (let slot = 0; slot < slotCount; slot++) {
    const page = reader.pageOf(slot);
    const generation = reader.generationOf(page);
    scoreQuotes(
      columns,
      page * quotesPerFixture,
      columns.quoteCount[page]!,
      columns.sport[page]!,
      CRITERIA,
      out,
    );
    assert(reader.isIntact(page, generation), 'nothing writes during a bench');
    hitCount += out.counts[COUNT_VALUE]! + out.counts[COUNT_ARB]!;
  }
  return hitCount;
}

export function define(size: 'smoke' | 'full'): void {
  const fixtureCount = size === 'smoke' ? 10 : 100;
  const fixtures = benchFixtures(fixtureCount, SEED);
  const { reader } = slateOf(fixtures, { fixtures: fixtureCount });
  const out = createScoreBuffers(reader.quotesPerFixture);
  let naiveHitCount = 0;
  for (const fixture of fixtures) {
    assert(fixture.quotes.length === QUOTES_PER_FIXTURE, 'a bench fixture has 75 quotes');
    const score = naiveScore(fixture, CRITERIA);
    naiveHitCount += score.valueHits.length + score.arbHits.length;
  }
  const hitCount = scoreAll(reader, out);
  assert(
    hitCount > 0 && hitCount === naiveHitCount,
    `kernel ${hitCount} and naive ${naiveHitCount} hits agree`,
  );

  group(`value and arbitrage over ${fixtureCount} fixtures x ${QUOTES_PER_FIXTURE} quotes`, () => {
    bench('kernel over columns', () => do_not_optimize(scoreAll(reader, out))).baseline(true);
    bench('plain objects', () => {
      for (const fixture of fixtures) do_not_optimize(naiveScore(fixture, CRITERIA));
    });
  });
}
