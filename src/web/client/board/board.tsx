// The board page: prices of all fixtures, one column per bookmaker, updated live.

import { effect, signal, untracked } from '@preact/signals';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { noteVisit } from '../data/api.ts';
import { hasEarlyStream } from '../data/early-stream.ts';
import { ageText, countText } from '../data/number-words.ts';
import { setting } from '../data/setting.ts';
import { SHOWN_KINDS } from '../data/signal-book.ts';
import { clearFilters, parameter } from '../data/view.ts';
import { Bar } from '../parts/bar.tsx';
import { ConnectionMark } from '../parts/connection-mark.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { lazy } from '../parts/lazy.tsx';
import { LinkNotice } from '../parts/link-notice.tsx';
import { ConnectionNotice, Notice } from '../parts/notice.tsx';
import { absence, isWhileAway } from '../past/away.ts';
import { TimeMachine } from '../past/time-machine.tsx';
import { texts } from '../texts.ts';
import { Filters, isTyping, SearchField } from './filters.tsx';
import { FixtureList } from './fixture-list.tsx';
import { fixtureCount, items } from './order.ts';
import { Skeleton } from './skeleton.tsx';
import { follower, mirror, staleness, startFollowing } from './state.ts';
import { Tabs } from './tabs.tsx';

function Board() {
  const tab = parameter('tab');
  const kind = SHOWN_KINDS.find((one) => one === tab);
  return (
    <div class={`board density-${parameter('density')}${staleness.ofAll.value ? ' is-stale' : ''}`}>
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
        <LinkNotice />
        <TimeMachine />
        <AwayNotice />
        {kind === undefined ? <Prices /> : <SignalsTab kind={kind} />}
      </main>
      <Shortcuts />
    </div>
  );
}

/** The tab of signals, whose code is loaded when the tab is first shown. */
const SignalsTab = lazy(async () => (await import('../signals/signals-tab.tsx')).SignalsTab, Skeleton);

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
    return state === 'loading' || state === 'live' || state === 'past' ? (
      <Skeleton />
    ) : (
      <ConnectionNotice follower={follower} isStrip={false} />
    );
  }
  return (
    <>
      <ConnectionNotice follower={follower} isStrip={true} />
      {state === 'live' && <StaleNotice />}
      {items.value.length > 0 ? <FixtureList /> : <EmptyNotice />}
    </>
  );
}

function StaleNotice() {
  if (!mirror.isStale.value || mirror.asOf.value === null) return null;
  return <Notice isStrip {...texts.notices.stale} />;
}

function EmptyNotice() {
  const isFiltered = ['sport', 'league', 'status', 'finished', 'starts', 'starred', 'query'].some(
    (name) => parameter(name as 'sport') !== '',
  );
  if (!isFiltered) return <Notice {...texts.notices.noFixtures} />;
  return <Notice {...texts.notices.empty} action={{ label: texts.board.clear, run: clearFilters }} />;
}

/** How many prices moved while the visitor was away, and a button that removes their marks. */
function AwayNotice() {
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

const areShortcutsOpen = signal(false);

/** The dialog that lists the keyboard shortcuts; `?` opens it. */
function Shortcuts() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === '?' && !isTyping(event.target)) areShortcutsOpen.value = true;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!areShortcutsOpen.value) return null;
  return (
    <Dialog title={texts.shortcuts} onClose={setting(areShortcutsOpen, false)}>
      <dl class="shortcuts">
        {texts.shortcutList.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** How long the first frame waits for prices that were requested before this script ran. */
const FIRST_FRAME_WAIT_MS = 100;

/**
 * Draws the page. If prices were requested early, waits a moment for them, so that nothing is drawn twice.
 */
function draw(): void {
  const isDue = signal(!hasEarlyStream());
  setTimeout(() => {
    isDue.value = true;
  }, FIRST_FRAME_WAIT_MS);
  let isDrawn = false;
  effect(() => {
    if (isDrawn || !(isDue.value || mirror.isFilled.value)) return;
    isDrawn = true;
    untracked(() => render(<Board />, document.body));
  });
}

draw();
startFollowing();
void noteVisit();
