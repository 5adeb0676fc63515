// The plain model of the slate: maps that are copied completely at every publish. It defines what the store
// must do.

import type { StoreCapacity } from '../../src/store/layout.ts';

interface ModelQuote {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly status: number;
  readonly atMs: number;
}
export interface ModelFixture {
  spelling: string;
  status: number;
  statusAtMs: number;
  score: readonly [number, number];
  cards: readonly [number, number];
  clock: string | null;
  clockChangedAtMs: number;
  stateAtMs: number;
  lastMessageAtMs: number;
  quotes: Map<number, ModelQuote>;
}
/** A fixture: its published state, its state in the present batch, and its openings. */
interface ModelSeat {
  published: ModelFixture | null;
  draft: ModelFixture | null;
  leaving: boolean;
  openings: Map<number, number>;
}

export class SlateModel {
  readonly seats = new Map<number, ModelSeat>();
  readonly #capacity: StoreCapacity;

  constructor(capacity: StoreCapacity) {
    this.#capacity = capacity;
  }

  /** The fixture in the state of this batch, which the caller may change; null if it is not on the slate. */
  edit(event: number): ModelFixture | null {
    const seat = this.seats.get(event);
    if (seat === undefined || seat.leaving) return null;
    seat.draft ??= structuredClone(seat.published);
    return seat.draft;
  }

  look(event: number): ModelFixture | null {
    const seat = this.seats.get(event);
    if (seat === undefined || seat.leaving) return null;
    return seat.draft ?? seat.published;
  }

  /** @returns false when the table is full */
  putFixture(event: number, spelling: string, atMs: number): boolean {
    let seat = this.seats.get(event);
    if (seat === undefined || seat.leaving) {
      const present = [...this.seats.values()].filter((other) => !other.leaving).length;
      if (present === this.#capacity.fixtures) return false;
      if (seat === undefined) {
        if (this.seats.size === this.#capacity.fixtures) this.#evictFirstLeaving();
        seat = { published: null, draft: null, leaving: false, openings: new Map() };
      }
      // The slot is added at the end, because slots are reused in the order in which they were vacated.
      this.seats.delete(event);
      this.seats.set(event, seat);
      seat.leaving = false;
      seat.draft = emptyFixture();
    }
    const fixture = this.edit(event)!;
    fixture.spelling = spelling;
    fixture.lastMessageAtMs = Math.max(fixture.lastMessageAtMs, atMs);
    return true;
  }

  remove(event: number): void {
    const seat = this.seats.get(event)!;
    this.seats.delete(event);
    this.seats.set(event, seat);
    seat.leaving = true;
    seat.draft = null;
  }

  /** @returns the events whose published fixture changed, arrived or left */
  publish(): number[] {
    const changed: number[] = [];
    for (const [event, seat] of [...this.seats]) {
      if (seat.leaving) {
        this.seats.delete(event);
        if (seat.published !== null) changed.push(event);
      } else if (seat.draft !== null) {
        seat.published = seat.draft;
        seat.draft = null;
        changed.push(event);
      }
    }
    return changed;
  }

  /** The writer dies before this batch is published, and another writer takes over. */
  takeover(): void {
    for (const [event, seat] of [...this.seats]) {
      seat.draft = null;
      seat.leaving = false;
      if (seat.published === null) this.seats.delete(event);
    }
  }

  #evictFirstLeaving(): void {
    for (const [event, seat] of this.seats) {
      if (!seat.leaving) continue;
      this.seats.delete(event);
      return;
    }
  }
}

function emptyFixture(): ModelFixture {
  return {
    spelling: '',
    status: 0,
    statusAtMs: Number.NaN,
    score: [-1, -1],
    cards: [-1, -1],
    clock: null,
    clockChangedAtMs: Number.NaN,
    stateAtMs: Number.NEGATIVE_INFINITY,
    lastMessageAtMs: Number.NEGATIVE_INFINITY,
    quotes: new Map(),
  };
}
