// Fair prices of every market by three methods, beside the best price and its edge, and the open signals of
// this match. The page computes the fair prices itself from the prices that it shows; the signals come with
// the stream. Neither costs a request.

import type { Outcome } from '../../../domain/catalogue.ts';
import { FAIR_METHODS } from '../../../domain/devig.ts';
import { chosenFormat, chosenPriceText } from '../data/chosen-format.ts';
import { type LineGrid, type MarketGrid, marketGrids } from '../data/lines/market-lines.ts';
import { fairPricesOf, methodOf, sharpestOf } from '../data/lines/sharpest.ts';
import type { Fixture } from '../data/mirror.ts';
import { ageText, edgeText, priceText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import { betOf, type ListedSignal, SHOWN_KINDS, sizeOf } from '../data/signal-book.ts';
import { marketLabel } from '../parts/market-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { nowMs } from '../parts/ticking.ts';
import { betText, legText } from '../signals/signal-texts.ts';
import { texts } from '../texts.ts';
import { matchTexts } from './match-texts.ts';
import { Pane } from './pane.tsx';
import { signalBook } from './state.ts';

interface FairPaneProps {
  readonly fixture: Fixture;
  /** Whether to show signals. There are none for an instant of the past. */
  readonly hasSignals: boolean;
}

export function FairPane({ fixture, hasSignals }: FairPaneProps) {
  void fixture.version.value;
  const grids = marketGrids(fixture).filter(({ period }) => period === 'full_time');
  const call = { path: '/v1/mcp/get_sharp_line', body: { query: fixture.id, format: chosenFormat() } };
  return (
    <Pane title={matchTexts.fair} call={call}>
      {grids.some(({ lines: [line] }) => line !== undefined && sharpestOf(line) !== null) ? (
        <ScrollRegion label={matchTexts.fair}>
          <table class="plain-table fair-table">
            <thead>
              <tr>
                <th scope="col">{matchTexts.outcome}</th>
                {FAIR_METHODS.map((method) => (
                  <th key={method} scope="col" class="number" title={matchTexts.methodHints[method]}>
                    {matchTexts.methods[method]}
                  </th>
                ))}
                <th scope="col">{matchTexts.bestPrice}</th>
                <th scope="col" class="number" title={texts.board.edgeHint}>
                  {texts.board.edge}
                </th>
              </tr>
            </thead>
            {grids.map((grid) => (
              <LineRows key={grid.market} grid={grid} line={grid.lines[0]!} />
            ))}
          </table>
        </ScrollRegion>
      ) : (
        <p class="pane-note quiet">{matchTexts.noFair}</p>
      )}
      {hasSignals && <MatchSignals fixture={fixture} />}
    </Pane>
  );
}

interface LineRowsProps {
  readonly grid: MarketGrid;
  readonly line: LineGrid;
}

/** The consensus line of one market. The method that the service uses for the market is bold. */
function LineRows({ grid, line }: LineRowsProps) {
  const sharpest = sharpestOf(line);
  if (sharpest === null) return null;
  const own = methodOf(grid.market);
  const fair = FAIR_METHODS.map((method) => ({ method, prices: fairPricesOf(sharpest, method, line) }));
  const columns = FAIR_METHODS.length + 3;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={columns} class="fair-market">
          {marketLabel(grid, line)}{' '}
          <span class="quiet">{matchTexts.fairFrom(bookmakerName(sharpest.bookmaker))}</span>
        </th>
      </tr>
      {line.outcomes.map((outcome) => (
        <tr key={outcome}>
          <th scope="row">{texts.outcomes[outcome]}</th>
          {fair.map(({ method, prices }) => (
            <td key={method} class={method === own ? 'number is-own' : 'number'}>
              {prices.has(outcome) ? chosenPriceText(prices.get(outcome)!) : '–'}
            </td>
          ))}
          <Best line={line} outcome={outcome} />
        </tr>
      ))}
    </tbody>
  );
}

/** The best price and its edge over the fair price in use, as on the board. */
function Best({ line, outcome }: { readonly line: LineGrid; readonly outcome: Outcome }) {
  const best = line.best.get(outcome);
  if (best === undefined) {
    return (
      <>
        <td>–</td>
        <td class="number">–</td>
      </>
    );
  }
  const edgePct = line.fair?.edgePct(best.bookmaker, outcome, best.decimal) ?? null;
  return (
    <>
      <td>
        {priceText(best.price, chosenFormat())} <span class="quiet">{bookmakerName(best.bookmaker)}</span>
      </td>
      <td class={edgePct !== null && edgePct > 0 ? 'number is-above' : 'number'}>
        {edgePct === null ? '–' : edgeText(edgePct)}
      </td>
    </>
  );
}

/** The open signals of the match: size, bet, prices, and how long each has been open. */
function MatchSignals({ fixture }: { readonly fixture: Fixture }) {
  void signalBook.version.value;
  const summary = signalBook.summary.value;
  // Leave out low hold: the price table shows the margin of the best prices already.
  const own = SHOWN_KINDS.flatMap((kind) => (kind === 'low_hold' ? [] : signalBook.of(kind))).filter(
    ({ event_id }) => event_id === fixture.id,
  );
  if (summary === null) return null;
  return (
    <>
      {own.length === 0 ? (
        <p class="pane-note">{matchTexts.noSignals}</p>
      ) : (
        <ul class="value-list">
          {own.map((signal) => (
            <MatchSignal key={signal.id} signal={signal} />
          ))}
        </ul>
      )}
      {summary.note !== null && <p class="pane-note quiet">{summary.note}</p>}
    </>
  );
}

function MatchSignal({ signal }: { readonly signal: ListedSignal }) {
  const bet = betOf(signal);
  if (bet === null) return null;
  return (
    <li>
      <strong>{edgeText(sizeOf(signal))} %</strong> {texts.signals.kinds[signal.kind]} {betText(signal, bet)}{' '}
      {bet.legs.map((leg) => (
        <span key={leg.outcome}>
          {signal.value_bet === null && legText(leg, bet)} {priceText(leg.price, chosenFormat())}{' '}
          <span class="quiet">{bookmakerName(leg.bookmaker)}</span>{' '}
        </span>
      ))}
      <span class="quiet">{texts.signals.openFor(ageText(nowMs.value - Date.parse(signal.opened_at)))}</span>
    </li>
  );
}
