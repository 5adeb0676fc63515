// Finds the one fixture of the slate that a person's words mean; it never guesses. All query tools find
// fixtures through this file.

import { indexIn, SPORT_KEYS, type SportKey } from '../../domain/catalogue.ts';
import type { Today } from '../../domain/days/day-text.ts';
import { decodeId } from '../../domain/ids.ts';
import { ServiceError, ValidationError } from '../../errors.ts';
import type { FixtureIndex } from '../../names/fixture-index.ts';
import { isLeagueName } from '../../names/league-language.ts';
import { type MarketWords, NO_MARKET_WORDS } from '../../names/market/market-meaning.ts';
import { resolveQuestion } from '../../names/question/resolve-question.ts';
import { isSure } from '../../names/resolution.ts';
import type { FixtureCandidate } from '../../names/resolve-fixture.ts';
import type { EntryIndex } from '../../names/team-index.ts';
import { hasUnreadLetters } from '../../names/text/native-names.ts';
import { isTimezone } from '../lists/day.ts';
import type { EntityEntry } from '../lists/entity-order.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import type { Slate } from '../slate/slate.ts';
import type { NameDirectory } from './name-directory.ts';
import { dayNamed } from './named-days.ts';

export interface FixtureQuestion {
  readonly query: string;
  readonly sport?: SportKey | undefined;
  /** Kickoff day: YYYY-MM-DD, which is a UTC day, or a word for a day in `timezone`. */
  readonly date?: string | undefined;
  /** IANA zone of "today" and other days in words; UTC when it is missing or not a zone. */
  readonly timezone?: string | undefined;
}

export interface LookupCandidate {
  readonly fixture: FixtureNow;
  /** 0 to 1, unrounded. */
  readonly confidence: number;
}

/**
 * The league, by name, and the day whose matches are requested. A null league means all leagues, a null day
 * means today.
 */
export interface ListAsked {
  readonly league: string | null;
  readonly date: string | null;
  /** The last day if the words name several ("this weekend"), otherwise null. */
  readonly dateTo: string | null;
  /** Whether the league is known but not on the slate. */
  readonly isMissing?: boolean;
}

/**
 * `matched`: `best` is the fixture. `ambiguous`: `candidates` holds all that may be meant, at least one.
 * `not_found`: there may be near misses.
 */
export interface Lookup<Candidate> {
  readonly status: 'matched' | 'ambiguous' | 'not_found';
  readonly best: Candidate | null;
  /** Other candidates when matched; all of them, best first, when ambiguous. */
  readonly candidates: readonly Candidate[];
  /** Set when a date can be read in two ways ("02/01"): the days it may mean. Otherwise null. */
  readonly dateChoices: { readonly written: string; readonly dates: readonly string[] } | null;
}

export interface FixtureLookup extends Lookup<LookupCandidate> {
  /** The day that the question names, or null. */
  readonly dateText: string | null;
  /**
   * Whether several fixtures fit the words fully. Then past results need not be searched, because they would
   * only add another candidate.
   */
  readonly isContested: boolean;
  /** Set when the words ask for the matches of a day or a league and name no team, otherwise null. */
  readonly list: ListAsked | null;
  /** What the words say about a market. */
  readonly words: MarketWords;
  /** The IANA zone that the words name ("kick off time in Rome"), or null. */
  readonly timezone: string | null;
}

/**
 * Finds the fixture that a question means.
 * @throws ServiceError `invalid_request` for an id that does not decode, an inline date that does not exist,
 * a `date` that may mean two days or words for a market that does not exist; `upstream_unavailable` while
 * there is no slate
 */
export function lookUpFixture(
  { slate, names }: { readonly slate: Slate; readonly names: NameDirectory },
  question: FixtureQuestion,
  nowMs: number,
): FixtureLookup {
  const { day, words, resolution, timezone } = readQuestion(names.fixtures(nowMs), question, nowMs);
  const { dateChoices } = resolution;
  const dateText = day?.dateText ?? resolution.dateText;
  const read = { isContested: false, list: null, dateText, dateChoices, words, timezone } as const;
  if (resolution.idText !== null) {
    const fixture = slate.fixture(decodeId('event', resolution.idText), nowMs);
    const best = fixture === null ? null : { fixture, confidence: 1 };
    return { ...read, status: best === null ? 'not_found' : 'matched', best, candidates: [] };
  }
  const others = candidatesOf(slate, resolution.alternatives, nowMs);
  const best = resolution.best === null ? null : (candidatesOf(slate, [resolution.best], nowMs)[0] ?? null);
  if (resolution.status === 'matched' && best !== null) {
    return { ...read, status: 'matched', best, candidates: others };
  }
  const dateTo = day === undefined ? resolution.lastDateText : day.lastDateText;
  const list =
    dateChoices === null
      ? listAsked(names.leagueIndex(nowMs), resolution.names, {
          date: dateText,
          dateTo: dateTo === dateText ? null : dateTo,
        })
      : null;
  if (list !== null) return { ...read, status: 'not_found', best: null, candidates: [], list };
  const candidates = best === null ? others : [best, ...others];
  // A fixture may have left since the index was searched. A fixture that matched and has left counts as not
  // found.
  const status = candidates.length > 0 && resolution.status === 'ambiguous' ? 'ambiguous' : 'not_found';
  const isContested = resolution.best !== null && isSure(resolution.best);
  return { ...read, status, best: null, candidates, isContested };
}

/** The day that a question names in `date`, and what its words mean among the fixtures of an index. */
export function readQuestion(index: FixtureIndex, question: FixtureQuestion, nowMs: number, isPast = false) {
  const today = todayOf(question, nowMs, isPast);
  const day = question.date === undefined ? undefined : dayNamed(question.date, today);
  const sport = question.sport === undefined ? undefined : indexIn(SPORT_KEYS, question.sport);
  const days = { dateFromMs: day?.fromMs, dateToMs: day?.toMs };
  return { day, ...resolveQuestion(index, question.query, { sport, ...days, today }) };
}

/**
 * The list of matches that a question asks for, or null.
 * @param words the question without its date and its question words. It asks for a list if this is empty or
 * names a league
 */
function listAsked(
  leagues: EntryIndex<EntityEntry>,
  words: string,
  days: Pick<ListAsked, 'date' | 'dateTo'>,
): ListAsked | null {
  if (words === '') return { league: null, ...days };
  const { best, status } = leagues.resolve(words);
  if (status === 'matched' && best !== null) return { league: best.entry.name, ...days };
  if (!isLeagueName(words)) return null;
  // If several leagues could be meant, the list tool asks which.
  return { league: words, ...days, isMissing: status === 'not_found' };
}

/** A fixture, either by its id or by words. */
export interface FixtureReference extends Omit<FixtureQuestion, 'query'> {
  readonly event_id?: string | undefined;
  readonly query?: string | undefined;
}

/**
 * The fixture that is meant, and what the words say about a market. For answers that cannot list
 * alternatives.
 * @throws ValidationError when neither id nor words are given
 * @throws ServiceError `invalid_request` when both are given, when a sport or a date accompanies an id, or
 * when several fixtures fit (the fix lists their ids); `not_found` when none fits. Also whatever
 * `lookUpFixture` and `Slate.fixtureById` throw
 */
export function fixtureMeant(
  queries: { readonly slate: Slate; readonly names: NameDirectory },
  { event_id: eventId, query, ...hints }: FixtureReference,
  nowMs: number,
): { readonly fixture: FixtureNow; readonly words: MarketWords } {
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
    return { fixture: queries.slate.fixtureById(eventId, nowMs), words: NO_MARKET_WORDS };
  }
  if (query === undefined) {
    const msg = 'Field required, or query in its place';
    throw new ValidationError([{ type: 'missing', loc: ['body', 'event_id'], msg, input: null }]);
  }
  const { best, status, candidates, words } = lookUpFixture(queries, { query, ...hints }, nowMs);
  if (best !== null) return { fixture: best.fixture, words };
  const near = candidates.map(({ fixture: { view } }) => {
    const day = view.scheduledAt?.slice(0, 10) ?? 'no kickoff yet';
    return `${view.id} (${view.homeTeam.name} vs ${view.awayTeam.name}, ${view.league.name}, ${day})`;
  });
  const listed = near.join(', or ');
  const note = scriptNote(query);
  const advice = note === null ? '' : `. ${note}`;
  if (status === 'ambiguous') {
    throw new ServiceError('invalid_request', 'Cannot choose a fixture: several fit the query', {
      fix: `Ask which is meant and send its event_id: ${listed}${advice}`,
    });
  }
  throw new ServiceError('not_found', 'Cannot find fixture: none on the slate fits the query', {
    fix: (near.length === 0 ? 'List fixtures with GET /v1/events' : `The nearest are ${listed}`) + advice,
  });
}

/** Advice for words that were not found, if letters of an unread script are left over; otherwise null. */
export function scriptNote(query: string): string | null {
  return hasUnreadLetters(query) ? 'Few names are known in this script: write them in Latin letters' : null;
}

/** The day that dates in words are counted from. */
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
