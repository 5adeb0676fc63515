// POST /v1/resolve/*: which event, team or league a text means.

import type { ResolvedEvent, ResolvedLeague, ResolvedTeam } from '../../contract/resolve.ts';
import { indexIn, SPORT_KEYS, type SportKey } from '../../domain/catalogue.ts';
import { decodeId, encodeId } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import { resolveQuestion } from '../../names/question/resolve-question.ts';
import type { Resolution } from '../../names/resolution.ts';
import { dayRange, requireTimezone } from '../lists/day.ts';
import { roundedConfidence } from '../rounding.ts';
import type { Slate } from '../slate/slate.ts';
import type { NameDirectory } from './name-directory.ts';

export interface EventQuestion {
  readonly query: string;
  readonly context?:
    | {
        readonly sport?: SportKey | undefined;
        /** IANA zone of "today" and of other days in words. */
        readonly timezone?: string | undefined;
        readonly date_range?:
          | { readonly from?: string | undefined; readonly to?: string | undefined }
          | undefined;
      }
    | undefined;
}

export class ResolveQueries {
  readonly #slate: Slate;
  readonly #names: NameDirectory;

  constructor(slate: Slate, names: NameDirectory) {
    this.#slate = slate;
    this.#names = names;
  }

  /**
   * @throws ServiceError `invalid_request` for an id that does not decode or a zone or inline date that does
   * not exist, or a range that ends before it begins
   */
  event({ query, context }: EventQuestion, nowMs: number): ResolvedEvent {
    const { from, to } = context?.date_range ?? {};
    if (from !== undefined && to !== undefined && from > to) {
      throw new ServiceError('invalid_request', 'Cannot use date_range: to is before from', {
        fix: 'Send the earlier day as from and the later one as to; both are included',
      });
    }
    const index = this.#names.fixtures(nowMs);
    const { resolution } = resolveQuestion(index, query, {
      sport: sportIndex(context?.sport),
      dateFromMs: from === undefined ? undefined : dayRange(from).fromMs,
      dateToMs: to === undefined ? undefined : dayRange(to).toMs,
      today: { nowMs, timezone: requireTimezone(context?.timezone) },
    });
    if (resolution.idText !== null) return this.#byId(resolution.idText, nowMs);
    return verdictOf(resolution, ({ eventNumber, confidence }) => ({
      event_id: encodeId('event', eventNumber),
      confidence: roundedConfidence(confidence),
    }));
  }

  team(query: string, sport: SportKey | undefined, nowMs: number): ResolvedTeam {
    const verdict = this.#names.teamIndex(nowMs).resolve(query, { sport: sportIndex(sport) });
    return verdictOf(verdict, ({ entry, confidence }) => ({
      team_id: entry.id,
      confidence: roundedConfidence(confidence),
    }));
  }

  league(query: string, nowMs: number): ResolvedLeague {
    const verdict = this.#names.leagueIndex(nowMs).resolve(query);
    return verdictOf(verdict, ({ entry, confidence }) => ({
      league_id: entry.id,
      confidence: roundedConfidence(confidence),
    }));
  }

  #byId(eventId: string, nowMs: number): ResolvedEvent {
    const found = this.#slate.fixture(decodeId('event', eventId), nowMs);
    if (found === null) return { status: 'not_found', best_match: null, alternatives: [] };
    return { status: 'matched', best_match: { event_id: eventId, confidence: 1 }, alternatives: [] };
  }
}

/**
 * The verdict on what a search found. It never guesses. For an ambiguous question the best candidate is one
 * of the alternatives, not the match.
 */
function verdictOf<Candidate, Answer>(
  verdict: Pick<Resolution<Candidate>, 'status' | 'best'> & { readonly alternatives: readonly Candidate[] },
  render: (candidate: Candidate) => Answer,
): { status: Resolution<Candidate>['status']; best_match: Answer | null; alternatives: Answer[] } {
  const { status, best, alternatives } = verdict;
  if (status === 'matched' && best !== null) {
    return { status, best_match: render(best), alternatives: alternatives.map(render) };
  }
  const others = best === null ? alternatives : [best, ...alternatives];
  return { status, best_match: null, alternatives: others.map(render) };
}

function sportIndex(sport: SportKey | undefined): number | undefined {
  return sport === undefined ? undefined : indexIn(SPORT_KEYS, sport);
}
