// The stream's state and the feed's age, always in sight. Only a change of state is announced; the age is not.

import type { Follower } from '../data/follow.ts';
import { ageText } from '../data/number-words.ts';
import { texts } from '../texts.ts';
import { nowMs } from './ticking.ts';

/** From this age on a feed is old news, and the mark says so. */
const OLD_AFTER_MS = 60_000;

export function ConnectionMark({ follower }: { readonly follower: Follower }) {
  const { state } = follower.connection.value;
  return (
    <span class={`connection connection-${state}`}>
      <span class="dot" aria-hidden="true" />
      <span role="status" class="visually-hidden">
        {texts.connection[state]}
      </span>
      <span aria-hidden="true">
        <Words follower={follower} />
      </span>
    </span>
  );
}

function Words({ follower }: { readonly follower: Follower }) {
  const { state } = follower.connection.value;
  const heardAtMs = follower.heardAtMs.value;
  const words = texts.connection[state];
  if (heardAtMs === null) return <>{words}</>;
  const ageMs = nowMs.value - heardAtMs;
  if (state !== 'live' && state !== 'polling')
    return <>{texts.connectionAge(words, texts.pricesOld(ageText(ageMs)))}</>;
  return (
    <>{ageMs > OLD_AFTER_MS ? texts.pricesOld(ageText(ageMs)) : texts.connectionAge(words, ageText(ageMs))}</>
  );
}
