// Whether the visitor can see a part of the page: it is inside the window, and the tab is not hidden.

import { type Signal, signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const isPageShown = signal(!document.hidden);
document.addEventListener('visibilitychange', () => {
  isPageShown.value = !document.hidden;
});

export function useIsSeen(element: RefObject<HTMLElement | null>): boolean {
  const isInWindow: Signal<boolean> = useSignal(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      isInWindow.value = entries.at(-1)?.isIntersecting ?? false;
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return isInWindow.value && isPageShown.value;
}
