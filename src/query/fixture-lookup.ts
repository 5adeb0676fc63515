// From a person's words to one fixture of the slate, never by guessing. The one door of every query tool.

import { indexIn, SPORT_KEYS, type SportKey } from '../domain/catalogue.ts';
import { decodeId } from '../domain/ids.ts';
import { ServiceError, ValidationError } from '../errors.ts';
import type { Today } from '../names/query-dates.ts';
import { type FixtureCandidate, resolveFixture } from '../names/resolve-fixture.ts';
import { dayRange, isTimezone } from './day.ts';
import type { FixtureNow } from './fixture-view.ts';
import type { NameDirectory } from './name-directory.ts';
import { dayNamed } from './named-days.ts';
import type { Slate } from './slate.ts';

export interface FixtureQuestion {
  readonly query: string;
  readonly sport?: SportKey | undefined;
  /** Kickoff day in `timezone`: YYYY-MM-DD or a word for it. */
  readonly date?: string | undefined;
  /** IANA zone of "today" and other dates in the query; UTC when it is missing or no zone. */
  readonly timezone?: string | undefined;
}

export interface LookupCandidate {
  readonly fixture: FixtureNow;
  /** 0 to 1, unrounded. */
  readonly confidence: number;
}

/** `matched`: `best` is the fixture. `ambiguous`: `candidates` holds all that fit. `not_found`: perhaps near misses. */
export interface FixtureLookup {
  readonly status: 'matched' | 'ambiguous' | 'not_found';
  readonly best: LookupCandidate | null;
  /** Other candidates when matched; all of them, best first, when ambiguous. */
  readonly candidates: readonly LookupCandidate[];
  /** The day that the question names, or null. */
  readonly dateText: string | null;
  /** Ambiguous because of its date ("02/01"): the days it may mean, else null. */
  readonly dateChoices: { readonly written: string; readonly dates: readonly string[] } | null;
}

/**
 * Finds the fixture a question means.
 * @throws ServiceError `invalid_request` for an id that does not decode or an inline date that does not exist;
 *   `upstream_unavailable` while there is no slate
 */
export function lookUpFixture(
  { slate, names }: { readonly slate: Slate; readonly names: NameDirectory },
  question: FixtureQuestion,
  nowMs: number,
): FixtureLookup {
  const today = todayOf(question, nowMs);
  const day = question.date === undefined ? null : dayNamed(question.date, today);
  const range = day === null ? undefined : dayRange(day, today.timezone);
  const resolution = resolveFixture(names.fixtures(nowMs), question.query, {
    sport: question.sport === undefined ? undefined : indexIn(SPORT_KEYS, question.sport),
    dateFromMs: range?.fromMs,
    dateToMs: range?.toMs,
    today,
  });
  const { dateChoices } = resolution;
  const dateText = day ?? resolution.dateText;
  if (resolution.idText !== null) {
    const fixture = slate.fixture(decodeId('event', resolution.idText), nowMs);
    const best = fixture === null ? null : { fixture, confidence: 1 };
    return { status: best === null ? 'not_found' : 'matched', best, candidates: [], dateText, dateChoices };
  }
  const others = candidatesOf(slate, resolution.alternatives, nowMs);
  const best = resolution.best === null ? null : (candidatesOf(slate, [resolution.best], nowMs)[0] ?? null);
  if (resolution.status === 'matched' && best !== null) {
    return { status: 'matched', best, candidates: others, dateText, dateChoices };
  }
  const candidates = best === null ? others : [best, ...others];
  // A fixture may have left between the index and now; one candidate alone is then no longer ambiguous, but not sure.
  const least = dateChoices === null ? 2 : 1;
  const status = candidates.length >= least && resolution.status === 'ambiguous' ? 'ambiguous' : 'not_found';
  return { status, best: null, candidates, dateText, dateChoices };
}

/** A fixture by its id, or by words: one of the two. */
export interface FixtureReference extends Omit<FixtureQuestion, 'query'> {
  readonly event_id?: string | undefined;
  readonly query?: string | undefined;
}

/**
 * The fixture that is meant, for answers that have no room for alternatives.
 * @throws ValidationError when neither id nor words are given
 * @throws ServiceError `invalid_request` when both are, when a sport or a date stands beside an id, or when several fixtures
 *   fit, its fix names their ids; `not_found` when none fits; and whatever `lookUpFixture` and `Slate.fixtureById` throw
 */
export function fixtureMeant(
  queries: { readonly slate: Slate; readonly names: NameDirectory },
  { event_id: eventId, query, ...hints }: FixtureReference,
  nowMs: number,
): FixtureNow {
  if (eventId !== undefined && query !== undefined) {
    throw new ServiceError('invalid_request', 'Cannot use query: event_id is given too', {
      fix: 'Send event_id alone, or query alone',
    });
  }
  if (eventId !== undefined) {
    const hint = (['sport', 'date'] as const).find((name) => hints[name] !== undefined);
    if (hint !== undefined) {
      throw new ServiceError('invalid_request', `Cannot use ${hint}: event_id names one fixture already`, {
        fix: `Leave ${hint} out, or send query in place of event_id`,
      });
    }
    return queries.slate.fixtureById(eventId, nowMs);
  }
  if (query === undefined) {
    const msg = 'Field required, or query in its place';
    throw new ValidationError([{ type: 'missing', loc: ['body', 'event_id'], msg, input: null }]);
  }
  const { best, status, candidates } = lookUpFixture(queries, { query, ...hints }, nowMs);
  if (best !== null) return best.fixture;
  const near = candidates.map(({ fixture: { view } }) => {
    const day = view.scheduledAt?.slice(0, 10) ?? 'no kickoff yet';
    return `${view.id} (${view.homeTeam.name} vs ${view.awayTeam.name}, ${view.league.name}, ${day})`;
  });
  const listed = near.join(', or ');
  if (status === 'ambiguous') {
    throw new ServiceError('invalid_request', 'Cannot choose a fixture: several fit the query', {
      fix: `Ask which is meant and send its event_id: ${listed}`,
    });
  }
  throw new ServiceError('not_found', 'Cannot find fixture: none on the slate fits the query', {
    fix: near.length === 0 ? 'List fixtures with GET /v1/events' : `The nearest are ${listed}`,
  });
}

/** Where dates in words are counted from. */
export function todayOf({ timezone }: FixtureQuestion, nowMs: number, isPast = false): Today {
  return { nowMs, timezone: timezone !== undefined && isTimezone(timezone) ? timezone : undefined, isPast };
}

function candidatesOf(
  slate: Slate,
  candidates: readonly FixtureCandidate[],
  nowMs: number,
): LookupCandidate[] {
  return candidates.flatMap(({ eventNumber, confidence }) => {
    const fixture = slate.fixture(eventNumber, nowMs);
    return fixture === null ? [] : [{ fixture, confidence }];
  });
}
