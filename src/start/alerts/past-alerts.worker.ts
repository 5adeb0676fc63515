// The entry of a worker that replays the last day of the tape for alert rules, one rule after the other. A
// day can be millions of changes, and other questions about the past must not wait for it.

import { fullGC } from 'bun:jsc';
import { systemClock, toIsoText } from '../../clock.ts';
import { principalOf } from '../../domain/tiers.ts';
import { TapeFollower } from '../../history/live/tape-follower.ts';
import { sightOf } from '../../history/past/past-instant.ts';
import { TapeReader } from '../../history/past/tape-reader.ts';
import { tapeBatches } from '../../history/replay/tape-replay.ts';
import { dayOf } from '../../history/tick.ts';
import { SmallCollections } from '../../platform/small-collections.ts';
import { httpThreadsWait } from '../../platform/thread-scheduling.ts';
import type { PastAlerts } from '../../query/lists/history-calls.ts';
import type { PastBatch } from '../../record/past-play.ts';
import { historyFolder } from '../history/history-folder.ts';
import { plausibleLimitsOf } from '../record/signal-bounds.ts';
import { HalfPace } from './half-pace.ts';
import { neverReports, playAlerts } from './past-alerts.ts';
import type { PastAlertsTask, ToTrialWorker } from './past-alerts-workers.ts';

declare const self: Worker;

/** How many of the latest alerts the answer shows. */
const SHOWN_MAX = 5;
/**
 * Messages that count as one slice of work (small-collections.ts). Left alone, the engine would let the
 * garbage of the whole day add up.
 */
const SLICE_MESSAGES = 16;
/** Slices that a row group counts as: reading one leaves two megabytes of garbage. */
const READ_SLICES = 8;
/** How much garbage may wait. It is little, because no poll waits for the full collection that frees it. */
const GROWTH_BYTES_MAX = 6 * 1024 * 1024;
/**
 * How long after the end of a trial its garbage is collected. Nobody waits for that, because the result has
 * been sent. For a turn or two the stack still refers to the store of the trial: a collection at its very end
 * left 66 MB until the next trial.
 */
const COLLECT_AFTER_MS = 100;

/** When the present trial ends, on the monotonic clock. Later changes are not played. */
let endMs = Number.NEGATIVE_INFINITY;

self.onmessage = async ({ data }: MessageEvent<ToTrialWorker>) => {
  if (data === 'cut') {
    endMs = Number.NEGATIVE_INFINITY;
    return;
  }
  endMs = systemClock.monotonicMs() + data.deadlineMs;
  self.postMessage(await pastAlerts(data));
  setTimeout(fullGC, COLLECT_AFTER_MS);
};

async function pastAlerts({ config, rule, fromMs, toMs, rests }: PastAlertsTask): Promise<PastAlerts> {
  const folder = historyFolder(config);
  const source = new TapeFollower(folder);
  await source.catchUp();
  const tape = new TapeReader({ folder, source, monotonicMs: systemClock.monotonicMs, onBroken: () => {} });
  const beginMs = await tape.beginMs(dayOf(fromMs));
  if (beginMs === null) return { count: 0, from: null, to: null, latest: [] };
  const range = { fromMs: Math.max(fromMs, beginMs - 1), toMs };
  if (neverReports(rule)) {
    await folder.close();
    return { count: 0, from: toIsoText(range.fromMs), to: toIsoText(toMs), latest: [] };
  }
  fullGC(); // reading the log leaves tens of megabytes
  const collections = SmallCollections.ofSlices(GROWTH_BYTES_MAX);
  let playedMs = range.fromMs;
  const pace = rests ? new HalfPace(systemClock, httpThreadsWait()) : null;
  let isCut = false;
  const isOver = (): boolean => {
    isCut ||= systemClock.monotonicMs() > endMs;
    return isCut;
  };
  const afterRead = (): boolean => {
    collections.count(READ_SLICES);
    return isOver();
  };
  async function* inTime(): AsyncGenerator<PastBatch> {
    const sight = sightOf(principalOf(rule.plan));
    const options = { tape, range, sight, stamps: 'published', results: new Map() } as const;
    for await (const batch of tapeBatches({ ...options, isOver: afterRead })) {
      if (isOver()) return;
      collections.count(batch.messages.length / SLICE_MESSAGES);
      await pace?.afterStep();
      yield batch;
      playedMs = batch.atMs;
    }
    if (!isCut) playedMs = toMs;
  }
  let count = 0;
  const latest: PastAlerts['latest'][number][] = [];
  await playAlerts(inTime(), { rule, limits: plausibleLimitsOf(config) }, ({ atMs, item }) => {
    count++;
    latest.push({ at: toIsoText(atMs), text: item.text });
    if (latest.length > SHOWN_MAX) latest.shift();
  });
  await folder.close();
  return { count, from: toIsoText(range.fromMs), to: toIsoText(playedMs), latest: latest.reverse() };
}
