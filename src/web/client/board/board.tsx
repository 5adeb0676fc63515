// The board: prices of all fixtures, bookmaker beside bookmaker, as they move.

import { render } from 'preact';
import { noteVisit } from '../data/api.ts';
import { apiKey } from '../data/choices.ts';
import { countText } from '../data/number-words.ts';
import { clearFilters, parameter } from '../data/view.ts';
import { Bar } from '../parts/bar.tsx';
import { ConnectionMark } from '../parts/connection-mark.tsx';
import { openKeyField } from '../parts/key-field.tsx';
import { ConnectionNotice, Notice } from '../parts/notice.tsx';
import { texts } from '../texts.ts';
import { Filters, SearchField } from './filters.tsx';
import { FixtureList } from './fixture-list.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { SignalsTab } from './signals-tab.tsx';
import { Skeleton } from './skeleton.tsx';
import { fixtureCount, follower, items, mirror, staleness, startFollowing } from './state.ts';
import { Tabs } from './tabs.tsx';

function Board() {
  const tab = parameter('tab');
  return (
    <div class={`board format-${parameter('format')}${staleness.ofAll.value ? ' is-stale' : ''}`}>
      <div class="board-head">
        <Bar>
          <ConnectionMark follower={follower} />
          <FixtureCount />
          <SearchField />
        </Bar>
        <Filters />
        <Tabs />
      </div>
      <main id="content" tabIndex={-1}>
        <h1 class="visually-hidden">{texts.board.title}</h1>
        {tab === 'value' || tab === 'arbitrage' ? <SignalsTab kind={tab} /> : <Prices />}
      </main>
      <Shortcuts />
    </div>
  );
}

function FixtureCount() {
  if (!mirror.isFilled.value) return null;
  const count = fixtureCount.value;
  return (
    <span class="quiet fixture-count">
      {count === 1 ? texts.board.oneFixture : texts.board.fixtures(countText(count))}
    </span>
  );
}

function Prices() {
  const { state } = follower.connection.value;
  if (!mirror.isFilled.value) {
    return state === 'loading' || state === 'live' ? (
      <Skeleton />
    ) : (
      <ConnectionNotice follower={follower} isStrip={false} />
    );
  }
  return (
    <>
      <ConnectionNotice follower={follower} isStrip={true} />
      <TicketNotice />
      {state === 'live' && <StaleNotice />}
      {items.value.length > 0 ? <FixtureList /> : <EmptyNotice />}
    </>
  );
}

/** Who came by the link of the start log is told when its one connection has ended, and what goes on. */
function TicketNotice() {
  if (!follower.isTicketOver.value || apiKey.value !== null) return null;
  const action = { label: texts.key.title, run: openKeyField };
  return <Notice isStrip {...texts.notices.ticketOver} action={action} />;
}

function StaleNotice() {
  if (!mirror.isStale.value || mirror.asOf.value === null) return null;
  return <Notice isStrip {...texts.notices.stale} />;
}

function EmptyNotice() {
  const isFiltered = ['sport', 'league', 'status', 'query'].some((name) => parameter(name as 'sport') !== '');
  if (!isFiltered) return <Notice {...texts.notices.noFixtures} />;
  return <Notice {...texts.notices.empty} action={{ label: texts.board.clear, run: clearFilters }} />;
}

startFollowing();
void noteVisit();
render(<Board />, document.body);
