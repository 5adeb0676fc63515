// The prices of a fixture on a phone: the best price of each outcome with its bookmaker, beside the teams.
// One tap shows all bookmakers and lines.

import { chosenFormat } from '../data/chosen-format.ts';
import type { LineGrid, MarketGrid } from '../data/lines/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { edgeText, lineText, priceText } from '../data/number-words.ts';
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
  readonly isOneMarket: boolean;
}

export function PhoneCard({ fixture, grids, isExpanded, isOneMarket }: PhoneCardProps) {
  const words = isExpanded ? texts.board.bestOnly : texts.board.allBooks;
  return (
    <>
      <button
        type="button"
        class="phone-toggle"
        aria-expanded={isExpanded}
        aria-label={words}
        onClick={() => toggleExpanded(fixture.id)}
      >
        <span aria-hidden="true">{isExpanded ? '▴' : '▾'}</span>
      </button>
      <div class={isOneMarket ? 'phone-card is-beside' : 'phone-card'}>
        {grids.map((grid) => (
          <BestPrices key={`${grid.period} ${grid.market}`} grid={grid} isOneMarket={isOneMarket} />
        ))}
      </div>
      {isExpanded && (
        <div class="phone-books">
          <ScrollRegion label={texts.board.allBooks}>
            <MarketTable
              fixture={fixture}
              grids={grids}
              isExpanded={true}
              books={columns.value}
              hasHead={true}
              isOneMarket={isOneMarket}
            />
          </ScrollRegion>
        </div>
      )}
    </>
  );
}

function BestPrices({ grid, isOneMarket }: { readonly grid: MarketGrid; readonly isOneMarket: boolean }) {
  const line = grid.lines[0]!;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group and not a landmark, because a landmark is around it
    <div class="phone-market" role="group" aria-label={marketLabel(grid, line)}>
      {!isOneMarket && <h3>{marketLabel(grid, line)}</h3>}
      <ul class={`phone-prices phone-prices-${line.outcomes.length}`}>
        {line.outcomes.map((outcome) => (
          <BestPrice key={outcome} grid={grid} line={line} outcome={outcome} />
        ))}
      </ul>
    </div>
  );
}

interface BestPriceProps {
  readonly grid: MarketGrid;
  readonly line: LineGrid;
  readonly outcome: LineGrid['outcomes'][number];
}

function BestPrice({ grid, line, outcome }: BestPriceProps) {
  const best = line.best.get(outcome);
  const move = best && line.quotes.get(best.bookmaker)?.moves.get(outcome);
  const edgePct = best === undefined ? null : line.fair?.edgePct(best.bookmaker, outcome, best.decimal);
  const isAbove = edgePct != null && edgePct > 0;
  const isHandicap = grid.market === 'asian_handicap';
  const side = line.line === null || (isHandicap && outcome === 'away') ? -(line.line ?? 0) || 0 : line.line;
  return (
    <li class={isAbove ? 'above' : undefined}>
      <span class="quiet">
        {texts.outcomes[outcome]} {line.line !== null && lineText(side, isHandicap)}
        {isAbove && <strong title={texts.board.edgeHint}> {edgeText(edgePct)}</strong>}
      </span>
      <span class="phone-price">
        {best === undefined ? '–' : priceText(best.price, chosenFormat())}
        {move !== undefined && <MoveMark move={move} />}
      </span>
      <span class="quiet phone-book">{best === undefined ? '' : bookmakerName(best.bookmaker)}</span>
    </li>
  );
}
