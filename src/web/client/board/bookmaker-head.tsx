// The sticky column head: the league of the first visible row, the bookmakers, and the connection state once
// the page's own connection mark has scrolled out of sight. On a phone there are no columns, so only league
// and state are shown.

import { bookmakerName, EXCHANGES } from '../data/page-settings.ts';
import { ScrolledConnection, StickyLine } from '../parts/sticky-line.tsx';
import { stripHeight } from '../past/time-machine.tsx';
import { texts } from '../texts.ts';
import { columns } from './columns.ts';
import { shownMarket } from './layout.ts';
import { follower, isPhone } from './state.ts';

/** In pixels; they must agree with the style sheet. */
const HEAD_HEIGHT = 28;
const PHONE_TABS_HEIGHT = 47;

/** How much of the window's top is covered once the page is scrolled: rows begin below. In pixels. */
export function headBottom(): number {
  const above = isPhone.value ? PHONE_TABS_HEIGHT : 0;
  return HEAD_HEIGHT + (stripHeight.value > 0 ? stripHeight.value : above);
}

export function BookmakerHead({ league }: { readonly league: string }) {
  if (isPhone.value) return <StickyLine follower={follower}>{league}</StickyLine>;
  return (
    <div class="board-sticky" aria-hidden="true">
      <span class="head-league">
        <span class="sticky-title">{league}</span>
        <ScrolledConnection follower={follower} />
      </span>
      {shownMarket() === '' && <span class="head-market" />}
      <span class="head-outcome" />
      <span class="head-price" title={texts.board.fairHint}>
        {texts.board.fair}
      </span>
      <span class="head-price head-best">{texts.board.best}</span>
      <span class="head-price head-edge" title={texts.board.edgeHint}>
        {texts.board.edge}
      </span>
      {columns.value.map((key) => (
        <span
          key={key}
          class="head-price"
          title={EXCHANGES.has(key) ? texts.board.exchangeHint(bookmakerName(key)) : bookmakerName(key)}
        >
          {bookmakerName(key)}
        </span>
      ))}
      <span class="head-trail">{texts.board.trail}</span>
    </div>
  );
}
