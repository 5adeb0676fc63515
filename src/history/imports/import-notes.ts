// What a day's file of imports notes beside its rows: when the answers were received that it was made from.
// With it a later import can be merged as if both had been one (tape-merge.ts).

import type { FileNotes } from '../files/parquet-file.ts';
import { DAY_MS } from '../tick.ts';

/** When answers about a league or a fixture were received, by its id, Unix ms. */
export type AnswerTimes = ReadonlyMap<string, ReadonlySet<number>>;

/** The notes of a day, from times of several days. @returns null when there is nothing to note */
export function notesOf(sources: readonly AnswerTimes[], fromMs: number): FileNotes | null {
  const ids = [...new Set(sources.flatMap((times) => [...times.keys()]))].sort();
  const notes: Record<string, readonly number[]> = {};
  for (const id of ids) {
    const all = new Set(sources.flatMap((times) => [...(times.get(id) ?? [])]));
    const ofDay = [...all].filter((atMs) => atMs >= fromMs && atMs < fromMs + DAY_MS).sort((a, b) => a - b);
    if (ofDay.length > 0) notes[id] = ofDay.map((atMs, index) => atMs - (ofDay[index - 1] ?? fromMs));
  }
  return Object.keys(notes).length === 0 ? null : { answers: notes };
}

/** Reads what `notesOf` has made. */
export function answerTimesOf({ answers = {} }: FileNotes, fromMs: number): AnswerTimes {
  const times = new Map<string, Set<number>>();
  for (const [id, steps] of Object.entries(answers)) {
    let atMs = fromMs;
    times.set(id, new Set(steps.map((step) => (atMs += step))));
  }
  return times;
}
