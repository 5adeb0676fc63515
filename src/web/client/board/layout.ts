// Computes which prices a row of the board shows, and from them its height before the row is drawn. So the
// page is as high as all its rows from the start, and the End key leads to the last row.

import type { Fixture } from '../data/mirror.ts';
import { parameter } from '../data/view.ts';
import { texts } from '../texts.ts';
import { columns } from './columns.ts';
import { expanded, isPhone } from './state.ts';

/** Heights in pixels; they must agree with the style sheet. */
const ROW_HEIGHTS: Readonly<Record<string, number>> = { compact: 17, roomy: 24 };
const PADDINGS: Readonly<Record<string, number>> = { compact: 2, roomy: 10 };
const BORDER = 1;
export const LEAGUE_HEIGHT = 24;
/** The gap between two markets of a fixture. */
const MARKET_GAP = 4;
/** The button that shows more lines, where all markets are shown. */
const TOGGLE_HEIGHT = 24;
/** Heights of a fixture on a phone. An expanded one is measured instead. */
const PHONE_HEIGHT = 59;
const PHONE_MARKET_HEIGHT = 58;

/** The chosen tab of markets: `all`, or one market. An unknown one in the address counts as the first. */
export function marketTab(): string {
  const market = parameter('markets');
  return Object.hasOwn(texts.board.marketTabs, market) ? market : '1x2';
}

/** The only market that is shown; empty for all. */
export function shownMarket(): string {
  const market = marketTab();
  return market === 'all' ? '' : market;
}

/** Whether fixtures are shown below the name of their league. */
export function isGrouped(): boolean {
  return parameter('sort') === 'league';
}

interface Rows {
  readonly version: number;
  readonly view: string;
  readonly height: number;
}

const known = new WeakMap<Fixture, Rows>();

/**
 * The height of a fixture, computed once for each version of it: the board asks for all fixtures whenever it
 * is scrolled.
 */
export function fixtureHeight(fixture: Fixture): number {
  const isExpanded = expanded.value.has(fixture.id);
  const view = [shownMarket(), parameter('density'), parameter('sort'), isPhone.value, isExpanded].join(' ');
  const version = fixture.version.peek();
  const former = known.get(fixture);
  if (former?.version === version && former.view === view) return former.height;
  const height = isPhone.value ? phoneHeight(fixture) : heightOf(fixture, isExpanded);
  known.set(fixture, { version, view, height });
  return height;
}

function heightOf(fixture: Fixture, isExpanded: boolean): number {
  const density = parameter('density');
  const row = ROW_HEIGHTS[density] ?? ROW_HEIGHTS.compact!;
  const { rows, markets, lines } = rowsOf(fixture, isExpanded);
  const isOneMarket = shownMarket() !== '';
  const gaps = isOneMarket ? 0 : Math.max(0, markets - 1) * MARKET_GAP;
  const toggle = !isOneMarket && lines > markets ? TOGGLE_HEIGHT : 0;
  const nameRows = isGrouped() ? 2 : 3;
  return (
    Math.max(rows * row + gaps + toggle, nameRows * row) + (PADDINGS[density] ?? PADDINGS.compact!) + BORDER
  );
}

function phoneHeight(fixture: Fixture): number {
  const { markets } = rowsOf(fixture, false);
  return PHONE_HEIGHT + (shownMarket() === '' ? markets * PHONE_MARKET_HEIGHT : 0);
}

/** How many rows of prices a fixture shows, in how many markets, and how many lines it has in all. */
function rowsOf({ quotes }: Fixture, isExpanded: boolean) {
  const only = shownMarket();
  const shown = new Set(columns.value);
  const lines = new Map<string, number>();
  const markets = new Map<string, number>();
  for (const { bookmaker, market_type, period, line, decimals } of quotes.values()) {
    if ((only !== '' && market_type !== only) || !shown.has(bookmaker)) continue;
    lines.set(`${market_type} ${period} ${line}`, decimals.size);
    markets.set(`${market_type} ${period}`, decimals.size);
  }
  const counted = [...(isExpanded ? lines : markets).values()];
  return {
    rows: counted.reduce((sum, count) => sum + count, 0),
    markets: markets.size,
    lines: lines.size,
  };
}
