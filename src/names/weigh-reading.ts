// Weighs one reading of a fixture query, such as "arsenal" on the left and "chelsea" on the right: which fixtures of an
// index fit it, and how much speaks for each. Deciding between them is resolve-fixture.ts's.

import { contradictsSport } from './club-words.ts';
import type { FixtureIndex, TeamEntry, TeamMatch } from './fixture-index.ts';
import { areTwoClubs, bestRival } from './known-clubs.ts';
import type { NameMatch } from './name-index.ts';
import type { FixtureReading } from './parse-fixture-query.ts';
import { type ParsedName, parseName } from './parse-name.ts';
import { GRADE_FORM, GRADE_SAME, GRADE_SHORT } from './score-name.ts';
import {
  STRENGTH_ONE_SIDE,
  strengthAlone,
  strengthInPair,
  strengthInPairMax,
  strengthOfPair,
} from './strength.ts';

/** How a fixture fits a reading. */
export interface FixtureFit {
  readonly strength: number;
  readonly coverage: number;
  /** Both teams were asked for, with a word between them that is part of no name. */
  readonly isPair: boolean;
  /** Both names were found in it, however sure; else only one of them was. */
  readonly isOfBoth: boolean;
  /** The team named first plays away. */
  readonly isTurned: boolean;
}

/** Told of every fixture that fits. One may come more than once. */
export type Keep = (eventNumber: number, fit: FixtureFit) => void;

export interface WeighOptions {
  /**
   * The sport asked for, if any; or all words of the query, when its readings leave out those of a league, and then the
   * league and country of each team count.
   */
  readonly within: number | null | ParsedName;
  /** Whether a fixture may be meant at all: what speaks for others is not weighed. By default all may. */
  readonly isMeant?: (eventNumber: number) => boolean;
}

/** A team that one side of the text may mean. */
interface Side extends TeamMatch {
  /** The best grade of another club, looked for once and only when it matters: it costs as much as the search itself. */
  readonly rival: () => number;
}

/** Taken off the return match, when the match with the first-named team at home is there too. */
const RETURN_MATCH_PENALTY = 0.5;

/** Weighs the readings of one query; a name that several of them have is searched once. */
export class ReadingWeigher {
  readonly #index: FixtureIndex;
  readonly #within: number | null | ParsedName;
  readonly #isMeant: (eventNumber: number) => boolean;
  readonly #searched = new Map<string, readonly Side[]>();

  constructor(index: FixtureIndex, { within, isMeant = () => true }: WeighOptions) {
    this.#index = index;
    this.#within = within;
    this.#isMeant = isMeant;
  }

  /** Hands every fixture that fits a reading to `keep`, and answers what speaks for the best one. */
  weigh({ left, right, homeIsRight, isSeparated }: FixtureReading, keep: Keep): number {
    if (right === null) return this.#weighOne(left, keep);
    const sides = { left: this.#search(left), right: this.#search(right) };
    return this.#weighTwo(sides, { homeIsRight, isPair: isSeparated }, keep);
  }

  #weighOne(text: string, keep: Keep): number {
    let most = 0;
    for (const { match, team, rival } of this.#search(text)) {
      let strength = strengthAlone(match, rival());
      if (strength < GRADE_SAME && strength > 1 && areTwoClubs(this.#index.parse(text))) strength = 1;
      most = Math.max(most, strength);
      for (const eventNumber of team.events) {
        keep(eventNumber, {
          strength,
          coverage: match.coverage,
          isPair: false,
          isTurned: false,
          isOfBoth: false,
        });
      }
    }
    return most;
  }

  #weighTwo(
    { left, right }: { readonly left: readonly Side[]; readonly right: readonly Side[] },
    { homeIsRight, isPair }: { readonly homeIsRight: boolean; readonly isPair: boolean },
    keep: Keep,
  ): number {
    let most = 0;
    const rightByTeam = new Map(right.map((side) => [side.team, side]));
    const isWithoutLeague = this.#within !== null && typeof this.#within !== 'number';
    const straight = new Set<TeamEntry>();
    const turned: { eventNumber: number; pair: TeamEntry; strength: number; coverage: number }[] = [];
    for (const side of left) {
      const canStandAlone = strengthInPairMax(side.match) >= 2;
      straight.clear();
      turned.length = 0;
      for (const eventNumber of side.team.events) {
        const { home, away } = this.#index.entry(eventNumber);
        const leftIsHome = home === side.team;
        const other = rightByTeam.get(leftIsHome ? away : home);
        const isStraight = leftIsHome !== homeIsRight;
        if (isStraight && other !== undefined && other.team !== side.team) straight.add(other.team);
        if (!this.#isMeant(eventNumber)) continue;
        if (other === undefined || other.team === side.team) {
          if (canStandAlone && strengthInPair(side.match, side.rival()) >= 2)
            keep(eventNumber, { ...oneSide(side, isPair), isTurned: !leftIsHome });
          continue;
        }
        const own = strengthInPair(side.match, side.rival());
        const others = strengthInPair(other.match, other.rival());
        // "Austria Wien" is not "Wien" in Austria: with the league's words taken out, the rest has to be a name in full.
        const isPart = isWithoutLeague && Math.min(own, others) < GRADE_SHORT;
        const strength = isPart ? STRENGTH_ONE_SIDE : strengthOfPair(own, others);
        const coverage = Math.min(side.match.coverage, other.match.coverage);
        most = Math.max(most, strength);
        if (isStraight) {
          keep(eventNumber, { strength, coverage, isPair, isTurned: !leftIsHome, isOfBoth: true });
        } else {
          turned.push({ eventNumber, pair: other.team, strength, coverage });
        }
      }
      for (const { eventNumber, pair, strength, coverage } of turned) {
        const weighed = straight.has(pair) ? strength - RETURN_MATCH_PENALTY : strength;
        const isTurned = !homeIsRight;
        keep(eventNumber, { strength: weighed, coverage, isPair, isTurned, isOfBoth: true });
      }
    }
    for (const side of right) {
      const { match, team, rival } = side;
      const events = [...team.events].filter(this.#isMeant);
      if (events.length === 0 || strengthInPairMax(match) < 2 || strengthInPair(match, rival()) < 2) continue;
      for (const eventNumber of events) {
        const rightIsHome = this.#index.entry(eventNumber).home === team;
        keep(eventNumber, { ...oneSide(side, isPair), isTurned: rightIsHome });
      }
    }
    return most;
  }

  #search(text: string): readonly Side[] {
    const known = this.#searched.get(text);
    if (known !== undefined) return known;
    const name = parseName(text);
    const sides: Side[] = [];
    const matches = this.#index.teamsNamed(name);
    const within = this.#within;
    const hasOwn =
      (within === null || typeof within === 'number') && matches.some(({ match }) => match.isOwn);
    for (const { match, team } of matches) {
      const isOtherSport = match.grade < GRADE_SAME && contradictsSport(name, team.context.sport);
      if (match.grade === 0 || isOtherSport) continue;
      let rival = hasOwn && !match.isOwn ? GRADE_SAME : null;
      sides.push({ match, team, rival: () => (rival ??= this.#rivalOf(name, match, team)) });
    }
    this.#searched.set(text, sides);
    return sides;
  }

  #rivalOf(name: ParsedName, match: NameMatch, team: TeamEntry): number {
    const within = this.#within;
    if (match.grade < 1) return 0;
    if (match.isOwn && (within === null || typeof within === 'number')) return 0;
    const asked = { known: team.known, grade: match.grade };
    if (within === null || typeof within === 'number')
      return bestRival(name, asked, { sport: within, country: null });
    // "Austria Wien" is not "Wien" in Austria's league: with the league's words taken out it must not be another club.
    const whole = bestRival(within, asked, { sport: null, country: null });
    return Math.max(whole >= GRADE_FORM ? GRADE_SAME + 1 : 0, bestRival(name, asked, team.context));
  }
}

/** Only one side of the text fits: worth showing, never a match. */
function oneSide({ match }: Side, isPair: boolean): Omit<FixtureFit, 'isTurned'> {
  return { strength: STRENGTH_ONE_SIDE, coverage: 0.5 * match.coverage, isPair, isOfBoth: false };
}
