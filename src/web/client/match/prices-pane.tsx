// All markets and lines of the match, with one tab per period.

import { useSignal } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { ConvertHandicapResponse } from '../../../contract/convert.ts';
import { callJson } from '../data/api.ts';
import { marketGrids } from '../data/lines/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { lineText } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { MarketTable } from '../parts/market-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { texts } from '../texts.ts';
import { Pane } from './pane.tsx';

export function PricesPane({ fixture }: { readonly fixture: Fixture }) {
  // Subscribe here too: a component with its own signals is not drawn again when its parent is.
  void fixture.version.value;
  const period = useSignal('full_time');
  const explained = useSignal<string | null>(null);
  const grids = marketGrids(fixture);
  const shown = grids.filter((grid) => grid.period === period.value);
  const quoted = new Set([...fixture.quotes.values()].map(({ bookmaker }) => bookmaker));
  const books = pageSettings.bookmakers.map(({ key }) => key).filter((key) => quoted.has(key));
  const handicaps = shown.find(({ market }) => market === 'asian_handicap')?.lines ?? [];
  const explain = async (line: number): Promise<void> => {
    const answer = await callJson<Static<typeof ConvertHandicapResponse>>('/v1/convert/handicap', {
      method: 'POST',
      body: { line },
    });
    explained.value = answer.explanation;
  };
  return (
    <Pane title={texts.match.prices} call={{ path: `/v1/events/${fixture.id}/odds` }}>
      <fieldset class="choices">
        <legend class="visually-hidden">{texts.board.period}</legend>
        {Object.entries(texts.periods).map(([key, name]) => (
          <button
            key={key}
            type="button"
            class="chip"
            aria-pressed={period.value === key}
            onClick={() => {
              period.value = key;
            }}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {shown.length === 0 ? (
        <p class="pane-note quiet">{texts.board.noOdds}</p>
      ) : (
        <ScrollRegion label={texts.match.prices}>
          <MarketTable fixture={fixture} grids={shown} isExpanded={true} books={books} hasHead={true} />
        </ScrollRegion>
      )}
      {handicaps.length > 0 && (
        <p class="pane-note">
          {handicaps.map(({ line }) => {
            const text = lineText(line ?? 0, true);
            return (
              <button
                key={text}
                type="button"
                class="chip"
                aria-label={texts.match.explainLine(text)}
                onClick={() => void explain(line ?? 0)}
              >
                {text} ?
              </button>
            );
          })}
        </p>
      )}
      <p class="pane-note" role="status">
        {explained.value}
      </p>
    </Pane>
  );
}
