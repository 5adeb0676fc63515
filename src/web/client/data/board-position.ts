// The visitor's position on the board, kept per tab. Back from a match leads to the same rows, and the match
// page links back to the same view. The browser cannot restore the position itself, because the rows are
// loaded after the page.

/** The stored position of a tab. */
interface Position {
  /** The query of the board's address. */
  readonly query: string;
  /** The first fixture in sight, and the distance of its top from the top of the window. */
  readonly id: string;
  readonly offset: number;
}

const NAME = 'overround.place';

/**
 * @param isAtTop whether nothing is scrolled; then nothing is measured, because the browser would first have
 * to lay out what has changed
 */
export function keepPosition(headHeight: number, isAtTop: boolean): void {
  const rows = isAtTop ? [] : [...document.querySelectorAll<HTMLElement>('.fixture')];
  const first = rows.find((row) => row.getBoundingClientRect().bottom > headHeight);
  const id = first?.dataset.id ?? '';
  const offset = first?.getBoundingClientRect().top ?? 0;
  try {
    const position: Position = { query: location.search, id, offset };
    sessionStorage.setItem(NAME, JSON.stringify(position));
  } catch {
    // Storage is full or forbidden: the board will start at the top.
  }
}

export function keptPosition(): Position | null {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Position | null;
  } catch {
    return null; // Storage is forbidden.
  }
}

/** The position to restore, when the visitor came here by Back or reloaded the page. */
export function positionToRestore(): Position | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.type !== 'back_forward' && navigation?.type !== 'reload') return null;
  const position = keptPosition();
  return position !== null && position.id !== '' && position.query === location.search ? position : null;
}
