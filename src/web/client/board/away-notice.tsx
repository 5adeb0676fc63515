// How many prices moved since the visitor last looked, and a button that removes their marks.

import { ageText, countText } from '../data/number-words.ts';
import { setting } from '../data/setting.ts';
import { absence, isWhileAway } from '../past/away.ts';
import { texts } from '../texts.ts';
import { mirror } from './state.ts';

export function AwayNotice() {
  const away = absence.value;
  if (away === null) return null;
  let count = 0;
  for (const { quotes } of mirror.fixtures()) {
    for (const { moves } of quotes.values()) {
      for (const { atMs, isFromOpening } of moves.values()) {
        if (!isFromOpening && isWhileAway(atMs)) count += 1;
      }
    }
  }
  if (count === 0) return null;
  return (
    <p class="away-notice" role="status">
      <span class="away-mark" aria-hidden="true" />
      {texts.board.movedAway(countText(count), ageText(away.toMs - away.fromMs))}
      <button type="button" class="quiet-button" onClick={setting(absence, null)}>
        {texts.board.seenThem}
      </button>
    </p>
  );
}
