// From a person's words to a finished match that has left the slate: the same resolver over the newest results.

import type { ResultSource } from '../archive/archive-reader.ts';
import type { ArchivedResult } from '../archive/tables.ts';
import type { Result } from '../contract/results.ts';
import { indexIn, SPORT_KEYS } from '../domain/catalogue.ts';
import { decodeId } from '../domain/ids.ts';
import { RESULTS_KEPT_DAYS } from '../limits.ts';
import { FixtureIndex, type ResolvableFixture } from '../names/fixture-index.ts';
import { NameCache } from '../names/parse-name.ts';
import { type FixtureCandidate, resolveFixture } from '../names/resolve-fixture.ts';
import { dayRange } from './day.ts';
import { type FixtureLookup, type FixtureQuestion, todayOf } from './fixture-lookup.ts';
import { dayNamed } from './named-days.ts';
import { toResult } from './results.ts';

/** Most recent results that are searched by name. Older: found by id and by filters only. */
const SEARCHED_MAX = 2_000;
/** Age of the index of results, whose list changes by the minute. Older: made anew. */
const INDEX_AGE_MAX_MS = 10_000;
const DAY_MS = 86_400_000;

export interface ResultCandidate {
  readonly result: Result;
  /** 0 to 1, unrounded. */
  readonly confidence: number;
}

/** `matched`: `best` is the match. `ambiguous`: `candidates` holds all that fit, best first. */
export interface ResultLookup {
  readonly status: 'matched' | 'ambiguous' | 'not_found';
  readonly best: ResultCandidate | null;
  readonly candidates: readonly ResultCandidate[];
  /** See FixtureLookup. */
  readonly dateChoices: FixtureLookup['dateChoices'];
}

const NOTHING: ResultLookup = { status: 'not_found', best: null, candidates: [], dateChoices: null };

export class ResultLookups {
  readonly #archive: ResultSource;
  readonly #cache = new NameCache();
  #rows: ReadonlyMap<number, ArchivedResult> = new Map();
  #index: FixtureIndex | null = null;
  #indexedAtMs = Number.NEGATIVE_INFINITY;

  constructor(archive: ResultSource) {
    this.#archive = archive;
  }

  /** Finds the finished match a question means. @throws ServiceError `invalid_request` for a bad id or inline date */
  async find(question: FixtureQuestion, nowMs: number): Promise<ResultLookup> {
    const index = await this.#currentIndex(nowMs);
    const today = todayOf(question, nowMs, true);
    const range =
      question.date === undefined ? undefined : dayRange(dayNamed(question.date, today), today.timezone);
    const resolution = resolveFixture(index, question.query, {
      sport: question.sport === undefined ? undefined : indexIn(SPORT_KEYS, question.sport),
      dateFromMs: range?.fromMs,
      dateToMs: range?.toMs,
      today,
    });
    if (resolution.idText !== null) return this.#byId(resolution.idText, nowMs);
    const { status, best, alternatives, dateChoices } = resolution;
    if (best === null || status === 'not_found') return NOTHING;
    if (status === 'matched')
      return { status, best: this.#candidate(best), candidates: [], dateChoices: null };
    return {
      status,
      best: null,
      candidates: [best, ...alternatives].map((each) => this.#candidate(each)),
      dateChoices,
    };
  }

  async #byId(eventId: string, nowMs: number): Promise<ResultLookup> {
    const row = await this.#archive.result(decodeId('event', eventId));
    if (row === null || row.finishedAtMs < nowMs - RESULTS_KEPT_DAYS * DAY_MS) return NOTHING;
    return {
      status: 'matched',
      best: { result: toResult(row), confidence: 1 },
      candidates: [],
      dateChoices: null,
    };
  }

  #candidate({ eventNumber, confidence }: FixtureCandidate): ResultCandidate {
    return { result: toResult(this.#rows.get(eventNumber)!), confidence };
  }

  async #currentIndex(nowMs: number): Promise<FixtureIndex> {
    if (this.#index !== null && nowMs - this.#indexedAtMs < INDEX_AGE_MAX_MS) return this.#index;
    const oldestMs = nowMs - RESULTS_KEPT_DAYS * DAY_MS;
    const found = await this.#archive.results({ limit: SEARCHED_MAX });
    const rows = found.filter((row) => row.finishedAtMs >= oldestMs);
    this.#rows = new Map(rows.map((row) => [row.eventNumber, row]));
    // Results come at the front and leave at the end: only those that did are indexed or taken out.
    if (this.#index === null || this.#index.isMostlyOld) this.#index = new FixtureIndex(this.#cache);
    for (const eventNumber of [...this.#index.eventNumbers()])
      if (!this.#rows.has(eventNumber)) this.#index.delete(eventNumber);
    for (const row of rows) {
      const fixture = toResolvable(row);
      if (!isSame(this.#index.fixture(row.eventNumber), fixture)) this.#index.set(fixture);
    }
    this.#indexedAtMs = nowMs;
    return this.#index;
  }
}

function toResolvable(row: ArchivedResult) {
  return {
    eventNumber: row.eventNumber,
    homeName: row.home?.name ?? '',
    awayName: row.away?.name ?? '',
    leagueName: row.league?.name ?? '',
    sport: row.sport ?? 0,
    scheduledAtMs: row.scheduledAtMs,
  };
}

function isSame(held: ResolvableFixture | undefined, fixture: ResolvableFixture): boolean {
  return (
    held !== undefined &&
    held.homeName === fixture.homeName &&
    held.awayName === fixture.awayName &&
    held.leagueName === fixture.leagueName &&
    held.sport === fixture.sport &&
    Object.is(held.scheduledAtMs, fixture.scheduledAtMs)
  );
}
