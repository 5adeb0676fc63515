// The star of a fixture or a league.

import { stars, toggleStar } from '../data/stars.ts';
import { texts } from '../texts.ts';

export function Star({ id, name }: { readonly id: string; readonly name: string }) {
  const isStarred = stars.value.has(id);
  return (
    <button
      type="button"
      class={isStarred ? 'star is-starred' : 'star'}
      aria-pressed={isStarred}
      aria-label={texts.board.star(name)}
      title={isStarred ? texts.board.unstar : texts.board.starHint}
      onClick={() => toggleStar(id)}
    >
      <span aria-hidden="true">{isStarred ? '★' : '☆'}</span>
    </button>
  );
}
