// A slate for tests of the pages: live and scheduled fixtures in two leagues, three markets and three
// bookmakers. A scripted feed sends the slate and its changes.

import { Random } from '../../src/domain/random.ts';
import { eventWire, quoteWire, stateWire, type WireMessage } from '../feed/wire.ts';
import { nowText, ScriptedFeed } from './scripted-feed.ts';

const BOOKMAKERS = ['crown', 'sbobet', 'pinnacle'] as const;
const MARKETS = [
  { market_type: '1x2', line: undefined, base: [2.2, 3.3, 3.4] },
  { market_type: 'asian_handicap', line: -0.5, base: [1.95, 1.95] },
  { market_type: 'totals', line: 2.5, base: [1.9, 2] },
] as const;

const random = new Random(11);

function priceNear(base: number): number {
  return Math.round(100 * base * (0.95 + 0.1 * random.unit())) / 100;
}

function quote(event: string, bookmaker: string, market: (typeof MARKETS)[number]): WireMessage {
  const { market_type, line, base } = market;
  return quoteWire(0, event, {
    at: nowText(),
    bookmaker,
    market_type,
    line: line ?? null,
    prices: base.map(priceNear),
  });
}

/** @param count how many fixtures; every third is live */
function pageSlate(count: number): WireMessage[] {
  const at = nowText();
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const event = `e${index}`;
    const isLive = index % 3 === 0;
    const league = { key: `l${index % 2}`, name: `League ${index % 2 === 0 ? 'One' : 'Two'}` };
    return [
      eventWire(0, event, {
        at,
        league,
        scheduled_at: nowText(isLive ? -1_800_000 : 3_600_000 + index * 60_000),
      }),
      ...(isLive ? [stateWire(0, event, { at, cards: [1, 0] })] : []),
      ...BOOKMAKERS.flatMap((bookmaker) => MARKETS.map((market) => quote(event, bookmaker, market))),
    ];
  });
}

/** A feed of such a slate. A snapshot is made when it is requested, so it has stamps of that moment. */
export function pageFeed(count: number): ScriptedFeed {
  return new ScriptedFeed({ slate: () => pageSlate(count) });
}

/**
 * Sends this many changes, spread over the fixtures. @param from the number of changes that were sent before
 */
export function sendChanges(feed: ScriptedFeed, fixtures: number, count: number, from = 0): void {
  for (let index = from; index < from + count; index++) {
    const bookmaker = BOOKMAKERS[index % BOOKMAKERS.length]!;
    const market = MARKETS[Math.floor(index / 3) % MARKETS.length]!;
    feed.send(quote(`e${index % fixtures}`, bookmaker, market));
  }
}
