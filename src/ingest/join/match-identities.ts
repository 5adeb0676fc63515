// Chooses the name of a match on the slate, from which its public ids follow. It is the leader's name if this
// node knows it, otherwise the name before a restart, otherwise that of its first fixture. It also decides
// which match keeps its name when fixtures are joined or separated.

import type { IdentityParts, JoinedIdentities } from '../../archive/joined-identities.ts';
import { entityNumber } from '../../domain/ids.ts';
import type { LeaderFixtures } from '../../replication/leader-fixtures.ts';
import type { Match, MatchName, Member } from './match.ts';
import type { SourceFixture } from './source-slate.ts';

export interface MatchIdentitiesOptions {
  /** Names of the sources, in the order of FEED. */
  readonly names: readonly string[];
  readonly identities: JoinedIdentities;
  /** On a standby node, the leader's fixtures; otherwise empty. */
  readonly leaderFixtures: LeaderFixtures;
}

export class MatchIdentities {
  readonly #options: MatchIdentitiesOptions;

  constructor({ names, identities, leaderFixtures }: MatchIdentitiesOptions) {
    this.#options = { names, identities, leaderFixtures };
  }

  /**
   * The name of a match that is new on the slate.
   * @param isTaken whether another match on the slate has that key
   */
  nameOf(members: readonly Member[], isTaken: (key: string) => boolean): MatchName {
    const leaderName = this.#leaderNameOf(members);
    if (leaderName !== null && !isTaken(leaderName.identity.event)) return leaderName;
    const kept = members
      .flatMap((member) => this.#keptNameOf(member) ?? [])
      .find(({ identity }) => !isTaken(identity.event));
    if (kept !== undefined) return kept;
    const [first] = members;
    const [own, apart] = this.#ownNamesOf(first!);
    // Two sources may use one key for different matches; the later one also gets its source's name in the
    // key.
    return isTaken(own.identity.event) ? apart : own;
  }

  /** Matches for which the leader has another name, each with that name. */
  leaderNames(matches: readonly Match[]): ReadonlyMap<Match, MatchName> {
    const renamed = new Map<Match, MatchName>();
    const right = new Set(matches.filter((match) => this.#isOfLeader(match.event())));
    // If the leader has joined two of our matches into one, only one of ours can have its name.
    const taken = new Set([...right].map(({ key }) => key));
    for (const match of matches) {
      if (right.has(match)) continue;
      const name = this.#leaderNameOf(match.members);
      if (name === null || taken.has(name.identity.event)) continue;
      taken.add(name.identity.event);
      renamed.set(match, name);
    }
    return renamed;
  }

  /** Stores the name of a match, so that it survives a restart. */
  keep(match: Match): void {
    for (const { fixture, isTurned } of match.members) {
      const key = this.#fixtureKey(fixture);
      if (fixture.message.event === match.key) this.#options.identities.delete(key);
      else this.#options.identities.set(key, { teams: teamsOf(fixture), identity: match.identity, isTurned });
    }
  }

  /** The leader's name for a match of these fixtures; null when this node knows of no such name. */
  #leaderNameOf(members: readonly Member[]): MatchName | null {
    if (this.#options.leaderFixtures.isEmpty) return null;
    const names = [
      ...members.flatMap((member) => this.#keptNameOf(member) ?? []),
      ...members.flatMap((member) => this.#ownNamesOf(member)),
    ];
    return names.find(({ identity }) => this.#isOfLeader(identity)) ?? null;
  }

  #isOfLeader({ event, sport, home, away }: IdentityParts): boolean {
    return this.#options.leaderFixtures.has({
      event: entityNumber('event', sport, event),
      home: entityNumber('team', sport, home.key),
      away: entityNumber('team', sport, away.key),
    });
  }

  /** The name that a fixture's match had before a restart, or has at the leader. */
  #keptNameOf({ fixture }: Member): MatchName | null {
    const kept = this.#options.identities.get(this.#fixtureKey(fixture));
    if (kept === null || kept.teams !== teamsOf(fixture)) return null;
    return { identity: kept.identity, namer: fixture, isTurned: kept.isTurned };
  }

  /** The names that follow from a fixture itself: by its key alone, and by its source and key. */
  #ownNamesOf({ fixture }: Member): readonly [MatchName, MatchName] {
    const { event, sport, league, home, away } = fixture.message;
    const identity = { event, sport, league, home, away };
    const apart = `${this.#options.names[fixture.source]}/${event}`;
    return [
      { identity, namer: fixture, isTurned: false },
      { identity: { ...identity, event: apart }, namer: fixture, isTurned: false },
    ];
  }

  #fixtureKey({ source, message }: SourceFixture): string {
    return `${this.#options.names[source]}|${message.event}`;
  }
}

/**
 * Which former match each group of fixtures continues. If two matches become one, the new match continues the
 * former match that comes first in the order of FEED. If a match is split, the group with the fixture that
 * the match is named after continues it.
 * @param former by the fixture's id
 */
export function heirsOf(
  groups: readonly (readonly Member[])[],
  former: ReadonlyMap<number, Match>,
): ReadonlyMap<readonly Member[], Match> {
  const heirs = new Map<readonly Member[], Match>();
  const claims = groups.flatMap((members) =>
    members.flatMap(({ fixture }, place) => {
      const match = former.get(fixture.id);
      return match === undefined
        ? []
        : [{ members, match, place, isNamesake: fixture.message.event === match.key }];
    }),
  );
  // Claims with the fixture that the match is named after come first, then the others in the order of FEED.
  claims.sort(
    (left, right) => Number(right.isNamesake) - Number(left.isNamesake) || left.place - right.place,
  );
  const taken = new Set<Match>();
  for (const { members, match } of claims) {
    if (heirs.has(members) || taken.has(match)) continue;
    heirs.set(members, match);
    taken.add(match);
  }
  return heirs;
}

function teamsOf({ message }: SourceFixture): string {
  return `${message.home.name}|${message.away.name}`;
}
