// When the answers of all imports, earlier ones and this one, were received, and which fixtures they list.

import type { ListedDay } from '../files/file-notes.ts';
import { dayOf, dayStartMs, type TapeRange } from '../tick.ts';
import type { AnswerTimes, PreviousTimes } from './import-notes.ts';
import type { ImportedDay } from './imported-days.ts';
import type { ImportedFixtures } from './imported-fixtures.ts';
import type { ImportedTape } from './imported-tape.ts';
import { answerTimesIn, listedTimes } from './listed-fixtures.ts';

export class ImportedAnswers {
  readonly #tape: ImportedTape;
  readonly #before: ReadonlyMap<string, ImportedDay>;
  readonly #fixtures: ImportedFixtures;
  /** The answers of this import. */
  readonly fresh: AnswerTimes;

  constructor(tape: ImportedTape, before: ReadonlyMap<string, ImportedDay>, fixtures: ImportedFixtures) {
    this.#tape = tape;
    this.#before = before;
    this.#fixtures = fixtures;
    this.fresh = new Map([...tape.scopes].map(([id, { answersMs }]) => [id, answersMs]));
  }

  /** How many answers of earlier imports about a league were received in a range. */
  countBetween(leagueId: string, { fromMs, toMs }: TapeRange): number {
    let count = 0;
    for (const [day, { answers }] of this.#before) {
      if (day < dayOf(fromMs)) continue;
      const ofDay = answerTimesIn(answers, [leagueId], dayStartMs(day)).map((atMs) => dayStartMs(day) + atMs);
      count += ofDay.filter((atMs) => atMs >= fromMs && atMs < toMs).length;
    }
    return count;
  }

  /** For each answer of the day whose preceding answer is in no import: the time of the preceding answer. */
  previousOf(day: string): PreviousTimes {
    const fresh = [...this.#tape.scopes].map(([id, scope]) => [id, scope.previousMs] as const);
    const missing = new Map<string, Map<number, number>>();
    for (const [id, times] of [...(this.#before.get(day)?.previous ?? []), ...fresh]) {
      for (const [atMs, previousMs] of times) {
        if (dayOf(atMs) !== day || this.#isAnswered(id, previousMs)) continue;
        missing.set(id, (missing.get(id) ?? new Map<number, number>()).set(atMs, previousMs));
      }
    }
    return missing;
  }

  /** When answers of a day list a fixture, by event id: answers of earlier imports and of this one. */
  listedOn(day: string): Map<string, ListedDay> {
    const fromMs = dayStartMs(day);
    const { notes, answers = [] } = this.#before.get(day) ?? {};
    const { fresh } = this;
    const listed = new Map<string, ListedDay>();
    for (const eventId of new Set([...(notes?.onSlate.keys() ?? []), ...this.#tape.facts.keys()])) {
      const scopes = [this.#fixtures.idsOf(eventId)?.leagueId ?? '', eventId];
      const own = notes?.onSlate.get(eventId) ?? [];
      const spans = this.#tape.facts.get(eventId)?.listed.get(day) ?? [];
      const times = new Set([
        ...(own.length < 2 ? [] : listedTimes(own, answerTimesIn(answers, scopes, fromMs))),
        ...spans.flatMap(([firstMs, lastMs]) =>
          listedTimes([firstMs - fromMs, lastMs - fromMs], answerTimesIn([fresh], scopes, fromMs)),
        ),
      ]);
      if (times.size === 0) continue;
      const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
      const missed = answerTimesIn([...answers, fresh], scopes.slice(0, 1), fromMs).filter(
        (atMs) => atMs > firstMs && atMs < lastMs && !times.has(atMs),
      );
      listed.set(eventId, [firstMs, ...missed, lastMs]);
    }
    return listed;
  }

  /** Whether this import or an earlier one has the answer of this time about a league or a fixture. */
  #isAnswered(id: string, atMs: number): boolean {
    const { answers = [] } = this.#before.get(dayOf(atMs)) ?? {};
    return [...answers.map((times) => times.get(id)), this.#tape.scopes.get(id)?.answersMs].some(
      (times) => times?.has(atMs) === true,
    );
  }
}
