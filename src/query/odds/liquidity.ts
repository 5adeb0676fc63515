// How much can be staked at the prices of exchanges, from the store's side table.

import { toIsoText } from '../../clock.ts';
import type { Liquidity, WinnerLiquidity } from '../../contract/liquidity.ts';
import {
  BOOKMAKER_KEYS,
  MARKET_1X2,
  type Outcome,
  outcomesOf,
  PERIOD_FULL_TIME,
  visibleBookmakerMask,
} from '../../domain/catalogue.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { LiquidityRow, StoredLiquidity } from '../../store/liquidity.ts';
import { marketOfKey, periodOfKey } from '../../store/quote-key.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import { nameOfKey } from './odds.ts';

export class LiquidityQueries {
  readonly #reader: SlateReader;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** All lines of a fixture at each exchange that the caller may see. */
  of({ view }: FixtureNow, principal: Principal): Liquidity {
    const exchanges = this.#visible(view.eventNumber, principal).map((exchange) => ({
      ...headOf(exchange),
      lines: exchange.rows.map((row) => {
        const { market_type, period, line } = nameOfKey(row.quoteKey);
        return { market_type, period, line, ...amountsOf(row, view.sportIndex) };
      }),
    }));
    return { event_id: view.id, exchanges };
  }

  /** The full-time 1x2 of a fixture at each exchange that the caller may see. */
  ofWinner({ view }: FixtureNow, principal: Principal): WinnerLiquidity[] {
    return this.#visible(view.eventNumber, principal).flatMap((exchange) => {
      const row = exchange.rows.find(
        ({ quoteKey }) => marketOfKey(quoteKey) === MARKET_1X2 && periodOfKey(quoteKey) === PERIOD_FULL_TIME,
      );
      return row === undefined ? [] : [{ ...headOf(exchange), ...amountsOf(row, view.sportIndex) }];
    });
  }

  #visible(eventNumber: number, { seesSharp }: Principal): StoredLiquidity[] {
    const mask = visibleBookmakerMask(seesSharp);
    return this.#reader.liquidityOf(eventNumber).filter(({ bookmaker }) => ((mask >> bookmaker) & 1) === 1);
  }
}

function headOf({ bookmaker, currency, atMs }: StoredLiquidity) {
  return { bookmaker: BOOKMAKER_KEYS[bookmaker]!, currency, as_of: toIsoText(atMs) };
}

function amountsOf({ quoteKey, sizes, matched }: LiquidityRow, sport: number) {
  const named: Partial<Record<Outcome, number>> = {};
  outcomesOf(sport, marketOfKey(quoteKey)).forEach((outcome, index) => {
    named[outcome] = sizes[index] ?? 0;
  });
  return { sizes: named as WinnerLiquidity['sizes'], matched };
}
