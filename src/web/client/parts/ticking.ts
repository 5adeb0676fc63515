// A clock that components may read: they are drawn again as it moves.

import { signal } from '@preact/signals';
import { systemClock } from '../../../clock.ts';

const STEP_MS = 500;
const SLOW_STEP_MS = 10_000;

/** This machine's time, moved on every half second while the page is seen. */
export const nowMs = signal(systemClock.wallMs());

/** The same every ten seconds, for what many components read: the marks of moves and of goals. */
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
