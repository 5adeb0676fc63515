// Names of the current slate made searchable: fixtures, teams and leagues. The indexes are rebuilt when a fixture
// arrives, leaves, moves or is renamed, and not when a price moves. One per thread.

import { indexIn, SPORT_KEYS, type SportKey } from '../domain/catalogue.ts';
import { createFixtureIndex, type FixtureIndex } from '../names/fixture-index.ts';
import { NameCache } from '../names/parse-name.ts';
import { createLeagueIndex, createTeamIndex, type EntryIndex, type NamedEntry } from '../names/team-index.ts';
import type { FixtureNow, FixtureView, NamedRef } from './fixture-view.ts';
import type { LeagueNames } from './league-filter.ts';
import type { Slate } from './slate.ts';

/** A league or team of the slate. */
export interface EntityEntry extends NamedEntry, NamedRef {
  readonly sportKey: SportKey;
}

export class NameDirectory implements LeagueNames {
  readonly #slate: Slate;
  readonly #cache = new NameCache();
  #views: readonly FixtureView[] = [];
  #fixtureIndex: FixtureIndex | null = null;
  #teamIndex: EntryIndex<EntityEntry> | null = null;
  #leagueIndex: EntryIndex<EntityEntry> | null = null;
  #teams: readonly EntityEntry[] | null = null;
  #leagues: readonly EntityEntry[] | null = null;

  constructor(slate: Slate) {
    this.#slate = slate;
  }

  /** Every fixture of the slate by the names of its teams. */
  fixtures(nowMs: number): FixtureIndex {
    this.#refresh(this.#slate.fixtures(nowMs));
    this.#fixtureIndex ??= createFixtureIndex(this.#views.map(toResolvable), this.#cache);
    return this.#fixtureIndex;
  }

  /** The teams of the slate, each once. */
  teams(nowMs: number): readonly EntityEntry[] {
    this.#refresh(this.#slate.fixtures(nowMs));
    this.#teams ??= uniqueEntries(
      this.#views.flatMap((view) => [entryOf(view, view.homeTeam), entryOf(view, view.awayTeam)]),
    );
    return this.#teams;
  }

  /** The leagues of the slate, each once. */
  leagues(nowMs: number): readonly EntityEntry[] {
    this.#refresh(this.#slate.fixtures(nowMs));
    return this.#currentLeagues();
  }

  teamIndex(nowMs: number): EntryIndex<EntityEntry> {
    const teams = this.teams(nowMs);
    this.#teamIndex ??= createTeamIndex(teams, this.#cache);
    return this.#teamIndex;
  }

  leagueIndex(nowMs: number): EntryIndex<EntityEntry> {
    this.#refresh(this.#slate.fixtures(nowMs));
    return this.#currentLeagueIndex();
  }

  candidates(text: string, fixtures: readonly FixtureNow[], sport?: SportKey): readonly NamedRef[] {
    this.#refresh(fixtures);
    const verdict = this.#currentLeagueIndex().resolve(text, {
      sport: sport === undefined ? undefined : indexIn(SPORT_KEYS, sport),
    });
    if (verdict.best === null) return [];
    const best = verdict.best;
    if (verdict.status === 'matched') return [best.entry];
    return [best, ...verdict.alternatives].map((candidate) => candidate.entry);
  }

  #currentLeagues(): readonly EntityEntry[] {
    this.#leagues ??= uniqueEntries(this.#views.map((view) => entryOf(view, view.league)));
    return this.#leagues;
  }

  #currentLeagueIndex(): EntryIndex<EntityEntry> {
    this.#leagueIndex ??= createLeagueIndex(this.#currentLeagues());
    return this.#leagueIndex;
  }

  /** Drops the indexes when who plays whom, when, or under which name has changed. */
  #refresh(fixtures: readonly FixtureNow[]): void {
    const held = this.#views;
    const isSame =
      held.length === fixtures.length &&
      fixtures.every(({ view }, index) => isSamePairing(view, held[index]!));
    if (isSame) return;
    this.#views = fixtures.map(({ view }) => view);
    this.#fixtureIndex = null;
    this.#teamIndex = null;
    this.#leagueIndex = null;
    this.#teams = null;
    this.#leagues = null;
  }
}

/** References are made once per name and thread, so identity is equality. */
function isSamePairing(left: FixtureView, right: FixtureView): boolean {
  return (
    left === right ||
    (left.eventNumber === right.eventNumber &&
      left.homeTeam === right.homeTeam &&
      left.awayTeam === right.awayTeam &&
      left.league === right.league &&
      Object.is(left.scheduledAtMs, right.scheduledAtMs))
  );
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
  return { id: ref.id, name: ref.name, sport: indexIn(SPORT_KEYS, view.sport), sportKey: view.sport };
}

function uniqueEntries(entries: readonly EntityEntry[]): EntityEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
