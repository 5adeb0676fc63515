// The pages of /odds: how many each date has, and which matches each of them named when it was read last.

import type { FixtureUpdate, PolledQuote } from '../poll/picture.ts';
import type { PlannedRequest, ReadContext } from '../poll/source.ts';

export class OddsPages {
  /** Pages by date, known from its first one. */
  readonly #countByDate = new Map<string, number>();
  /** Matches by the key of the request for a page. */
  readonly #events = new Map<string, ReadonlySet<string>>();

  /**
   * One request a page, each as often as `everyMs`; only the first is part of the first round, so that a busy day does not
   * spend a small quota at once.
   */
  requests(date: string, everyMs: number): PlannedRequest[] {
    const pageCount = Math.max(1, this.#countByDate.get(date) ?? 1);
    return Array.from({ length: pageCount }, (_, index) => ({
      key: `odds:${date}:${index + 1}`,
      cost: 1,
      everyMs,
      part: index === 0 ? 'full' : 'extra',
      confirms: true,
    }));
  }

  /** The date has so many pages. */
  learnCount(date: string, pageCount: number): void {
    this.#countByDate.set(date, pageCount);
  }

  /**
   * A page was read, and names these matches. Answers the updates that suspend those that it named before and no page names
   * now: their prices are not confirmed, and may be on a page that is still to come.
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
    for (const held of this.#countByDate.keys()) if (held < date) this.#countByDate.delete(held);
    for (const key of this.#events.keys()) if (key.split(':')[1]! < date) this.#events.delete(key);
  }

  clear(): void {
    this.#countByDate.clear();
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
