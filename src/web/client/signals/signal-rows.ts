// The rows of a tab of signals, in the order that the visitor chose. They do not move under a moving pointer.

import { signal } from '@preact/signals';
import { mirror, signalBook } from '../board/state.ts';
import type { Fixture } from '../data/mirror.ts';
import { type ListedSignal, type SignalKind, sizeOf } from '../data/signal-book.ts';
import { parameter, setParameter } from '../data/view.ts';
import { FILTERS, isWanted } from './found-signals.ts';

export type SignalSort = 'size' | 'kickoff' | 'oldest' | 'since';

export function signalSort(): SignalSort {
  const sort = parameter('signal_sort');
  return sort === 'kickoff' || sort === 'oldest' || sort === 'since' ? sort : 'size';
}

export function sortSignals(sort: SignalSort): void {
  setParameter('signal_sort', sort === 'size' ? '' : sort);
}

export interface SignalRows {
  readonly rows: readonly { readonly signal: ListedSignal; readonly isClosed: boolean }[];
  /**
   * Whether the rows stay as they were while the pointer is over them: closed signals remain, new ones come
   * last.
   */
  readonly isHeld: boolean;
}

export function signalRows(kind: SignalKind): SignalRows {
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

/** How long a pointer that does not move keeps the rows as they were. */
const HELD_MS = 10_000;

/** The rows as they were when the pointer came, and the view that they belong to. */
const held = signal<{ readonly view: string; readonly signals: readonly ListedSignal[] } | null>(null);
let release: ReturnType<typeof setTimeout> | undefined;

/**
 * Identifies what the rows depend on. Held rows of another view are not shown, so a new filter or order
 * applies immediately.
 */
function viewOf(kind: SignalKind): string {
  return [kind, signalSort(), ...FILTERS.map(parameter)].join(' ');
}

/** Keeps the rows in place for HELD_MS. Call it whenever the pointer moves over the rows. */
export function holdRows(kind: SignalKind, { rows, isHeld }: SignalRows): void {
  clearTimeout(release);
  release = setTimeout(releaseRows, HELD_MS);
  if (!isHeld) held.value = { view: viewOf(kind), signals: rows.map((row) => row.signal) };
}

export function releaseRows(): void {
  clearTimeout(release);
  held.value = null;
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
