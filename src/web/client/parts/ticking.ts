// Clocks that components may read; such components are drawn again as time passes.

import { signal } from '@preact/signals';
import { systemClock } from '../../../clock.ts';

const STEP_MS = 500;
const SLOW_STEP_MS = 10_000;

/** This machine's time, updated every half second while the page is visible. */
export const nowMs = signal(systemClock.wallMs());

/** This machine's time, updated every ten seconds, for the many components that mark moves and goals. */
export const slowNowMs = signal(systemClock.wallMs());

setInterval(() => {
  if (!document.hidden) nowMs.value = systemClock.wallMs();
}, STEP_MS);
setInterval(() => {
  slowNowMs.value = systemClock.wallMs();
}, SLOW_STEP_MS);
document.addEventListener('visibilitychange', () => {
  nowMs.value = systemClock.wallMs();
});
