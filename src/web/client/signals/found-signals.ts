// Which open signals match the search and the filters of their tab, and how many of each kind do.

import { computed, type ReadonlySignal } from '@preact/signals';
import { chosenBooks } from '../board/columns.ts';
import { isFound, mirror, signalBook, startsSoon } from '../board/state.ts';
import { betOf, type ListedSignal, SHOWN_KINDS, type SignalKind, sizeOf } from '../data/signal-book.ts';
import { parameter } from '../data/view.ts';
import { nowMs } from '../parts/ticking.ts';

export const FILTERS = ['query', 'starts', 'min_edge', 'in_play', 'bookmakers'] as const;

/** Whether the visitor has set a filter of the tab. */
export function isFiltered(): boolean {
  return FILTERS.some((name) => parameter(name).trim() !== '');
}

/**
 * Recomputed by the clock, not with every signal: in a busy market, signals open and close with every price.
 */
const counts = computed<ReadonlyMap<ListedSignal['kind'], number>>(() => {
  void nowMs.value;
  void signalBook.summary.value;
  void mirror.listVersion.value;
  const found = new Map<ListedSignal['kind'], number>();
  for (const one of signalBook.all()) {
    if (isWanted(one)) found.set(one.kind, (found.get(one.kind) ?? 0) + 1);
  }
  return found;
});

/** How many signals of each kind match, updated every second. */
export const foundCounts = Object.fromEntries(
  SHOWN_KINDS.map((kind) => [kind, computed(() => counts.value.get(kind) ?? 0)]),
) as Readonly<Record<SignalKind, ReadonlySignal<number>>>;

export function isWanted(signal: ListedSignal): boolean {
  const fixture = mirror.get(signal.event_id);
  if (parameter('query').trim() !== '' && (fixture === undefined || !isFound.value(fixture))) return false;
  if (parameter('starts') !== '' && (fixture === undefined || !startsSoon(fixture))) return false;
  if (signal.kind !== 'low_hold' && sizeOf(signal) < (Number(parameter('min_edge')) || 0)) return false;
  const inPlay = parameter('in_play');
  if (inPlay !== '' && (fixture?.state.status === 'live') !== (inPlay === 'yes')) return false;
  const books = chosenBooks.value;
  const legs = betOf(signal)?.legs ?? [];
  return books === undefined || legs.every(({ bookmaker }) => books.has(bookmaker));
}
