// The sports and leagues that an operator wants, in the form of `<SOURCE>_SPORTS`:
// "football,basketball:NBA,basketball:122".

import { SPORT_KEYS, type SportKey } from '../../domain/catalogue.ts';

export interface UpstreamLeague {
  readonly id: string;
  readonly name: string;
}

export class SportChoice {
  /** Leagues by sport; null means all of them. */
  readonly #leagues = new Map<SportKey, Set<string> | null>();

  /**
   * @param choices `sport`, or `sport:league` with a league's name or id
   * @throws RangeError that names an invalid choice
   */
  constructor(choices: readonly string[]) {
    for (const choice of choices) {
      const [word = '', ...rest] = choice.split(':');
      const sport = SPORT_KEYS.find((key) => key === word.trim().toLowerCase());
      const league = rest.join(':').trim().toLowerCase();
      if (sport === undefined || (rest.length > 0 && league === '')) throw new RangeError(choice);
      const leagues = this.#leagues.get(sport);
      if (league === '' || leagues === null) this.#leagues.set(sport, null);
      else this.#leagues.set(sport, new Set([...(leagues ?? []), league]));
    }
  }

  has(sport: SportKey): boolean {
    return this.#leagues.has(sport);
  }

  /** Whether every league of a sport is wanted. */
  wantsAll(sport: SportKey): boolean {
    return this.#leagues.get(sport) === null;
  }

  /** Whether a league is wanted. If its sport was named without a league, every league of the sport is. */
  wants(sport: SportKey, { id, name }: UpstreamLeague): boolean {
    const leagues = this.#leagues.get(sport);
    if (leagues === undefined) return false;
    return leagues === null || leagues.has(id) || leagues.has(name.toLowerCase());
  }

  /** Those of a source's leagues that are wanted, by code or name. */
  among<League extends { readonly sport: SportKey; readonly code: string; readonly name: string }>(
    leagues: readonly League[],
  ): readonly League[] {
    return leagues.filter(({ sport, code, name }) => this.wants(sport, { id: code, name }));
  }
}
