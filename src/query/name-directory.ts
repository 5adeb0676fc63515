// Names of the current slate made searchable: fixtures, teams and leagues. A fixture that arrives, leaves, moves or is
// renamed changes its own entries and no others, and a price that moves changes nothing. A slate of thousands of new
// fixtures is indexed in steps of well under a millisecond each, so that no poll waits for it. One per thread.

import { indexIn, SPORT_KEYS, type SportKey } from '../domain/catalogue.ts';
import { FixtureIndex } from '../names/fixture-index.ts';
import { clubIndex } from '../names/known-clubs.ts';
import { countryOfLeague } from '../names/league-language.ts';
import { NameCache } from '../names/parse-name.ts';
import { createLeagueIndex, createTeamIndex, type EntryIndex } from '../names/team-index.ts';
import { type EntityEntry, EntityOrder } from './entity-order.ts';
import { type FixtureView, isSamePairing, type NamedRef } from './fixture-view.ts';
import type { LeagueNames } from './league-filter.ts';
import type { Slate } from './slate.ts';

/** Before the slate was looked at. */
const NEVER = -1;
/** Fixtures indexed in one step: up to a quarter of a millisecond each, with both teams in both indexes. */
export const FIXTURES_PER_STEP = 2;

/** Fixtures looked at in one step for a changed pairing: about a tenth of a microsecond each. */
export const NOTED_PER_STEP = 128;

/** The three indexes, and what of the slate is in them. */
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

  /** Whether the fixture is in, as this view has it. */
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

/** Entries of an index that stay as long as some fixture has them. */
class CountedEntries {
  readonly index: EntryIndex<EntityEntry>;
  /** The same by name. */
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
  /** A new set of indexes that is being filled, because the serving one is mostly of fixtures that left. */
  #next: SlateIndexes | null = null;
  /** The slate's fixtures by event number, each as it was when its pairing last changed, and the count of those changes. */
  readonly #views = new Map<number, FixtureView>();
  #pairingCount = NEVER;
  /** Changes that are not in the indexes yet, by event number: the fixture, or null when it left. */
  readonly #pending = new Map<number, FixtureView | null>();
  /** Fixtures that the next indexes lack. */
  #missing: FixtureView[] = [];
  /** Fixtures of which a change is to be noted: each goes from here to #pending, if its pairing did change. */
  readonly #unnoted = new Set<number>();
  #isStepped = false;
  #indexing: Promise<void> | null = null;

  constructor(slate: Slate) {
    this.#slate = slate;
    this.#serving = new SlateIndexes(this.#cache);
  }

  /** Indexes the clubs of the tables, a tenth of a second's work, which else the first query would wait for. */
  warm(): void {
    clubIndex();
  }

  /**
   * Indexes the next few fixtures, for well under a millisecond. Whoever calls this now and then takes it over: from
   * when all of the slate was indexed once, queries no longer index more than one step of changes themselves and are
   * answered from what is there. Nothing is done while the slate is not ready.
   * @returns whether everything is indexed
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

  /** Fixtures that are indexed, and those whose names were compared with what is indexed. */
  get progress(): { readonly indexed: number; readonly noted: number } {
    return { indexed: this.#serving.fixtures.size, noted: this.#views.size };
  }

  /**
   * Null when every fixture of the slate is indexed, or there is no slate. Else resolves when they are: the work is done
   * in steps with other requests between them. Who serves others while it waits asks this before it asks for a name; who
   * does not, and asks before all was indexed once, waits for all of it in one go.
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
    // Indexes that are made anew behind the serving ones keep nobody waiting.
    for (let isDone = false; !isDone; ) {
      await new Promise<void>((resolve) => setImmediate(resolve));
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

  candidates(text: string, nowMs: number, sport?: SportKey): readonly NamedRef[] {
    const resolution = this.#current(nowMs).leagues.index.resolve(text, {
      sport: sport === undefined ? undefined : indexIn(SPORT_KEYS, sport),
    });
    if (resolution.best === null) return [];
    const best = resolution.best;
    if (resolution.status === 'matched') return [best.entry];
    return [best, ...resolution.alternatives].map((candidate) => candidate.entry);
  }

  #current(nowMs: number): SlateIndexes {
    this.#slate.requireReady(nowMs);
    const isAtOnce = !this.#isStepped;
    this.#refresh(isAtOnce ? Number.POSITIVE_INFINITY : NOTED_PER_STEP);
    this.#apply(isAtOnce ? Number.POSITIVE_INFINITY : FIXTURES_PER_STEP);
    return this.#serving;
  }

  /** Notes what has changed in who plays whom, when, or under which name, of at most so many fixtures. */
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

  /** The event's fixture is this one, or not on the slate. */
  #note(eventNumber: number, view: FixtureView | undefined): void {
    const known = this.#views.get(eventNumber);
    if (view === undefined) {
      if (this.#views.delete(eventNumber)) this.#pending.set(eventNumber, null);
    } else if (known === undefined || !isSamePairing(view, known)) {
      this.#views.set(eventNumber, view);
      this.#pending.set(eventNumber, view);
    }
  }

  /** Indexes at most so many fixtures. @returns whether none is left */
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
      // One that has left or changed meanwhile went into the next indexes with that change.
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
