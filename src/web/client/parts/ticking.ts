// When components are drawn again: after what they read has changed, and by clocks that they may read.

import { signal } from '@preact/signals';
import { options } from 'preact';
import { systemClock } from '../../../clock.ts';

/**
 * Hidden pages have no frames. They are drawn at this interval, so that what they load is there once they are
 * shown.
 */
const HIDDEN_STEP_MS = 1_000;

let isDrawnInFrame = false;

/**
 * The first change after a frame is drawn immediately, so that an answer to the visitor never waits. Further
 * changes before the next frame are drawn together in that frame, because a stream can bring many.
 */
options.debounceRendering = (draw) => {
  if (!isDrawnInFrame) {
    isDrawnInFrame = true;
    requestAnimationFrame(() => {
      isDrawnInFrame = false;
    });
    queueMicrotask(draw);
    return;
  }
  const drawNow = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    draw();
  };
  const frame = requestAnimationFrame(drawNow);
  const timer = setTimeout(drawNow, HIDDEN_STEP_MS);
};

const STEP_MS = 1_000;
const SLOW_STEP_MS = 10_000;

/** This machine's time, updated every second while the page is visible. */
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
