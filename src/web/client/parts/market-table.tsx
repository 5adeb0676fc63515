// The markets of one fixture: a row per outcome, a column per bookmaker, the fair price and the best price's
// edge over it. Each bookmaker's margin is a small figure in the corner of its first price.

import type { Outcome } from '../../../domain/catalogue.ts';
import { chosenPriceText } from '../data/chosen-format.ts';
import type { FairLine } from '../data/lines/fair.ts';
import { bookmakerOverround, type LineGrid, type MarketGrid } from '../data/lines/market-lines.ts';
import type { Fixture } from '../data/mirror.ts';
import { edgeText, lineText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { texts } from '../texts.ts';
import { bestCell, priceCell } from './price-cell.tsx';
import { isPainted } from './scrolled.ts';
import { Sparkline } from './sparkline.tsx';

interface MarketTableProps {
  readonly fixture: Fixture;
  readonly grids: readonly MarketGrid[];
  readonly isExpanded: boolean;
  /** The bookmakers that have a column, in the order of the columns. */
  readonly books: readonly string[];
  /**
   * Whether to show the column names. The board does not, because it shows them once above all tables; its
   * rows end with a sparkline.
   */
  readonly hasHead?: boolean;
  /**
   * Whether only one market is shown. If so, the table has no market column, and the line is shown beside the
   * outcome.
   */
  readonly isOneMarket?: boolean;
}

export function MarketTable(props: MarketTableProps) {
  const { grids, isExpanded, books, hasHead = false, isOneMarket = false } = props;
  return (
    <table class={isOneMarket ? 'market-table one-market' : 'market-table'}>
      {(hasHead || isPainted.value) && (
        <thead class={hasHead ? 'table-head' : 'visually-hidden'}>
          <tr>
            {!isOneMarket && <th scope="col">{texts.board.market}</th>}
            <th scope="col">{texts.board.outcome}</th>
            <th scope="col" title={texts.board.fairHint}>
              {texts.board.fair}
            </th>
            <th scope="col">{texts.board.best}</th>
            <th scope="col" title={texts.board.edgeHint}>
              {texts.board.edge}
            </th>
            {books.map((key) => (
              <th key={key} scope="col">
                {bookmakerName(key)}
              </th>
            ))}
            {!hasHead && <th scope="col">{texts.board.trail}</th>}
          </tr>
        </thead>
      )}
      {grids.flatMap((grid) =>
        (isExpanded ? grid.lines : grid.lines.slice(0, 1)).map((line, index) => (
          <LineRows key={line.key} {...props} grid={grid} line={line} isConsensus={index === 0} />
        )),
      )}
    </table>
  );
}

interface LineRowsProps extends MarketTableProps {
  readonly grid: MarketGrid;
  readonly line: LineGrid;
  readonly isConsensus: boolean;
}

function LineRows(props: LineRowsProps) {
  const { fixture, grid, line, books, isConsensus, hasHead = false, isOneMarket = false } = props;
  const { fair } = line;
  return (
    <tbody class={isConsensus ? 'line' : 'line other-line'}>
      {line.outcomes.map((outcome, index) => {
        const best = line.best.get(outcome);
        return (
          <tr key={outcome}>
            {index === 0 && !isOneMarket && (
              <th class="market" scope="rowgroup" rowSpan={line.outcomes.length}>
                {marketLabel(grid, line)}
              </th>
            )}
            <th class="outcome" scope="row">
              {texts.outcomes[outcome]}
              {isOneMarket && <span class="side-line">{sideLine(grid, line, outcome)}</span>}
            </th>
            {fairCell(fair, outcome)}
            {bestCell(best, index === 0 ? line.bestOverround : null)}
            {edgeCell(
              best === undefined ? null : (fair?.edgePct(best.bookmaker, outcome, best.decimal) ?? null),
            )}
            {books.map((bookmaker) => {
              const quote = line.quotes.get(bookmaker);
              const margin = index === 0 ? bookmakerOverround(line, quote) : null;
              return priceCell({ bookmaker, quote, outcome, best, fair, margin });
            })}
            {!hasHead && (
              <td class="trail">
                <Sparkline trail={fixture.trails.of(line.key, outcome)} />
              </td>
            )}
          </tr>
        );
      })}
    </tbody>
  );
}

function fairCell(fair: FairLine | null, outcome: Outcome) {
  const probability = fair?.probabilities.get(outcome);
  if (fair === null || probability === undefined) return <td class="price fair none">–</td>;
  const from = fair.from === null ? texts.board.consensus : bookmakerName(fair.from);
  return (
    <td class="price fair" title={texts.board.fairFrom(from)}>
      {chosenPriceText(1 / probability)}
    </td>
  );
}

function edgeCell(edgePct: number | null) {
  if (edgePct === null) return <td class="price edge none">–</td>;
  return <td class={edgePct > 0 ? 'price edge is-above' : 'price edge'}>{edgeText(edgePct)}</td>;
}

/** The line as one side has it: "-0.5" for home and "+0.5" for away; "2.5" for a total. Empty for 1x2. */
function sideLine({ market, period }: MarketGrid, { line }: LineGrid, outcome: Outcome): string {
  const mark = texts.periodMarks[period]!.trim();
  if (line === null) return mark;
  const isHandicap = market === 'asian_handicap';
  return `${lineText(isHandicap && outcome === 'away' ? -line || 0 : line, isHandicap)} ${mark}`.trim();
}

/** "1x2", "AH -0.5", "O/U 2.5"; with "HT" before it for half time. */
export function marketLabel(
  { market, period }: Pick<MarketGrid, 'market' | 'period'>,
  { line }: Pick<LineGrid, 'line'>,
): string {
  const name = `${texts.periodMarks[period]}${texts.marketMarks[market]}`;
  return line === null ? name : `${name} ${lineText(line, market === 'asian_handicap')}`;
}
