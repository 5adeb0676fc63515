// What a quote says about how its line opened. Pure.

import { QUOTE_OPEN } from '../domain/catalogue.ts';
import type { QuoteMessage } from '../feed/protocol.ts';
import type { OpeningRow } from '../store/records.ts';

/** The opening that a quote brings: the feed's own if it sent one, else the prices seen now; null for a pulled line. */
export function openingOf(key: number, message: QuoteMessage): OpeningRow | null {
  const { openingPricesE4: sent, pricesE4: seen, atMs, openedAtMs } = message;
  if (sent?.every(isPrice)) {
    const openedMs = Number.isNaN(openedAtMs) ? atMs : openedAtMs;
    return { key, a: sent[0]!, b: sent[1]!, c: sent[2] ?? 0, openedAtMs: openedMs, upstream: true };
  }
  if (message.status !== QUOTE_OPEN || !seen.every(isPrice)) return null;
  return { key, a: seen[0]!, b: seen[1]!, c: seen[2] ?? 0, openedAtMs: atMs, upstream: false };
}

/** A price of 1 or less, in ten-thousandths, is a pulled line's. */
function isPrice(priceE4: number): boolean {
  return priceE4 > 10_000;
}
