// The days in a query. They always filter: if no team that is meant plays on the day, the answer says so and
// is never the nearest fixture.

import { type QueryDates, type Today, takeDates } from '../domain/days/day-text.ts';
import { clubsNamed, tables } from './club-table.ts';
import { foldText } from './text/fold-text.ts';
import { parseName } from './text/parse-name.ts';
import { isOneSlip } from './text/word-similarity.ts';

/**
 * Words with fewer letters than this are never typing slips, because a slip often makes another word of them.
 */
const SLIP_LENGTH_MIN = 5;

/**
 * Takes the days out of a query, but no weekday that is part of a club's name.
 * @throws ServiceError as `takeDates`
 */
export function takeQueryDates(text: string, today: Today): QueryDates {
  return takeDates(text, today, isPartOfClub);
}

/** Whether the weekday is part of a club's name: "Sheffield Wednesday". */
function isPartOfClub(text: string, weekday: string): boolean {
  const before = foldText(text, 200)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .at(-1);
  if (before === undefined) return false;
  return clubsNamed(parseName(`${before} ${weekday}`)).length > 0 || isSlipBefore(before, weekday);
}

/** Whether the word before is one typing slip from a word of a club: "Sheeffield Wednesday". */
function isSlipBefore(before: string, day: string): boolean {
  const names = tables().byDistinctiveWord.get(foldText(day, 200)) ?? [];
  return (
    before.length >= SLIP_LENGTH_MIN &&
    names.some(({ words }) => words.length === 2 && isOneSlip(before, words[0]!))
  );
}
