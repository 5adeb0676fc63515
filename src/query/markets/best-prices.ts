// The best open price of each outcome on each line of a market, among some bookmakers. Only prices that may
// give signals count (domain/signal-gate.ts).

import { PERIODS } from '../../domain/catalogue.ts';
import { signalGate } from '../../domain/signal-gate.ts';
import type { ValueHit } from '../../scoring/hit-rows.ts';
import { marketLines } from '../../scoring/market-lines.ts';
import type { SlateReader } from '../../store/reader.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';

export type LinePrice = Pick<ValueHit, 'period' | 'lineQuarters' | 'outcome' | 'priceE4' | 'bookmaker'>;

export class BestPriceQueries {
  readonly #reader: SlateReader;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** @param market index into MARKET_TYPES @param bookmakerMask those that the caller may see and asks for */
  ofMarket(fixture: FixtureNow, market: number, bookmakerMask: number): readonly LinePrice[] {
    const reader = this.#reader;
    const { columns, quotesPerFixture } = reader;
    const sport = fixture.view.sportIndex;
    const found = reader.readEvent(fixture.view.eventNumber, (page) => {
      const gate = signalGate(reader.matchFacts(page), fixture.moment, null, reader.ownConfirmationsOf(page));
      const base = page * quotesPerFixture;
      const count = columns.quoteCount[page]!;
      return PERIODS.flatMap((_, period) =>
        marketLines(columns, base, count, { sport, market, period, bookmakerMask, gate }).flatMap((line) =>
          line.bestPricesE4.map((priceE4, outcome) => ({
            period,
            lineQuarters: line.lineQuarters,
            outcome,
            priceE4,
            bookmaker: line.bestBookmakers[outcome]!,
          })),
        ),
      );
    });
    return found ?? [];
  }
}
