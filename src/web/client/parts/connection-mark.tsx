// The state of the stream and the age of the feed, in a page's head. Screen readers announce a change of
// state, but not the age.

import type { Follower } from '../data/follow.ts';
import { ageText } from '../data/number-words.ts';
import { texts } from '../texts.ts';
import { nowMs } from './ticking.ts';

/** From this age on the mark shows that prices are old. */
const OLD_AFTER_MS = 60_000;
/** Up to this age the short mark shows no age. */
const NEW_MS = 10_000;

export function ConnectionMark({ follower }: { readonly follower: Follower }) {
  const { state } = follower.connection.value;
  return (
    <span class={`connection connection-${state}`}>
      <span class="dot" aria-hidden="true" />
      <span role="status" class="visually-hidden">
        {texts.connection[state]}
      </span>
      <span aria-hidden="true">
        <ConnectionWords follower={follower} />
      </span>
    </span>
  );
}

interface ConnectionWordsProps {
  readonly follower: Follower;
  /** Whether to show the age only while connected, and only from NEW_MS on. */
  readonly isShort?: boolean;
}

export function ConnectionWords({ follower, isShort = false }: ConnectionWordsProps) {
  const { state } = follower.connection.value;
  const heardAtMs = heardOf(follower);
  const words = texts.connection[state];
  const isConnected = state === 'live' || state === 'polling';
  if (state === 'past' || heardAtMs === null || (isShort && !isConnected)) return <>{words}</>;
  const ageMs = nowMs.value - heardAtMs;
  if (isShort && ageMs < NEW_MS) return <>{words}</>;
  if (!isConnected) return <>{texts.connectionAge(words, texts.pricesOld(ageText(ageMs)))}</>;
  return (
    <>{ageMs > OLD_AFTER_MS ? texts.pricesOld(ageText(ageMs)) : texts.connectionAge(words, ageText(ageMs))}</>
  );
}

/**
 * When the server last heard from the feed; null while that is unknown. Subscribing to the signal would
 * redraw the mark with every price, so once the time is known, only the clock redraws the mark.
 */
function heardOf({ heardAtMs }: Follower): number | null {
  return heardAtMs.peek() ?? heardAtMs.value;
}
