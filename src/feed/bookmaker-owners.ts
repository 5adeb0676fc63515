// Decides which source each bookmaker of the roster comes from when several sources run. A bookmaker has one
// source, because two sources would overwrite each other's prices of it.

import { BOOKMAKER_KEYS, BOOKMAKERS } from '../domain/catalogue.ts';
import type { RosterBookmaker } from '../domain/roster.ts';
import { type BetfairSettings, type FeedSetting, feedNames } from '../settings/feed-settings.ts';
import { bookmakerMapOf } from './poll/bookmaker-map.ts';
import { sourceFacts } from './source-facts.ts';

/**
 * The bookmakers of each source, by key, in the order of FEED. A source with names or ids of its own has the
 * bookmakers that the roster maps for it (`sources`). A source that speaks the feed protocol uses our keys
 * and has the other bookmakers. If a bookmaker has two sources, `feed` of the roster decides.
 * @throws Error that names the bookmaker, its sources and how to decide
 */
export function bookmakersByFeed(
  { feeds, betfair }: { readonly feeds: readonly FeedSetting[]; readonly betfair: BetfairSettings },
  roster: readonly RosterBookmaker[],
): readonly ReadonlySet<string>[] {
  const owned = feeds.map(() => new Set<string>());
  const names = feedNames(feeds);
  for (const bookmaker of roster) {
    const mapped = feeds.flatMap((feed, index) => (isMapped(feed, bookmaker, betfair) ? [index] : []));
    const others = feeds.flatMap((feed, index) => (sourceFacts(feed).usesOurKeys ? [index] : []));
    const chosen = (bookmaker.feed ?? [])
      .map((name) => names.indexOf(name))
      .find((index) => mapped.includes(index) || others.includes(index));
    const candidates = mapped.length > 0 ? mapped : others;
    const index = chosen ?? candidates[0];
    if (index === undefined) continue; // no running source has the bookmaker
    if (chosen === undefined && candidates.length > 1) {
      const having = candidates.map((candidate) => names[candidate]!);
      throw new Error(
        `Bookmaker "${bookmaker.key}" may come from ${having.join(' and ')}: give it "feed": "${having[0]}" (or another of these) in the roster`,
      );
    }
    owned[index]!.add(bookmaker.key);
  }
  return owned;
}

/**
 * The key of the bookmaker that shows Betfair's prices: BETFAIR_BOOKMAKER, otherwise the first bookmaker that
 * the roster maps to betfair.
 * @throws Error when there is none, or when BETFAIR_BOOKMAKER names a bookmaker that is not on the roster
 */
export function exchangeOf(betfair: BetfairSettings): string {
  const [listed] = bookmakerMapOf('betfair', BOOKMAKERS).values();
  const bookmaker = betfair.bookmaker ?? listed;
  if (bookmaker !== undefined && BOOKMAKER_KEYS.some((key) => key === bookmaker)) return bookmaker;
  throw new Error(
    `Cannot show Betfair's prices: set BETFAIR_BOOKMAKER to one of ${BOOKMAKER_KEYS.join(', ')}, or run a roster with betfair`,
  );
}

/**
 * Why callers without a key see no price: every bookmaker of the sources is sharp. Null if one of them is not
 * sharp, and on a node without sources, which cannot know.
 */
export function hiddenPricesText(
  settings: { readonly feeds: readonly FeedSetting[]; readonly betfair: BetfairSettings },
  roster: readonly RosterBookmaker[],
): string | null {
  const brought = new Set(bookmakersByFeed(settings, roster).flatMap((keys) => [...keys]));
  const known = roster.filter(({ key }) => brought.has(key));
  if (known.length === 0 || known.some((bookmaker) => bookmaker.class !== 'sharp')) return null;
  const names = known.map(({ name }) => name).join(', ');
  return `Without a key of the standard tier or above no price is shown: ${feedNames(settings.feeds).join(', ')} brings only sharp books here (${names})`;
}

/** What an operator can do when `hiddenPricesText` returns a text. */
export const HIDDEN_PRICES_FIX =
  'Set BOOKMAKERS to a roster with more bookmakers that the source has, as docs/guide/feeds.md says';

/**
 * Whether the roster has a source's own name or id for the bookmaker. If BETFAIR_BOOKMAKER is set, Betfair
 * has only that bookmaker.
 */
function isMapped(feed: FeedSetting, { key, sources }: RosterBookmaker, betfair: BetfairSettings): boolean {
  if (feed.kind === 'betfair' && betfair.bookmaker !== null) return key === betfair.bookmaker;
  return !sourceFacts(feed).usesOurKeys && sources[feed.kind] !== undefined;
}
