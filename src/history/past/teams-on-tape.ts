// Finds fixtures of the tape by the name of a team. To index a thousand teams takes a tenth of a second, in
// which the history thread would answer nobody. So indexes are kept, and are brought up to date in small
// steps, between which the thread does other work.

import { indexIn, SPORT_KEYS, type SportKey } from '../../domain/catalogue.ts';
import type { classOf } from '../../domain/tiers.ts';
import { readingTables } from '../../names/club-table.ts';
import { createTeamIndex, type EntryIndex, type NamedEntry } from '../../names/team-index.ts';
import type { NameCache } from '../../names/text/parse-name.ts';
import { eventLoopTurn, inSteps, putInSteps } from '../../pause.ts';
import { cachesByClass } from '../../query/lru-cache.ts';
import type { FixtureSummary } from './fixture-summaries.ts';

/**
 * Maximum number of teams of all kept indexes of a class of callers together. Beyond it, the index used
 * longest ago is dropped, and made again when it is needed.
 */
const KEPT_TEAMS_MAX = { paid: 20_000, unpaid: 5_000 };
/** Teams that are indexed in one step. Each takes some tens of microseconds. */
export const TEAMS_PER_STEP = 32;

interface NamedTeam extends NamedEntry {
  readonly key: string;
}

interface TeamsIndex {
  readonly index: EntryIndex<NamedTeam>;
  /** The number of each team in the index, by the team's key. */
  readonly numbers: Map<string, number>;
  /** How many teams were removed from the index. Their words stay in it. */
  removed: number;
}

export interface TeamQuestion {
  /** What identifies the part of the tape that the caller sees. Each part has an index of its own. */
  readonly part: string;
  readonly ofClass: ReturnType<typeof classOf>;
  readonly fixtures: Iterable<FixtureSummary>;
  readonly q: string;
  /** Null for all. */
  readonly sport: SportKey | null;
}

export class TeamsOnTape {
  readonly #names: NameCache;
  readonly #teamsPerStep: number;
  readonly #kept = cachesByClass<TeamsIndex>(KEPT_TEAMS_MAX);

  constructor(names: NameCache, teamsPerStep = TEAMS_PER_STEP) {
    this.#names = names;
    this.#teamsPerStep = teamsPerStep;
  }

  /** Event ids of fixtures with a team that `q` may name, as in the list of teams. */
  async eventsNamed({ part, ofClass, fixtures, q, sport }: TeamQuestion): Promise<ReadonlySet<string>> {
    await inSteps(readingTables());
    const teams = teamsOf(fixtures);
    await eventLoopTurn(); // with thousands of fixtures, this and the search take ten milliseconds each
    const cache = this.#kept[ofClass];
    const kept = cache.get(part) ?? this.#empty();
    cache.set(part, kept, teams.size);
    const { index, numbers } = kept;
    const put = ({ team }: { readonly team: NamedTeam }): boolean => {
      if (numbers.has(team.key)) return false;
      numbers.set(team.key, index.add(team));
      return true;
    };
    const added = putInSteps(teams.values().toArray(), put, this.#teamsPerStep);
    if (added !== null) {
      await added;
      // While this call waited, another question may have removed teams that its own fixtures do not have.
      // They are added again.
      for (const team of teams.values()) put(team);
    }
    for (const [key, number] of numbers) {
      if (teams.has(key)) continue;
      index.remove(number);
      numbers.delete(key);
      kept.removed += 1;
    }
    if (kept.removed > numbers.size) cache.delete(part);
    const options = sport === null ? {} : { sport: indexIn(SPORT_KEYS, sport) };
    return new Set(index.search(q, options).flatMap(({ entry }) => teams.get(entry.key)!.eventIds));
  }

  #empty(): TeamsIndex {
    return { index: createTeamIndex<NamedTeam>([], this.#names), numbers: new Map(), removed: 0 };
  }
}

/** The teams by key: each once, however many matches it has played. */
function teamsOf(fixtures: Iterable<FixtureSummary>) {
  const teams = new Map<string, { readonly team: NamedTeam; readonly eventIds: string[] }>();
  for (const { eventId, sport, home, away } of fixtures) {
    for (const name of [home, away]) {
      const key = `${sport} ${name}`;
      const held = teams.get(key);
      if (held !== undefined) held.eventIds.push(eventId);
      else teams.set(key, { team: { key, name, sport: indexIn(SPORT_KEYS, sport) }, eventIds: [eventId] });
    }
  }
  return teams;
}
