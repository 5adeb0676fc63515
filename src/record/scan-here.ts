// Scores fixtures on the calling thread, without a pool.

import { eventLoopTurn } from '../pause.ts';
import { fixtureHits } from '../scoring/fixture-hits.ts';
import { createKindBuffers, fixtureKinds, type KindBuffers } from '../scoring/kinds/score-kinds.ts';
import type { ScanRequest } from '../scoring/scan.ts';
import type { ScoreWithHits } from '../scoring/score-rows.ts';
import type { SlateReader } from '../store/reader.ts';

/** @param fixturesPerStep other work gets a turn after this many fixtures; by default after all */
export function scannerOf(reader: SlateReader, fixturesPerStep = Number.POSITIVE_INFINITY) {
  let buffers: KindBuffers | null = null;
  function scoreOf(eventNumber: number, request: ScanRequest): ScoreWithHits | undefined {
    const { kinds, moment } = request;
    const hits = fixtureHits(reader, eventNumber, request, moment);
    if (hits === undefined || kinds == null) return hits;
    buffers ??= createKindBuffers(reader.quotesPerFixture);
    const found = fixtureKinds(reader, eventNumber, { ...request, kinds }, moment, buffers);
    const validUntilMs = Math.min(hits.validUntilMs, found.validUntilMs);
    const awaitedMask = hits.awaitedMask | found.awaitedMask;
    return { ...hits, validUntilMs, awaitedMask, kindHits: found.hits };
  }
  return async (request: ScanRequest): Promise<ScoreWithHits[]> => {
    const scores: ScoreWithHits[] = [];
    for (const [index, eventNumber] of request.eventNumbers.entries()) {
      const score = scoreOf(eventNumber, request);
      if (score !== undefined) scores.push(score);
      if ((index + 1) % fixturesPerStep === 0) await eventLoopTurn();
    }
    return scores;
  };
}
