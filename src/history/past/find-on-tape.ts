// Finds the fixture of the tape that a person's words mean. A team plays many matches over the days that are
// kept, so the words must name a day.

import { DAY_MS } from '../../clock.ts';
import { indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import { decodeId } from '../../domain/ids.ts';
import type { classOf } from '../../domain/tiers.ts';
import { FixtureIndex } from '../../names/fixture-index.ts';
import { indexingClubs } from '../../names/known-clubs.ts';
import { resolveQuestion } from '../../names/question/resolve-question.ts';
import type { FixtureCandidate } from '../../names/resolve-fixture.ts';
import type { NameCache } from '../../names/text/parse-name.ts';
import { inSteps, putInSteps } from '../../pause.ts';
import type { TapeCandidate, TapeLookup } from '../../query/lists/history-calls.ts';
import { type FixtureQuestion, todayOf } from '../../query/lookup/fixture-lookup.ts';
import { dayNamed } from '../../query/lookup/named-days.ts';
import { cachesByClass } from '../../query/lru-cache.ts';
import { dayStartMs, type TapeRange } from '../tick.ts';
import type { FixtureSummary } from './fixture-summaries.ts';
import { toTapeEvent } from './tape-events.ts';

/**
 * How many fixtures are searched. If there are more, only those near the named day are searched, and of those
 * the ones with the latest kickoff. The others are found only by their id.
 */
const SEARCHED_MAX = 5_000;
const NOTHING: TapeLookup = { status: 'not_found', best: null, candidates: [], dateChoices: null };

/**
 * Maximum number of fixtures of all kept indexes of a class of callers together. Beyond it, the index used
 * longest ago is dropped, and made again when it is needed.
 */
const KEPT_FIXTURES_MAX = { paid: 10_000, unpaid: 2_500 };
/**
 * Fixtures that are indexed in one step of a few milliseconds. Other work of the thread runs between steps.
 */
const FIXTURES_PER_STEP = 16;

interface TapeQuestion {
  /** What identifies the part of the tape that the caller sees. Each part has an index of its own. */
  readonly part: string;
  readonly ofClass: ReturnType<typeof classOf>;
  readonly summaries: ReadonlyMap<string, FixtureSummary>;
  readonly question: FixtureQuestion;
  readonly nowMs: number;
}

export class FixturesOnTape {
  readonly #names: NameCache;
  readonly #fixturesPerStep: number;
  readonly #kept: ReturnType<typeof cachesByClass<FixtureIndex>>;

  constructor(names: NameCache, fixturesPerStep = FIXTURES_PER_STEP, keptMax = KEPT_FIXTURES_MAX) {
    this.#names = names;
    this.#kept = cachesByClass(keptMax);
    this.#fixturesPerStep = fixturesPerStep;
  }

  /** @throws ServiceError `invalid_request` for a bad id or inline date */
  async find({ part, ofClass, summaries, question, nowMs }: TapeQuestion): Promise<TapeLookup> {
    await inSteps(indexingClubs());
    const isLarge = summaries.size > SEARCHED_MAX;
    const days = isLarge ? daysOf(new FixtureIndex(this.#names), question, nowMs) : null;
    const searched = isLarge ? latest(near(summaries, days)) : [...summaries.values()];
    const byNumber = new Map(
      searched.map((summary) => [decodeId('event', summary.eventId), summary] as const),
    );
    const key = days === null ? part : `${part} ${days.fromMs} ${days.toMs}`;
    const cache = this.#kept[ofClass];
    const kept = cache.get(key);
    const index = kept === undefined || kept.isMostlyOld ? new FixtureIndex(this.#names) : kept;
    cache.set(key, index, byNumber.size);
    const put = ([eventNumber, summary]: readonly [number, FixtureSummary]): boolean =>
      setIn(index, eventNumber, summary);
    const added = putInSteps([...byNumber], put, this.#fixturesPerStep);
    if (added !== null) {
      await added;
      // While this call waited, another question may have removed fixtures, or put other descriptions of them
      // in the index. This loop corrects both.
      for (const each of byNumber) put(each);
    }
    for (const eventNumber of [...index.eventNumbers()]) {
      if (!byNumber.has(eventNumber)) index.delete(eventNumber);
    }
    return foundIn(index, byNumber, { summaries, question, nowMs });
  }
}

/** Adds a fixture, unless the index already has it with this description. @returns whether it was added */
function setIn(
  index: FixtureIndex,
  eventNumber: number,
  { home, away, league, sport, kickoffMs }: FixtureSummary,
): boolean {
  const fixture = {
    ...{ eventNumber, homeName: home, awayName: away, leagueName: league },
    ...{ sport: indexIn(SPORT_KEYS, sport), scheduledAtMs: kickoffMs ?? Number.NaN },
  };
  if (Bun.deepEquals(index.fixture(eventNumber), fixture)) return false;
  index.set(fixture);
  return true;
}

/**
 * The days that a question names, from the first to the last; null without a day.
 * @param empty an index without fixtures
 */
function daysOf(empty: FixtureIndex, question: FixtureQuestion, nowMs: number): TapeRange | null {
  const { day, resolution } = readQuestion(empty, question, nowMs);
  if (day !== undefined) return day;
  const { dateText, lastDateText, dateChoices } = resolution;
  const named = dateChoices?.dates ?? (dateText === null ? [] : [dateText, lastDateText ?? dateText]);
  const [first, last] = [named.toSorted()[0], named.toSorted().at(-1)];
  if (first === undefined || last === undefined) return null;
  return { fromMs: dayStartMs(first), toMs: dayStartMs(last) + DAY_MS };
}

function readQuestion(index: FixtureIndex, question: FixtureQuestion, nowMs: number) {
  const today = todayOf(question, nowMs, true);
  const day = question.date === undefined ? undefined : dayNamed(question.date, today);
  const { resolution } = resolveQuestion(index, question.query, {
    sport: question.sport === undefined ? undefined : indexIn(SPORT_KEYS, question.sport),
    dateFromMs: day?.fromMs,
    dateToMs: day?.toMs,
    today,
  });
  return { day, resolution };
}

function foundIn(
  index: FixtureIndex,
  byNumber: ReadonlyMap<number, FixtureSummary>,
  { summaries, question, nowMs }: Omit<TapeQuestion, 'part' | 'ofClass'>,
): TapeLookup {
  const { day, resolution } = readQuestion(index, question, nowMs);
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

/**
 * The fixtures that kick off at most a day before or after the named days, so that the zone does not matter.
 * If no day is named, all fixtures.
 */
function near(summaries: ReadonlyMap<string, FixtureSummary>, days: TapeRange | null): FixtureSummary[] {
  const all = [...summaries.values()];
  if (days === null) return all;
  return all.filter(
    ({ kickoffMs }) =>
      kickoffMs === null || (kickoffMs >= days.fromMs - DAY_MS && kickoffMs < days.toMs + DAY_MS),
  );
}

function latest(fixtures: FixtureSummary[]): FixtureSummary[] {
  if (fixtures.length <= SEARCHED_MAX) return fixtures;
  return fixtures
    .sort((left, right) => (right.kickoffMs ?? 0) - (left.kickoffMs ?? 0))
    .slice(0, SEARCHED_MAX);
}
