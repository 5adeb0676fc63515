// The rows of the board. Only rows near the visible part are in the document. Arrow keys move between them.

import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { keepPosition, positionToRestore } from '../data/board-position.ts';
import type { Fixture } from '../data/mirror.ts';
import { toggleStar } from '../data/stars.ts';
import { matchPath, parameter } from '../data/view.ts';
import { isPainted, noteRows, readScroll, scrollTop } from '../parts/scrolled.ts';
import { texts } from '../texts.ts';
import { BookmakerHead, headBottom } from './bookmaker-head.tsx';
import { isTyping } from './filters.tsx';
import { FixtureBlock } from './fixture-block.tsx';
import { LEAGUE_HEIGHT } from './layout.ts';
import { loadMovements } from './movements.ts';
import { loadOpenings } from './openings.ts';
import { type BoardItem, items } from './order.ts';
import { forget, heightOf, leagueAt, measured, onResized, topOf, windowOf } from './row-heights.ts';
import { Star } from './star.tsx';
import { isPhone, toggleExpanded } from './state.ts';

/** The fixture that was selected last with the arrow keys. */
const walkedTo = signal<string | null>(null);

export function FixtureList() {
  const list = useRef<HTMLDivElement>(null);
  const observer = useMemo(() => new ResizeObserver(onResized), []);
  useEffect(() => {
    let widthPx = innerWidth;
    const onResize = (): void => {
      // Only a new width drops the heights. On phones, showing or hiding the browser's own bars changes the
      // window's height but moves no row.
      if (innerWidth !== widthPx) forget();
      widthPx = innerWidth;
    };
    addEventListener('resize', onResize);
    document.addEventListener('keydown', onKey);
    goBack();
    if (!isPainted.peek()) noteRows();
    return () => {
      removeEventListener('resize', onResize);
      document.removeEventListener('keydown', onKey);
      observer.disconnect();
    };
  }, []);
  void measured.value;
  void isPhone.value;
  const all = items.value;
  const listTop = list.current?.offsetTop ?? 0;
  const { first, end, before, after } = windowOf(all, listTop);
  const shown = all.slice(first, end);
  useEffect(() => {
    // Openings are compared with present prices, so an instant of the past loads none.
    if (parameter('at') !== '') return;
    const fixtures = fixturesOf(all.slice(first));
    // The order by movement needs the openings of all rows.
    const isByMovement = parameter('sort') === 'movement';
    if (isByMovement) void loadOpenings(fixturesOf(all), all.length);
    else void loadOpenings(fixtures, fixturesOf(shown).length);
    void loadMovements(fixturesOf(shown));
  });
  return (
    <>
      <BookmakerHead league={leagueAt(all, scrollTop.value + headBottom() - listTop)} />
      <div ref={list} class="fixture-list">
        <Spacer heightPx={before} />
        {shown.map((item) => (
          <Row key={item.key} item={item} observer={observer} />
        ))}
        <Spacer heightPx={after} />
      </div>
    </>
  );
}

/**
 * Empty space in place of rows that are not drawn. Preact adds no unit to a number in a style, and browsers
 * ignore a height without a unit.
 */
function Spacer({ heightPx }: { readonly heightPx: number }) {
  return <div style={`height: ${heightPx}px`} />;
}

function Row({ item, observer }: { readonly item: BoardItem; readonly observer: ResizeObserver }) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = row.current!;
    observer.observe(element);
    return () => observer.unobserve(element);
  }, []);
  return (
    <div ref={row} data-key={item.key} class="item">
      {item.kind === 'league' ? <LeagueRow item={item} /> : <FixtureBlock fixture={item.fixture} />}
    </div>
  );
}

function fixturesOf(list: readonly BoardItem[]): readonly Fixture[] {
  return list.flatMap((item) => (item.kind === 'fixture' ? [item.fixture] : []));
}

function LeagueRow({ item }: { readonly item: Extract<BoardItem, { kind: 'league' }> }) {
  return (
    <h2 class="league-row">
      <Star id={item.id} name={item.name} />
      <span class="league-name">{item.name}</span>
      <span class={item.status === 'live' ? 'league-status is-live' : 'league-status'}>
        {texts.statuses[item.status]}
      </span>
    </h2>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function onKey(event: KeyboardEvent): void {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = STEPS[event.key];
  if (step !== undefined) {
    event.preventDefault();
    walk(step);
    return;
  }
  const id = walkedTo.peek();
  if (id === null) return;
  if (event.key === 'l' || event.key === 'L') toggleExpanded(id);
  if (event.key === 's') toggleStar(id);
  const isOnFixture = event.target instanceof HTMLElement && event.target.matches('.fixture');
  if (event.key === 'Enter' && isOnFixture) location.href = matchPath(id);
}

/** The position to restore once, if the visitor came back to this page or reloaded it; otherwise null. */
let position = positionToRestore();
function goBack(): void {
  const target = position;
  position = null;
  const list = document.querySelector<HTMLElement>('.fixture-list');
  const all = items.peek();
  const index = target === null ? -1 : all.findIndex(({ key }) => key === target.id);
  if (target === null || list === null || index === -1) return;
  history.scrollRestoration = 'manual';
  scrollTo(0, topOf(all, index, list) - target.offset);
  readScroll();
  // The scroll position was computed from estimated heights. Correct it from the rows that are drawn now.
  requestAnimationFrame(() => {
    const row = articleOf(target.id);
    if (row !== null) scrollBy(0, row.getBoundingClientRect().top - target.offset);
  });
}
addEventListener('pagehide', () => keepPosition(headBottom(), scrollTop.peek() === 0));

/** Focuses the next or previous fixture and scrolls it into view. */
function walk(step: 1 | -1): void {
  const all = items.peek();
  const fixtures = all.flatMap((item, index) => (item.kind === 'fixture' ? [{ id: item.key, index }] : []));
  const list = document.querySelector<HTMLElement>('.fixture-list');
  if (fixtures.length === 0 || list === null) return;
  const current = document.activeElement?.closest<HTMLElement>('.fixture')?.dataset.id ?? walkedTo.peek();
  const at = fixtures.findIndex(({ id }) => id === current);
  // If the last selected fixture is no longer drawn, continue from the first row in sight.
  const isGone = at === -1 || articleOf(current!) === null;
  const inSight = fixtures.findIndex(({ index }) => topOf(all, index, list) >= scrollY + headBottom());
  const index = isGone ? Math.max(0, inSight) : Math.min(fixtures.length - 1, Math.max(0, at + step));
  const next = fixtures[index]!;
  walkedTo.value = next.id;
  const top = topOf(all, next.index, list);
  const bottom = top + heightOf(all[next.index]!);
  const topMargin = headBottom() + LEAGUE_HEIGHT;
  if (top < scrollY + topMargin) scrollTo(0, top - topMargin);
  else if (bottom > scrollY + innerHeight) scrollTo(0, Math.min(bottom - innerHeight + 8, top - topMargin));
  readScroll();
  requestAnimationFrame(() => focusFixture(next.id));
}

/**
 * Focuses a fixture's row. The page is first scrolled by estimated heights, and corrected when the row is
 * drawn.
 */
function focusFixture(id: string): void {
  const article = articleOf(id);
  article?.focus({ preventScroll: true });
  article?.scrollIntoView({ block: 'nearest' });
}

/** The element of a fixture's row, or null when it is not drawn. */
function articleOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.fixture[data-id="${CSS.escape(id)}"]`);
}
