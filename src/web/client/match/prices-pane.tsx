// All markets and lines of the match, with one tab per period, and what the handicaps mean.

import { useSignal } from '@preact/signals';
import { explainHandicap } from '../../../domain/handicap.ts';
import { marketGrids } from '../data/lines/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { pageSettings } from '../data/page-settings.ts';
import { into } from '../data/setting.ts';
import { MarketTable } from '../parts/market-table.tsx';
import { Segments } from '../parts/one-of.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { texts } from '../texts.ts';
import { matchTexts } from './match-texts.ts';
import { Pane } from './pane.tsx';

export function PricesPane({ fixture }: { readonly fixture: Fixture }) {
  // Read the version here too, to subscribe to it: a component that reads signals is not redrawn with its
  // parent.
  void fixture.version.value;
  const period = useSignal('full_time');
  const grids = marketGrids(fixture);
  const shown = grids.filter((grid) => grid.period === period.value);
  const quoted = new Set([...fixture.quotes.values()].map(({ bookmaker }) => bookmaker));
  const books = pageSettings.bookmakers.map(({ key }) => key).filter((key) => quoted.has(key));
  const handicaps = shown.find(({ market }) => market === 'asian_handicap')?.lines ?? [];
  return (
    <Pane title={matchTexts.prices} call={{ path: `/v1/events/${fixture.id}/odds` }}>
      <Segments
        isChips
        label={texts.board.period}
        options={Object.entries(texts.periods)}
        value={period.value}
        onChoose={into(period)}
      />
      {shown.length === 0 ? (
        <p class="pane-note quiet">{texts.board.noOdds}</p>
      ) : (
        <ScrollRegion label={matchTexts.prices}>
          <MarketTable fixture={fixture} grids={shown} isExpanded={true} books={books} hasHead={true} />
        </ScrollRegion>
      )}
      {handicaps.length > 0 && (
        <HandicapWords fixture={fixture} lines={handicaps.map(({ line }) => line ?? 0)} />
      )}
    </Pane>
  );
}

interface HandicapWordsProps {
  readonly fixture: Fixture;
  readonly lines: readonly number[];
}

/** What each handicap means, in words. In play, a football handicap counts from the present score. */
function HandicapWords({ fixture: { event, state }, lines }: HandicapWordsProps) {
  const score = event.sport === 'football' && state.status === 'live' ? state.score : null;
  return (
    <>
      <h3 class="pane-subtitle">{matchTexts.explain}</h3>
      {score !== null && <p class="pane-note">{matchTexts.fromScore(`${score.home}–${score.away}`)}</p>}
      <ul class="handicap-words">
        {lines.map((line) => (
          <li key={line}>{explainHandicap(line).explanation}</li>
        ))}
      </ul>
    </>
  );
}
