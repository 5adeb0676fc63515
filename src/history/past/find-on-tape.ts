// Finds the fixture of the tape that a person's words mean. A team plays many matches over the days that are
// kept, so the words must name a day.

import { indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import { decodeId } from '../../domain/ids.ts';
import { FixtureIndex } from '../../names/fixture-index.ts';
import { resolveQuestion } from '../../names/question/resolve-question.ts';
import type { FixtureCandidate } from '../../names/resolve-fixture.ts';
import type { NameCache } from '../../names/text/parse-name.ts';
import type { TapeCandidate, TapeLookup } from '../../query/lists/history-calls.ts';
import { type FixtureQuestion, todayOf } from '../../query/lookup/fixture-lookup.ts';
import { dayNamed } from '../../query/lookup/named-days.ts';
import type { FixtureSummary } from './fixture-summaries.ts';
import { toTapeEvent } from './tape-events.ts';

/**
 * How many fixtures are searched: the ones with the latest kickoff. Older fixtures are found only by their
 * id.
 */
const SEARCHED_MAX = 5_000;
const NOTHING: TapeLookup = { status: 'not_found', best: null, candidates: [], dateChoices: null };

/** @throws ServiceError `invalid_request` for a bad id or inline date */
export function findOnTape(
  summaries: ReadonlyMap<string, FixtureSummary>,
  question: FixtureQuestion,
  { nowMs, names }: { readonly nowMs: number; readonly names: NameCache },
): TapeLookup {
  const today = todayOf(question, nowMs, true);
  const day = question.date === undefined ? undefined : dayNamed(question.date, today);
  const byNumber = new Map<number, FixtureSummary>();
  const index = new FixtureIndex(names);
  for (const summary of latest(summaries)) {
    const eventNumber = decodeId('event', summary.eventId);
    byNumber.set(eventNumber, summary);
    index.set({
      eventNumber,
      homeName: summary.home,
      awayName: summary.away,
      leagueName: summary.league,
      sport: indexIn(SPORT_KEYS, summary.sport),
      scheduledAtMs: summary.kickoffMs ?? Number.NaN,
    });
  }
  const { resolution } = resolveQuestion(index, question.query, {
    sport: question.sport === undefined ? undefined : indexIn(SPORT_KEYS, question.sport),
    dateFromMs: day?.fromMs,
    dateToMs: day?.toMs,
    today,
  });
  if (resolution.idText !== null) {
    decodeId('event', resolution.idText);
    const summary = summaries.get(resolution.idText);
    if (summary === undefined) return NOTHING;
    const best = { event: toTapeEvent(summary, nowMs), confidence: 1 };
    return { ...NOTHING, status: 'matched', best };
  }
  const { status, best, alternatives, dateChoices } = resolution;
  const isDayNamed = day !== undefined || resolution.dateText !== null || dateChoices !== null;
  if (!isDayNamed || best === null || status === 'not_found') return NOTHING;
  const candidateOf = ({ eventNumber, confidence }: FixtureCandidate): TapeCandidate => ({
    event: toTapeEvent(byNumber.get(eventNumber)!, nowMs),
    confidence,
  });
  if (status === 'matched') return { ...NOTHING, status, best: candidateOf(best) };
  return { status, best: null, candidates: [best, ...alternatives].map(candidateOf), dateChoices };
}

function latest(summaries: ReadonlyMap<string, FixtureSummary>): FixtureSummary[] {
  const all = [...summaries.values()];
  if (all.length <= SEARCHED_MAX) return all;
  return all.sort((left, right) => (right.kickoffMs ?? 0) - (left.kickoffMs ?? 0)).slice(0, SEARCHED_MAX);
}
