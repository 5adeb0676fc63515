// Finished matches of the last 30 days, from the archive. These answers do not depend on the
// state of the feed.

import { foldText } from '../../archive/fold-text.ts';
import type { Result, ResultList } from '../../contract/results.ts';
import { STATUS_LIVE } from '../../domain/catalogue.ts';
import { decodeId, ID_PREFIXES } from '../../domain/ids.ts';
import { statusAt } from '../../domain/match-status.ts';
import { ServiceError } from '../../errors.ts';
import { RESULTS_KEPT_DAYS, RESULTS_KEPT_MS } from '../../limits.ts';
import { eventLoopTurn } from '../../pause.ts';
import type { FixtureQuestion } from '../lookup/fixture-lookup.ts';
import { type DaysRequest, daysOf } from '../lookup/named-days.ts';
import { type ResultLookup, ResultLookups, toResult } from '../lookup/result-lookup.ts';
import type { FixtureView, NamedRef } from '../slate/fixture-view.ts';
import { kickoffPosition } from '../slate/kickoff-order.ts';
import type { Slate } from '../slate/slate.ts';
import { inOrder } from '../slate/status-lists.ts';
import type { ArchiveCalls } from './archive-calls.ts';
import type { Position } from './cursor.ts';
import type { TimeRange } from './day.ts';

/**
 * Fixtures compared with the names in one step, without other requests in between. A name that was not
 * compared before takes microseconds.
 */
export const NOTE_CHECKS_PER_STEP = 64;

interface ResultFilter extends DaysRequest {
  /** Parts of names; case and accents are ignored. */
  readonly team?: string | undefined;
  readonly league?: string | undefined;
  readonly limit: number;
}

export class ResultQueries {
  readonly #archive: ArchiveCalls;
  readonly #lookups: ResultLookups;
  readonly #slate: Slate;
  /**
   * Names of the slate in the form used for comparison. They are kept, because folding them costs more than
   * the rest of the search.
   */
  readonly #foldedNames = new WeakMap<NamedRef, string>();

  constructor(archive: ArchiveCalls, slate: Slate) {
    this.#archive = archive;
    this.#lookups = new ResultLookups(archive);
    this.#slate = slate;
  }

  /**
   * The results that pass the filter, most recent first. `note` explains an empty list when the fixture
   * exists but has not finished.
   * @throws ServiceError `invalid_request` for a blank name, an id in place of a league's name, and a bad
   * day; `upstream_unavailable` when the archive's thread does not answer
   */
  async list(request: ResultFilter, nowMs: number): Promise<ResultList> {
    const filter = { ...request, ...partsOf(request) };
    const { range } = daysOf(filter, nowMs, true);
    const oldestMs = nowMs - RESULTS_KEPT_MS;
    const rows = await this.#archive.results({
      ...(range === null ? {} : { fromMs: range.fromMs, toMs: range.toMs }),
      teamText: filter.team ?? null,
      leagueText: filter.league ?? null,
      limit: filter.limit,
    });
    const results = rows.filter((row) => row.finishedAtMs >= oldestMs).map(toResult);
    return {
      count: results.length,
      results,
      note: results.length > 0 ? null : await this.#note(filter, range, nowMs),
    };
  }

  /**
   * One result, or null when the archive has none.
   * @throws ServiceError `invalid_request` for an id that does not decode
   */
  async find(eventId: string, nowMs: number): Promise<Result | null> {
    const row = await this.#archive.result({ eventNumber: decodeId('event', eventId) });
    return row === null || row.finishedAtMs < nowMs - RESULTS_KEPT_MS ? null : toResult(row);
  }

  /** @throws ServiceError `invalid_request`, `not_found` */
  async one(eventId: string, nowMs: number): Promise<Result> {
    const result = await this.find(eventId, nowMs);
    if (result !== null) return result;
    throw new ServiceError('not_found', 'Cannot find result: none is kept for this event', {
      fix: `Results are kept for ${RESULTS_KEPT_DAYS} days after a match; see GET /v1/events/{event_id}/state for a match that is not over`,
    });
  }

  /**
   * The finished match that a person's words mean.
   * @throws ServiceError `invalid_request` for a bad id or inline date; `upstream_unavailable` when the
   * archive's thread does not answer
   */
  lookUp(question: FixtureQuestion, nowMs: number): Promise<ResultLookup> {
    return this.#lookups.find(question, nowMs);
  }

  async #note(filter: ResultFilter, range: TimeRange | null, nowMs: number): Promise<string | null> {
    if (filter.team === undefined && filter.league === undefined && filter.date === undefined) return null;
    if (!this.#slate.feed().snapshotComplete) return null;
    const waiting = await this.#waiting(filter, range, nowMs);
    if (waiting === undefined) return null;
    const { homeTeam, awayTeam, facts } = waiting;
    const state =
      statusAt(facts, nowMs) === STATUS_LIVE ? 'is still being played' : 'has not been played yet';
    return `${homeTeam.name} vs ${awayTeam.name} ${state}; it has no result so far.`;
  }

  /**
   * The first fixture that has not finished and matches the names and the day. Any fixture may have the name,
   * so all are checked, in steps with other requests between them.
   */
  async #waiting(
    filter: ResultFilter,
    range: TimeRange | null,
    nowMs: number,
  ): Promise<FixtureView | undefined> {
    const wanted = {
      team: filter.team && foldText(filter.team),
      league: filter.league && foldText(filter.league),
    };
    for (let after: Position | null = null; ; ) {
      const { whole } = this.#slate.lists();
      const walks = (['live', 'scheduled'] as const).map((status) =>
        whole.walk({ status, range, nowMs }, after),
      );
      let left = NOTE_CHECKS_PER_STEP;
      for (const view of inOrder(walks)) {
        if (this.#isNamed(view, wanted)) return view;
        after = kickoffPosition(view);
        if (--left === 0) break;
      }
      if (left > 0) return undefined;
      await eventLoopTurn();
    }
  }

  #isNamed(
    { homeTeam, awayTeam, league }: FixtureView,
    wanted: { readonly team: string | undefined; readonly league: string | undefined },
  ): boolean {
    const { team } = wanted;
    if (wanted.league !== undefined && !this.#folded(league).includes(wanted.league)) return false;
    return team === undefined || [homeTeam, awayTeam].some((side) => this.#folded(side).includes(team));
  }

  #folded(ref: NamedRef): string {
    return this.#foldedNames.getOrInsertComputed(ref, foldedNameOf);
  }
}

function foldedNameOf({ name }: NamedRef): string {
  return foldText(name);
}

/** The parts of names to search for, trimmed. A league's id is not part of its name. */
function partsOf({ team, league }: ResultFilter): Pick<ResultFilter, 'team' | 'league'> {
  if (league?.trim().startsWith(ID_PREFIXES.league)) {
    throw new ServiceError(
      'invalid_request',
      'Cannot filter results by league id: league is part of a name here',
      {
        fix: 'Send part of the league name, such as premier',
      },
    );
  }
  return { team: namePart('team', team), league: namePart('league', league) };
}

function namePart(field: string, text: string | undefined): string | undefined {
  const part = text?.trim();
  // A text of only accents and marks folds to '', and an empty text would match every name.
  if (part === undefined || foldText(part) !== '') return part;
  throw new ServiceError('invalid_request', `Cannot use ${field}: it is blank`, {
    fix: `Send part of a name as ${field}, or leave it out`,
  });
}
