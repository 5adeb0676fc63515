// The match page: prices of all markets and lines, their movement, the scorelines they imply, and fair
// prices.

import { render } from 'preact';
import type { Event } from '../../../contract/event.ts';
import { Skeleton } from '../board/skeleton.tsx';
import { noteVisit } from '../data/api.ts';
import { keptPosition } from '../data/board-position.ts';
import { clockText } from '../data/number-words.ts';
import { parameter } from '../data/view.ts';
import { Bar } from '../parts/bar.tsx';
import { ConnectionMark } from '../parts/connection-mark.tsx';
import { LinkNotice } from '../parts/link-notice.tsx';
import { ConnectionNotice, Notice } from '../parts/notice.tsx';
import { StickyLine } from '../parts/sticky-line.tsx';
import { TimeMachine, TimeMachineButton } from '../past/time-machine.tsx';
import { texts } from '../texts.ts';
import { AfterPane } from './after-pane.tsx';
import { FairPane } from './fair-pane.tsx';
import { MatchHead, ResultHead } from './head.tsx';
import { matchTexts } from './match-texts.ts';
import { MovementPane } from './movement-pane.tsx';
import { PricesPane } from './prices-pane.tsx';
import { ScoresPane } from './scores-pane.tsx';
import { eventId, follower, found, mirror, staleness, start } from './state.ts';

function MatchPage() {
  return (
    <div class="match-page">
      <Bar>
        <a href={boardPath()}>{matchTexts.back}</a>
        {found.value.kind === 'fixture' && <ConnectionMark follower={follower} />}
        {found.value.kind === 'fixture' && <TimeMachineButton />}
      </Bar>
      {found.value.kind === 'fixture' && <Scrolled event={found.value.event} />}
      <main id="content" tabIndex={-1}>
        <LinkNotice />
        <Content />
      </main>
    </div>
  );
}

/** The board as the visitor left it, at the instant that this page shows. */
function boardPath(): string {
  const address = new URLSearchParams(keptPosition()?.query);
  const at = parameter('at');
  if (at === '') address.delete('at');
  else address.set('at', at);
  return `/${address.size === 0 ? '' : `?${address}`}`;
}

/** Match and score, shown at the top once the page's head has scrolled out of sight. */
function Scrolled({ event }: { readonly event: Event }) {
  void mirror.listVersion.value;
  const fixture = mirror.get(eventId);
  void fixture?.version.value;
  const { home_team: home, away_team: away } = fixture?.event ?? event;
  const state = fixture?.state;
  return (
    <StickyLine follower={follower}>
      {matchTexts.vs(home.name, away.name)}
      {state?.score != null && ` ${state.score.home} – ${state.score.away}`}
      {state?.status === 'live' && state.clock !== null && ` · ${clockText(state.clock)}`}
    </StickyLine>
  );
}

function Content() {
  const now = found.value;
  if (now.kind === 'loading') return <Skeleton />;
  if (now.kind === 'result') {
    return (
      <>
        <ResultHead result={now.result} />
        <div class="panes">
          <AfterPane eventId={eventId} />
        </div>
      </>
    );
  }
  if (now.kind === 'failed') {
    // 400: the address holds no id at all.
    const isUnknown = now.failure.status === 404 || now.failure.status === 400;
    return (
      <Notice
        title={isUnknown ? matchTexts.notFound : now.failure.message}
        text={isUnknown ? matchTexts.notFoundText : (now.failure.fix ?? '')}
      />
    );
  }
  void mirror.listVersion.value;
  const fixture = mirror.get(eventId);
  void fixture?.version.value;
  const isStale = fixture !== undefined && staleness.of(fixture);
  const isNow = parameter('at') === '';
  return (
    <>
      <TimeMachine />
      <ConnectionNotice follower={follower} isStrip={true} />
      {isStale && !staleness.ofAll.value && <Notice isStrip {...texts.notices.stale} />}
      <MatchHead event={fixture?.event ?? now.event} fixture={fixture} />
      {fixture !== undefined && (
        <div class={isStale ? 'panes is-stale' : 'panes'}>
          <div>
            {fixture.state.status === 'finished' && <AfterPane eventId={eventId} />}
            <MovementPane fixture={fixture} />
            <PricesPane fixture={fixture} />
          </div>
          <div>
            <FairPane fixture={fixture} hasSignals={isNow} />
            <ScoresPane fixture={fixture} />
          </div>
        </div>
      )}
    </>
  );
}

void start();
void noteVisit();
render(<MatchPage />, document.body);
