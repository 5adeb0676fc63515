// What is in sight: the scroll position and the window height, read once per frame, and whether the first
// rows have been painted.

import { signal } from '@preact/signals';

export const scrollTop = signal(scrollY);
export const viewHeight = signal(innerHeight);

/** Reads the scroll position and the window height now, for code that has just scrolled the page. */
export function readScroll(): void {
  scrollTop.value = scrollY;
  viewHeight.value = innerHeight;
}

// Browsers send these events once a frame, before the page draws.
addEventListener('scroll', readScroll, { passive: true });
addEventListener('resize', readScroll);

/**
 * Whether the first rows of the page have been painted. Until then, components leave out what nobody sees, so
 * that the rows appear sooner.
 */
export const isPainted = signal(false);

/** Sets `isPainted` after the next frame. Call it when the first rows are in the document. */
export function noteRows(): void {
  // The browser paints the rows between the callback of the frame and that of the time-out.
  requestAnimationFrame(() =>
    setTimeout(() => {
      isPainted.value = true;
    }),
  );
}
