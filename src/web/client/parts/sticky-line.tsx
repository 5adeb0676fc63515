// A line that stays in sight once the page's head has scrolled away: what the page is about, and the state of
// the stream.

import type { ComponentChildren } from 'preact';
import type { Follower } from '../data/follow.ts';
import { ConnectionWords } from './connection-mark.tsx';
import { scrollTop } from './scrolled.ts';

/** From this scroll position on, in pixels, the page's own connection mark is out of sight. */
const SCROLLED_FROM = 32;

interface StickyLineProps {
  readonly follower: Follower;
  readonly children: ComponentChildren;
}

/**
 * A line at the top of a scrolled page. It repeats other content of the page, so assistive technology skips
 * it.
 */
export function StickyLine({ follower, children }: StickyLineProps) {
  if (scrollTop.value < SCROLLED_FROM) return null;
  return (
    <div class="sticky-line" aria-hidden="true">
      <div>
        <span class="sticky-title">{children}</span>
        <ScrolledConnection follower={follower} />
      </div>
    </div>
  );
}

/** The state of the stream, shown while the page's own connection mark is out of sight. */
export function ScrolledConnection({ follower }: { readonly follower: Follower }) {
  if (scrollTop.value < SCROLLED_FROM) return null;
  return (
    <span class={`connection connection-${follower.connection.value.state}`}>
      <span class="dot" />
      <span>
        <ConnectionWords follower={follower} isShort={true} />
      </span>
    </span>
  );
}
