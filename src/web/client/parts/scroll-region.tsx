// A part of a page that scrolls sideways, such as a wide table. It is the containing block of its content:
// texts for screen readers are positioned absolutely and would otherwise widen the whole page.

import type { ComponentChildren } from 'preact';

interface ScrollRegionProps {
  /** Its label for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

export function ScrollRegion({ label, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a group and not a landmark, because a landmark is around it
    <div class="scroll-region" role="group" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}
