// The columns of a match state, written into a draft page: status, score, cards, clock and their stamps.

import { assert } from '../errors.ts';
import { CLOCK_BYTES_MAX } from '../limits.ts';
import type { StoreViews } from './layout.ts';
import type { FixtureState } from './records.ts';

const INT16_MAX = 32_767;
const EMPTY_CLOCK = new Uint8Array(0);

export class StateColumns {
  readonly #views: StoreViews;
  readonly #encoder = new TextEncoder();

  constructor(views: StoreViews) {
    this.#views = views;
  }

  /** Writes a state into `page`. Null score or cards keep the last known. */
  write(page: number, state: FixtureState): void {
    const views = this.#views;
    if (Number.isNaN(views.feedStatusAtMs[page]!) || views.feedStatus[page] !== state.status) {
      views.feedStatusAtMs[page] = state.atMs;
    }
    views.feedStatus[page] = state.status;
    views.stateAtMs[page] = state.atMs;
    if (state.score !== null) {
      assertFits(state.score);
      views.scoreHome[page] = state.score[0];
      views.scoreAway[page] = state.score[1];
    }
    if (state.cards !== null) {
      assertFits(state.cards);
      views.cardsHome[page] = state.cards[0];
      views.cardsAway[page] = state.cards[1];
    }
    this.#putClock(page, state.clock, state.atMs);
  }

  #putClock(page: number, clock: string | null, atMs: number): void {
    const views = this.#views;
    const bytes = clock === null ? EMPTY_CLOCK : this.#encoder.encode(clock);
    assert(bytes.length <= CLOCK_BYTES_MAX, 'the parser bounds clock text');
    const start = page * CLOCK_BYTES_MAX;
    let same = views.clockByteCount[page] === bytes.length && !Number.isNaN(views.clockChangedAtMs[page]!);
    for (let index = 0; same && index < bytes.length; index++) {
      same = views.clockBytes[start + index] === bytes[index];
    }
    if (same) return;
    views.clockBytes.set(bytes, start);
    views.clockByteCount[page] = bytes.length;
    views.clockChangedAtMs[page] = atMs;
  }
}

/** Moves a page's last-message stamp forward, never back. */
export function touchPage(views: StoreViews, page: number, atMs: number): void {
  if (atMs > views.lastMessageAtMs[page]!) views.lastMessageAtMs[page] = atMs;
}

/** Scores and cards are Int16 columns, in which more would come out as less. */
function assertFits(pair: readonly [number, number]): void {
  for (const count of pair) assert(count >= 0 && count <= INT16_MAX, 'the parser bounds scores and cards');
}
