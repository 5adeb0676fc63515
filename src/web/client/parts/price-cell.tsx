// One price. The best of its outcome is bold, underlined with dots and in the accent colour. A move within
// the last ten minutes shows an arrow; a suspended price is struck through. A price above fair has a bar on
// its left and a tinted ground. A change flashes once, unless the visitor asked for reduced motion.
// Cells are functions that a table calls, not components: a board in sight has some 600 of them, and each
// component costs an object, an effect and a step of every later comparison.

import type { Outcome } from '../../../domain/catalogue.ts';
import { chosenFormat } from '../data/chosen-format.ts';
import type { FairLine } from '../data/lines/fair.ts';
import type { BestPrice } from '../data/lines/market-lines.ts';
import { edgeText, marginText, priceText } from '../data/number-words.ts';
import { bookmakerName } from '../data/page-settings.ts';
import type { MirrorQuote, Move } from '../data/quote.ts';
import { isWhileAway } from '../past/away.ts';
import { texts } from '../texts.ts';
import { nowMs, slowNowMs } from './ticking.ts';

const RECENT_MS = 10 * 60_000;
const FLASH_MS = 1_500;

interface PriceCellOptions {
  readonly bookmaker: string;
  readonly quote: MirrorQuote | undefined;
  readonly outcome: Outcome;
  readonly best: BestPrice | undefined;
  readonly fair: FairLine | null;
  /** The bookmaker's margin on the line, shown in the first of its cells; null for the others. */
  readonly margin: number | null;
}

export function priceCell({ bookmaker, quote, outcome, best, fair, margin }: PriceCellOptions) {
  const decimal = quote?.decimals.get(outcome) ?? 0;
  if (quote === undefined || decimal === 0) {
    return (
      <td key={bookmaker} class="price none">
        –
      </td>
    );
  }
  const isSuspended = quote.status === 'suspended';
  const isBest = !isSuspended && best !== undefined && decimal >= best.decimal;
  const move = quote.moves.get(outcome);
  const price = priceText(quote.prices[outcome] ?? 0, quote.format);
  const edgePct = isSuspended ? null : (fair?.edgePct(bookmaker, outcome, decimal) ?? null);
  const isAbove = edgePct !== null && edgePct > 0;
  const isSeenLater = move !== undefined && !move.isFromOpening && isWhileAway(move.atMs);
  const classes = `price${isBest ? ' best' : ''}${isSuspended ? ' suspended' : ''}${isAbove ? ' above' : ''}${isSeenLater ? ' away' : ''}`;
  return (
    <td key={bookmaker} class={classes} title={titleOf(edgePct, margin)}>
      {cornerMargin(margin)}
      {move !== undefined && <MoveMark move={move} />}
      <span
        key={move === undefined || move.isFromOpening ? 0 : move.atMs}
        class={isFresh(move) ? 'value flash' : 'value'}
      >
        {isSuspended ? <s>{price}</s> : price}
      </span>
      {isBest && <span class="visually-hidden"> {texts.board.bestMark}</span>}
      {isAbove && <span class="visually-hidden"> {texts.board.aboveFair(edgeText(edgePct))}</span>}
      {isSuspended && <span class="visually-hidden"> {texts.board.suspended}</span>}
    </td>
  );
}

/** The best price of an outcome. The cell of its bookmaker is marked in the same row. */
export function bestCell(best: BestPrice | undefined, margin: number | null) {
  if (best === undefined) return <td class="price best-column none">–</td>;
  return (
    <td class="price best-column" title={bookmakerName(best.bookmaker)}>
      {cornerMargin(margin)}
      <span class="value">{priceText(best.price, chosenFormat())}</span>
    </td>
  );
}

/** The arrow of a recent move. It follows the clock only while it is shown. */
export function MoveMark({ move }: { readonly move: Move }) {
  if (slowNowMs.value - move.atMs > RECENT_MS) return null;
  const words = move.isUp ? texts.board.up : texts.board.down;
  const label = move.isFromOpening ? texts.board.sinceOpening(words) : words;
  return (
    <span class={move.isUp ? 'move up' : 'move down'} title={label}>
      <span aria-hidden="true">{move.isFromOpening ? (move.isUp ? '△' : '▽') : move.isUp ? '▲' : '▼'}</span>
      <span class="visually-hidden">{label} </span>
    </span>
  );
}

/** Whether a move is new enough to flash; a cell drawn again later does not flash a second time. */
function isFresh(move: Move | undefined): boolean {
  return (
    move !== undefined && !move.isFromOpening && Math.max(nowMs.peek(), move.atMs) - move.atMs < FLASH_MS
  );
}

/** A bookmaker's margin in the corner of a cell. */
function cornerMargin(margin: number | null) {
  if (margin === null) return null;
  return (
    <span class="corner" title={texts.board.marginHint}>
      <span class="visually-hidden">{texts.board.margin} </span>
      {marginText(margin)}
    </span>
  );
}

/** What a cell says on hover: the margin, and how the price compares with the fair one. */
function titleOf(edgePct: number | null, margin: number | null): string | undefined {
  const parts = [
    edgePct === null ? '' : texts.board.aboveFair(edgeText(edgePct)),
    margin === null ? '' : texts.board.marginOf(marginText(margin)),
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' · ');
}
