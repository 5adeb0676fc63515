// The pages of /odds, for a whole date or one league of it: how many there are, and which matches each page
// named when it was last read.

import type { PolledQuote } from '../poll/drafts.ts';
import type { PolledFixture } from '../poll/picture.ts';
import type { PlannedRequest, ReadContext } from '../poll/source.ts';

export class OddsPages {
  /** Number of pages by date and league, known from the first page. */
  readonly #counts = new Map<string, number>();
  /** Matches by the key of the request for a page. */
  readonly #events = new Map<string, ReadonlySet<string>>();

  /**
   * One request per page, each as often as its matches need. Only the first page belongs to the first round
   * of requests, so that a busy day does not use up a small quota immediately.
   * @param league its id, '' for all leagues of the date
   */
  requests(date: string, league: string, everyMs: (events: ReadonlySet<string>) => number): PlannedRequest[] {
    const pageCount = this.pageCount(date, league);
    return Array.from({ length: pageCount }, (_, index) => ({
      key: `odds:${date}:${league}:${index + 1}`,
      cost: 1,
      everyMs: everyMs(this.#events.get(`odds:${date}:${league}:${index + 1}`) ?? new Set()),
      part: index === 0 ? 'full' : 'extra',
      confirms: true,
    }));
  }

  pageCount(date: string, league: string): number {
    return Math.max(1, this.#counts.get(`${date}:${league}`) ?? 1);
  }

  /** Notes how many pages a date has, for one league or for all. */
  learnCount(date: string, league: string, pageCount: number): void {
    this.#counts.set(`${date}:${league}`, pageCount);
  }

  /**
   * Notes which matches a page names. Returns updates that suspend the matches that this page named before
   * and that no page names now. Their prices are not confirmed, and may be on a page that is read later.
   */
  read(key: string, updates: readonly PolledFixture[], context: ReadContext): PolledFixture[] {
    const before = this.#events.get(key) ?? new Set();
    this.#events.set(key, new Set(updates.map(({ event }) => event)));
    const onPages = new Set([...this.#events.values()].flatMap((events) => [...events]));
    return suspended(
      [...before].filter((event) => !onPages.has(event)),
      context,
    );
  }

  /** Drops the dates before `date`. */
  forgetBefore(date: string): void {
    for (const held of this.#counts.keys()) if (held < date) this.#counts.delete(held);
    for (const key of this.#events.keys()) if (key.split(':')[1]! < date) this.#events.delete(key);
  }

  clear(): void {
    this.#counts.clear();
    this.#events.clear();
  }
}

function suspended(events: readonly string[], { picture, nowMs }: ReadContext): PolledFixture[] {
  return events.flatMap((event) => {
    const held = picture.get(event);
    if (held?.state?.status !== 'scheduled') return [];
    const quotes = [...held.quotes].map(([key, quote]): [string, PolledQuote] => [
      key,
      { ...quote, status: 'suspended', atMs: nowMs },
    ]);
    return [{ event, quotes: new Map(quotes) }];
  });
}
