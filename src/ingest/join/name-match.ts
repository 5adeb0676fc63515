// Finds fixtures of different sources that may be the same match: same sport, kickoff within 15 minutes, and
// each fixture found by the names of the other, in at least one direction with certainty. (The directions
// differ: "Arsenal" may be another club's name where "Arsenal FC" is not.) A wrong join is worse than a
// missing one.

import { DAY_MS } from '../../clock.ts';
import { FixtureIndex } from '../../names/fixture-index.ts';
import { countryOfLeague } from '../../names/league-language.ts';
import { fixturesOfPair } from '../../names/resolve-fixture.ts';
import { NameCache, parseLeagueName, parseName } from '../../names/text/parse-name.ts';
import type { SourceFixture } from './source-slate.ts';

export const KICKOFF_APART_MS_MAX = 15 * 60_000;
/**
 * Fewer than one in a hundred answers with this confidence about two names was wrong
 * (docs/reference/names.md).
 */
export const JOIN_CONFIDENCE_MIN = 0.99;

/** A fixture of another source that may be the same match. */
export interface NameCandidate {
  readonly id: number;
  /** 0 to 1: the higher of both directions; each direction has to find the other fixture. */
  readonly confidence: number;
  /** Whether the other source has home and away swapped. */
  readonly isTurned: boolean;
}

/** The names of every source's fixtures, each source in an index of its own. */
export class NameMatcher {
  readonly #cache = new NameCache();
  readonly #indexes: FixtureIndex[];
  readonly #fixtures = new Map<number, SourceFixture>();

  constructor(sourceCount: number) {
    this.#indexes = Array.from({ length: sourceCount }, () => new FixtureIndex(this.#cache));
  }

  set(fixture: SourceFixture): void {
    const { home, away, league, sport, scheduledAtMs } = fixture.message;
    this.#fixtures.set(fixture.id, fixture);
    if (this.#indexes[fixture.source]!.isMostlyOld) this.#renew(fixture.source);
    this.#indexes[fixture.source]!.set({
      eventNumber: fixture.id,
      homeName: home.name,
      awayName: away.name,
      leagueName: league.name,
      sport,
      scheduledAtMs,
    });
  }

  delete(fixture: SourceFixture): void {
    this.#fixtures.delete(fixture.id);
    this.#indexes[fixture.source]!.delete(fixture.id);
  }

  /**
   * Fixtures of one other source with about the same kickoff that are certainly the same match. If there are
   * two, the caller must not join them.
   */
  matches(fixture: SourceFixture, source: number): readonly NameCandidate[] {
    return this.near(fixture, source, KICKOFF_APART_MS_MAX).filter(
      ({ confidence }) => confidence >= JOIN_CONFIDENCE_MIN,
    );
  }

  /** Fixtures of one other source within a day that look like the same match, certain or not: for reports. */
  alike(fixture: SourceFixture, source: number): readonly NameCandidate[] {
    return this.near(fixture, source, DAY_MS);
  }

  /**
   * Whether the sides of two fixtures are swapped, by their names alone: null when the names do not decide.
   */
  isTurned(fixture: SourceFixture, other: SourceFixture): boolean | null {
    const found = this.#pairs(fixture, other.source, Number.POSITIVE_INFINITY);
    return found.find(({ eventNumber }) => eventNumber === other.id)?.isTurned ?? null;
  }

  near(fixture: SourceFixture, source: number, apartMs: number): readonly NameCandidate[] {
    return this.#pairs(fixture, source, apartMs).flatMap(
      ({ eventNumber, confidence, isTurned, isOfBoth }) => {
        const other = this.#fixtures.get(eventNumber)!;
        if (!isOfBoth || !isSameKind(fixture, other)) return [];
        const back = this.#pairs(other, fixture.source, apartMs);
        const answer = back.find((candidate) => candidate.eventNumber === fixture.id);
        if (answer === undefined || answer.isTurned !== isTurned) return [];
        return [{ id: eventNumber, confidence: Math.max(confidence, answer.confidence), isTurned }];
      },
    );
  }

  #pairs({ message }: SourceFixture, source: number, apartMs: number) {
    const { home, away, sport, scheduledAtMs } = message;
    const dateFromMs = scheduledAtMs - apartMs;
    return fixturesOfPair(this.#indexes[source]!, [home.name, away.name], {
      sport,
      dateFromMs,
      dateToMs: scheduledAtMs + apartMs,
    });
  }

  /** An index keeps the names of fixtures that left, so it is rebuilt when most of it is old. */
  #renew(source: number): void {
    this.#indexes[source] = new FixtureIndex(this.#cache);
    for (const fixture of this.#fixtures.values()) if (fixture.source === source) this.set(fixture);
  }
}

/**
 * Whether both are matches of the same kind of side (men, women, youth, reserves) and not of different
 * countries.
 */
function isSameKind({ message: one }: SourceFixture, { message: other }: SourceFixture): boolean {
  if (variantOf(one) !== variantOf(other)) return false;
  const country = countryOfLeague(one.league.name);
  const otherCountry = countryOfLeague(other.league.name);
  return country === null || otherCountry === null || country === otherCountry;
}

/** Marks of women's, youth and reserve sides, in the league's name or in both teams'. */
function variantOf({ league, home, away }: SourceFixture['message']): number {
  return parseLeagueName(league.name).variant | (parseName(home.name).variant & parseName(away.name).variant);
}
