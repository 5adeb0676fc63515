// The rows of the board. Only those near the visible part are in the document: heights are guessed until a row has been
// drawn once, and measured then.

import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Fixture } from '../data/mirror.ts';
import { texts } from '../texts.ts';
import { BookmakerHead } from './bookmaker-head.tsx';
import { isTyping } from './filters.tsx';
import { FixtureBlock, fixtureHeight } from './fixture-block.tsx';
import { askOpenings } from './openings.ts';
import { type BoardItem, isPhone, items, toggleExpanded } from './state.ts';

/** Share of a screen that is drawn above and below the visible part. */
const MARGIN_SHARE = 0.25;
const LEAGUE_HEIGHT = 34;

const scrollTop = signal(0);
const viewHeight = signal(innerHeight);
/** Rises when a measured height differs from what was taken for it. */
const measured = signal(0);
const heights = new Map<string, number>();
/** Fixture that the arrow keys are at. */
const walkedTo = signal<string | null>(null);

let isQueued = false;
function onScroll(): void {
  if (isQueued) return;
  isQueued = true;
  requestAnimationFrame(() => {
    isQueued = false;
    scrollTop.value = scrollY;
    viewHeight.value = innerHeight;
  });
}

function heightOf(item: BoardItem): number {
  const known = heights.get(item.key);
  if (known !== undefined) return known;
  return item.kind === 'league' ? LEAGUE_HEIGHT : fixtureHeight(item.fixture);
}

export function FixtureList() {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    addEventListener('scroll', onScroll, { passive: true });
    addEventListener('resize', forget);
    document.addEventListener('keydown', onKey);
    return () => {
      removeEventListener('scroll', onScroll);
      removeEventListener('resize', forget);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  void measured.value;
  void isPhone.value;
  const all = items.value;
  const listTop = list.current?.offsetTop ?? 0;
  const { first, end, before, after } = windowOf(all, listTop);
  useLayoutEffect(() => measure(list.current));
  const shown = all.slice(first, end);
  useEffect(() => {
    const fixtures = fixturesOf(all.slice(first));
    void askOpenings(fixtures, fixturesOf(shown).length);
  });
  const current = scrollTop.value > listTop ? currentLeague(all, first) : '';
  return (
    <>
      <BookmakerHead league={current} />
      <div ref={list} class="fixture-list">
        <div style={{ height: before }} />
        {shown.map((item) => (
          <div key={item.key} data-key={item.key} class="item">
            {item.kind === 'league' ? <LeagueRow item={item} /> : <FixtureBlock fixture={item.fixture} />}
          </div>
        ))}
        <div style={{ height: after }} />
      </div>
    </>
  );
}

function fixturesOf(list: readonly BoardItem[]): readonly Fixture[] {
  return list.flatMap((item) => (item.kind === 'fixture' ? [item.fixture] : []));
}

function LeagueRow({ item }: { readonly item: Extract<BoardItem, { kind: 'league' }> }) {
  return (
    <h2 class="league-row">
      <span>{item.name}</span>
      <span class={item.status === 'live' ? 'league-status is-live' : 'league-status'}>
        {texts.statuses[item.status]}
      </span>
    </h2>
  );
}

/** Items from `first` to before `end` are drawn; `before` and `after` are the heights of the others. */
function windowOf(all: readonly BoardItem[], listTop: number) {
  const margin = viewHeight.value * MARGIN_SHARE;
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

function measure(list: HTMLDivElement | null): void {
  if (list === null) return;
  let isChanged = false;
  for (const row of list.children) {
    const { key } = (row as HTMLElement).dataset;
    if (key === undefined) continue;
    const height = (row as HTMLElement).offsetHeight;
    if (heights.get(key) === height) continue;
    heights.set(key, height);
    isChanged = true;
  }
  if (isChanged) measured.value += 1;
}

/** Widths changed, so heights may have. */
function forget(): void {
  heights.clear();
  viewHeight.value = innerHeight;
  measured.value += 1;
}

/** The league of the first row in sight. */
function currentLeague(all: readonly BoardItem[], first: number): string {
  for (let index = Math.min(first, all.length - 1); index >= 0; index--) {
    const item = all[index]!;
    if (item.kind === 'league') return item.name;
  }
  return '';
}

function onKey(event: KeyboardEvent): void {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    walk(event.key === 'ArrowDown' ? 1 : -1);
    return;
  }
  const id = walkedTo.peek();
  if (id === null) return;
  if (event.key === 'l' || event.key === 'L') toggleExpanded(id);
  const isOnFixture = event.target instanceof HTMLElement && event.target.matches('.fixture');
  if (event.key === 'Enter' && isOnFixture) location.href = `/events/${id}`;
}

/** Puts the focus on the next fixture and scrolls it into sight. */
function walk(step: 1 | -1): void {
  const all = items.peek();
  const fixtures = all.flatMap((item, index) => (item.kind === 'fixture' ? [{ id: item.key, index }] : []));
  if (fixtures.length === 0) return;
  const at = fixtures.findIndex(({ id }) => id === walkedTo.peek());
  const next = fixtures[Math.min(fixtures.length - 1, Math.max(0, at + step))]!;
  walkedTo.value = next.id;
  const list = document.querySelector<HTMLElement>('.fixture-list');
  if (list === null) return;
  const head = document.querySelector('.board-sticky')?.getBoundingClientRect().height ?? 0;
  const top = all.slice(0, next.index).reduce((sum, item) => sum + heightOf(item), list.offsetTop);
  const bottom = top + heightOf(all[next.index]!);
  if (top < scrollY + head + 8) scrollTo(0, top - head - LEAGUE_HEIGHT);
  else if (bottom > scrollY + innerHeight) scrollTo(0, bottom - innerHeight + 8);
  scrollTop.value = scrollY;
  requestAnimationFrame(() => focusFixture(next.id));
}

function focusFixture(id: string): void {
  document.querySelector<HTMLElement>(`.fixture[data-id="${id}"]`)?.focus({ preventScroll: true });
}
