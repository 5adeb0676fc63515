// One fixture: teams, clock and score on the left, its markets on the right.

import { marketGrids } from '../data/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { dayText, timeText } from '../data/number-words.ts';
import { matchPath, parameter } from '../data/view.ts';
import { MarketTable } from '../parts/market-table.tsx';
import { texts } from '../texts.ts';
import { columns } from './columns.ts';
import { PhoneCard } from './phone-card.tsx';
import { ScoreMark } from './score-mark.tsx';
import { expanded, isPhone, staleness, toggleExpanded } from './state.ts';

/**
 * Estimated heights in pixels of a fixture that has not been drawn yet: without prices, and by the number of
 * outcomes.
 */
const EMPTY_HEIGHT = 87;
const HEIGHTS: Readonly<Record<string, number>> = { football: 280, basketball: 253 };
const PHONE_HEIGHT = 300;

/** An estimate, cheap enough to compute for all fixtures at once. */
export function fixtureHeight({ event, quotes }: Fixture): number {
  if (quotes.size === 0) return EMPTY_HEIGHT;
  return isPhone.value ? PHONE_HEIGHT : (HEIGHTS[event.sport] ?? PHONE_HEIGHT);
}

export function FixtureBlock({ fixture }: { readonly fixture: Fixture }) {
  void fixture.version.value;
  const { event, id } = fixture;
  const grids = marketGrids(fixture);
  const isExpanded = expanded.value.has(id);
  const isStale = staleness.of(fixture);
  const title = `${event.home_team.name} – ${event.away_team.name}`;
  const extra = grids.reduce((sum, { lines }) => sum + lines.length - 1, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk from fixture to fixture
    <article class={isStale ? 'fixture is-stale' : 'fixture'} data-id={id} tabIndex={0} aria-label={title}>
      <FixtureName fixture={fixture} isStale={isStale} />
      {grids.length === 0 && <p class="quiet no-odds">{texts.board.noOdds}</p>}
      {grids.length > 0 && isPhone.value && (
        <PhoneCard fixture={fixture} grids={grids} isExpanded={isExpanded} />
      )}
      {grids.length > 0 && !isPhone.value && (
        <div class="markets">
          <MarketTable fixture={fixture} grids={grids} isExpanded={isExpanded} books={columns.value} />
          {extra > 0 && (
            <button
              type="button"
              class="more-lines"
              aria-expanded={isExpanded}
              onClick={() => toggleExpanded(id)}
            >
              {isExpanded ? texts.board.fewerLines : texts.board.moreLines(extra)}
            </button>
          )}
        </div>
      )}
    </article>
  );
}

function FixtureName({ fixture, isStale }: { readonly fixture: Fixture; readonly isStale: boolean }) {
  const { event, state, id } = fixture;
  return (
    <div class="names">
      <div class="when" title={isStale ? texts.board.stale : undefined}>
        <When fixture={fixture} />
        {isStale && <span class="visually-hidden">{texts.board.stale}</span>}
      </div>
      <a class="teams" href={matchPath(id)}>
        <span class="team">{event.home_team.name}</span>
        <span class="team">{event.away_team.name}</span>
      </a>
      <ScoreMark state={state} scoredAtMs={fixture.scoredAtMs} />
    </div>
  );
}

function When({ fixture: { event, state } }: { readonly fixture: Fixture }) {
  if (state.status === 'live') {
    return (
      <>
        <span class="live-dot" aria-hidden="true" />
        <span class="clock">{state.clock ?? texts.statuses.live}</span>
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
