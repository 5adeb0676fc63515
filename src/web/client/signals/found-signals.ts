// The open signals that match the search and the filters of their tab, in the order that the visitor chose.
// Rows do not move under a moving pointer.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { chosenBooks } from '../board/columns.ts';
import { isFound, mirror, signalBook, startsSoon } from '../board/state.ts';
import type { Fixture } from '../data/mirror.ts';
import { betOf, type ListedSignal, SHOWN_KINDS, type SignalKind, sizeOf } from '../data/signal-book.ts';
import { parameter, setParameter } from '../data/view.ts';
import { nowMs } from '../parts/ticking.ts';

export type SignalSort = 'size' | 'kickoff' | 'oldest' | 'since';

export function signalSort(): SignalSort {
  const sort = parameter('signal_sort');
  return sort === 'kickoff' || sort === 'oldest' || sort === 'since' ? sort : 'size';
}

export function sortSignals(sort: SignalSort): void {
  setParameter('signal_sort', sort === 'size' ? '' : sort);
}

export const FILTERS = ['query', 'starts', 'min_edge', 'in_play', 'bookmakers'] as const;

/** Whether a filter of the tab, and not only the feed, decides what it shows. */
export function isFiltered(): boolean {
  return FILTERS.some((name) => parameter(name).trim() !== '');
}

export interface SignalRows {
  readonly rows: readonly { readonly signal: ListedSignal; readonly isClosed: boolean }[];
  /** Whether the pointer holds them: rows that close stay, and new ones are last. */
  readonly isHeld: boolean;
}

/** The rows of a tab. */
export function foundSignals(kind: SignalKind): SignalRows {
  void signalBook.version.value;
  void mirror.listVersion.value;
  const open = signalBook.of(kind).filter(isWanted).sort(ORDERS[signalSort()]);
  const before = held.value?.view === viewOf(kind) ? held.value.signals : null;
  const current = new Map(open.map((one) => [one.id, one]));
  const kept = (before ?? []).map((one) => ({
    signal: current.get(one.id) ?? one,
    isClosed: !current.has(one.id),
  }));
  for (const { signal: one } of kept) current.delete(one.id);
  const others = Array.from(current.values(), (one) => ({ signal: one, isClosed: false }));
  return { rows: [...kept, ...others], isHeld: before !== null };
}

/** A pointer that rests for this long holds nothing any more. */
const HELD_MS = 10_000;

/** The rows as they were when the pointer came, and the view that they belong to. */
const held = signal<{ readonly view: string; readonly signals: readonly ListedSignal[] } | null>(null);
let release: ReturnType<typeof setTimeout> | undefined;

/** Other filters or another order show other rows at once. */
function viewOf(kind: SignalKind): string {
  return [kind, signalSort(), ...FILTERS.map(parameter)].join(' ');
}

/** Call it whenever the pointer moves over the rows. */
export function holdRows(kind: SignalKind, { rows, isHeld }: SignalRows): void {
  clearTimeout(release);
  release = setTimeout(releaseRows, HELD_MS);
  if (!isHeld) held.value = { view: viewOf(kind), signals: rows.map((row) => row.signal) };
}

export function releaseRows(): void {
  clearTimeout(release);
  held.value = null;
}

/** The counts follow the clock: in a busy market, signals open and close with every price. */
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

/** How many signals of each kind match, to the second. */
export const foundCounts = Object.fromEntries(
  SHOWN_KINDS.map((kind) => [kind, computed(() => counts.value.get(kind) ?? 0)]),
) as Readonly<Record<SignalKind, ReadonlySignal<number>>>;

function isWanted(signal: ListedSignal): boolean {
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
