// What this page has seen of the fixture's prices, by line and bookmaker, for the chart.
// Full: the oldest moves of a price are dropped.

import { signal } from '@preact/signals';
import { systemClock } from '../../../clock.ts';
import type { Outcome } from '../../../domain/catalogue.ts';
import type { Fixture } from '../data/mirror.ts';
import { lineKey } from '../data/quote.ts';

/** A price from an instant on; null while suspended. */
export interface LoggedPrice {
  readonly atMs: number;
  readonly decimal: number | null;
}

const MOVES_MAX = 500;

export class PriceLog {
  readonly #logs = new Map<string, LoggedPrice[]>();
  /** Rises with every move. */
  readonly version = signal(0);

  /** Oldest first. */
  of(line: string, bookmaker: string, outcome: Outcome): readonly LoggedPrice[] {
    return this.#logs.get(`${line} ${bookmaker} ${outcome}`) ?? [];
  }

  record({ quotes }: Fixture): void {
    const atMs = systemClock.wallMs();
    let isChanged = false;
    for (const quote of quotes.values()) {
      for (const [outcome, decimal] of quote.decimals) {
        const value = quote.status === 'open' && decimal > 1 ? decimal : null;
        isChanged =
          this.#push(`${lineKey(quote)} ${quote.bookmaker} ${outcome}`, { atMs, decimal: value }) ||
          isChanged;
      }
    }
    if (isChanged) this.version.value += 1;
  }

  #push(key: string, price: LoggedPrice): boolean {
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
