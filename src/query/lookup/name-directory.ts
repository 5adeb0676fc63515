// Makes the names of the current slate searchable: fixtures, teams and leagues. A fixture that arrives,
// leaves, moves or is renamed changes only its own entries; price changes affect nothing. A slate of
// thousands of new fixtures is indexed in steps of well under a millisecond each, so that polling clients do
// not wait for it. One per thread.

import { indexIn, SPORT_KEYS, type SportKey } from '../../domain/catalogue.ts';
import { FixtureIndex } from '../../names/fixture-index.ts';
import { countryOfLeague } from '../../names/league-language.ts';
import { createLeagueIndex, createTeamIndex, type EntryIndex } from '../../names/team-index.ts';
import { NameCache } from '../../names/text/parse-name.ts';
import { eventLoopTurn } from '../../pause.ts';
import { type EntityEntry, EntityOrder } from '../lists/entity-order.ts';
import { type FixtureView, isSamePairing, type NamedRef } from '../slate/fixture-view.ts';
import type { Slate } from '../slate/slate.ts';
import type { LeagueCandidates, LeagueNames } from './league-filter.ts';

/** The slate has not been read yet. */
const NEVER = -1;
/** Fixtures indexed in one step: up to a quarter of a millisecond each, its two teams included. */
export const FIXTURES_PER_STEP = 2;

/** Fixtures checked in one step for a changed pairing: about a tenth of a microsecond each. */
export const NOTED_PER_STEP = 128;

/** The three indexes, and which fixtures they contain. */
class SlateIndexes {
  readonly fixtures: FixtureIndex;
  readonly teams: CountedEntries;
  readonly leagues: CountedEntries;
  readonly #views = new Map<number, FixtureView>();

  constructor(cache: NameCache) {
    this.fixtures = new FixtureIndex(cache);
    this.teams = new CountedEntries(createTeamIndex<EntityEntry>([], cache));
    this.leagues = new CountedEntries(createLeagueIndex<EntityEntry>([]));
  }

  set(view: FixtureView): void {
    this.delete(view.eventNumber);
    this.#views.set(view.eventNumber, view);
    this.fixtures.set(toResolvable(view));
    this.teams.take(entryOf(view, view.homeTeam));
    this.teams.take(entryOf(view, view.awayTeam));
    this.leagues.take(entryOf(view, view.league));
  }

  /** Whether the fixture is indexed exactly as in this view. */
  has(view: FixtureView): boolean {
    return this.#views.get(view.eventNumber) === view;
  }

  delete(eventNumber: number): void {
    const view = this.#views.get(eventNumber);
    if (view === undefined) return;
    this.#views.delete(eventNumber);
    this.fixtures.delete(eventNumber);
    this.teams.release(view.homeTeam.id);
    this.teams.release(view.awayTeam.id);
    this.leagues.release(view.league.id);
  }
}

/** Entries of an index; each stays while at least one fixture has it. */
class CountedEntries {
  readonly index: EntryIndex<EntityEntry>;
  /** The entries of `index` in the order of their names. */
  readonly sorted = new EntityOrder();
  readonly #held = new Map<string, { readonly entry: EntityEntry; readonly number: number; count: number }>();

  constructor(index: EntryIndex<EntityEntry>) {
    this.index = index;
  }

  take(entry: EntityEntry): void {
    const held = this.#held.get(entry.id);
    if (held !== undefined) {
      held.count++;
      return;
    }
    this.#held.set(entry.id, { entry, number: this.index.add(entry), count: 1 });
    this.sorted.add(entry);
  }

  release(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined || --held.count > 0) return;
    this.#held.delete(id);
    this.index.remove(held.number);
    this.sorted.delete(held.entry);
  }
}

export class NameDirectory implements LeagueNames {
  readonly #slate: Slate;
  readonly #cache = new NameCache();
  #serving: SlateIndexes;
  /**
   * A second set of indexes in the making. It replaces the serving one, which consists mostly of fixtures
   * that left.
   */
  #next: SlateIndexes | null = null;
  /**
   * The slate's fixtures by event number, each as it was when its teams, league or kickoff last changed.
   * `#pairingCount` counts those changes.
   */
  readonly #views = new Map<number, FixtureView>();
  #pairingCount = NEVER;
  /** Changes that are not in the indexes yet, by event number: the fixture, or null when it left. */
  readonly #pending = new Map<number, FixtureView | null>();
  /** Fixtures that still have to be added to the second set of indexes. */
  #missing: FixtureView[] = [];
  /**
   * Fixtures that may have changed and are still to be compared. Those whose pairing did change go to
   * #pending.
   */
  readonly #unnoted = new Set<number>();
  #isStepped = false;
  #indexing: Promise<void> | null = null;

  constructor(slate: Slate) {
    this.#slate = slate;
    this.#serving = new SlateIndexes(this.#cache);
  }

  /**
   * Indexes the next few fixtures, for well under a millisecond. Call it regularly, so that queries need not
   * index: once the whole slate has been indexed, a query applies at most one step of changes.
   * @returns whether nothing is left to index; true while the slate is not ready
   */
  step(nowMs: number): boolean {
    if (!this.#slate.isReady(nowMs)) return true;
    if (!this.#slate.stepLists()) return false;
    if (this.#pending.size === 0 || this.#unnoted.size > 0) this.#refresh(NOTED_PER_STEP);
    if (this.#unnoted.size > 0) return false;
    const isDone = this.#apply(FIXTURES_PER_STEP);
    this.#isStepped ||= isDone;
    return isDone;
  }

  /** How many fixtures were indexed, and how many were compared with what is indexed. */
  get progress(): { readonly indexed: number; readonly noted: number } {
    return { indexed: this.#serving.fixtures.size, noted: this.#views.size };
  }

  /**
   * Null when at most one step of indexing is left, or when there is no slate. Otherwise a promise that
   * resolves once every fixture of the slate is indexed; the work is done in steps with other requests
   * between them. A thread that serves others calls this before it looks up a name. A caller that skips it
   * before the first complete index waits for all of it in one go.
   */
  whenIndexed(nowMs: number): Promise<void> | null {
    if (this.#indexing !== null) return this.#indexing;
    if (!this.#slate.isReady(nowMs)) return null;
    if (this.#slate.isListed) {
      this.#refresh(NOTED_PER_STEP);
      if (this.#isStepped && this.#unnoted.size === 0 && this.#pending.size <= FIXTURES_PER_STEP) return null;
    }
    this.#indexing = this.#indexInSteps(nowMs).finally(() => {
      this.#indexing = null;
    });
    return this.#indexing;
  }

  async #indexInSteps(nowMs: number): Promise<void> {
    // Callers do not wait for a second set of indexes, because the serving one answers meanwhile.
    for (let isDone = false; !isDone; ) {
      await eventLoopTurn();
      isDone =
        this.step(nowMs) ||
        (this.#isStepped && this.#slate.isListed && this.#unnoted.size + this.#pending.size === 0);
    }
  }

  /** Every fixture of the slate by the names of its teams. */
  fixtures(nowMs: number): FixtureIndex {
    return this.#current(nowMs).fixtures;
  }

  /** The teams of the slate, each once. */
  teams(nowMs: number): EntityOrder {
    return this.#current(nowMs).teams.sorted;
  }

  /** The leagues of the slate, each once. */
  leagues(nowMs: number): EntityOrder {
    return this.#current(nowMs).leagues.sorted;
  }

  teamIndex(nowMs: number): EntryIndex<EntityEntry> {
    return this.#current(nowMs).teams.index;
  }

  leagueIndex(nowMs: number): EntryIndex<EntityEntry> {
    return this.#current(nowMs).leagues.index;
  }

  candidates(text: string, nowMs: number, sport?: SportKey): LeagueCandidates {
    const resolution = this.#current(nowMs).leagues.index.resolve(text, {
      sport: sport === undefined ? undefined : indexIn(SPORT_KEYS, sport),
    });
    const { status, best, alternatives } = resolution;
    const all = best === null ? alternatives : [best, ...alternatives];
    return { isMatched: status === 'matched', leagues: all.map((candidate) => candidate.entry) };
  }

  #current(nowMs: number): SlateIndexes {
    this.#slate.requireReady(nowMs);
    const isAtOnce = !this.#isStepped;
    this.#refresh(isAtOnce ? Number.POSITIVE_INFINITY : NOTED_PER_STEP);
    this.#apply(isAtOnce ? Number.POSITIVE_INFINITY : FIXTURES_PER_STEP);
    return this.#serving;
  }

  /** Compares at most this many fixtures and records which teams, kickoffs or names have changed. */
  #refresh(notedMax: number): void {
    const lists = this.#slate.lists();
    const changed = lists.pairingsSince(this.#pairingCount);
    if (changed === null) {
      for (const eventNumber of this.#views.keys()) this.#unnoted.add(eventNumber);
      for (const { eventNumber } of lists.views()) this.#unnoted.add(eventNumber);
    } else {
      for (const eventNumber of changed) this.#unnoted.add(eventNumber);
    }
    this.#pairingCount = lists.pairingCount;
    let left = notedMax;
    for (const eventNumber of this.#unnoted) {
      if (left-- <= 0) return;
      this.#unnoted.delete(eventNumber);
      this.#note(eventNumber, lists.view(eventNumber));
    }
  }

  /** Records that the event now has this fixture, or that it is not on the slate. */
  #note(eventNumber: number, view: FixtureView | undefined): void {
    const known = this.#views.get(eventNumber);
    if (view === undefined) {
      if (this.#views.delete(eventNumber)) this.#pending.set(eventNumber, null);
    } else if (known === undefined || !isSamePairing(view, known)) {
      this.#views.set(eventNumber, view);
      this.#pending.set(eventNumber, view);
    }
  }

  /** Indexes at most this many fixtures. @returns whether all are indexed */
  #apply(fixturesMax: number): boolean {
    let left = fixturesMax;
    for (const [eventNumber, view] of this.#pending) {
      if (left-- <= 0) return false;
      this.#pending.delete(eventNumber);
      for (const indexes of [this.#serving, this.#next]) {
        if (view === null) indexes?.delete(eventNumber);
        else indexes?.set(view);
      }
    }
    if (this.#next === null) {
      if (!this.#serving.fixtures.isMostlyOld) return true;
      this.#next = new SlateIndexes(this.#cache);
      this.#missing = [...this.#views.values()];
    }
    for (let view = this.#missing.pop(); view !== undefined; view = this.#missing.pop()) {
      // If a fixture has left or changed meanwhile, the second set already has that change.
      if (this.#serving.has(view)) this.#next.set(view);
      if (left-- <= 0) return false;
    }
    this.#serving = this.#next;
    this.#next = null;
    return true;
  }
}

function toResolvable(view: FixtureView) {
  return {
    eventNumber: view.eventNumber,
    homeName: view.homeTeam.name,
    awayName: view.awayTeam.name,
    leagueName: view.league.name,
    sport: view.sportIndex,
    scheduledAtMs: view.scheduledAtMs,
  };
}

function entryOf(view: FixtureView, ref: NamedRef): EntityEntry {
  const country = ref === view.league ? null : countryOfLeague(view.league.name);
  return { id: ref.id, name: ref.name, sport: view.sportIndex, sportKey: view.sport, country };
}
