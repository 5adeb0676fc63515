// What the market words of one text mean together: line, outcome, team and prices. The rest of the text holds
// the names.

import type { MarketType } from '../../domain/catalogue.ts';
import { LINE_MAX } from '../../domain/handicap.ts';
import { clubsWritten } from '../club-table.ts';
import { isSeparator } from '../parse-fixture-query.ts';
import { isQuestionWord } from '../question/question-words.ts';
import { parseName } from '../text/parse-name.ts';
import { type Item, isNeutral } from './market-items.ts';
import {
  isBetweenTeams,
  isOfWinner,
  isTotal,
  type MarketWords,
  marketOf,
  notOffered,
  oneOf,
  outcomeOf,
  type QuotedPrice,
  type ReadWords,
  unclear,
  unusable,
} from './market-meaning.ts';
import type { Token } from './market-tokens.ts';
import type { Meaning } from './market-vocabulary.ts';

/** Words that may stand between a market and its number. */
const TRANSPARENT: ReadonlySet<string> = new Set(['line', 'lines', 'of', 'at', 'the', 'is', 'a']);
/** Words between a price and the team that it is for. */
const PRICE_OF: ReadonlySet<string> = new Set(['on', 'for', 'about']);
const BEFORE_PRICE: ReadonlySet<string> = new Set(['at', '@', 'priced']);
const PREPOSITIONS: ReadonlySet<string> = new Set(['in', 'for', 'on', 'between', 'when', 'from', 'where']);
const MONTH =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december)$/;
/** A signed whole number from this size on is an American price, because no handicap is that large. */
const AMERICAN_MIN = 100;
/**
 * Matches the numbers 1 to 15. Numbers in clubs' names have a leading zero or are larger: "Schalke 04",
 * "Hannover 96".
 */
const STRAY = /^(?:[1-9]|1[0-5])$/;

interface Numbers {
  readonly lines: readonly { readonly item: Item; readonly value: number; readonly isHandicap: boolean }[];
  readonly prices: readonly QuotedPrice[];
  /** The items of `prices`, which belong to no name. */
  readonly priced: readonly Item[];
}

export class Reading {
  readonly #tokens: readonly Token[];
  readonly #items: Item[];
  /** Tokens removed from the remaining text. */
  readonly #taken = new Set<number>();

  constructor(tokens: readonly Token[], items: readonly Item[]) {
    this.#tokens = tokens;
    this.#items = [...items];
  }

  read(): ReadWords {
    const { lines, prices, priced } = this.#numbers();
    for (const { first, end } of this.#items)
      for (let index = first; index < end; index++) this.#taken.add(index);
    for (const { first } of priced)
      if (BEFORE_PRICE.has(this.#tokens[first - 1]?.key ?? '')) this.#taken.add(first - 1);
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
    const team = this.#teamOf(phrases, { lines, priced }, market);
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
  #numbers(): Numbers {
    const lines: { item: Item; value: number; isHandicap: boolean }[] = [];
    const prices: QuotedPrice[] = [];
    const priced: Item[] = [];
    for (const item of [...this.#items]) {
      if (item.kind !== 'number') continue;
      const role = this.#roleOf(item);
      if (role === 'name') {
        this.#items.splice(this.#items.indexOf(item), 1);
        // A small number at the end may be a price, and it also stays a word, because a side may be called
        // "Hoffenheim 2".
        if (this.#isStray(item)) prices.push({ value: item.number, form: 'decimal' });
      } else if (role === 'price') {
        prices.push(quotedPrice(item));
        priced.push(item);
      } else lines.push({ item, value: this.#onGrid(item), isHandicap: role === 'handicap' });
    }
    return { lines, prices, priced };
  }

  /**
   * Whether the number is a whole number from 1 to 15 at the very end of the text, and not a day of a month.
   * In "chelsea v wolves 1" it may be a price or a part of the name.
   */
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
          `${written} has a sign, and a total has no sign`,
          `Write over ${Math.abs(number)} or under ${Math.abs(number)}`,
        );
      if (number > 0 && after?.kind === 'unit')
        throw unclear(
          `${written} ${this.#tokens[item.end]!.raw} could be a handicap or a total`,
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
      throw unclear(`the handicap ${written} could be given or taken`, `Write +${written} or -${written}`);
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
    throw unclear(`the line could be ${first.value} or ${other.value}`, 'Ask about one line at a time');
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

  /**
   * Whether the word at this position belongs to a name: no market word or number starts there. In "spread
   * 1860 Munich", "Munich" does.
   */
  #isName(index: number): boolean {
    return index < this.#tokens.length && this.#itemAt(index) === null;
  }

  #isNumber(index: number): boolean {
    return this.#itemAt(index)?.kind === 'number';
  }

  /** The market word before a number. Words such as "line" or "first half" may stand between them. */
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
    { lines, priced }: Pick<Numbers, 'lines' | 'priced'>,
    market: MarketType | null,
  ): MarketWords['team'] {
    const win = phrases.find(({ meaning }) => isOfWinner(meaning.kind));
    const anchor = lines.find(({ isHandicap }) => isHandicap)?.item ?? win;
    if (market === 'totals' || phrases.some(({ meaning }) => meaning.kind === 'draw')) return null;
    if (anchor === undefined) return this.#teamOfPrice(priced);
    if (win?.kind === 'phrase' && win.meaning.kind === 'win' && win.meaning.team !== undefined)
      return { side: win.meaning.team };
    const words = this.#teamWords(anchor, win);
    return words === null ? null : { words };
  }

  /** "+150 on wolves", "newcastle at 2.75": a lone price beside a lone name is for that team to win. */
  #teamOfPrice([price, other]: readonly Item[]): MarketWords['team'] {
    if (price === undefined || other !== undefined) return null;
    if (this.#separators().length > 0) return null;
    const isBeforeTeam = PRICE_OF.has(this.#tokens[price.end]?.key ?? '');
    const left = isBeforeTeam ? [] : this.#run(price.first - 1, -1);
    const words = this.#text(left.length > 0 ? left : this.#run(price.end + (isBeforeTeam ? 1 : 0), 1));
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
      // In "Chelsea v Wolves, Chelsea to win" the name occurs twice, so the second one is taken out of the
      // text.
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

  /** Positions of the words that may separate two teams: those with a name on both sides. */
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
    // "At Madrid" is a club's name.
    if (clubsWritten(parseName(text)).length > 0) return text.trim();
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

function quotedPrice({ number, form }: Extract<Item, { kind: 'number' }>): QuotedPrice {
  if (form === 'percent') return { value: number / 100, form: 'probability' };
  return { value: number, form: form === 'signed' ? 'american' : 'decimal' };
}
