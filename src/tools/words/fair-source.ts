// Where a fair price came from, in words: the book's name, and the caveat when it is not the sharp book.

import { BOOKMAKERS, type BookmakerKey, SHARP_BOOKMAKER_INDEX } from '../../domain/catalogue.ts';
import type { Principal } from '../../domain/tiers.ts';

/** Display name of a book. */
export function bookName(key: BookmakerKey): string {
  return BOOKMAKERS.find((book) => book.key === key)!.name;
}

/** Why a fair price deserves less trust than the sharp book's; null when it is the sharp book's. */
export function fairSourceCaveat(fairFrom: BookmakerKey, principal: Principal): string | null {
  if (fairFrom === BOOKMAKERS[SHARP_BOOKMAKER_INDEX]!.key) return null;
  return principal.seesSharp
    ? `The fair price is from ${bookName(fairFrom)}, the tightest book here, and not from the sharp book, so confidence is reduced.`
    : `The sharp book is not part of the free tier; the fair price is from ${bookName(fairFrom)}, the tightest book left, so confidence is reduced.`;
}
