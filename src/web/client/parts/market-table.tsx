// The markets of one fixture: a row per outcome, a column per bookmaker, and each bookmaker's overround below
// its prices.

import type { Outcome } from '../../../domain/catalogue.ts';
import { bookmakerOverround, type LineGrid, type MarketGrid } from '../data/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { lineText, marginText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { texts } from '../texts.ts';
import { BestCell, PriceCell } from './price-cell.tsx';
import { Sparkline } from './sparkline.tsx';

interface MarketTableProps {
  readonly fixture: Fixture;
  readonly grids: readonly MarketGrid[];
  readonly isExpanded: boolean;
  /** The bookmakers that have a column, in catalogue order. */
  readonly books: readonly string[];
  /** Whether to show the column names. The board does not: its column head is above all tables. */
  readonly hasHead?: boolean;
}

export function MarketTable({ fixture, grids, isExpanded, books, hasHead = false }: MarketTableProps) {
  return (
    <table class="market-table">
      <thead class={hasHead ? 'table-head' : 'visually-hidden'}>
        <tr>
          <th scope="col">{texts.board.market}</th>
          <th scope="col">{texts.board.outcome}</th>
          <th scope="col">{texts.board.best}</th>
          {books.map((key) => (
            <th key={key} scope="col">
              {bookmakerName(key)}
            </th>
          ))}
          <th scope="col">{texts.board.trail}</th>
        </tr>
      </thead>
      {grids.flatMap((grid) =>
        (isExpanded ? grid.lines : grid.lines.slice(0, 1)).map((line, index) => (
          <LineRows
            key={line.key}
            fixture={fixture}
            grid={grid}
            line={line}
            books={books}
            isConsensus={index === 0}
          />
        )),
      )}
    </table>
  );
}

interface LineRowsProps {
  readonly fixture: Fixture;
  readonly grid: MarketGrid;
  readonly line: LineGrid;
  readonly books: readonly string[];
  readonly isConsensus: boolean;
}

function LineRows({ fixture, grid, line, books, isConsensus }: LineRowsProps) {
  return (
    <tbody class={isConsensus ? 'line' : 'line other-line'}>
      {line.outcomes.map((outcome, index) => (
        <tr key={outcome}>
          {index === 0 && (
            <th class="market" scope="rowgroup" rowSpan={line.outcomes.length + 1}>
              {marketLabel(grid, line)}
            </th>
          )}
          <th class="outcome" scope="row">
            {texts.outcomes[outcome]}
          </th>
          <BestCell best={line.best.get(outcome)} />
          {books.map((key) => (
            <PriceCell
              key={key}
              quote={line.quotes.get(key)}
              outcome={outcome}
              best={line.best.get(outcome)}
            />
          ))}
          <td class="trail">
            <Sparkline trail={fixture.trails.of(line.key, outcome as Outcome)} />
          </td>
        </tr>
      ))}
      <tr class="margin-row">
        <th class="outcome" scope="row" title={texts.board.marginHint}>
          {texts.board.margin}
        </th>
        <td class="price">{line.bestOverround === null ? '' : marginText(line.bestOverround)}</td>
        {books.map((key) => {
          const overround = bookmakerOverround(line, line.quotes.get(key));
          return (
            <td key={key} class="price">
              {overround === null ? '' : marginText(overround)}
            </td>
          );
        })}
        <td class="trail margin-unit">%</td>
      </tr>
    </tbody>
  );
}

/** "1x2", "AH -0.5", "O/U 2.5"; with "HT" before it for half time. */
export function marketLabel({ market, period }: MarketGrid, { line }: LineGrid): string {
  const name = `${texts.periodMarks[period]}${texts.marketMarks[market]}`;
  return line === null ? name : `${name} ${lineText(line, market === 'asian_handicap')}`;
}
