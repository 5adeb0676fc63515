// Finds fixtures and teams of the tape by words. This file is loaded with the first such question, because
// the tables of names take about ten megabytes, and most questions about the past have an id.

import { NameCache } from '../../names/text/parse-name.ts';
import { FixturesOnTape } from './find-on-tape.ts';
import { TeamsOnTape } from './teams-on-tape.ts';

export class WordsOnTape {
  readonly #names = new NameCache();
  readonly fixtures = new FixturesOnTape(this.#names);
  readonly teams = new TeamsOnTape(this.#names);
}
