// Every club of the table as a separate pool: which club does a text mean, wherever it plays? A team of the
// slate is meant only if no other club fits the text as well.

import { SPORT_BASKETBALL, SPORT_FOOTBALL } from '../domain/catalogue.ts';
import { TextMemory } from '../domain/texts/text-memory.ts';
import {
  allClubs,
  allSteps,
  CLUBS_PER_STEP,
  clubsNamed,
  clubsOfSide,
  clubsWritten,
  type KnownClub,
  namesakes,
  partOf,
  readingTables,
  type TeamContext,
  usualClub,
} from './club-table.ts';
import { formOf, KIND_AFFIX, KIND_INITIALS, KIND_PLAIN, KIND_PROPER, kindOfTeamWord } from './club-words.ts';
import { NameIndex } from './name-index.ts';
import {
  GRADE_FORM,
  GRADE_OTHER_SIDE,
  GRADE_OWN_DISTINCTIVE,
  GRADE_PART,
  GRADE_SHORT,
  GRADE_VAGUE,
} from './score/name-grade.ts';
import { TEAM_LANGUAGE } from './team-language.ts';
import { type ParsedName, parseName } from './text/parse-name.ts';
import { CODE_CHARS_MAX } from './text/word-bend.ts';
import { isOneSlip } from './text/word-similarity.ts';

/** How well each club of the table fits a text: grades (see Assessment) above 0 by position in allClubs(). */
type ClubGrades = ReadonlyMap<number, number>;

const COVERAGE_MIN = 0.3;
/** A club with this many times as many names as another is the better known one. */
const BETTER_KNOWN_FACTOR = 2;
/** A grade above this is given only without a typing slip or an abbreviation. */
const PLAIN_GRADE_MIN = 4.38;

let index: NameIndex | null = null;
const gradesByText = new TextMemory<ClubGrades>(4_096);

/** How well the clubs of the table fit a text. The text of a women's, youth or second team fits its club. */
function clubGrades(name: ParsedName, plainly: boolean): ClubGrades {
  const key = plainly ? `=${name.text}` : name.text;
  const known = gradesByText.get(key);
  if (known !== undefined) return known;
  const grades = new Map<number, number>();
  for (const { entry, grade } of clubIndex().search({ ...name, variant: 0 }, COVERAGE_MIN, plainly)) {
    if (grade > 0 && grade !== GRADE_OTHER_SIDE) grades.set(entry, grade);
  }
  return gradesByText.put(key, grades);
}

/** What the clubs of the table show about a name that was compared with a team of the slate. */
export interface TableGrades {
  /** The best grade of the name with a club other than the team's own. */
  readonly rival: number;
  /** Whether the table knows which club the team is, by a full name. */
  readonly isKnown: boolean;
  /** Whether the name is, word for word, a name of the team's own club and of no other. */
  readonly isOfOwnAlone: boolean;
  /** Whether the name without club forms and years is also the name of another club. */
  readonly hasNamesake: boolean;
}

export const NO_RIVAL: TableGrades = {
  rival: 0,
  isKnown: false,
  isOfOwnAlone: false,
  hasNamesake: false,
};

/** A team of the slate that a name was compared with. */
export interface ComparedTeam {
  readonly known: KnownClub;
  readonly grade: number;
  /** Index into SPORTS. */
  readonly sport: number | null;
}

/** Grades of the name with the clubs of the table, of one sport and country or of all. */
export function tableGrades(name: ParsedName, team: ComparedTeam, within: TeamContext): TableGrades {
  const { known } = team;
  // A query for the first team does not mean the second, so the club's first team is a rival of its second
  // team.
  const ownClubs = name.variant === 0 && known.sides > 0 ? known.clubs.slice(0, known.sides) : known.clubs;
  // If the query fits this team only as a typing slip, another club whose name is also one slip away is a
  // rival. Otherwise such a club does not count.
  const grades = clubGrades(name, team.grade > PLAIN_GRADE_MIN);
  // "Washington" means the NBA's team as probably as DC United, because DC United's name lacks the word. But
  // "Dallas" is FC Dallas.
  const isAmerican =
    team.sport === SPORT_FOOTBALL &&
    ownClubs.length === 1 &&
    allClubs()[ownClubs[0]!]!.country === 'usa' &&
    !name.words.some(({ text }) => firstWords(ownClubs[0]!).includes(text));
  // "Red Devils" are Manchester United, and not Crawley Town, who are called that too.
  const lesser = isUsual(name, { clubs: ownClubs }) ? clubsWritten(name) : [];
  const hardlyKnown = hardlyKnownNames(name, ownClubs);
  let rival = 0;
  for (const [club, grade] of grades) {
    if (grade <= rival || ownClubs.includes(club) || lesser.includes(club)) continue;
    const { sport, country, names } = allClubs()[club]!;
    if (sport === team.sport && grade <= team.grade && names.length <= hardlyKnown) continue;
    if (within.sport !== null && sport !== within.sport) continue;
    // A name without a sport means football, unless it fits the basketball club better: "Wolves" is
    // Wolverhampton. A code ("MIA") may mean a club of either sport.
    const isOfOtherSport =
      team.sport === SPORT_FOOTBALL && sport === SPORT_BASKETBALL && !(isAmerican && country === 'nba');
    // The basketball side of the same club is no rival: "AEK", "Girona CF".
    if (isOfOtherSport && hasNameOf(known, club)) continue;
    const isLesser = isOfOtherSport || isBesideNba(known, club);
    if (isLesser && grade <= team.grade && name.text.length > CODE_CHARS_MAX) continue;
    if (within.country !== null && country !== null && country !== within.country) continue;
    rival = grade;
  }
  const isKnown = ownClubs.length === 1 && known.isNear !== true;
  const asSide = isKnown ? clubsOfSide(name) : [];
  const written = !isKnown || asSide.length > 0 ? asSide : clubsWritten(name);
  const isOfOwnAlone = written.length > 0 && written.every((club) => isOneOf(club, ownClubs, team.sport));
  // "Real Madrid B" is the name of Castilla, and the first team is no rival.
  if (asSide.length > 0 && isOfOwnAlone) rival = 0;
  const hasNamesake =
    !isOfOwnAlone &&
    namesakes(name).some((club) => {
      const { sport, country } = allClubs()[club]!;
      const isMeant = within.country === null || country === null || country === within.country;
      return isMeant && sport === team.sport && !known.clubs.includes(club);
    });
  return { rival, isKnown, isOfOwnAlone, hasNamesake };
}

/**
 * If a misspelled text fits two clubs equally, it means the better known one, which has at least twice as
 * many names in the table: "vele" is Velez, not Vejle.
 * @returns how many names a club may have in the table without being a rival of the team's club
 */
function hardlyKnownNames(name: ParsedName, ownClubs: readonly number[]): number {
  if (ownClubs.length !== 1 || clubsWritten(name).length > 0) return 0;
  // A text that fits a club without a slip is not misspelled: "Levadia" is not Levadiakos.
  if (clubGrades(name, true).size > 0) return 0;
  return Math.floor(allClubs()[ownClubs[0]!]!.names.length / BETTER_KNOWN_FACTOR);
}

/**
 * Whether the team is of the NBA and the club is not, though their names may be the same: "Memphis" means the
 * NBA team, not the university's.
 */
function isBesideNba({ clubs }: KnownClub, club: number): boolean {
  if (clubs.length === 0 || allClubs()[clubs[0]!]!.country !== 'nba') return false;
  const { country } = allClubs()[club]!;
  return country === 'ncaa' || country === 'wnba';
}

function isAmericanBasketball(club: number): boolean {
  const { sport, country } = allClubs()[club]!;
  return sport === SPORT_BASKETBALL && (country === 'nba' || country === 'ncaa' || country === 'wnba');
}

/**
 * Whether the club is one of a team's `own`. For a football team every basketball club counts as its own,
 * because a name without a sport means football.
 */
function isOneOf(club: number, own: readonly number[], teamSport: number | null): boolean {
  return own.includes(club) || (teamSport === SPORT_FOOTBALL && allClubs()[club]!.sport === SPORT_BASKETBALL);
}

/**
 * Whether one of the team's clubs has the same distinctive words as this club, such as AEK Athens in two
 * sports.
 */
function hasNameOf({ clubs }: KnownClub, club: number): boolean {
  const words = firstWords(club).join(' ');
  return words !== '' && clubs.some((own) => firstWords(own).join(' ') === words);
}

/** One of the teams that a name fits, as it is compared with the others. */
interface Contestant {
  /** The team's name on the slate. */
  readonly ownName: string;
  readonly match: { readonly grade: number; readonly isVague: boolean; readonly isOfSeveralWords: boolean };
  readonly known: KnownClub;
  readonly sport: number | null;
}

/**
 * Whether a name that means this team according to the table could also mean another team of the slate: a
 * basketball team with that word in its name ("Spurs"), or any team with the same common word ("Racing").
 */
export function isContested(name: ParsedName, one: Contestant, others: readonly Contestant[]): boolean {
  return others.some((other) => {
    if (other === one || haveOneClub(one.known, other.known)) return false;
    if (one.match.isVague) {
      // "Racing" is ambiguous if there is any other Racing. "Sporting" is not ambiguous because of Vitoria,
      // which has the word only in another name. "Athletic Club" is ambiguous only if it fits the other club
      // too.
      const gradeMin = one.match.isOfSeveralWords ? GRADE_PART : GRADE_VAGUE;
      const isPart = other.match.grade < GRADE_PART && !holdsWords(other.ownName, name);
      return other.sport === one.sport && other.match.grade >= gradeMin && !isPart;
    }
    // "Paris" is a name of Paris Saint-Germain, and without its club form Paris FC has the same name. So the
    // name is ambiguous, unless the table marks the club that people mean by it.
    if (other.sport === one.sport)
      return other.match.grade >= GRADE_OWN_DISTINCTIVE && !isUsual(name, one.known);
    if (other.match.grade < one.match.grade) return false;
    return other.sport !== SPORT_BASKETBALL || !isNickname(name, other.known);
  });
}

/** Whether the table marks the club as the one that people mean by this name. */
function isUsual(name: ParsedName, { clubs }: Pick<KnownClub, 'clubs'>): boolean {
  const usual = usualClub(name);
  return usual !== null && clubs.includes(usual);
}

function holdsWords(ownName: string, { words }: ParsedName): boolean {
  const own = parseName(ownName).words;
  return words.every(({ text }) => own.some((word) => formOf(word.text) === formOf(text)));
}

/**
 * Whether a name is only a nickname of the team. A name without a sport means football, so a basketball
 * team's nickname does not make a football club's name ambiguous: "Wolves" are Wolverhampton, although the
 * Timberwolves are called that too. "Spurs" is not a nickname, because San Antonio's own name has the word.
 * A code is not one either, because several teams may have it.
 */
function isNickname({ words, text }: ParsedName, { clubs }: KnownClub): boolean {
  if (clubs.length === 0 || text.length <= CODE_CHARS_MAX) return false;
  const own = clubs.flatMap((club) => parseName(allClubs()[club]!.names[0]!).words.map((word) => word.text));
  return !words.some((word) => own.some((each) => each === word.text || isOneSlip(each, word.text)));
}

/**
 * Whether both are the same club, or its sides in two sports: "Fenerbahce" and "Fenerbahce Beko", but not two
 * clubs of one town. American basketball teams never count as such a side: "Houston" is the Dynamo or the
 * Rockets.
 */
function haveOneClub(one: KnownClub, other: KnownClub): boolean {
  return one.clubs.some((left) => {
    const words = firstWords(left);
    if (words.length === 0) return other.clubs.includes(left);
    return other.clubs.some((right) => {
      if (left === right) return true;
      if (allClubs()[left]!.sport === allClubs()[right]!.sport) return false;
      if (isAmericanBasketball(left) || isAmericanBasketball(right)) return false;
      const others = firstWords(right);
      if (others.length === 0) return false;
      return words.every((word) => others.includes(word)) || others.every((word) => words.includes(word));
    });
  });
}

function firstWords(club: number): string[] {
  const texts = parseName(allClubs()[club]!.names[0]!).words.map(({ text }) => text);
  return texts.filter((text) => kindOfTeamWord(text) === KIND_PROPER);
}

/** Whether the text is, in full or abbreviated, the name of a club of the table. */
export function isKnownClub(name: ParsedName): boolean {
  for (const grade of clubGrades(name, true).values()) if (grade >= GRADE_SHORT) return true;
  return false;
}

/** The table's result for a team that a text names in two ways: no other club is meant. */
const NAMED_TWICE: TableGrades = { ...NO_RIVAL, isKnown: true };

/**
 * A text that names one club in two ways ("granata torino") fits none of the club's names. For the team of
 * that club, raises the match and returns the table's result; for any other returns null.
 * @param team `isSide`: whether it is the side of its club that the text asks for, such as the women's
 * @param twice the result of clubsNamedTwice for the text
 */
export function raiseNamedTwice(
  match: { grade: number },
  team: { readonly known: KnownClub; readonly sport: number | null; readonly isSide: () => boolean },
  twice: readonly number[],
): TableGrades | null {
  const { known, sport } = team;
  if (twice.length === 0 || match.grade > GRADE_FORM || known.isNear === true || !team.isSide()) return null;
  const clubs = twice.filter((club) => sport === null || allClubs()[club]!.sport === sport);
  if (clubs.length !== 1 || known.clubs.length !== 1 || known.clubs[0] !== clubs[0]) return null;
  match.grade = GRADE_FORM;
  return NAMED_TWICE;
}

/** Whether the words are the names of two clubs side by side: "Inter AC Milan". */
export function areTwoClubs(name: ParsedName): boolean {
  if (clubsWritten(name).length > 0 || clubsWritten(withoutForms(name)).length > 0) return false;
  for (let at = 1; at < name.words.length; at++) {
    const [first, second] = [partOf(name, 0, at), partOf(name, at, name.words.length)];
    if (!isDistinctive(first) || !isDistinctive(second)) continue;
    const left = clubsNamed(first);
    if (left.length === 0) continue;
    const right = clubsNamed(second);
    if (right.length > 0 && !left.some((club) => right.includes(club))) return true;
  }
  return false;
}

/** The table's index, made at the first call. */
export function clubIndex(): NameIndex {
  return index ?? allSteps(indexingClubs());
}

/** Indexes the clubs, unless they are indexed. It yields between two steps, as `readingTables` does. */
export function* indexingClubs(): Generator<void, NameIndex> {
  if (index !== null) return index;
  const { clubs } = yield* readingTables();
  const made = new NameIndex(TEAM_LANGUAGE, parseName);
  for (const [club, { names }] of clubs.entries()) {
    if (club % CLUBS_PER_STEP === 0) yield;
    made.addNames(club, names);
  }
  index ??= made;
  return index;
}

/**
 * Drops the form of "Vancouver Whitecaps FC". A form between two names ("Inter AC Milan") stays, because it
 * begins the second one.
 */
function withoutForms(name: ParsedName): ParsedName {
  const isForm = name.words.map(({ text }) => [KIND_AFFIX, KIND_PLAIN].includes(kindOfTeamWord(text)));
  return partOf(name, isForm.indexOf(false), isForm.lastIndexOf(false) + 1);
}

/**
 * Whether the name can stand for a club: it has a distinctive word (the "Deportivo" in "Deportivo Lugo" is
 * not one), or it is a club's initials ("PSG") and not a club form.
 */
function isDistinctive(name: ParsedName): boolean {
  if (name.words.some((word) => kindOfTeamWord(word.text) === KIND_PROPER)) return true;
  const isInitials = name.words.every(
    ({ text }) => kindOfTeamWord(text) === KIND_INITIALS && text.length > 2,
  );
  return isInitials && clubsWritten(name).length > 0;
}
