// One bookmaker's lines on one fixture: which it offers, at what prices, open or suspended. The caller
// decides when to price, and loads the model first; usually only lines that have changed are written.

import {
  MARKET_1X2,
  MARKET_TYPES,
  PERIOD_FULL_TIME,
  PERIODS,
  QUOTE_OPEN,
  QUOTE_SUSPENDED,
} from '../../domain/catalogue.ts';
import type { QuoteKeyFields } from '../protocol.ts';
import type { BookProfile, Haste } from './book-profile.ts';
import { marketFactorOf, priceLine } from './margin.ts';
import { balancedLine, offBalance, type PriceModel } from './price-model.ts';
import type { WireWriter } from './wire.ts';

interface Row extends QuoteKeyFields {
  prices: readonly number[];
  status: number;
}

/** All lines of one market and period. */
interface Market {
  readonly market: number;
  readonly period: number;
  readonly neighbours: number;
  /** Quarters; NaN before the first price. */
  mainLine: number;
  rows: Row[];
}

export interface PriceOptions {
  readonly model: PriceModel;
  /** Factor on the bookmaker's margin in the present state of the fixture. */
  readonly marginFactor: number;
  /**
   * The outcome that the bookmaker underrates in three-way prices while it reacts to news in haste, and by
   * which factor.
   */
  readonly haste: Haste;
  readonly writer: WireWriter;
  /** Status of the rows written, as an index into QUOTE_STATUSES. */
  readonly status: number;
  /** Whether to also write rows whose price has not changed. */
  readonly everyRow: boolean;
}

/**
 * The main line moves only when its chance is this far from even, so that it does not flicker between two
 * lines.
 */
const MAIN_LINE_OFF_MAX = 0.06;

export class BookBoard {
  readonly profile: BookProfile;
  /** When the bookmaker reopens after an incident; 0 when it is not suspended. */
  reopenMs = 0;
  readonly #event: string;
  readonly #sport: number;
  readonly #markets: Market[] = [];
  // Scratch space: chances and prices of one line.
  readonly #chances = new Float64Array(3);
  readonly #prices = new Float64Array(3);

  constructor(event: string, sport: number, profile: BookProfile) {
    this.#event = event;
    this.#sport = sport;
    this.profile = profile;
    for (let period = 0; period < PERIODS.length; period++) {
      for (let market = 0; market < MARKET_TYPES.length; market++) {
        const column = 2 * period + market - 1;
        const neighbours = market === MARKET_1X2 ? 0 : (profile.neighbours[column] as number);
        this.#markets.push({ market, period, neighbours, mainLine: Number.NaN, rows: [] });
      }
    }
  }

  get rowCount(): number {
    return this.#markets.reduce((sum, market) => sum + market.rows.length, 0);
  }

  /** Prices every line of a period from the loaded model. @returns messages written */
  price(period: number, options: PriceOptions): number {
    const before = options.writer.sent;
    for (const market of this.#markets) if (market.period === period) this.#priceMarket(market, options);
    return options.writer.sent - before;
  }

  /**
   * Writes the first open full-time line again, to show that the bookmaker is still active although no price
   * moved.
   */
  confirm(writer: WireWriter): void {
    for (const market of this.#markets) {
      for (const row of market.rows) {
        if (row.status !== QUOTE_OPEN || row.period !== PERIOD_FULL_TIME) continue;
        writer.quote(row, row.prices, row.status);
        return;
      }
    }
  }

  /** Suspends every open line; they keep their prices. */
  suspend(writer: WireWriter): void {
    for (const market of this.#markets) {
      for (const row of market.rows) if (row.status === QUOTE_OPEN) this.#suspendRow(row, writer);
    }
  }

  /** Ends a period: its lines stay, suspended, with price 0. */
  pull(period: number, writer: WireWriter): void {
    for (const market of this.#markets) {
      if (market.period !== period) continue;
      for (const row of market.rows) {
        row.prices = row.prices.map(() => 0);
        this.#suspendRow(row, writer);
      }
    }
  }

  /** Closes the period's lines. */
  withdraw(period: number, writer: WireWriter): void {
    for (const market of this.#markets) {
      if (market.period !== period) continue;
      for (const row of market.rows) writer.close(row);
      market.rows = [];
    }
  }

  #priceMarket(market: Market, options: PriceOptions): void {
    const { model, writer } = options;
    const step = model.lineStepQuarters;
    this.#chooseMainLine(market, model);
    const first = market.mainLine - market.neighbours * step;
    const last = market.mainLine + market.neighbours * step;
    if (market.rows.some((row) => row.lineQuarters < first || row.lineQuarters > last)) {
      market.rows = market.rows.filter((row) => {
        const stays = row.lineQuarters >= first && row.lineQuarters <= last;
        if (!stays) writer.close(row);
        return stays;
      });
    }
    for (let line = first; line <= last; line += step) this.#priceRow(market, line, options);
  }

  #chooseMainLine(market: Market, model: PriceModel): void {
    if (market.market === MARKET_1X2) {
      market.mainLine = 0;
      return;
    }
    const kept =
      !Number.isNaN(market.mainLine) &&
      Math.abs(offBalance(model, market.market, market.mainLine, this.#chances)) < MAIN_LINE_OFF_MAX;
    if (!kept) market.mainLine = balancedLine(model, market.market, this.#chances);
  }

  #priceRow(market: Market, lineQuarters: number, options: PriceOptions): void {
    const { model, writer, status } = options;
    const row = market.rows.find((held) => held.lineQuarters === lineQuarters);
    const count = model.fair(market.market, lineQuarters, this.#chances);
    if (count === 3) underrate(this.#chances, options.haste);
    const { margin, priceScale } = this.profile;
    const factor = options.marginFactor * marketFactorOf(this.#sport, market.market, market.period);
    const asked = { margin: margin * factor, priceScale };
    if (!priceLine(this.#chances, count, asked, this.#prices)) {
      // The line is too one-sided to offer. If it is open it is suspended; otherwise it is not opened.
      if (row !== undefined && row.status === QUOTE_OPEN) this.#suspendRow(row, writer);
      return;
    }
    if (row === undefined) {
      const { market: marketType, period } = market;
      const ref = {
        event: this.#event,
        bookmaker: this.profile.index,
        market: marketType,
        period,
        lineQuarters,
      };
      const added = { ...ref, prices: this.#takePrices(count), status };
      market.rows.push(added);
      writer.quote(added, added.prices, status);
      return;
    }
    const changed = row.status !== status || row.prices.some((price, i) => price !== this.#prices[i]);
    if (!changed && !options.everyRow) return;
    if (changed) row.prices = this.#takePrices(count);
    row.status = status;
    writer.quote(row, row.prices, status);
  }

  #takePrices(count: number): number[] {
    const prices: number[] = [];
    for (let i = 0; i < count; i++) prices.push(this.#prices[i] as number);
    return prices;
  }

  #suspendRow(row: Row, writer: WireWriter): void {
    row.status = QUOTE_SUSPENDED;
    writer.quote(row, row.prices, QUOTE_SUSPENDED);
  }
}

/** Takes chance from the draw or the outsider and scales the sum back to 1. */
function underrate(chances: Float64Array, { onDraw, factor }: Haste): void {
  const outsider = (chances[0] as number) < (chances[2] as number) ? 0 : 2;
  const outcome = onDraw ? 1 : outsider;
  const lost = (chances[outcome] as number) * (1 - factor);
  chances[outcome] = (chances[outcome] as number) - lost;
  for (let i = 0; i < chances.length; i++) chances[i] = (chances[i] as number) / (1 - lost);
}
