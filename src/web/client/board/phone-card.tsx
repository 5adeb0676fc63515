// A fixture on a phone: the best price of each outcome with its bookmaker. One tap shows all bookmakers.

import { chosenFormat } from '../data/chosen-format.ts';
import type { MarketGrid } from '../data/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { priceText, shareText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { MarketTable, marketLabel } from '../parts/market-table.tsx';
import { MoveMark } from '../parts/price-cell.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { texts } from '../texts.ts';
import { columns } from './columns.ts';
import { toggleExpanded } from './state.ts';

interface PhoneCardProps {
  readonly fixture: Fixture;
  readonly grids: readonly MarketGrid[];
  readonly isExpanded: boolean;
}

export function PhoneCard({ fixture, grids, isExpanded }: PhoneCardProps) {
  return (
    <div class="phone-card">
      {isExpanded ? (
        <ScrollRegion label={texts.board.allBooks}>
          <MarketTable
            fixture={fixture}
            grids={grids}
            isExpanded={true}
            books={columns.value}
            hasHead={true}
          />
        </ScrollRegion>
      ) : (
        grids.map((grid) => <BestPrices key={`${grid.period} ${grid.market}`} grid={grid} />)
      )}
      <button
        type="button"
        class="more-lines"
        aria-expanded={isExpanded}
        onClick={() => toggleExpanded(fixture.id)}
      >
        {isExpanded ? texts.board.bestOnly : texts.board.allBooks}
      </button>
    </div>
  );
}

function BestPrices({ grid }: { readonly grid: MarketGrid }) {
  const line = grid.lines[0]!;
  return (
    <section class="phone-market">
      <h3>
        {marketLabel(grid, line)}
        {line.bestOverround !== null && <span class="quiet"> {shareText(line.bestOverround)}</span>}
      </h3>
      <ul class={`phone-prices phone-prices-${line.outcomes.length}`}>
        {line.outcomes.map((outcome) => {
          const best = line.best.get(outcome);
          return (
            <li key={outcome}>
              <span class="quiet">{texts.outcomes[outcome]}</span>
              <span class="phone-price">
                {best === undefined ? '–' : priceText(best.price, chosenFormat())}
                <MoveMark move={best && line.quotes.get(best.bookmaker)?.moves.get(outcome)} />
              </span>
              <span class="quiet">{best === undefined ? '' : bookmakerName(best.bookmaker)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
