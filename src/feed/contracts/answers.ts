// What the answers of the prediction markets have in common: pages that name the next page, and a check that
// notices when a venue has renamed a field.

import { PollFailure } from '../poll/failure.ts';

/**
 * Maximum number of pages of one list. If there are more, the answer must be wrong, and the list is not read.
 */
const PAGES_MAX = 20;

/**
 * The events of all pages of a list.
 * @param ask requests the page of a cursor, which is empty for the first one
 * @throws PollFailure
 */
export async function allPages(
  ask: (cursor: string) => Promise<{ readonly events: readonly unknown[]; readonly next: string | null }>,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  const cursors = new Set<string>();
  for (let cursor = ''; cursors.size < PAGES_MAX; ) {
    cursors.add(cursor);
    const { events, next } = await ask(cursor);
    all.push(...events);
    cursor = next ?? '';
    if (cursor === '') return all;
    // The venue has repeated a page. Following its cursors would never end.
    if (cursors.has(cursor)) throw new PollFailure('wrong_shape');
  }
  throw new PollFailure('too_large');
}

/**
 * The parts of an answer that can be read.
 * @throws PollFailure that names `field` when fewer than half of them can be read
 */
export function mostOf<Part>(
  parts: readonly unknown[],
  canRead: (part: unknown) => part is Part,
  field: string,
): Part[] {
  const readable = parts.filter(canRead);
  if (readable.length * 2 < parts.length) throw new PollFailure('source_changed', { field });
  return readable;
}

/**
 * @param fields that each market has
 * @throws PollFailure when at least half of the markets lack one of them, or no event has markets
 */
export function requireMarketFields(
  events: readonly unknown[],
  fields: readonly string[],
  isLacking: (market: object, field: string) => boolean,
): void {
  const lists = events.flatMap((event) => {
    const list = typeof event === 'object' && event !== null && 'markets' in event ? event.markets : null;
    return Array.isArray(list) ? [list as readonly unknown[]] : [];
  });
  if (events.length > 0 && lists.length === 0) throw new PollFailure('source_changed', { field: 'markets' });
  const markets = lists.flat().filter((market) => typeof market === 'object' && market !== null);
  for (const field of fields) {
    const lacking = markets.filter((market) => isLacking(market, field)).length;
    if (lacking > 0 && lacking * 2 >= markets.length) throw new PollFailure('source_changed', { field });
  }
}
