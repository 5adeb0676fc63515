// The scroll position and the window height, read once per frame.

import { signal } from '@preact/signals';

export const scrollTop = signal(scrollY);
export const viewHeight = signal(innerHeight);

/** Reads both now, for code that has just scrolled the page. */
export function readScroll(): void {
  scrollTop.value = scrollY;
  viewHeight.value = innerHeight;
}

let isQueued = false;
function onMove(): void {
  if (isQueued) return;
  isQueued = true;
  requestAnimationFrame(() => {
    isQueued = false;
    readScroll();
  });
}
addEventListener('scroll', onMove, { passive: true });
addEventListener('resize', onMove);
