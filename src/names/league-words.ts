// The words of the leagues that fixtures belong to, so that "Lakers NBA" is a team and its league.

import { foldText } from './fold-text.ts';
import { NAME_INPUT_CHARS_MAX, splitWords } from './normalise.ts';

export class LeagueWords {
  readonly #leagues = new Set<string>();
  readonly #leaguesByWord = new Map<string, Set<string>>();

  add(leagueName: string): void {
    if (this.#leagues.has(leagueName)) return;
    this.#leagues.add(leagueName);
    for (const { text } of splitWords(foldText(leagueName, NAME_INPUT_CHARS_MAX))) {
      const leagues = this.#leaguesByWord.get(text);
      if (leagues === undefined) this.#leaguesByWord.set(text, new Set([leagueName]));
      else leagues.add(leagueName);
    }
  }

  has(word: string): boolean {
    return this.#leaguesByWord.has(word);
  }

  /** Whether this league's name holds every one of `words`. */
  holds(leagueName: string, words: readonly string[]): boolean {
    return words.every((word) => this.#leaguesByWord.get(word)?.has(leagueName) === true);
  }
}
