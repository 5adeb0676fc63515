// Every club of the table as a pool of its own, to ask of a text: which club does it mean, wherever that plays? A team
// of the slate is meant only when no other club fits the text as well.

import { CLUBS, clubsNamed, clubsWritten, type KnownClub, type TeamContext, TWINS } from './club-table.ts';
import { KIND_PROPER, kindOfTeamWord } from './club-words.ts';
import { NameIndex } from './name-index.ts';
import { type ParsedName, parseName } from './parse-name.ts';
import { TEAM_LANGUAGE } from './team-language.ts';

/** How well each club of the table fits a text: grades (see Assessment) over 0 by position in CLUBS. */
export type ClubGrades = ReadonlyMap<number, number>;

/** Texts remembered. Full: all are forgotten. */
const TEXTS_KEPT = 4_096;
const COVERAGE_MIN = 0.3;
/** A grade over this was reached without a slip or a shortening. */
const PLAIN_GRADE_MIN = 3.65;

let index: NameIndex | null = null;
const gradesByText = new Map<string, ClubGrades>();

/** Grades of the clubs that a text may mean; of a women's, youth or second team, those of its club. */
function clubGrades(name: ParsedName, plainly: boolean): ClubGrades {
  const key = plainly ? `=${name.text}` : name.text;
  const known = gradesByText.get(key);
  if (known !== undefined) return known;
  const grades = new Map<number, number>();
  for (const { entry, grade } of clubIndex().search({ ...name, variant: 0 }, COVERAGE_MIN, plainly)) {
    if (grade > 0) grades.set(entry, grade);
  }
  if (gradesByText.size >= TEXTS_KEPT) gradesByText.clear();
  gradesByText.set(key, grades);
  return grades;
}

/** The best grade that the name has with a club other than the team's own, of one sport and country or of all. */
export function bestRival(
  name: ParsedName,
  team: { readonly known: KnownClub; readonly grade: number },
  within: TeamContext,
): number {
  const { known } = team;
  // A query for the first team does not mean the second, so the club's first team is a rival of its second team.
  const own = name.variant === 0 && known.sides > 0 ? known.clubs.slice(0, known.sides) : known.clubs;
  // A slip is only ever another club's name when it had to be taken for a slip of this team's.
  const grades = clubGrades(name, team.grade > PLAIN_GRADE_MIN);
  let best = 0;
  for (const [club, grade] of grades) {
    if (grade <= best || own.includes(club)) continue;
    const { sport, country } = CLUBS[club]!;
    if (within.sport !== null && sport !== within.sport) continue;
    if (grade <= team.grade && own.some((each) => TWINS.get(club)?.includes(each))) continue;
    if (within.country !== null && country !== null && country !== within.country) continue;
    best = grade;
  }
  return best;
}

/** Whether the words are the names of two clubs side by side: "Inter AC Milan". */
export function areTwoClubs(name: ParsedName): boolean {
  if (clubsWritten(name).length > 0) return false;
  for (let at = 1; at < name.words.length; at++) {
    const [first, second] = [part(name, 0, at), part(name, at, name.words.length)];
    if (!isTelling(first) || !isTelling(second)) continue;
    const left = clubsNamed(first);
    if (left.length === 0) continue;
    const right = clubsNamed(second);
    if (right.length > 0 && !left.some((club) => right.includes(club))) return true;
  }
  return false;
}

/** The table's index, made at the first call. */
export function clubIndex(): NameIndex {
  if (index !== null) return index;
  index = new NameIndex(TEAM_LANGUAGE, parseName);
  for (let club = 0; club < CLUBS.length; club++) index.addNames(club, CLUBS[club]!.names);
  return index;
}

/** Has a name of its own, unlike the "Deportivo" of "Deportivo Lugo". */
function isTelling(name: ParsedName): boolean {
  return name.words.some((word) => kindOfTeamWord(word.text) === KIND_PROPER);
}

function part(name: ParsedName, from: number, to: number): ParsedName {
  const words = name.words.slice(from, to);
  return { words, variant: 0, text: words.map((word) => word.text).join(' ') };
}
