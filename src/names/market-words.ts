// The market that a person's words ask for: "chelsea -1,5", "over 2.5 goals in inter napoli, first half",
// "lakers moneyline". Words of markets are taken out, and the rest names the fixture. A club's own name is
// never taken apart ("Over Wilhelmsburg"). Nothing is rounded or skipped: an unclear text is an error that
// says what to write.

import type { MarketType, Period } from '../domain/catalogue.ts';
import { LINE_MAX } from '../domain/handicap.ts';
import { ServiceError } from '../errors.ts';
import { QUERY_CHARS_MAX } from '../limits.ts';
import { CLUBS } from './club-table.ts';
import { foldText } from './fold-text.ts';
import { MEANINGS, type Meaning, PHRASE_WORDS_MAX } from './market-vocabulary.ts';
import { isQuestionWord, isSeparator } from './parse-fixture-query.ts';

/** What words say about a market; null if they say nothing. */
export interface MarketWords {
  readonly market: MarketType | null;
  readonly period: Period | null;
  /** As written: of the team of `team`, or the home side's if that is null. A total for totals. */
  readonly line: number | null;
  /** `win` refers to the team of `team`, also for a handicap; `lose` is a win of the other team. */
  readonly outcome: 'over' | 'under' | 'draw' | 'win' | 'lose' | null;
  /** The words of the team that a handicap or a win refers to, or its side. */
  readonly team: { readonly words: string } | { readonly side: 'home' | 'away' } | null;
  /** "correct score", or a score after the names: "chelsea 2-1". */
  readonly isScore: boolean;
  /** Numbers that are not lines: prices or probabilities that the text quotes. */
  readonly prices: readonly number[];
  /** As written, for errors. */
  readonly written: string;
}

export interface ReadWords {
  readonly words: MarketWords;
  /** The remaining text, for the names of teams, leagues and days. */
  readonly rest: string;
}

interface Token {
  /** As written, without the marks around it. */
  readonly raw: string;
  readonly key: string;
  /** The character before it: a space, or the hyphen or slash of a compound. */
  readonly glue: string;
  /** A comma or the like follows it. */
  readonly endsClause: boolean;
  readonly isBeforeComma: boolean;
}

type Item = { readonly first: number; end: number } & (
  | { readonly kind: 'phrase'; readonly meaning: Meaning }
  | { readonly kind: 'number'; readonly number: number; readonly form: NumberForm }
  | { readonly kind: 'score' }
);
type NumberForm = 'signed' | 'decimal' | 'integer' | 'percent';

/** The text has no words for a market. */
export const NO_MARKET_WORDS: MarketWords = {
  market: null,
  period: null,
  line: null,
  outcome: null,
  team: null,
  isScore: false,
  prices: [],
  written: '',
};

/**
 * Reads the words for a market out of a text.
 * @param isName whether a run of words, folded, is the name of a team of the slate
 * @throws ServiceError `invalid_request` for a market that does not exist, for a line off the grid, and if
 * words contradict each other
 */
export function readMarketWords(text: string, isName: (words: string) => boolean = () => false): ReadWords {
  const tokens = tokensOf(text.slice(0, QUERY_CHARS_MAX));
  if (itemsOf(tokens, new Set()).every(isNeutral)) return { words: NO_MARKET_WORDS, rest: text };
  const items = itemsOf(tokens, protectedTokens(tokens, isName));
  const isOnly = tokens.every((_, index) => isTaken(items, index) || !/[a-z]/.test(tokens[index]!.key));
  if (items.every(({ kind }) => kind === 'phrase') && items.every(isNeutral))
    return { words: NO_MARKET_WORDS, rest: text };
  if (isOnly) return { words: NO_MARKET_WORDS, rest: text };
  const read = new Reading(tokens, items).read();
  return read.words.written === '' && read.words.prices.length === 0
    ? { words: NO_MARKET_WORDS, rest: text }
    : read;
}

/**
 * Finds the names of clubs that contain such words. That takes some 30 ms, which the first query would
 * otherwise wait for.
 */
export function warmMarketWords(): void {
  clubNamesWithWords();
}

function isNeutral(item: Item): boolean {
  return item.kind === 'phrase' && item.meaning.kind === 'neutral';
}

function isTaken(items: readonly Item[], index: number): boolean {
  return items.some(({ first, end }) => index >= first && index < end);
}

// ---- tokens

const HALVES = /\b(one|two|three|four|five|six) (?:and a half|point five)\b/gi;
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six'];
/** Counts and signs in words, and the names of the zero handicap. */
const IN_WORDS: readonly (readonly [RegExp, (count: string) => string])[] = [
  [HALVES, (count) => `${digitOf(count)}.5`],
  [/(?<=\b(?:over|under|than) )(one|two|three|four|five|six)\b(?=$| goals?\b| points?\b)/gi, digitOf],
  [/\bplus (?=\d)/gi, () => '+'],
  [/\bminus (?=\d)/gi, () => '-'],
  [/\b(?:pick[ '’-]?em|level ball)\b|(?<=\S )pk$/gi, () => '+0'],
];
const FRACTIONS: Readonly<Record<string, string>> = { '½': '.5', '¼': '.25', '¾': '.75' };
/** "o2.5", "ah-1.5", "over2.5", "o/u2.5". */
const GLUED = /^(o\/u|over|under|o|u|totals?|ah|hcp|hdp|handicap)([+-]?\d+(?:\.\d+)?(?:\/\d+(?:\.\d+)?)?)$/i;
/** "2.5goals". */
const WITH_UNIT = /^([+-]?\d+(?:\.\d+)?)(goals?|pts|points)$/i;
/** "arsenal-0.75". */
const NAME_AND_LINE = /^(.*[a-z)])([+-]\d+\.\d+)$/i;
const NUMBER = /^[+-]?\d+(?:\.\d+)?%?$/;
/** "1. FC Köln". */
const ORDINAL = /^\d+\.$/;
/** "23.11.": a day, not a number. "2.10." may be a price at the end of a sentence. */
const DAY = /^(?:0[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.$/;
/** "2-1", "0:0". Two digits on either side are a day or a time. */
const SCORE = /^\d[-–:]\d$/;
/** "2.5/3" and "-0.5/1": two half steps of one quarter line. */
const STEPS = /^([+-]?)(\d+(?:\.\d+)?)[/,]([+-]?)(\d+(?:\.\d+)?)$/;
/** "u21", "under 19s": a youth side. */
const YOUTH_AGE = /^(?:1[4-9]|2[0-3])s?$/;

function tokensOf(text: string): Token[] {
  const counted = IN_WORDS.reduce(
    (written, [pattern, replacement]) => written.replace(pattern, (_, count: string) => replacement(count)),
    text.trim(),
  );
  const plain = counted
    .replace(/\d*[½¼¾]/g, (written) => `${written.slice(0, -1) || '0'}${FRACTIONS[written.at(-1)!]}`)
    .replace(/[−–‒](?=\d)/g, '-')
    .replace(/(?<![\d,.])(\d+),(\d{1,2})(?![\d,])/g, '$1.$2')
    .replace(/@(?=\d)/g, '@ ');
  const tokens: Token[] = [];
  const words = plain.split(/\s+/).filter((word) => word !== '');
  for (const [index, written] of words.entries()) {
    if ((ORDINAL.test(written) && index < words.length - 1) || DAY.test(written)) {
      tokens.push({ raw: written, key: written, glue: ' ', endsClause: false, isBeforeComma: false });
    } else addWord(tokens, written);
  }
  return tokens;
}

function digitOf(count: string): string {
  return String(COUNTS.indexOf(count.toLowerCase()) + 1);
}

function addWord(tokens: Token[], written: string): void {
  const bare = written.replace(/^[("'“”[{]+/, '').replace(/[)"'“”\]},;:?!.]+$/, '');
  if (bare === '') {
    const isComma = written.includes(',');
    tokens.push({ raw: isComma ? ',' : '', key: '', glue: ' ', endsClause: true, isBeforeComma: false });
    return;
  }
  const endsClause = /[,;:?)]$/.test(written);
  const steps = STEPS.exec(bare);
  const stepped = steps === null ? null : quarterOf(steps);
  const pieces = stepped !== null ? [stepped] : piecesOf(bare);
  for (const [index, piece] of pieces.entries()) {
    const glue = index === 0 ? ' ' : (/[-/_]$/.exec(pieces[index - 1]!)?.[0] ?? '');
    const raw = piece.length > 1 ? piece.replace(/[-/_]$/, '') : piece;
    const key = NUMBER.test(raw) ? raw : foldText(raw, QUERY_CHARS_MAX).trim();
    const isLast = index === pieces.length - 1;
    const isBeforeComma = isLast && written.endsWith(',');
    tokens.push({ raw, key, glue, endsClause: endsClause && isLast, isBeforeComma });
  }
}

/** The parts of a word that may be separate words for markets. */
function piecesOf(bare: string): string[] {
  const glued = GLUED.exec(bare);
  if (glued !== null && !(/^u(?:nder)?$/i.test(glued[1]!) && YOUTH_AGE.test(glued[2]!))) {
    return [...piecesOf(glued[1]!), ...piecesOf(glued[2]!)];
  }
  const split = WITH_UNIT.exec(bare) ?? NAME_AND_LINE.exec(bare);
  if (split !== null) return [split[1]!, split[2]!];
  // Compounds of letters: "half-time", "over/under", "both-teams-to-score", but no number and no date.
  if (!/^[\p{L}\d]+(?:[-/_][\p{L}\d]+)+$/u.test(bare) || /^(?:\d+[-/]|evt_)/.test(bare)) return [bare];
  return bare.split(/(?<=[-/_])/);
}

/** The quarter line of two half steps; null for anything else, such as a date. */
function quarterOf([, sign, first, otherSign, second]: RegExpExecArray): string | null {
  if (!`${first}${second}`.includes('.') || Math.abs(Number(second) - Number(first)) !== 0.5) return null;
  if (otherSign !== '' && otherSign !== sign) return null;
  return `${sign}${(Number(first) + Number(second)) / 2}`;
}

// ---- names that contain such words

/** Names of clubs of the tables that contain a word for a market, by their first word. */
let clubNames: ReadonlyMap<string, readonly (readonly string[])[]> | null = null;

function clubNamesWithWords(): ReadonlyMap<string, readonly (readonly string[])[]> {
  if (clubNames !== null) return clubNames;
  const found = new Map<string, string[][]>();
  for (const name of new Set(CLUBS.flatMap(({ names }) => names))) {
    if (!mayHoldWords(name)) continue;
    const tokens = tokensOf(name);
    const items = itemsOf(tokens, new Set());
    if (items.length === 0) continue;
    const keys = tokens.map(({ key }) => key);
    // A name that is only such words ("Over") cannot be distinguished from them; beside another word it is a
    // name.
    if (keys.length === 1) continue;
    const list = found.get(keys[0]!);
    if (list === undefined) found.set(keys[0]!, [keys]);
    else list.push(keys);
  }
  clubNames = found;
  return found;
}

/** A fast check: the tables have some tens of thousands of names, and few contain such a word. */
function mayHoldWords(name: string): boolean {
  if (/\d/.test(name)) return true;
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => FIRST_WORDS.has(word) || GLUED.test(word));
}

/** Tokens that are part of a club's name. */
function protectedTokens(tokens: readonly Token[], isName: (words: string) => boolean): ReadonlySet<number> {
  const found = new Set<number>();
  const names = clubNamesWithWords();
  for (let first = 0; first < tokens.length; first++) {
    for (const keys of names.get(tokens[first]!.key) ?? []) {
      if (keys.every((key, offset) => tokens[first + offset]?.key === key)) protect(first, keys.length);
    }
  }
  for (const { first, end } of itemsOf(tokens, found)) {
    // The slate's own names: runs with up to four more words on either side that contain the whole phrase.
    for (let from = Math.max(0, first - NAME_REACH); from <= first; from++) {
      for (let to = Math.min(tokens.length, end + NAME_REACH); to >= end; to--) {
        if (to - from === end - first) continue;
        const run = tokens.slice(from, to).map(({ key }) => key);
        if (isName(run.join(' '))) protect(from, run.length);
      }
    }
  }
  return found;

  function protect(from: number, count: number): void {
    for (let index = from; index < from + count; index++) found.add(index);
  }
}

/** How many words of a team's name are allowed on either side of a word for a market. */
const NAME_REACH = 3;
const FIRST_WORDS: ReadonlySet<string> = new Set([...MEANINGS.keys()].map((phrase) => phrase.split(' ')[0]!));

// ---- phrases and numbers

function itemsOf(tokens: readonly Token[], kept: ReadonlySet<number>): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < tokens.length; ) {
    const item = kept.has(index) ? null : (phraseAt(tokens, index, kept) ?? numberAt(tokens, index));
    if (item !== null) items.push(item);
    index = item === null ? index + 1 : item.end;
  }
  return items;
}

function phraseAt(tokens: readonly Token[], first: number, kept: ReadonlySet<number>): Item | null {
  for (let count = Math.min(PHRASE_WORDS_MAX, tokens.length - first); count > 0; count--) {
    const words = tokens.slice(first, first + count);
    if (words.some(({ endsClause }, index) => endsClause && index < count - 1)) continue;
    if (words.some((_, index) => kept.has(first + index))) continue;
    const meaning = MEANINGS.get(words.map(({ key }) => key).join(' '));
    if (meaning === undefined || !isMeant(tokens, first, first + count)) continue;
    return { kind: 'phrase', meaning, first, end: first + count };
  }
  return null;
}

const NEEDS_NUMBER: ReadonlySet<string> = new Set(['o', 'u', 'above', 'below', 'more than', 'less than']);
/** The beginning of a count: "by two goals", "by more than 1". */
const COUNT = /^(?:\d|one$|two$|three$|four$|five$|six$|more$|less$|at$)/;

/** Words of one or two letters, and those with other meanings, count only if they can mean nothing else. */
function isMeant(tokens: readonly Token[], first: number, end: number): boolean {
  const key = tokens
    .slice(first, end)
    .map((token) => token.key)
    .join(' ');
  const next = tokens[end]?.key ?? '';
  if (NEEDS_NUMBER.has(key)) return NUMBER.test(next);
  if (key === 'by') return COUNT.test(next);
  if (key === 'under') return !YOUTH_AGE.test(next);
  if (key === 'x') return end === tokens.length && first > 1;
  return true;
}

function numberAt(tokens: readonly Token[], index: number): Item | null {
  const { key, raw } = tokens[index]!;
  // Between two names it is the present score, as in "Racing 1-0 San Lorenzo".
  if (SCORE.test(raw) && tokens.slice(index + 1).every((token) => !/[a-z]/.test(token.key)))
    return { kind: 'score', first: index, end: index + 1 };
  if (!NUMBER.test(key)) return null;
  const form = key.endsWith('%')
    ? 'percent'
    : /^[+-]/.test(key)
      ? 'signed'
      : key.includes('.')
        ? 'decimal'
        : 'integer';
  return { kind: 'number', number: Number.parseFloat(key), form, first: index, end: index + 1 };
}

// ---- their meaning together

/** Words between a market and its number, and words that belong to no team. */
const TRANSPARENT: ReadonlySet<string> = new Set(['line', 'lines', 'of', 'at', 'the', 'is', 'a']);
const PREPOSITIONS: ReadonlySet<string> = new Set(['in', 'for', 'on', 'between', 'when', 'from', 'where']);
const MONTH =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december)$/;
/** A signed whole number from this size on is an American price: no handicap is that large. */
const AMERICAN_MIN = 100;
/** Numbers in clubs' names have a leading zero or are larger: "Schalke 04", "Hannover 96". */
const STRAY = /^(?:[1-9]|1[0-5])$/;

class Reading {
  readonly #tokens: readonly Token[];
  readonly #items: Item[];
  /** Tokens removed from the remaining text. */
  readonly #taken = new Set<number>();

  constructor(tokens: readonly Token[], items: readonly Item[]) {
    this.#tokens = tokens;
    this.#items = [...items];
  }

  read(): ReadWords {
    const { lines, prices } = this.#numbers();
    for (const { first, end } of this.#items)
      for (let index = first; index < end; index++) this.#taken.add(index);
    const phrases = this.#items.flatMap((item) => (item.kind === 'phrase' ? [item] : []));
    this.#requireOffered(phrases);
    const scores = this.#items.filter(({ kind }) => kind === 'score');
    const written = this.#written([...phrases, ...scores], lines);
    const line = this.#oneLine(lines);
    const has = (kind: Meaning['kind']): boolean => phrases.some(({ meaning }) => meaning.kind === kind);
    const market = marketOf(phrases, lines, written);
    const period = oneOf(
      phrases.flatMap(({ meaning }) => (meaning.kind === 'period' ? [meaning.period] : [])),
      written,
    );
    const outcome = outcomeOf(has, market, written);
    const team = this.#teamOf(phrases, lines, market);
    const words: MarketWords = {
      market,
      period,
      line,
      outcome: outcome === null && market === 'asian_handicap' && team !== null ? 'win' : outcome,
      team,
      isScore: has('score') || scores.length > 0,
      prices,
      written,
    };
    return { words, rest: this.#rest() };
  }

  /** Sorts numbers into lines and prices. Integers that are neither stay words: "Schalke 04". */
  #numbers(): { lines: { item: Item; value: number; isHandicap: boolean }[]; prices: number[] } {
    const lines: { item: Item; value: number; isHandicap: boolean }[] = [];
    const prices: number[] = [];
    for (const item of [...this.#items]) {
      if (item.kind !== 'number') continue;
      const role = this.#roleOf(item);
      if (role === 'name') {
        this.#items.splice(this.#items.indexOf(item), 1);
        // It also stays a word: a side may be called "Hoffenheim 2".
        if (this.#isStray(item)) prices.push(item.number);
      } else if (role === 'price') prices.push(item.form === 'percent' ? item.number / 100 : item.number);
      else lines.push({ item, value: this.#onGrid(item), isHandicap: role === 'handicap' });
    }
    return { lines, prices };
  }

  /** A small number at the very end that belongs to no known name: "chelsea v wolves 1". */
  #isStray({ first, end, form }: Extract<Item, { kind: 'number' }>): boolean {
    const isDay = MONTH.test(this.#tokens[first - 1]?.key ?? '');
    return (
      form === 'integer' && end === this.#tokens.length && !isDay && STRAY.test(this.#tokens[first]!.raw)
    );
  }

  #roleOf(item: Extract<Item, { kind: 'number' }>): 'handicap' | 'total' | 'price' | 'name' {
    const { number, form } = item;
    if (form === 'percent') return 'price';
    const before = this.#phraseBefore(item);
    const after = this.#phraseAfter(item);
    const written = this.#tokens[item.first]!.raw;
    if (form === 'signed') {
      if (Number.isInteger(number) && Math.abs(number) >= AMERICAN_MIN) return 'price';
      if (before !== null && isTotal(before))
        throw unclear(
          `what ${written} is: a total has no sign`,
          `Write over ${Math.abs(number)} or under ${Math.abs(number)}`,
        );
      if (number > 0 && after?.kind === 'unit')
        throw unclear(
          `what ${written} ${this.#tokens[item.end]!.raw} is: a handicap or a total`,
          `Write "over ${number}" for the total, or ${written} alone for a handicap of the team named`,
        );
      return 'handicap';
    }
    const next = this.#tokens[item.end]?.key ?? '';
    const isDay =
      form === 'integer' && (MONTH.test(next) || MONTH.test(this.#tokens[item.first - 1]?.key ?? ''));
    if (isDay) return 'name';
    if (form === 'integer' && number > LINE_MAX) return 'name';
    if (before !== null && isTotal(before)) {
      this.#requireNoCount(item);
      return 'total';
    }
    if (before?.kind === 'market' && before.market === 'asian_handicap') {
      if (number === 0) return 'handicap';
      if (form === 'integer' && this.#isName(item.end)) return 'name';
      throw unclear(`whether the handicap ${written} is given or taken`, `Write +${written} or -${written}`);
    }
    if (after !== null && isTotal(after) && !this.#isNumber(this.#itemAt(item.end)!.end))
      if (form === 'decimal' || after.kind === 'unit') return 'total';
    return form === 'decimal' ? 'price' : 'name';
  }

  /** "More than 2" never returns the stake, unlike the line over 2. @throws ServiceError for such a count */
  #requireNoCount({ first, form }: Extract<Item, { kind: 'number' }>): void {
    if (form !== 'integer' || this.#tokens[first - 1]?.key !== 'than') return;
    throw notOffered('counts without a line ("over 2.5" is three or more)', false);
  }

  /** @throws ServiceError for a line that is not a multiple of a quarter */
  #onGrid({ first, number }: Extract<Item, { kind: 'number' }>): number {
    if (Number.isInteger(number * 4)) return number === 0 ? 0 : number;
    const down = Math.floor(number * 4) / 4;
    throw unusable(
      `Cannot use the line ${this.#tokens[first]!.raw}: lines are in quarters`,
      `The nearest lines are ${down} and ${down + 0.25}`,
    );
  }

  #oneLine(lines: readonly { value: number; item: Item }[]): number | null {
    const [first] = lines;
    if (first === undefined) return null;
    const other = lines.find(({ value }) => value !== first.value);
    if (other === undefined) return first.value;
    throw unclear(`which line is meant, ${first.value} or ${other.value}`, 'Ask about one line at a time');
  }

  /** @throws ServiceError for markets and periods that are not offered */
  #requireOffered(phrases: readonly Extract<Item, { kind: 'phrase' }>[]): void {
    const kinds = phrases.map(({ meaning }) => meaning.kind);
    if (kinds.includes('draw') && kinds.some(isOfWinner)) throw notOffered('double chance', false);
    for (const { meaning } of phrases)
      if (meaning.kind === 'refused') throw notOffered(meaning.name, meaning.isPeriod === true);
  }

  #itemAt(index: number): Item | null {
    return this.#items.find((item) => item.first === index) ?? null;
  }

  /** A word of a name is at this position: "spread 1860 Munich". */
  #isName(index: number): boolean {
    return index < this.#tokens.length && this.#itemAt(index) === null;
  }

  #isNumber(index: number): boolean {
    return this.#itemAt(index)?.kind === 'number';
  }

  /** The word for a market that a number follows, with words such as "line" or "first half" between them. */
  #phraseBefore({ first }: Item): Meaning | null {
    for (let index = first - 1; index >= 0; ) {
      const item = this.#items.find(({ end }) => end === index + 1);
      if (item === undefined) {
        const token = this.#tokens[index]!;
        if (!TRANSPARENT.has(token.key) || token.endsClause) return null;
        index--;
      } else if (item.kind !== 'phrase') return null;
      else if (item.meaning.kind === 'period') index = item.first - 1;
      else return item.meaning;
    }
    return null;
  }

  #phraseAfter({ end }: Item): Meaning | null {
    const item = this.#itemAt(end);
    return item?.kind === 'phrase' && !this.#tokens[end - 1]!.endsClause ? item.meaning : null;
  }

  // -- the team of a handicap or a win

  #teamOf(
    phrases: readonly Extract<Item, { kind: 'phrase' }>[],
    lines: readonly { item: Item; isHandicap: boolean }[],
    market: MarketType | null,
  ): MarketWords['team'] {
    const win = phrases.find(({ meaning }) => isOfWinner(meaning.kind));
    const anchor = lines.find(({ isHandicap }) => isHandicap)?.item ?? win;
    if (anchor === undefined || market === 'totals') return null;
    if (win?.kind === 'phrase' && win.meaning.kind === 'win' && win.meaning.team !== undefined)
      return { side: win.meaning.team };
    const words = this.#teamWords(anchor, win);
    return words === null ? null : { words };
  }

  #teamWords(anchor: Item, win: Item | undefined): string | null {
    const left = this.#run(anchor.first - 1, -1);
    const right = this.#run(anchor.end, 1);
    const isBeat = win?.kind === 'phrase' && isBetweenTeams(win.meaning);
    if (isBeat) return this.#text(this.#run(win.first - 1, -1));
    const between = this.#separators();
    if (between.length === 0) return this.#text(left.length > 0 ? left : right);
    const clause = this.#clauseOf(anchor);
    if (!between.some((index) => index >= clause.first && index < clause.end)) {
      // "Chelsea v Wolves, Chelsea to win": the name occurs twice.
      const own = left.length > 0 ? left : right;
      const text = this.#text(own);
      for (const index of own) this.#taken.add(index);
      return text;
    }
    const [near, far] = [this.#nextName(anchor.end, 1), this.#nextName(anchor.first - 1, -1)];
    if (left.length > 0 && near !== null && isSeparator(this.#tokens[near]!.key)) return this.#text(left);
    if (right.length > 0 && far !== null && isSeparator(this.#tokens[far]!.key)) return this.#text(right);
    return null;
  }

  /** The next token that is not a word for a market. */
  #nextName(from: number, step: 1 | -1): number | null {
    for (let index = from; index >= 0 && index < this.#tokens.length; index += step)
      if (!this.#taken.has(index)) return index;
    return null;
  }

  /** Tokens of the name beside an anchor, up to the next separator, preposition or comma. */
  #run(from: number, step: 1 | -1): number[] {
    const found: number[] = [];
    for (let index = from; index >= 0 && index < this.#tokens.length; index += step) {
      const { raw, key, endsClause } = this.#tokens[index]!;
      if (step === -1 && endsClause) break;
      if (!this.#taken.has(index)) {
        if (isSeparator(key) || PREPOSITIONS.has(key)) break;
        if (!isQuestionWord(key) && !raw.startsWith('evt_')) found.push(index);
      }
      if (step === 1 && endsClause) break;
    }
    return found.sort((first, second) => first - second);
  }

  #clauseOf({ first, end }: Item): { first: number; end: number } {
    let from = first;
    while (from > 0 && !this.#tokens[from - 1]!.endsClause && !this.#isPreposition(from - 1)) from--;
    let to = end;
    while (to < this.#tokens.length && !this.#tokens[to - 1]!.endsClause && !this.#isPreposition(to)) to++;
    return { first: from, end: to };
  }

  #isPreposition(index: number): boolean {
    return !this.#taken.has(index) && PREPOSITIONS.has(this.#tokens[index]!.key);
  }

  /** Words that separate two teams, with a name on either side. */
  #separators(): number[] {
    return this.#tokens.flatMap(({ key }, index) => {
      if (this.#taken.has(index) || !isSeparator(key)) return [];
      const isBetween = this.#nextName(index - 1, -1) !== null && this.#nextName(index + 1, 1) !== null;
      return isBetween ? [index] : [];
    });
  }

  #text(indexes: readonly number[]): string | null {
    return indexes.length === 0 ? null : indexes.map((index) => this.#tokens[index]!.raw).join(' ');
  }

  #rest(): string {
    let text = '';
    for (const [index, { raw, glue, isBeforeComma }] of this.#tokens.entries()) {
      const beat = this.#items.find(
        (item) => item.first === index && item.kind === 'phrase' && isBetweenTeams(item.meaning),
      );
      if (beat !== undefined && text !== '') text += ' v';
      if (this.#taken.has(index)) continue;
      const isJoined = index > 0 && !this.#taken.has(index - 1);
      text += `${isJoined ? glue : ' '}${raw}${isBeforeComma ? ' ,' : ''}`;
    }
    return text.replace(
      /^(?:\s|,|(?:or|and|at|of)\s|[-@]\s)+|(?:[\s,]|\s(?:or|and|at|of|[-@])(?=\s*$))+$/gi,
      '',
    );
  }

  #written(phrases: readonly Item[], lines: readonly { item: Item }[]): string {
    return [...phrases.filter((item) => !isNeutral(item)), ...lines.map(({ item }) => item)]
      .sort((left, right) => left.first - right.first)
      .map(({ first, end }) =>
        this.#tokens
          .slice(first, end)
          .map(({ raw }) => raw)
          .join(' '),
      )
      .join(' ');
  }
}

function isTotal(meaning: Meaning): boolean {
  const { kind } = meaning;
  if (kind === 'market') return meaning.market === 'totals';
  return kind === 'over' || kind === 'under' || kind === 'over_under' || kind === 'unit';
}

/** @throws ServiceError if the words name two */
function marketOf(
  phrases: readonly Extract<Item, { kind: 'phrase' }>[],
  lines: readonly { isHandicap: boolean }[],
  written: string,
): MarketType | null {
  const named = new Set<MarketType>(
    lines.map(({ isHandicap }) => (isHandicap ? 'asian_handicap' : 'totals')),
  );
  for (const { meaning } of phrases) {
    if (meaning.kind === 'market') named.add(meaning.market);
    else if (meaning.kind === 'over' || meaning.kind === 'under' || meaning.kind === 'over_under')
      named.add('totals');
    else if (meaning.kind === 'draw') named.add('1x2');
  }
  const kinds = new Set(phrases.map(({ meaning }) => meaning.kind));
  // A handicap counts goals, and a win refers to a handicap's team.
  if (kinds.has('unit') && !named.has('asian_handicap')) named.add('totals');
  const isLost = kinds.has('lose') || kinds.has('lose_to');
  if ([...kinds].some(isOfWinner) && (isLost || !named.has('asian_handicap'))) named.add('1x2');
  return oneOf([...named], written);
}

function oneOf<Value extends string>(values: readonly Value[], written: string): Value | null {
  const [first, second] = [...new Set(values)];
  if (second === undefined) return first ?? null;
  throw unclear(
    `which is meant by "${written}", ${first} or ${second}`,
    'Ask about one market of one period at a time',
  );
}

function outcomeOf(
  has: (kind: Meaning['kind']) => boolean,
  market: MarketType | null,
  written: string,
): MarketWords['outcome'] {
  if (has('over_under') || (has('over') && has('under'))) return null;
  if (has('over')) return 'over';
  if (has('under')) return 'under';
  if (has('draw')) return 'draw';
  if (market === 'totals') return null;
  const isWon = has('win') || has('beat');
  const isLost = has('lose') || has('lose_to');
  if (isWon && isLost) throw unclear(`which is meant by "${written}"`, 'Ask about one team to win');
  return isWon ? 'win' : isLost ? 'lose' : null;
}

function isOfWinner(kind: Meaning['kind']): boolean {
  return kind === 'win' || kind === 'beat' || kind === 'lose' || kind === 'lose_to';
}

/** It is between the names of the two teams. */
function isBetweenTeams({ kind }: Meaning): boolean {
  return kind === 'beat' || kind === 'lose_to';
}

function notOffered(name: string, isPeriod: boolean): ServiceError {
  return unusable(
    `Cannot answer about ${name}: there are no such prices here`,
    isPeriod
      ? 'Periods are full_time and half_time (the first half); ask about one of them'
      : 'Markets are 1x2 (the winner), asian_handicap and totals, of the full match or the first half; ask about one of them',
  );
}

function unclear(what: string, fix: string): ServiceError {
  return unusable(`Cannot tell ${what}`, fix);
}

function unusable(message: string, fix: string): ServiceError {
  return new ServiceError('invalid_request', message, { fix });
}
