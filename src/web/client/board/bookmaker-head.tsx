// The head of the columns, which stays in sight: the league of the first row, and the bookmakers.

import { bookmakerName } from '../data/page-settings.ts';
import { texts } from '../texts.ts';
import { columns } from './columns.ts';
import { isPhone } from './state.ts';

export function BookmakerHead({ league }: { readonly league: string }) {
  if (isPhone.value) return null;
  return (
    <div class="board-sticky" aria-hidden="true">
      <span class="head-league">{league}</span>
      <span class="head-market" />
      <span class="head-outcome" />
      <span class="head-price head-best">{texts.board.best}</span>
      {columns.value.map((key) => (
        <span key={key} class="head-price" title={bookmakerName(key)}>
          {bookmakerName(key)}
        </span>
      ))}
      <span class="head-trail">{texts.board.trail}</span>
    </div>
  );
}
