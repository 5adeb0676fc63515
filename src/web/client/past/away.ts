// The time during which the page was hidden last, so that it can mark what moved meanwhile.

import { signal } from '@preact/signals';
import { systemClock } from '../../../clock.ts';

/** A shorter absence is not worth a mark. */
const AWAY_MS_MIN = 5_000;

export interface Absence {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Null until the page has been hidden for AWAY_MS_MIN, and again once the marks were removed. */
export const absence = signal<Absence | null>(null);

let hiddenAtMs: number | null = null;
document.addEventListener('visibilitychange', () => {
  const nowMs = systemClock.wallMs();
  if (document.hidden) {
    hiddenAtMs = nowMs;
    return;
  }
  if (hiddenAtMs !== null && nowMs - hiddenAtMs >= AWAY_MS_MIN) {
    absence.value = { fromMs: hiddenAtMs, toMs: nowMs };
  }
  hiddenAtMs = null;
});

export function isWhileAway(atMs: number): boolean {
  const away = absence.value;
  return away !== null && atMs >= away.fromMs && atMs <= away.toMs;
}
