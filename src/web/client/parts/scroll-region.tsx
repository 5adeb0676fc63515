// A part of a page that scrolls sideways by itself, as wide tables do.

import type { ComponentChildren } from 'preact';

interface ScrollRegionProps {
  readonly class: string;
  /** What it holds, for who does not see it. */
  readonly label: string;
  readonly children: ComponentChildren;
}

export function ScrollRegion({ class: className, label, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
