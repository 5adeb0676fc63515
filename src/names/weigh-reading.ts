// Weighs one reading of a fixture query, such as "arsenal" on the left and "chelsea" on the right: which
// fixtures of an index fit it, and how strongly. resolve-fixture.ts decides between them.

import { clubsNamedTwice, type KnownClub } from './club-table.ts';
import { contradictsSport } from './club-words.ts';
import type { FixtureIndex, TeamEntry, TeamMatch } from './fixture-index.ts';
import {
  areTwoClubs,
  isContested,
  NO_RIVAL,
  raiseNamedTwice,
  type TableGrades,
  tableGrades,
} from './known-clubs.ts';
import type { NameMatch } from './name-index.ts';
import { keyOfWords } from './name-pool.ts';
import type { FixtureReading } from './parse-fixture-query.ts';
import type { Evidence } from './resolution.ts';
import { GRADE_FORM, GRADE_SAME, GRADE_SHORT, GRADE_VAGUE } from './score/name-grade.ts';
import {
  isSoleFit,
  STRENGTH_ONE_SIDE,
  STRENGTH_SHARED,
  strengthAlone,
  strengthInPair,
  strengthInPairMax,
  strengthOfPair,
} from './score/strength.ts';
import { TEAM_LANGUAGE } from './team-language.ts';
import { type ParsedName, parseName } from './text/parse-name.ts';

export interface FixtureFit {
  readonly strength: number;
  readonly coverage: number;
  readonly evidence: Evidence;
  /** Whether both names were found in the fixture, with any confidence; otherwise only one of them was. */
  readonly isOfBoth: boolean;
  /** Whether the team named first plays away. */
  readonly isTurned: boolean;
}

/** Called with every fixture that fits. A fixture may come more than once. */
export type Keep = (eventNumber: number, fit: FixtureFit) => void;

interface WeighOptions {
  readonly sport: number | null;
  /**
   * The whole query. Given for readings that leave out the words of a league. The league of each team then
   * counts too.
   */
  readonly whole?: ParsedName;
  /** Whether a fixture may be meant at all; others are not weighed. By default all may. */
  readonly isMeant?: (eventNumber: number) => boolean;
}

/** A team that one side of the text may mean. */
interface Side extends TeamMatch {
  readonly ownName: string;
  readonly known: KnownClub;
  readonly sport: number | null;
  /**
   * The team's grades against other clubs. They are computed only if needed, and once, because they cost as
   * much as the search itself.
   */
  readonly table: () => TableGrades;
}

/**
 * Grades of the other teams if the text is word for word the name of one team on the slate. That team is then
 * their rival.
 */
const OWN_NAME_RIVAL: TableGrades = { ...NO_RIVAL, rival: GRADE_SAME };

/**
 * Subtracted from the strength of the return match, if the match in which the first-named team is at home is
 * on the slate too.
 */
const RETURN_MATCH_PENALTY = 0.5;

/** Weighs the readings of one query; a name that several of them have is searched once. */
export class ReadingWeigher {
  readonly #index: FixtureIndex;
  readonly #sport: number | null;
  readonly #whole: ParsedName | undefined;
  readonly #isMeant: (eventNumber: number) => boolean;
  readonly #searched = new Map<string, readonly Side[]>();

  constructor(index: FixtureIndex, { sport, whole, isMeant = () => true }: WeighOptions) {
    this.#index = index;
    this.#sport = sport;
    this.#whole = whole;
    this.#isMeant = isMeant;
  }

  /** Passes every fixture that fits a reading to `keep`, and returns the strength of the best one. */
  weigh({ left, right, homeIsRight, isSeparated }: FixtureReading, keep: Keep): number {
    if (right === null) return this.#weighOne(left, keep);
    const sides = { left: this.#search(left), right: this.#search(right) };
    return this.#weighTwo(sides, { homeIsRight, evidence: isSeparated ? 'pair' : 'alone' }, keep);
  }

  #weighOne(text: string, keep: Keep): number {
    let most = 0;
    const sides = this.#search(text);
    const name = parseName(text);
    const asked = sides.filter(({ sport, team }) => {
      if (this.#sport !== null && sport !== this.#sport) return false;
      return this.#whole === undefined || [...team.events].some(this.#isMeant);
    });
    for (const side of sides) {
      const { match, team, table } = side;
      let strength = strengthAlone(match, table());
      if (strength < GRADE_SAME && strength > 1 && this.#areTwoClubs(text, team)) strength = 1;
      const isShared = strength > STRENGTH_SHARED && !match.isOwn && isContested(name, side, asked);
      if (isShared) strength = STRENGTH_SHARED;
      const evidence = isSoleFit(match, table()) ? 'sole' : 'alone';
      most = Math.max(most, strength);
      for (const eventNumber of team.events) {
        keep(eventNumber, {
          strength,
          coverage: match.coverage,
          evidence,
          isTurned: false,
          isOfBoth: false,
        });
      }
    }
    return most;
  }

  /**
   * Whether the text names two clubs: "Inter AC Milan" does, but "Lazio Roma" is one team where the slate has
   * Lazio Rome.
   */
  #areTwoClubs(text: string, team: TeamEntry): boolean {
    const [name, own] = [this.#index.parse(text), this.#index.parse(team.name)];
    return (
      areTwoClubs(name) && keyOfWords(name.words, TEAM_LANGUAGE) !== keyOfWords(own.words, TEAM_LANGUAGE)
    );
  }

  #weighTwo(
    { left, right }: { readonly left: readonly Side[]; readonly right: readonly Side[] },
    { homeIsRight, evidence }: { readonly homeIsRight: boolean; readonly evidence: Evidence },
    keep: Keep,
  ): number {
    let most = 0;
    const rightByTeam = new Map(right.map((side) => [side.team, side]));
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
          if (canStandAlone && strengthInPair(side.match, side.table()) >= 2)
            keep(eventNumber, { ...oneSide(side, evidence), isTurned: !leftIsHome });
          continue;
        }
        const own = strengthInPair(side.match, side.table());
        const others = strengthInPair(other.match, other.table());
        // "Austria Wien" does not mean "Wien" in Austria. So if the words of a league are left out, the rest
        // must be full names.
        const isPart = this.#whole !== undefined && Math.min(own, others) < GRADE_SHORT;
        const strength = isPart ? STRENGTH_ONE_SIDE : strengthOfPair(own, others);
        const coverage = Math.min(side.match.coverage, other.match.coverage);
        most = Math.max(most, strength);
        if (isStraight) {
          keep(eventNumber, { strength, coverage, evidence, isTurned: !leftIsHome, isOfBoth: true });
        } else {
          turned.push({ eventNumber, pair: other.team, strength, coverage });
        }
      }
      for (const { eventNumber, pair, strength, coverage } of turned) {
        const weighed = straight.has(pair) ? strength - RETURN_MATCH_PENALTY : strength;
        const isTurned = !homeIsRight;
        keep(eventNumber, { strength: weighed, coverage, evidence, isTurned, isOfBoth: true });
      }
    }
    for (const side of right) {
      const { match, team, table } = side;
      const events = [...team.events].filter(this.#isMeant);
      if (events.length === 0 || strengthInPairMax(match) < 2 || strengthInPair(match, table()) < 2) continue;
      for (const eventNumber of events) {
        const rightIsHome = this.#index.entry(eventNumber).home === team;
        keep(eventNumber, { ...oneSide(side, evidence), isTurned: rightIsHome });
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
    const hasOwn = this.#whole === undefined && matches.some(({ match }) => match.isOwn);
    const twice = hasOwn ? [] : clubsNamedTwice(name);
    for (const { match, team } of matches) {
      const isSide = (): boolean => this.#index.parse(team.name).variant === name.variant;
      const asked = { known: team.known, sport: team.context.sport, isSide };
      const raised = raiseNamedTwice(match, asked, twice);
      const isOtherSport = match.grade < GRADE_SAME && contradictsSport(name, team.context.sport);
      if (match.grade === 0 || isOtherSport) continue;
      let table = hasOwn && !match.isOwn ? OWN_NAME_RIVAL : raised;
      sides.push({
        match,
        team,
        ownName: team.name,
        known: team.known,
        sport: team.context.sport,
        table: () => (table ??= this.#tableOf(name, match, team)),
      });
    }
    this.#searched.set(text, sides);
    return sides;
  }

  #tableOf(name: ParsedName, match: NameMatch, team: TeamEntry): TableGrades {
    if (match.grade < GRADE_VAGUE) return NO_RIVAL;
    const asked = { known: team.known, grade: match.grade, sport: team.context.sport };
    if (this.#whole === undefined)
      return match.isOwn ? NO_RIVAL : tableGrades(name, asked, { sport: this.#sport, country: null });
    // "Austria Wien" does not mean "Wien" in Austria's league. So if the whole query is the name of another
    // club, that club is a rival that fits better.
    const whole = tableGrades(this.#whole, asked, { sport: null, country: null });
    // The words of the league decide between two clubs of one name.
    const table = { ...tableGrades(name, asked, team.context), hasNamesake: false };
    return whole.rival >= GRADE_FORM ? { ...table, rival: GRADE_SAME + 1 } : table;
  }
}

/** The result when only one side of the text fits. It is shown, but is never a match. */
function oneSide({ match }: Side, evidence: Evidence): Omit<FixtureFit, 'isTurned'> {
  return { strength: STRENGTH_ONE_SIDE, coverage: 0.5 * match.coverage, evidence, isOfBoth: false };
}
