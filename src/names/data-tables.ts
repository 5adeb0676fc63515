// Reads the tables of data/: text files that anyone can edit. They are checked when they are read, so that a
// mistake stops the start with the file and the line, and does not make the resolver find wrong clubs.

import { SPORT_BASKETBALL, SPORT_FOOTBALL } from '../domain/catalogue.ts';
import { assert } from '../errors.ts';

interface Line {
  readonly number: number;
  readonly text: string;
}

const WORD = /^[a-z0-9]+$/;
/**
 * Basketball competitions whose teams have the names of cities and states. They distinguish such teams as a
 * country does.
 */
const COMPETITIONS: ReadonlySet<string> = new Set(['nba', 'wnba', 'ncaa']);

/**
 * Names of one thing per line, separated by " | ".
 * @throws AssertionError naming file and line for a line with one name, an empty name or the same name twice
 */
export function readNameGroups(file: string, text: string): string[][] {
  return linesOf(text).map((line) => {
    const names = line.text.split(' | ');
    const isGood = names.length > 1 && names.every((name) => name.trim() === name && name !== '');
    assert(isGood, `${at(file, line)}: expected two or more names separated by ' | '`);
    assert(new Set(names).size === names.length, `${at(file, line)}: the name is in the list twice`);
    return names;
  });
}

export interface ClubRow {
  readonly names: readonly string[];
  /** The country, or `nba` and the like for basketball in the USA; folded; null if the table has neither. */
  readonly country: string | null;
  /** Index into SPORTS. */
  readonly sport: number;
  /** Names that several clubs have, but by which people mean this club: "Red Devils". */
  readonly usualNames: readonly string[];
}

/** Marks a name that several clubs have, in the line of the club that people mean by it. */
export const USUAL_MARK = '*';

/**
 * Clubs under headings: "[England]" or "[Basketball: NBA]". A line with " | " is one club, one with ", "
 * several.
 * @throws AssertionError naming file and line for anything else
 */
export function readClubs(file: string, text: string): ClubRow[] {
  const clubs: ClubRow[] = [];
  let heading: { country: string | null; sport: number } | null = null;
  for (const line of linesOf(text)) {
    const title = /^\[(.+)\]$/.exec(line.text)?.[1];
    if (title !== undefined) {
      const isBasketball = title.startsWith('Basketball: ');
      const place = title.replace(/^Basketball: /, '').toLowerCase();
      const hasCountry = isBasketball ? COMPETITIONS.has(place) : title !== 'National teams';
      heading = {
        country: hasCountry ? place : null,
        sport: isBasketball ? SPORT_BASKETBALL : SPORT_FOOTBALL,
      };
      continue;
    }
    assert(heading !== null, `${at(file, line)}: a club before the first [heading]`);
    const isOne = line.text.includes(' | ');
    const names = line.text.split(isOne ? ' | ' : ', ');
    assert(isGoodList(names), `${at(file, line)}: an empty name, or a name that is in the list twice`);
    assert(!isOne || !line.text.includes(', '), `${at(file, line)}: ' | ' and ', ' in one line`);
    for (const written of isOne ? [names] : names.map((name) => [name])) {
      const usualNames = written.filter((name) => name.startsWith(USUAL_MARK)).map(withoutMark);
      clubs.push({ names: written.map(withoutMark), usualNames, ...heading });
    }
  }
  return clubs;
}

/** A name without USUAL_MARK. */
export function withoutMark(name: string): string {
  return name.startsWith(USUAL_MARK) ? name.slice(USUAL_MARK.length) : name;
}

function isGoodList(names: readonly string[]): boolean {
  return names.every((name) => name.trim() === name && name !== '') && new Set(names).size === names.length;
}

/**
 * A derby: a match with a name of its own. `clubs` are the two that play it, or several of which any two
 * play it.
 */
interface DerbyRow {
  readonly names: readonly string[];
  readonly clubs: readonly string[];
}

/**
 * Lines of names, " = ", and two clubs with " v " between, or several with ", " between.
 * @throws AssertionError naming file and line for any other line
 */
export function readDerbies(file: string, text: string): DerbyRow[] {
  return linesOf(text).map((line) => {
    const [names = '', clubs = ''] = line.text.split(' = ');
    const pair = clubs.split(' v ');
    const several = clubs.split(', ');
    const isGood = pair.length === 2 ? several.length === 1 : pair.length === 1 && several.length > 2;
    const held = pair.length === 2 ? pair : several;
    assert(
      isGood && isGoodList(held) && isGoodList(names.split(' | ')),
      `${at(file, line)}: expected 'name | name = club v club', or 'club, club, club'`,
    );
    return { names: names.split(' | '), clubs: held };
  });
}

/** A name in Latin letters, and its spellings in other scripts. */
interface NativeNameRow {
  readonly latin: string;
  readonly spellings: readonly string[];
}

/**
 * Lines of a name, " = ", and its spellings with "; " between. A spelling occurs once.
 * @throws AssertionError naming file and line for any other line
 */
export function readNativeNames(file: string, text: string): NativeNameRow[] {
  const seen = new Set<string>();
  return linesOf(text).map((line) => {
    const [latin = '', list = '', more] = line.text.split(' = ');
    const spellings = list.split('; ');
    const isGood = /^[A-Za-z0-9 ]+$/.test(latin) && more === undefined && isGoodList(spellings);
    assert(isGood, `${at(file, line)}: expected 'name = spelling; spelling'`);
    for (const spelling of spellings) {
      assert(!seen.has(spelling), `${at(file, line)}: '${spelling}' is in the list twice`);
      seen.add(spelling);
    }
    return { latin, spellings };
  });
}

/** One step of the calibration: the confidence of strengths from this one up to the next step's. */
interface CalibrationStep {
  readonly strength: number;
  readonly confidence: number;
}

/**
 * Lines "strength confidence ..." under [alone], [sole] and [pair]; the rest of a line is a remark. In each
 * section strengths rise, and confidences do not fall.
 * @throws AssertionError naming file and line for any other line
 */
export function readCalibration(
  file: string,
  text: string,
): Readonly<Record<'alone' | 'sole' | 'pair', readonly CalibrationStep[]>> {
  const sections: Record<string, CalibrationStep[]> = {};
  let steps: CalibrationStep[] = [];
  for (const line of linesOf(text)) {
    const title = /^\[(alone|sole|pair)\]$/.exec(line.text)?.[1];
    if (title !== undefined) {
      steps = [];
      sections[title] = steps;
      continue;
    }
    const [strength = Number.NaN, confidence = Number.NaN] = line.text.split(' ').map(Number);
    const last = steps.at(-1) ?? { strength: Number.NEGATIVE_INFINITY, confidence: 0 };
    const isRising = strength > last.strength && confidence >= last.confidence && confidence <= 1;
    assert(isRising, `${at(file, line)}: expected a higher strength, and a confidence that is not lower`);
    steps.push({ strength, confidence });
  }
  const { alone = [], sole = [], pair = [] } = sections;
  const isWhole = [alone, sole, pair].every((each) => each.length > 0);
  assert(isWhole, `${file}: [alone], [sole] or [pair] is missing or empty`);
  return { alone, sole, pair };
}

/** A table of sections, each of words or of spellings. */
export class SectionedTable {
  readonly #file: string;
  readonly #linesBySection = new Map<string, Line[]>();

  constructor(file: string, text: string) {
    this.#file = file;
    let lines: Line[] | null = null;
    for (const line of linesOf(text)) {
      const section = /^\[(.+)\]$/.exec(line.text)?.[1];
      if (section !== undefined) {
        assert(!this.#linesBySection.has(section), `${at(file, line)}: a second section ${section}`);
        lines = [];
        this.#linesBySection.set(section, lines);
      } else {
        assert(lines !== null, `${at(file, line)}: text before the first [section]`);
        lines.push(line);
      }
    }
  }

  /** The words of a section. @throws AssertionError when it is missing, or a word is malformed or repeated */
  words(section: string): Set<string> {
    const words = new Set<string>();
    for (const line of this.#lines(section)) {
      for (const word of line.text.split(/\s+/)) {
        assert(WORD.test(word), `${at(this.#file, line)}: '${word}' is not lower-case letters and digits`);
        assert(!words.has(word), `${at(this.#file, line)}: '${word}' is in the section twice`);
        words.add(word);
      }
    }
    return words;
  }

  /**
   * Reads a section whose lines have the form "word = word word ...". Returns the words on the right by the
   * word on the left. @throws AssertionError for a line in another form
   */
  definitions(section: string): Map<string, string[]> {
    const definitions = new Map<string, string[]>();
    for (const line of this.#lines(section)) {
      const [word = '', right = ''] = line.text.split(' = ');
      const words = right.split(' ');
      const isGood = WORD.test(word) && words.every((each) => WORD.test(each));
      assert(isGood, `${at(this.#file, line)}: expected 'word = word word ...'`);
      assert(!definitions.has(word), `${at(this.#file, line)}: '${word}' has a line already`);
      definitions.set(word, words);
    }
    return definitions;
  }

  /**
   * Lines of several words, " = " and the initials that stand for them. @throws AssertionError for any other
   * line
   */
  phrases(section: string): { texts: string[]; shorts: string[] }[] {
    return this.#lines(section).map((line) => {
      const [left = '', right = ''] = line.text.split(' = ');
      const [texts, shorts] = [left.split(' '), right.split(' ')];
      const isGood = texts.length > 1 && [...texts, ...shorts].every((each) => WORD.test(each));
      assert(isGood, `${at(this.#file, line)}: expected 'word word ... = initials ...'`);
      return { texts, shorts };
    });
  }

  /** The definitions reversed: for each spelling, the word that it stands for. */
  spellings(section: string): Map<string, string> {
    const spellings = new Map<string, string>();
    for (const [word, others] of this.definitions(section)) {
      for (const other of others) {
        assert(!spellings.has(other), `${this.#file}: '${other}' is a spelling of two words`);
        spellings.set(other, word);
      }
    }
    return spellings;
  }

  #lines(section: string): Line[] {
    const lines = this.#linesBySection.get(section);
    assert(
      lines !== undefined && lines.length > 0,
      `${this.#file}: section [${section}] is missing or empty`,
    );
    return lines;
  }
}

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

function at(file: string, line: Line): string {
  return `${file} line ${line.number}`;
}
