// `overround backtest`: a recording played through the live code, and what became of its signals.

import { checkRecording, decodeLine, helloTime, openRecording } from '../feed/replay/recording.ts';
import { PastPlay, type PastSettings } from './past-play.ts';
import { type RecordGroup, type RecordRow, recordRows } from './record-rows.ts';
import type { GradedSignal } from './recorded-signal.ts';

export interface BacktestResult {
  /** The record of the value signals; an arbitrage is in `signals` only, because it needs no grade. */
  readonly data: readonly RecordRow[];
  readonly signals: readonly GradedSignal[];
}

/** @throws RecordingError when the file cannot be replayed */
export async function backtest(
  path: string,
  settings: PastSettings & { readonly groupBy: RecordGroup | null },
): Promise<BacktestResult> {
  await checkRecording(path);
  const play = new PastPlay(settings);
  await play.play(wiresOf(path));
  const signals = play.graded();
  const value = signals.filter(({ kind }) => kind === 'value');
  return { data: recordRows(value, settings.groupBy), signals };
}

async function* wiresOf(path: string): AsyncGenerator<unknown[]> {
  const { lines } = await openRecording(path);
  let isFirst = true;
  for await (const part of lines) {
    const written = part.filter((line) => line !== '');
    if (isFirst && written.length > 0) helloTime(written[0], path);
    isFirst &&= written.length === 0;
    yield written.map((line) => (typeof line === 'string' ? decodeLine(line) : undefined));
  }
}
