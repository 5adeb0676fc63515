// Scores fixtures of the past on the thread that plays it, without a pool.

import { fixtureHits } from '../scoring/fixture-hits.ts';
import { createKindBuffers, fixtureKinds, type KindBuffers } from '../scoring/kinds/score-kinds.ts';
import type { ScanRequest } from '../scoring/scan.ts';
import type { ScoreWithHits } from '../scoring/score-rows.ts';
import type { SlateReader } from '../store/reader.ts';

export function scannerOf(reader: SlateReader) {
  const buffers = createKindBuffers(reader.quotesPerFixture);
  return async (request: ScanRequest) => scoredHere(reader, request, buffers);
}

function scoredHere(reader: SlateReader, request: ScanRequest, buffers: KindBuffers): ScoreWithHits[] {
  const { kinds, moment } = request;
  return request.eventNumbers.flatMap((eventNumber) => {
    const hits = fixtureHits(reader, eventNumber, request, moment);
    if (hits === undefined) return [];
    if (kinds == null) return [hits];
    const found = fixtureKinds(reader, eventNumber, { ...request, kinds }, moment, buffers);
    const validUntilMs = Math.min(hits.validUntilMs, found.validUntilMs);
    const awaitedMask = hits.awaitedMask | found.awaitedMask;
    return [{ ...hits, validUntilMs, awaitedMask, kindHits: found.hits }];
  });
}
