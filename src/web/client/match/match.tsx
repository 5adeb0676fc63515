// One match: prices of all markets and lines, how they moved, what they say of the score, and what is fair.

import { render } from 'preact';
import { noteVisit } from '../data/api.ts';
import { Bar } from '../parts/bar.tsx';
import { ConnectionMark } from '../parts/connection-mark.tsx';
import { ConnectionNotice, Notice } from '../parts/notice.tsx';
import { texts } from '../texts.ts';
import { FairPane } from './fair-pane.tsx';
import { MatchHead, ResultHead } from './head.tsx';
import { MovementPane } from './movement-pane.tsx';
import { PricesPane } from './prices-pane.tsx';
import { ScoresPane } from './scores-pane.tsx';
import { eventId, follower, found, mirror, staleness, start } from './state.ts';

function MatchPage() {
  return (
    <div class="match-page">
      <Bar>
        <a href="/">{texts.match.back}</a>
        {found.value.kind === 'fixture' && <ConnectionMark follower={follower} />}
      </Bar>
      <main id="content" tabIndex={-1}>
        <Content />
      </main>
    </div>
  );
}

function Content() {
  const now = found.value;
  if (now.kind === 'loading') return <div class="skeleton" role="status" aria-label={texts.board.skeleton} />;
  if (now.kind === 'result') return <ResultHead result={now.result} />;
  if (now.kind === 'failed') {
    const isUnknown = now.failure.status === 404;
    return (
      <Notice
        title={isUnknown ? texts.match.notFound : now.failure.message}
        text={isUnknown ? texts.match.notFoundText : (now.failure.fix ?? '')}
      />
    );
  }
  void mirror.listVersion.value;
  const fixture = mirror.get(eventId);
  void fixture?.version.value;
  const isStale = fixture !== undefined && staleness.of(fixture);
  return (
    <>
      <ConnectionNotice follower={follower} isStrip={true} />
      {isStale && !staleness.ofAll.value && <Notice isStrip {...texts.notices.stale} />}
      <MatchHead event={fixture?.event ?? now.event} fixture={fixture} />
      {fixture !== undefined && (
        <div class={isStale ? 'panes is-stale' : 'panes'}>
          <PricesPane fixture={fixture} />
          <MovementPane fixture={fixture} />
          <ScoresPane fixture={fixture} />
          <FairPane fixture={fixture} />
        </div>
      )}
    </>
  );
}

void start();
void noteVisit();
render(<MatchPage />, document.body);
