// The open signals that match the search and the filters of their tab, in the order that the visitor chose.

import { chosenBooks } from '../board/columns.ts';
import { isFound, mirror, signalBook } from '../board/state.ts';
import type { Fixture } from '../data/mirror.ts';
import { betOf, type ListedSignal, type SignalKind, sizeOf } from '../data/signal-book.ts';
import { parameter, setParameter } from '../data/view.ts';

export type SignalSort = 'size' | 'kickoff' | 'oldest' | 'since';

export function signalSort(): SignalSort {
  const sort = parameter('signal_sort');
  return sort === 'kickoff' || sort === 'oldest' || sort === 'since' ? sort : 'size';
}

export function sortSignals(sort: SignalSort): void {
  setParameter('signal_sort', sort === 'size' ? '' : sort);
}

/** Whether a filter of the tab, and not only the feed, decides what it shows. */
export function isFiltered(): boolean {
  return (['query', 'min_edge', 'in_play', 'bookmakers'] as const).some(
    (name) => parameter(name).trim() !== '',
  );
}

export function foundSignals(kind: SignalKind): readonly ListedSignal[] {
  void signalBook.version.value;
  void mirror.listVersion.value;
  return signalBook.of(kind).filter(isWanted).sort(ORDERS[signalSort()]);
}

function isWanted(signal: ListedSignal): boolean {
  const fixture = mirror.get(signal.event_id);
  if (parameter('query').trim() !== '' && (fixture === undefined || !isFound.value(fixture))) return false;
  if (signal.kind !== 'low_hold' && sizeOf(signal) < (Number(parameter('min_edge')) || 0)) return false;
  const inPlay = parameter('in_play');
  if (inPlay !== '' && (fixture?.state.status === 'live') !== (inPlay === 'yes')) return false;
  const books = chosenBooks.value;
  const legs = betOf(signal)?.legs ?? [];
  return books === undefined || legs.every(({ bookmaker }) => books.has(bookmaker));
}

function kickoffOf({ event_id }: ListedSignal): string {
  const fixture: Fixture | undefined = mirror.get(event_id);
  return fixture?.event.scheduled_at ?? '9';
}

const ORDERS: Readonly<Record<SignalSort, (one: ListedSignal, other: ListedSignal) => number>> = {
  size: (one, other) => sizeOf(other) - sizeOf(one),
  kickoff: (one, other) => kickoffOf(one).localeCompare(kickoffOf(other)),
  oldest: (one, other) => one.oldest_age_s - other.oldest_age_s,
  since: (one, other) => one.opened_at.localeCompare(other.opened_at),
};
