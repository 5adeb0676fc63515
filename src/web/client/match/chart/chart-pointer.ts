// The readout of a chart and the drag that chooses a range.

import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { shownInstantMs } from '../../past/instant.ts';
import type { Range, Scale } from './scale.ts';

/** A drag shorter than this is a click. */
const DRAG_PX_MIN = 8;

interface PointerOptions {
  readonly scale: Scale;
  /** The instants that the arrow keys visit. */
  readonly times: readonly number[];
  readonly window: Range;
  /** Set by a drag; null for the whole history. */
  readonly range: Signal<Range | null>;
}

/**
 * The readout and the drag, moved by the pointer or the arrow keys. Before the first move, the readout is at
 * the end of the chart, or at the instant of the past that the page shows.
 */
export function usePointer(
  holder: RefObject<HTMLDivElement | null>,
  { scale, times, window: { fromMs, toMs }, range }: PointerOptions,
) {
  const atMs = useSignal<number | null>(null);
  const dragFrom = useSignal<number | null>(null);
  const pastMs = shownInstantMs();
  const cursorMs = atMs.value ?? (pastMs === null ? null : Math.min(toMs, Math.max(fromMs, pastMs)));
  const at = cursorMs ?? toMs;
  const timeAt = (event: PointerEvent): number => {
    const x = event.clientX - holder.current!.getBoundingClientRect().left;
    return Math.min(toMs, Math.max(fromMs, scale.timeOf(x)));
  };
  const handlers = {
    onKeyDown: (event: KeyboardEvent): void => {
      const next = timeAfterKey(event.key, at, times);
      if (next === undefined) return;
      event.preventDefault();
      atMs.value = next;
    },
    onPointerMove: (event: PointerEvent): void => {
      atMs.value = timeAt(event);
    },
    onPointerLeave: (): void => {
      atMs.value = null;
      dragFrom.value = null;
    },
    onPointerDown: (event: PointerEvent): void => {
      dragFrom.value = timeAt(event);
    },
    onPointerUp: (event: PointerEvent): void => {
      const begin = dragFrom.value;
      dragFrom.value = null;
      if (begin === null) return;
      const end = timeAt(event);
      if (Math.abs(scale.x(end) - scale.x(begin)) >= DRAG_PX_MIN) {
        range.value = { fromMs: Math.min(begin, end), toMs: Math.max(begin, end) };
      }
    },
    onDblClick: (): void => {
      range.value = null;
    },
  };
  const drag = dragFrom.value === null ? null : { fromMs: dragFrom.value, toMs: at };
  return { at, cursorMs, drag, handlers };
}

function timeAfterKey(key: string, at: number, times: readonly number[]): number | undefined {
  if (key === 'ArrowRight') return times.find((atMs) => atMs > at) ?? at;
  if (key === 'ArrowLeft') return times.findLast((atMs) => atMs < at) ?? at;
  if (key === 'Home') return times[0];
  return key === 'End' ? times.at(-1) : undefined;
}
