// Names of clubs that contain a word for a market ("Over Wilhelmsburg", "Total Chalaco"). Such words stay
// in the name.

import { allClubs } from '../club-table.ts';
import { itemsOf } from './market-items.ts';
import { GLUED, type Token, tokensOf } from './market-tokens.ts';
import { MEANINGS } from './market-vocabulary.ts';

/** Names of clubs of the tables that contain a word for a market, by the first word of the name. */
let clubNames: ReadonlyMap<string, readonly (readonly string[])[]> | null = null;

export function clubNamesWithWords(): ReadonlyMap<string, readonly (readonly string[])[]> {
  if (clubNames !== null) return clubNames;
  const found = new Map<string, string[][]>();
  for (const name of new Set(allClubs().flatMap(({ names }) => names))) {
    if (!mayHoldWords(name)) continue;
    const tokens = tokensOf(name);
    if (itemsOf(tokens, new Set()).length === 0) continue;
    const keys = tokens.map(({ key }) => key);
    // A name of one word, such as "Over", is left out, because it cannot be distinguished from the word for a
    // market.
    if (keys.length === 1) continue;
    found.getOrInsertComputed(keys[0]!, () => []).push(keys);
  }
  clubNames = found;
  return found;
}

/**
 * Whether a name may contain such a word. The check is fast, because the tables have some tens of thousands
 * of names and few contain one.
 */
function mayHoldWords(name: string): boolean {
  if (/\d/.test(name)) return true;
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => FIRST_WORDS.has(word) || GLUED.test(word));
}

/** Tokens that are part of a club's name. */
export function protectedTokens(
  tokens: readonly Token[],
  isName: (words: string) => boolean,
): ReadonlySet<number> {
  const found = new Set<number>();
  const names = clubNamesWithWords();
  for (let first = 0; first < tokens.length; first++) {
    for (const keys of names.get(tokens[first]!.key) ?? []) {
      if (keys.every((key, offset) => tokens[first + offset]?.key === key)) protect(first, keys.length);
    }
  }
  for (const { first, end } of itemsOf(tokens, found)) {
    // The name of a team of the slate may be the whole phrase with up to NAME_REACH more words on either
    // side.
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
