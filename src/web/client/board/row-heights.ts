// Heights of the board's rows, and which rows are near the visible part. Heights are computed (layout.ts); on
// a phone, an expanded fixture is measured.

import { signal } from '@preact/signals';
import { isPainted, scrollTop, viewHeight } from '../parts/scrolled.ts';
import { fixtureHeight, LEAGUE_HEIGHT } from './layout.ts';
import { type BoardItem, items } from './order.ts';
import { expanded, isPhone } from './state.ts';

/**
 * How far beyond the window rows are drawn, above and below, as a share of the window's height. The first
 * frame has only the rows in the window.
 */
const MARGIN_SHARE = 0.25;

/**
 * Rises when a measured height differs from the height assumed before, and when all heights are dropped
 * because the window's width has changed.
 */
export const measured = signal(0);
/**
 * Measured heights by row key. When there are too many, all are dropped, including those of rows that are
 * still shown.
 */
const heights = new Map<string, number>();
/**
 * Number of heights kept for each row of the board. When more are needed, all are dropped, and rows are
 * measured again as they are drawn.
 */
const HEIGHTS_PER_ROW_MAX = 4;
export function heightOf(item: BoardItem): number {
  const known = isPhone.value && expanded.value.has(item.key) ? heights.get(item.key) : undefined;
  if (known !== undefined) return known;
  return item.kind === 'league' ? LEAGUE_HEIGHT : fixtureHeight(item.fixture);
}

/** Distance of a row's top edge from the top of the page. */
export function topOf(all: readonly BoardItem[], index: number, list: HTMLElement): number {
  return all.slice(0, index).reduce((sum, item) => sum + heightOf(item), list.offsetTop);
}

/**
 * Items from `first` up to but not including `end` are drawn; `before` and `after` are the total heights of
 * the others.
 */
export function windowOf(all: readonly BoardItem[], listTop: number) {
  const margin = isPainted.value ? viewHeight.value * MARGIN_SHARE : 0;
  const top = scrollTop.value - listTop - margin;
  const bottom = scrollTop.value - listTop + viewHeight.value + margin;
  let offset = 0;
  let first = -1;
  let end = 0;
  let before = 0;
  let drawnEnd = 0;
  for (const [index, item] of all.entries()) {
    const next = offset + heightOf(item);
    if (first === -1 && next > top) {
      first = index;
      before = offset;
    }
    if (first !== -1 && (offset < bottom || index === first)) {
      end = index + 1;
      drawnEnd = next;
    }
    offset = next;
  }
  if (first === -1) return { first: 0, end: 0, before: offset, after: 0 };
  return { first, end, before, after: offset - drawnEnd };
}

/** Records the heights of drawn rows: when a row is first drawn and whenever its height changes. */
export function onResized(entries: readonly ResizeObserverEntry[]): void {
  if (heights.size > HEIGHTS_PER_ROW_MAX * items.peek().length) heights.clear();
  let isChanged = false;
  for (const { target, borderBoxSize } of entries) {
    const { key } = (target as HTMLElement).dataset;
    const height = borderBoxSize[0]?.blockSize;
    // The observer reports a row once more, without a height, when it has just left the document. Ignore that
    // report.
    if (key === undefined || height === undefined || !target.isConnected) continue;
    if (heights.get(key) === height) continue;
    heights.set(key, height);
    isChanged = true;
  }
  if (isChanged) measured.value += 1;
}

/** Drops the measured heights. Call it when the window's width has changed. */
export function forget(): void {
  heights.clear();
  measured.value += 1;
}

/** The league of the row at a distance from the top of the list, in pixels; empty above the first row. */
export function leagueAt(all: readonly BoardItem[], top: number): string {
  if (top <= 0) return '';
  let offset = 0;
  let league = '';
  for (const item of all) {
    if (item.kind === 'league') league = item.name;
    offset += heightOf(item);
    if (offset > top) break;
  }
  return league;
}
