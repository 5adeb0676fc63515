// Decides which fixtures of several sources are the same match: a pure function of the fixtures, the
// operator's rules, and earlier joins. Two fixtures are joined when each is the other's only match in its
// source; a fixture with two matches is not joined. Once joined they stay joined when a kickoff moves, until
// a better match appears or a name changes.

import type { JoinRules, NamedFixture } from './join-rules.ts';
import { NameMatcher } from './name-match.ts';
import type { SourceFixture } from './source-slate.ts';

/** A possible join of two fixtures. */
interface Edge {
  readonly isTurned: boolean;
  /**
   * `forced`: FEED_MATCH requires it. `matched`: by their names and kickoffs. `former`: they were joined
   * before a kickoff moved.
   */
  readonly kind: 'forced' | 'matched' | 'former';
}

/** A fixture whose names or kickoff have changed. */
interface Change {
  readonly fixture: SourceFixture;
  readonly described: string;
  readonly before: ReadonlyMap<number, Edge>;
  readonly formerMates: readonly SourceFixture[];
}

/** The fixtures of one match, at most one from each source. */
export type JoinedFixtures = readonly {
  readonly fixture: SourceFixture;
  /** Whether home and away are swapped compared with the first of them. */
  readonly isTurned: boolean;
}[];

export class FixtureJoin {
  readonly names: NameMatcher;
  readonly #sourceNames: readonly string[];
  readonly #rules: JoinRules;
  readonly #fixtures = new Map<number, SourceFixture>();
  readonly #idByKey = new Map<string, number>();
  readonly #edges = new Map<number, Map<number, Edge>>();
  /** Each fixture's description at the time when its edges were found. */
  readonly #described = new Map<number, string>();

  constructor(sourceNames: readonly string[], rules: JoinRules) {
    this.#sourceNames = sourceNames;
    this.#rules = rules;
    this.names = new NameMatcher(sourceNames.length);
  }

  /**
   * Adds fixtures, or gives them a new description. Pass a whole snapshot in one call, because a new name
   * changes the word weights of its source, which this method then computes again. With a call per fixture,
   * it would do so for each fixture.
   * @returns fixtures whose joins may have changed; none if no description has changed
   */
  put(fixtures: readonly SourceFixture[]): readonly SourceFixture[] {
    const changed = fixtures.flatMap((fixture) => this.#changeOf(fixture) ?? []);
    for (const { fixture, described, before } of changed) {
      this.#described.set(fixture.id, described);
      this.#fixtures.set(fixture.id, fixture);
      this.#idByKey.set(this.#keyOf(fixture), fixture.id);
      this.names.set(fixture);
      for (const other of before.keys()) this.#edges.get(other)?.delete(fixture.id);
      this.#edges.set(fixture.id, new Map());
    }
    for (const { fixture, before, formerMates } of changed) {
      for (let other = 0; other < this.#sourceNames.length; other++) {
        if (other !== fixture.source) this.#connect(fixture, other);
      }
      const edges = this.#edges.get(fixture.id)!;
      for (const mate of formerMates) {
        const { isTurned } = before.get(mate.id)!;
        if (!edges.has(mate.id)) this.#link(fixture, mate, { isTurned, kind: 'former' });
      }
    }
    const near = changed.flatMap(({ fixture: { id }, before }) => [
      ...before.keys(),
      ...this.#edges.get(id)!.keys(),
    ]);
    return this.#touched([...changed.map(({ fixture }) => fixture), ...this.#known(near)]);
  }

  /** Removes a fixture. @returns as `put` */
  delete(fixture: SourceFixture): readonly SourceFixture[] {
    const { id } = fixture;
    const others = this.#known([...(this.#edges.get(id)?.keys() ?? [])]);
    for (const other of others) this.#edges.get(other.id)?.delete(id);
    this.#edges.delete(id);
    this.#described.delete(id);
    this.#fixtures.delete(id);
    this.#idByKey.delete(this.#keyOf(fixture));
    this.names.delete(fixture);
    return this.#touched(others);
  }

  /**
   * The fixtures of the match that a fixture belongs to, in the order of FEED. If no other fixture is
   * certainly the same match, only the fixture itself.
   */
  joined(fixture: SourceFixture): JoinedFixtures {
    const alone = [{ fixture, isTurned: false }];
    const found = new Map<number, { fixture: SourceFixture; isTurned: boolean }>([[fixture.id, alone[0]!]]);
    for (const { fixture: member, isTurned } of found.values()) {
      for (const mate of this.#mates(member)) {
        const edge = this.#edges.get(member.id)!.get(mate.id)!;
        if (!found.has(mate.id)) found.set(mate.id, { fixture: mate, isTurned: isTurned !== edge.isTurned });
      }
    }
    const members = [...found.values()].sort((left, right) => left.fixture.source - right.fixture.source);
    // With three sources, two fixtures of one source may both be reached through the third. Then no join is
    // certain.
    const isOfOneSourceTwice = members.some(
      ({ fixture: one }, at) => one.source === members[at - 1]?.fixture.source,
    );
    if (isOfOneSourceTwice) return alone;
    const isFirstTurned = members[0]!.isTurned;
    return members.map(({ fixture: one, isTurned }) => ({
      fixture: one,
      isTurned: isTurned !== isFirstTurned,
    }));
  }

  /** The fixtures of other sources that may be the same match as a fixture, joined or not. */
  partners(fixture: SourceFixture): readonly SourceFixture[] {
    return this.#known([...(this.#edges.get(fixture.id)?.keys() ?? [])]);
  }

  /** Fixtures that the operator's file names and that no source has now: over, not there yet, or mistyped. */
  get namedNothing(): readonly NamedFixture[] {
    return [...this.#rules.named].flatMap(([key, named]) => (this.#idByKey.has(key) ? [] : [named]));
  }

  /** Whether the operator's rules say that these are two matches. */
  isForbidden(one: SourceFixture, other: SourceFixture): boolean {
    return this.#rules.isForbidden(this.#keyOf(one), this.#keyOf(other));
  }

  /**
   * The new description of a fixture, its earlier possible joins, and the fixtures that it was joined with,
   * unless its names changed. Null when the description has not changed.
   */
  #changeOf(fixture: SourceFixture): Change | null {
    const { home, away, league, scheduledAtMs } = fixture.message;
    const teams = JSON.stringify([home.name, away.name, league.name]);
    const described = `${teams} ${scheduledAtMs}`;
    const former = this.#described.get(fixture.id);
    if (former === described) return null;
    const before = new Map(this.#edges.get(fixture.id));
    const isRenamed = former?.startsWith(teams) !== true;
    return { fixture, described, before, formerMates: isRenamed ? [] : this.#mates(fixture) };
  }

  #connect(fixture: SourceFixture, source: number): void {
    const forcedKey = this.#rules.partnerOf(this.#keyOf(fixture), this.#sourceNames[source]!);
    const forced = forcedKey === null ? undefined : this.#fixtures.get(this.#idByKey.get(forcedKey) ?? -1);
    if (forced !== undefined && forced.message.sport === fixture.message.sport) {
      this.#link(fixture, forced, {
        isTurned: this.names.isTurned(fixture, forced) ?? false,
        kind: 'forced',
      });
    }
    for (const { id, isTurned } of this.names.matches(fixture, source)) {
      const other = this.#fixtures.get(id)!;
      if (id === forced?.id || this.isForbidden(fixture, other)) continue;
      this.#link(fixture, other, { isTurned, kind: 'matched' });
    }
  }

  #link(one: SourceFixture, other: SourceFixture, edge: Edge): void {
    this.#edges.get(one.id)!.set(other.id, edge);
    this.#edges.get(other.id)!.set(one.id, edge);
  }

  /** The fixtures that this one is joined with directly: each the other's only match. */
  #mates(fixture: SourceFixture): readonly SourceFixture[] {
    const mates: SourceFixture[] = [];
    for (let source = 0; source < this.#sourceNames.length; source++) {
      const mate = this.#only(fixture.id, source);
      if (mate !== null && this.#only(mate.id, fixture.source)?.id === fixture.id) mates.push(mate);
    }
    return mates;
  }

  /**
   * The one match in a source: by FEED_MATCH if it names any, otherwise by names, otherwise by an earlier
   * join. Null when that finds none, or two.
   */
  #only(id: number, source: number): SourceFixture | null {
    const edges = [...(this.#edges.get(id) ?? [])]
      .map(([other, { kind }]) => ({ fixture: this.#fixtures.get(other)!, kind }))
      .filter(({ fixture }) => fixture.source === source);
    for (const kind of ['forced', 'matched', 'former']) {
      const [only, second] = edges.filter((edge) => edge.kind === kind);
      if (only !== undefined) return second === undefined ? only.fixture : null;
    }
    return null;
  }

  /**
   * These fixtures and all that are connected with them by edges, over any number of steps. If these fixtures
   * change, only the joins of the result can change.
   */
  #touched(fixtures: readonly SourceFixture[]): readonly SourceFixture[] {
    const reached = new Set(fixtures);
    for (const fixture of reached) for (const partner of this.partners(fixture)) reached.add(partner);
    return [...reached];
  }

  #known(ids: readonly number[]): readonly SourceFixture[] {
    return ids.flatMap((id) => this.#fixtures.get(id) ?? []);
  }

  #keyOf({ source, message }: SourceFixture): string {
    return `${this.#sourceNames[source]}|${message.event}`;
  }
}
