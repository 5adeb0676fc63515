// One fixture: clock, teams and score on the left, its prices on the right.

import type { OddsDeltaState } from '../../../contract/stream/odds-changes.ts';
import { type MarketGrid, marketGrids } from '../data/lines/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { clockText, dayText, timeText } from '../data/number-words.ts';
import { matchPath, parameter } from '../data/view.ts';
import { MarketTable } from '../parts/market-table.tsx';
import { slowNowMs } from '../parts/ticking.ts';
import { texts } from '../texts.ts';
import { chosenBooks, columns } from './columns.ts';
import { isGrouped, shownMarket } from './layout.ts';
import { PhoneCard } from './phone-card.tsx';
import { Star } from './star.tsx';
import { expanded, isPhone, staleness, toggleExpanded } from './state.ts';

export function FixtureBlock({ fixture }: { readonly fixture: Fixture }) {
  void fixture.version.value;
  const { event, id } = fixture;
  const market = shownMarket();
  const grids = marketGrids(fixture, { market, books: chosenBooks.value });
  const isExpanded = expanded.value.has(id);
  const isStale = staleness.of(fixture);
  const title = `${event.home_team.name} – ${event.away_team.name}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk from fixture to fixture
    <article class={isStale ? 'fixture is-stale' : 'fixture'} data-id={id} tabIndex={0} aria-label={title}>
      <FixtureName fixture={fixture} isStale={isStale} />
      {grids.length === 0 && <p class="quiet no-odds">{texts.board.noOdds}</p>}
      {grids.length > 0 && isPhone.value && (
        <PhoneCard fixture={fixture} grids={grids} isExpanded={isExpanded} isOneMarket={market !== ''} />
      )}
      {grids.length > 0 && !isPhone.value && (
        <div class="markets">
          <MarketTable
            fixture={fixture}
            grids={grids}
            isExpanded={isExpanded}
            books={columns.value}
            isOneMarket={market !== ''}
          />
          <LineToggle id={id} grids={grids} isExpanded={isExpanded} isShort={market !== ''} />
        </div>
      )}
    </article>
  );
}

interface LineToggleProps {
  readonly id: string;
  readonly grids: readonly MarketGrid[];
  readonly isExpanded: boolean;
  /** Whether only one market is shown. Then the button is small and is beside the market's line. */
  readonly isShort: boolean;
}

/** The button that shows all lines, or fewer again. The short button adds no height to the row. */
function LineToggle({ id, grids, isExpanded, isShort }: LineToggleProps) {
  const extra = grids.reduce((sum, { lines }) => sum + lines.length - 1, 0);
  if (extra === 0) return null;
  const words = isExpanded ? texts.board.fewerLines : texts.board.moreLines(extra);
  const mark = isExpanded ? texts.board.fewerLinesMark : texts.board.moreLinesMark(extra);
  return (
    <button
      type="button"
      class={isShort ? 'more-lines is-short' : 'more-lines'}
      aria-expanded={isExpanded}
      aria-label={words}
      title={words}
      onClick={() => toggleExpanded(id)}
    >
      {isShort ? mark : words}
    </button>
  );
}

function FixtureName({ fixture, isStale }: { readonly fixture: Fixture; readonly isStale: boolean }) {
  // Read the version here too, to subscribe to it: a component that reads signals is not redrawn with its
  // parent.
  void fixture.version.value;
  const { event, state, id } = fixture;
  return (
    <div class="names">
      <Star id={id} name={`${event.home_team.name} – ${event.away_team.name}`} />
      <div class="when" title={isStale ? texts.board.stale : undefined}>
        <When fixture={fixture} />
        {isStale && <span class="visually-hidden">{texts.board.stale}</span>}
      </div>
      <a class="teams" href={matchPath(id)}>
        <span class="team">{event.home_team.name}</span>
        <span class="team">{event.away_team.name}</span>
        {!isGrouped() && <span class="team-league quiet">{event.league.name}</span>}
      </a>
      <ScoreMark state={state} scoredAtMs={fixture.scoredAtMs} />
    </div>
  );
}

function When({ fixture }: { readonly fixture: Fixture }) {
  void fixture.version.value;
  const { event, state } = fixture;
  if (state.status === 'live') {
    return (
      <>
        <span class="live-dot" aria-hidden="true" />
        <span class="clock">{state.clock === null ? texts.statuses.live : clockText(state.clock)}</span>
      </>
    );
  }
  if (event.scheduled_at === null) return <span class="quiet">{texts.board.kickoffUnknown}</span>;
  const zone = parameter('timezone');
  return (
    <>
      <time class="clock" dateTime={event.scheduled_at}>
        {timeText(event.scheduled_at, zone)}
      </time>
      <span class="quiet day">
        {state.status === 'finished' ? texts.statuses.finished : dayText(event.scheduled_at, zone)}
      </span>
    </>
  );
}

const MARKED_MS = 60_000;
const SIDES = ['home', 'away'] as const;

interface ScoreMarkProps {
  readonly state: OddsDeltaState;
  readonly scoredAtMs: number | null;
}

/** Score and red cards. A new score is marked for a minute, without flashing. */
function ScoreMark({ state: { score, cards }, scoredAtMs }: ScoreMarkProps) {
  if (score === null) return <div class="score" />;
  return (
    <div class={scoredAtMs === null ? 'score' : 'score was-scored'}>
      {SIDES.map((side) => (
        <span key={side} class="score-side">
          {cards !== null && cards[side] > 0 && (
            <span class="red-card" title={texts.board.redCards(cards[side])}>
              {cards[side]}
              <span class="visually-hidden">{texts.board.redCards(cards[side])}</span>
            </span>
          )}
          <span class="goals">{score[side]}</span>
        </span>
      ))}
      {scoredAtMs !== null && <NewScore scoredAtMs={scoredAtMs} />}
    </div>
  );
}

function NewScore({ scoredAtMs }: { readonly scoredAtMs: number }) {
  if (slowNowMs.value - scoredAtMs > MARKED_MS) return null;
  return (
    <span class="new-score" title={texts.board.justScored}>
      <span aria-hidden="true">●</span>
      <span class="visually-hidden">{texts.board.justScored}</span>
    </span>
  );
}
