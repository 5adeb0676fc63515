// The pages of /odds, of a whole date or of one league of it: how many there are, and which matches each of
// them named when it was read last.

import type { PolledQuote } from '../poll/drafts.ts';
import type { FixtureUpdate } from '../poll/picture.ts';
import type { PlannedRequest, ReadContext } from '../poll/source.ts';

export class OddsPages {
  /** Pages by date and league, known from the first one. */
  readonly #counts = new Map<string, number>();
  /** Matches by the key of the request for a page. */
  readonly #events = new Map<string, ReadonlySet<string>>();

  /**
   * One request a page, each as often as its matches ask for; only the first is part of the first round, so
   * that a busy day does not spend a small quota at once.
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

  /** The date has so many pages, of one league or of all. */
  learnCount(date: string, league: string, pageCount: number): void {
    this.#counts.set(`${date}:${league}`, pageCount);
  }

  /**
   * A page was read, and names these matches. Answers the updates that suspend those that it named before and
   * no page names now: their prices are not confirmed, and may be on a page that is still to come.
   */
  read(key: string, updates: readonly FixtureUpdate[], context: ReadContext): FixtureUpdate[] {
    const before = this.#events.get(key) ?? new Set();
    this.#events.set(key, new Set(updates.map(({ event }) => event)));
    const onPages = new Set([...this.#events.values()].flatMap((events) => [...events]));
    return suspended(
      [...before].filter((event) => !onPages.has(event)),
      context,
    );
  }

  /** Forgets the dates before `date`. */
  forgetBefore(date: string): void {
    for (const held of this.#counts.keys()) if (held < date) this.#counts.delete(held);
    for (const key of this.#events.keys()) if (key.split(':')[1]! < date) this.#events.delete(key);
  }

  clear(): void {
    this.#counts.clear();
    this.#events.clear();
  }
}

function suspended(events: readonly string[], { picture, nowMs }: ReadContext): FixtureUpdate[] {
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
