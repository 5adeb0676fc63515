// The instant that the page shows: now, or one of the past. The address has it as `at`, like the API. Played
// forward, it moves on at a multiple of real time, up to now.

import { signal } from '@preact/signals';
import { systemClock } from '../../../clock.ts';
import { serverNowMs } from '../data/api.ts';
import { hasUnits } from '../data/choices.ts';
import { parameter, setParameter } from '../data/view.ts';

export const SPEEDS = [1, 10, 60] as const;

/**
 * The pause between two slates while the past is played. Without a key or an account it is SLOW_STEP_MS,
 * because a slate of the past costs five units.
 */
const STEP_MS = 2_000;
const SLOW_STEP_MS = 15_000;

/** The multiple of real time at which the past is played; null while it is not played. */
export const speed = signal<number | null>(null);

/** Unix ms; null for now. */
export function shownInstantMs(): number | null {
  const at = Date.parse(parameter('at'));
  return Number.isNaN(at) ? null : at;
}

/**
 * Instants closer to the present than this are shown as now: the page knows the server's time only to half a
 * second, and the server refuses an instant of the future.
 */
const NOW_MS = 2_000;

/** Shows an instant. Null means now, and so does one that the server's clock may not have reached yet. */
export function showInstant(atMs: number | null): void {
  const isPast = atMs !== null && atMs < serverNowMs() - NOW_MS;
  if (!isPast) play(null);
  setParameter('at', isPast ? new Date(atMs).toISOString() : '');
}

let timer: ReturnType<typeof setInterval> | undefined;

export function play(times: number | null): void {
  clearInterval(timer);
  speed.value = times;
  if (times === null) return;
  let steppedMs = systemClock.wallMs();
  timer = setInterval(
    () => {
      const nowMs = systemClock.wallMs();
      const elapsedMs = nowMs - steppedMs;
      steppedMs = nowMs;
      const atMs = shownInstantMs();
      showInstant(atMs === null ? null : atMs + elapsedMs * times);
    },
    hasUnits() ? STEP_MS : SLOW_STEP_MS,
  );
}
