// `overround backtest`: plays a recording or the tape through the live code and reports how the signals
// turned out.

import type { RecordRow } from '../contract/record/signal-record.ts';
import type { RecordGroup } from '../domain/signal-gate.ts';
import { checkedMessages } from '../feed/replay/recording.ts';
import { wireTimeMs } from '../feed/wire-time.ts';
import { type ClosingForecast, closingForecasts } from './closing-forecasts.ts';
import {
  isHello,
  type PastBatch,
  type PastGap,
  PastPlay,
  type PastSettings,
  type RefusedMessages,
} from './past-play.ts';
import { recordRows } from './record-rows.ts';
import type { GradedSignal } from './recorded-signal.ts';

export interface BacktestResult {
  /** The record of the value signals; an arbitrage is in `signals` only, because it needs no grade. */
  readonly data: readonly RecordRow[];
  readonly signals: readonly GradedSignal[];
  /** Times without data. A signal that was open then may have closed meanwhile. */
  readonly gaps: readonly PastGap[];
  /** Messages that were left out. */
  readonly refused: readonly RefusedMessages[];
  /** How well closing prices forecast the results. */
  readonly forecasts: readonly ClosingForecast[];
}

export type BacktestSettings = PastSettings & { readonly groupBy: RecordGroup | null };

export async function backtest(
  batches: AsyncIterable<PastBatch>,
  settings: BacktestSettings,
): Promise<BacktestResult> {
  const play = new PastPlay(settings);
  await play.play(batches);
  const signals = play.graded();
  const value = signals.filter(({ kind }) => kind === 'value');
  const forecasts = closingForecasts(play.closedMatches());
  return {
    data: recordRows(value, settings.groupBy),
    signals,
    gaps: play.gaps,
    refused: play.refused,
    forecasts,
  };
}

/**
 * The messages of a recording, grouped by the instant at which they arrived. A line without a time, or with
 * an earlier time than the line before it, counts as arrived with the line before it.
 * @throws RecordingError when the file cannot be replayed
 */
export async function* recordedBatches(path: string): AsyncGenerator<PastBatch> {
  let messages: unknown[] = [];
  let atMs = Number.NEGATIVE_INFINITY;
  for await (const part of checkedMessages(path)) {
    for (const wire of part) {
      const lineMs = wireTimeMs((wire as { readonly at?: unknown } | null | undefined)?.at);
      // Messages before the first message with a time are passed on together with that message.
      if ((isHello(wire) || lineMs > atMs) && messages.length > 0 && Number.isFinite(atMs)) {
        yield { atMs, messages };
        messages = [];
      }
      if (isHello(wire)) {
        yield { atMs: lineMs, messages: [wire] };
        continue;
      }
      if (lineMs > atMs) atMs = lineMs;
      messages.push(wire);
    }
  }
  if (messages.length > 0 && Number.isFinite(atMs)) yield { atMs, messages };
}
