// What time alone does to the slate: a match that became finished without a result gets its last score as its result,
// and a finished fixture that the feed never removes leaves after a day. Runs every few seconds on the ingest worker.

import { finishedAtMs } from '../domain/match-status.ts';
import { FINISHED_KEPT_MS } from '../limits.ts';
import type { SlateReader } from '../store/reader.ts';
import type { Applier } from './apply.ts';

/** A result message may come a little after full time; until then no last score stands in for it. */
const RESULT_GRACE_MS = 60_000;

/** One sweep over every fixture of the slate; publishes nothing itself. */
export function sweepFinished(applier: Applier, reader: SlateReader, nowMs: number): void {
  for (const [, record] of [...applier.fixtures.records()]) {
    const endedAtMs = reader.readEvent(record.eventNumber, (page) => finishedAtMs(reader.matchFacts(page)));
    if (endedAtMs === undefined || endedAtMs > nowMs) continue;
    if (nowMs >= endedAtMs + RESULT_GRACE_MS) applier.recorder.inferResult(record, endedAtMs);
    if (nowMs >= endedAtMs + FINISHED_KEPT_MS) applier.removeEvent(record.eventNumber);
  }
}
