// What this page has seen of the fixture's prices, by line and bookmaker, for the chart. If a price has too
// many moves, its oldest moves are dropped.

import { signal } from '@preact/signals';
import type { Outcome } from '../../../domain/catalogue.ts';
import { localMsOf } from '../data/api.ts';
import type { Fixture } from '../data/mirror.ts';
import { lineKey } from '../data/quote.ts';

/** A price from an instant on; null while suspended. */
export interface LoggedPrice {
  readonly atMs: number;
  readonly decimal: number | null;
}

/** A price is stored with the server's timestamp, because the page's estimate of that clock may change. */
interface KeptPrice {
  readonly asOf: string;
  readonly decimal: number | null;
}

const MOVES_MAX = 500;

export class PriceLog {
  readonly #logs = new Map<string, KeptPrice[]>();
  /** Rises with every move. */
  readonly version = signal(0);

  /**
   * The prices of an outcome, oldest first, at the source's times. Times here and in the price history are
   * converted to this machine's clock in the same way. So a move right after the history's end is later than
   * the history's last move.
   */
  of(line: string, bookmaker: string, outcome: Outcome): readonly LoggedPrice[] {
    const log = this.#logs.get(`${line} ${bookmaker} ${outcome}`) ?? [];
    return log.map(({ asOf, decimal }) => ({ atMs: localMsOf(asOf), decimal }));
  }

  record({ quotes }: Fixture): void {
    let isChanged = false;
    for (const quote of quotes.values()) {
      for (const [outcome, decimal] of quote.decimals) {
        const value = quote.status === 'open' && decimal > 1 ? decimal : null;
        const price = { asOf: quote.as_of, decimal: value };
        isChanged = this.#push(`${lineKey(quote)} ${quote.bookmaker} ${outcome}`, price) || isChanged;
      }
    }
    if (isChanged) this.version.value += 1;
  }

  #push(key: string, price: KeptPrice): boolean {
    const log = this.#logs.get(key);
    if (log === undefined) {
      this.#logs.set(key, [price]);
      return true;
    }
    if (log.at(-1)?.decimal === price.decimal) return false;
    if (log.length >= MOVES_MAX) log.shift();
    log.push(price);
    return true;
  }
}
