// Finds the finished match, no longer on the slate, that a person's words mean: the resolver of fixtures over
// the newest results. It runs on the thread that asks, which has the tables of names, and not on the thread
// that reads the archive, because log-ins would wait there while the names are read.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { ArchivedResult } from '../../archive/tables.ts';
import { isoTextOrNull, toIsoText } from '../../clock.ts';
import type { Result } from '../../contract/results.ts';
import { SPORT_KEYS } from '../../domain/catalogue.ts';
import { decodeId, encodeId } from '../../domain/ids.ts';
import { toScore } from '../../domain/settlement.ts';
import { RESULTS_KEPT_MS } from '../../limits.ts';
import { FixtureIndex } from '../../names/fixture-index.ts';
import type { FixtureCandidate } from '../../names/resolve-fixture.ts';
import { NameCache } from '../../names/text/parse-name.ts';
import { eventLoopTurn } from '../../pause.ts';
import type { ArchiveCalls } from '../lists/archive-calls.ts';
import { type FixtureQuestion, type Lookup, readQuestion } from './fixture-lookup.ts';

/** Most recent results that are searched by name. Older ones are found only by id and by filters. */
const SEARCHED_MAX = 2_000;
/** Results that are indexed in one step, without other work of the thread in between. */
export const RESULTS_PER_STEP = 64;
/** How long the index of results is used before the newest results are read again. */
const INDEX_AGE_MAX_MS = 10_000;

export interface ResultCandidate {
  readonly result: Result;
  /** 0 to 1, unrounded. */
  readonly confidence: number;
}

export type ResultLookup = Lookup<ResultCandidate>;

const NOTHING: ResultLookup = { status: 'not_found', best: null, candidates: [], dateChoices: null };

export class ResultLookups {
  readonly #archive: ArchiveCalls;
  readonly #cache = new NameCache();
  /**
   * Runs work that counts against no caller (access/quotas/holder-now.ts): otherwise all callers would fail
   * when the share of the one that began the refresh is in use.
   */
  readonly #asServer = AsyncLocalStorage.snapshot();
  #rows: ReadonlyMap<number, ArchivedResult> = new Map();
  #index: FixtureIndex;
  #indexedAtMs = Number.NEGATIVE_INFINITY;
  /** Settles when the index has the newest results; null while they are not being read. */
  #refreshing: Promise<void> | null = null;

  constructor(archive: ArchiveCalls) {
    this.#archive = archive;
    this.#index = new FixtureIndex(this.#cache);
  }

  /**
   * Finds the finished match that a question means.
   * @throws ServiceError `invalid_request` for a bad id or inline date
   */
  async find(question: FixtureQuestion, nowMs: number): Promise<ResultLookup> {
    await this.#refreshIfOld(nowMs);
    const { resolution } = readQuestion(this.#index, question, nowMs, true);
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
    const row = await this.#archive.result({ eventNumber: decodeId('event', eventId) });
    if (row === null || row.finishedAtMs < nowMs - RESULTS_KEPT_MS) return NOTHING;
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

  /**
   * Callers that ask at the same time wait for one refresh.
   * @throws ServiceError `upstream_unavailable`
   */
  async #refreshIfOld(nowMs: number): Promise<void> {
    if (this.#refreshing === null) {
      if (nowMs - this.#indexedAtMs < INDEX_AGE_MAX_MS) return;
      this.#refreshing = this.#asServer(() => this.#refresh(nowMs)).finally(() => {
        this.#refreshing = null;
      });
    }
    await this.#refreshing;
  }

  async #refresh(nowMs: number): Promise<void> {
    const oldestMs = nowMs - RESULTS_KEPT_MS;
    const found = await this.#archive.results({ limit: SEARCHED_MAX });
    const rows = found.filter((row) => row.finishedAtMs >= oldestMs);
    this.#rows = new Map(rows.map((row) => [row.eventNumber, row]));
    // New results appear at the front and old ones leave at the end, so only those are indexed or removed.
    if (this.#index.isMostlyOld) this.#index = new FixtureIndex(this.#cache);
    for (const eventNumber of [...this.#index.eventNumbers()])
      if (!this.#rows.has(eventNumber)) this.#index.delete(eventNumber);
    for (const [position, row] of rows.entries()) {
      if (position % RESULTS_PER_STEP === 0) await eventLoopTurn();
      const fixture = toResolvable(row);
      if (!Bun.deepEquals(this.#index.fixture(row.eventNumber), fixture)) this.#index.set(fixture);
    }
    this.#indexedAtMs = nowMs;
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

/** A finished match as the Result resource. */
export function toResult(row: ArchivedResult): Result {
  return {
    event_id: encodeId('event', row.eventNumber),
    sport: row.sport === null ? null : SPORT_KEYS[row.sport]!,
    league: row.league?.name ?? null,
    home_team: row.home?.name ?? null,
    away_team: row.away?.name ?? null,
    scheduled_at: isoTextOrNull(row.scheduledAtMs),
    score: toScore(row.score),
    red_cards: toScore(row.redCards),
    finished_at: toIsoText(row.finishedAtMs),
  };
}
