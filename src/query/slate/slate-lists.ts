// The views of a slate's fixtures in lists that are kept up to date: one for the whole slate, one for each
// sport and league. So the cost of a query depends on what it returns. A fixture that changes is moved to
// its new place, and no other is touched.

import type { SportKey } from '../../domain/catalogue.ts';
import { type FixtureView, isSamePairing } from './fixture-view.ts';
import { NO_FIXTURES, StatusLists } from './status-lists.ts';

/**
 * Minimum number of the latest pairing changes that are remembered. (A pairing changes when a fixture
 * arrives, leaves, or gets another kickoff or name.) A caller that missed more checks all fixtures.
 */
const PAIRINGS_KEPT = 1_024;

export class SlateLists {
  /** All fixtures. */
  readonly whole = new StatusLists();
  readonly #sports = new Map<SportKey, StatusLists>();
  readonly #leagues = new Map<string, StatusLists>();
  readonly #bySlot: (FixtureView | undefined)[] = [];
  readonly #byEvent = new Map<number, FixtureView>();
  /**
   * Event numbers whose pairing changed last; the first is change number `#pairingCount - #pairings.length`.
   */
  #pairings: number[] = [];
  #pairingCount = 0;

  ofSport(sport: SportKey): StatusLists {
    return this.#sports.get(sport) ?? NO_FIXTURES;
  }

  /** Fixtures of a league, by its id. */
  ofLeague(leagueId: string): StatusLists {
    return this.#leagues.get(leagueId) ?? NO_FIXTURES;
  }

  /** The fixtures of each league that has any. */
  leagues(): Iterable<StatusLists> {
    return this.#leagues.values();
  }

  /** Every fixture, by slot. */
  views(): FixtureView[] {
    return this.#bySlot.filter((view) => view !== undefined);
  }

  /** The fixture of an event, or undefined when it is not on the slate. */
  view(eventNumber: number): FixtureView | undefined {
    return this.#byEvent.get(eventNumber);
  }

  /** How often a fixture arrived, left, or got another kickoff or name. */
  get pairingCount(): number {
    return this.#pairingCount;
  }

  /**
   * The events of the pairing changes after change number `since`; null if some of them are no longer stored.
   */
  pairingsSince(since: number): readonly number[] | null {
    const first = this.#pairingCount - this.#pairings.length;
    return since < first ? null : this.#pairings.slice(since - first);
  }

  /** Sets the fixture of a slot. */
  put(slot: number, next: FixtureView | undefined): void {
    const former = this.#bySlot[slot];
    if (former === next) return;
    this.#bySlot[slot] = next;
    // If the event has moved, its entry may already be that of its new slot. Delete the entry only if it is
    // still that of this slot.
    if (former !== undefined && this.#byEvent.get(former.eventNumber) === former)
      this.#byEvent.delete(former.eventNumber);
    if (next !== undefined) this.#byEvent.set(next.eventNumber, next);
    this.whole.replace(former, next);
    replaceIn(this.#sports, former, next, ({ sport }) => sport);
    replaceIn(this.#leagues, former, next, ({ league }) => league.id);
    if (former === undefined || next === undefined || !isSamePairing(former, next)) {
      this.#notePairing(former);
      this.#notePairing(next);
    }
  }

  #notePairing(view: FixtureView | undefined): void {
    if (view === undefined) return;
    this.#pairings.push(view.eventNumber);
    this.#pairingCount++;
    if (this.#pairings.length > 2 * PAIRINGS_KEPT) this.#pairings = this.#pairings.slice(-PAIRINGS_KEPT);
  }
}

function newLists(): StatusLists {
  return new StatusLists();
}

/** Replaces one fixture by another in lists by key; lists that become empty are removed. */
function replaceIn<Key>(
  table: Map<Key, StatusLists>,
  former: FixtureView | undefined,
  next: FixtureView | undefined,
  keyOf: (view: FixtureView) => Key,
): void {
  const from = former && keyOf(former);
  const to = next && keyOf(next);
  if (from !== undefined && from === to) {
    table.getOrInsertComputed(from, newLists).replace(former, next);
    return;
  }
  if (to !== undefined) table.getOrInsertComputed(to, newLists).replace(undefined, next);
  if (from === undefined) return;
  const left = table.getOrInsertComputed(from, newLists);
  left.replace(former, undefined);
  if (left.size === 0) table.delete(from);
}
