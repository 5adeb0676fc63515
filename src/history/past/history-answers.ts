// All answers about the past, assembled in one place. The history thread runs them for the other threads.

import { DAY_MS, HOUR_MS, MINUTE_MS, toIsoText } from '../../clock.ts';
import { decodeId } from '../../domain/ids.ts';
import { classOf, type Principal, sharerOf } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import { eventLoopTurn } from '../../pause.ts';
import type { Asked, HistoryCalls, PastAnswer, TicksWords } from '../../query/lists/history-calls.ts';
import { type OddsFilter, oddsFilter } from '../../query/odds/odds-filter.ts';
import { dayOf, dayStartMs, type Gap, type TapeRange } from '../tick.ts';
import { closingAnswer, type HistoryParts, settlementAnswer } from './closing-answers.ts';
import type { FixtureSummary } from './fixture-summaries.ts';
import { jsonAnswer, pastOdds } from './past-answers.ts';
import { notOnTape, reachFromMs, readInstant, requireReach, settled, sightOf } from './past-instant.ts';
import type { ReadTurns } from './read-turns.ts';
import { coverageOf, eventsPage } from './tape-events.ts';
import type { TapeReader } from './tape-reader.ts';
import { rangeOfCursor, seriesPage, wantedLines } from './tick-series.ts';
import type { WordsOnTape } from './words-on-tape.ts';

/**
 * The later pages of an answer may begin this much earlier than the plan allows, so that all pages have the
 * range of the first one.
 */
const PAGING_MS = HOUR_MS;

/** The calls that the tape answers: all but those about the record of signals and about alert rules. */
export type TapeCalls = Omit<HistoryCalls, 'requireRecord' | 'record' | 'alerts'>;

/** @param turns shared by all answers about the past, including those from the record of signals */
export function historyAnswers(parts: HistoryParts, turns: ReadTurns): TapeCalls {
  const { tape } = parts;
  let searched: WordsOnTape | null = null;
  const search = async (): Promise<WordsOnTape> => {
    const { WordsOnTape } = await import('./words-on-tape.ts');
    searched ??= new WordsOnTape();
    return searched;
  };
  const inTurn =
    <Question extends Asked<unknown>, Answer>(answer: (asked: Question) => Promise<Answer>) =>
    (asked: Question): Promise<Answer> =>
      turns.run(asked, () => answer(asked));
  return {
    ...pastOdds({ ...parts, turns }),
    ticks: (asked) => ticksAnswer({ ...parts, turns }, asked),
    closing: inTurn((asked) => closingAnswer(parts, asked)),
    settlement: inTurn((asked) => settlementAnswer(parts, asked)),
    find: inTurn(async ({ question, principal, nowMs }) => {
      await tape.catchUp(sightOf(principal));
      const summaries = await fixturesSeen(tape, { principal, nowMs });
      await eventLoopTurn(); // with thousands of fixtures, each of these steps takes ten milliseconds
      const { fixtures } = await search();
      return await fixtures.find({ ...partSeen(principal, nowMs), summaries, question, nowMs });
    }),
    events: inTurn(async ({ words, principal, nowMs }) => {
      await tape.catchUp(sightOf(principal));
      const fixtures = await fixturesSeen(tape, { principal, nowMs });
      const { q, sport = null } = words;
      const asked = { ...partSeen(principal, nowMs), fixtures: fixtures.values(), sport };
      await eventLoopTurn(); // as in `find`
      const named = q === undefined ? null : await (await search()).teams.eventsNamed({ ...asked, q });
      await eventLoopTurn();
      const page = await eventsPage(fixtures, words, { nowMs, named });
      // An empty list would say that nothing was played on a day that the plan does not see.
      if (words.day !== undefined && page.data.length === 0) {
        requireReach(dayStartMs(words.day) + DAY_MS - 1, 'day', { principal, nowMs });
      }
      return jsonAnswer(page, false);
    }),
    coverage: inTurn(async ({ principal, nowMs }) => {
      const sight = sightOf(principal);
      await tape.catchUp(sight);
      const fromDay = reachDay(principal, nowMs);
      const days = (await tape.days(sight)).filter(({ day }) => fromDay === null || day >= fromDay);
      const range = days.length === 0 ? null : await tape.range(sight);
      const fromMs = Math.max(range?.fromMs ?? 0, shownReachFromMs(principal, nowMs));
      const seen = range === null ? null : { fromMs, toMs: Math.max(fromMs, range.toMs) };
      const gaps = await gapsIn(tape, { fromMs, toMs: nowMs }, { principal, nowMs });
      return jsonAnswer(coverageOf(days, seen, gaps), false);
    }),
  };
}

async function ticksAnswer(
  { tape, sleep, turns }: HistoryParts & { readonly turns: ReadTurns },
  { eventId, words, principal, nowMs, signal }: Parameters<HistoryCalls['ticks']>[0],
): Promise<PastAnswer> {
  const filter = oddsFilter(words, principal);
  decodeId('event', eventId);
  const caller = { principal, nowMs };
  const range = await rangeOf(tape, { eventId, words, filter }, caller);
  const isOver = words.to !== undefined && range.toMs <= nowMs;
  const sight = sightOf(principal);
  if (isOver) await settled(tape, range.toMs - 1, { sight, sleep });
  return await turns.run({ principal, signal }, async () => {
    const settledAtMs = await tape.catchUp(sight);
    const asked = { sight, lines: wantedLines(filter, words), hasBounds: true, signal };
    const ticks = await tape.ticksOf(eventId, range, asked);
    // A tick of another line in the range shows that the tape has the fixture. If there is none, all days are
    // searched.
    const isThere = ticks.length > 0 || (await tape.ticksOf(eventId, range, { sight })).length > 0;
    if (!isThere && !(await isKnown(tape, eventId, caller))) throw notOnTape(principal);
    const states = await tape.statesOf(eventId, range);
    const gaps = await gapsIn(tape, range, caller);
    const pageTo = (toMs: number) => {
      const upTo = { ...range, toMs };
      const inRange = ticks.filter(({ receivedAtMs }) => receivedAtMs < toMs);
      return seriesPage(inRange, {
        eventId,
        filter,
        words,
        range: upTo,
        states,
        gaps: gaps.filter((gap) => gap.fromMs < toMs),
      });
    };
    const page = pageTo(range.toMs);
    // Without `from`, the range begins at the plan's limit or at the tape's first tick, and both move.
    // A gap that lasts will get an end, and an import may fill any gap.
    const isComplete = isOver && words.from !== undefined && gaps.length === 0 && !tape.isFailing;
    const isFinal = isComplete && (await tape.time.isKnownThrough(range, sight));
    const isFirstOfSeveral = words.cursor === undefined && page.next_cursor !== null;
    if (!isFirstOfSeveral || settledAtMs >= range.toMs || settledAtMs <= 0) return jsonAnswer(page, isFinal);
    // Until the range is over, ticks may still be added to it before the next page is read, perhaps to a line
    // on this page.
    return jsonAnswer(pageTo(Math.max(settledAtMs, range.fromMs)), false);
  });
}

/** The range of a request for ticks. @throws ServiceError `invalid_request`, `plan_limit` */
async function rangeOf(
  tape: TapeReader,
  { eventId, words, filter }: { eventId: string; words: TicksWords; filter: OddsFilter },
  caller: { readonly principal: Principal; readonly nowMs: number },
): Promise<TapeRange> {
  const { principal, nowMs } = caller;
  const first = rangeOfCursor(eventId, filter, words);
  const reach = first === null ? caller : { principal, nowMs: nowMs - PAGING_MS };
  const toMs = first?.toMs ?? (words.to === undefined ? nowMs : readInstant(words.to, 'to'));
  if (words.to !== undefined) requireReach(toMs, 'to', reach);
  if (words.from !== undefined) {
    const fromMs = readInstant(words.from, 'from');
    requireReach(fromMs, 'from', reach);
    if (fromMs > toMs && words.to === undefined && first === null) {
      throw new ServiceError('invalid_request', 'Cannot answer from that time on: from is in the future', {
        fix: `Send a time in from that is not later than now, ${toIsoText(nowMs)}`,
      });
    }
    if (fromMs > toMs) {
      throw new ServiceError('invalid_request', 'Cannot use the range: from is later than to', {
        fix: 'Send a time in from that is not later than the time in to',
      });
    }
    return { fromMs, toMs };
  }
  const beginMs = first?.fromMs ?? (await tape.range(sightOf(principal)))?.fromMs ?? toMs;
  const fromMs = Math.max(beginMs, reachFromMs(principal, reach.nowMs));
  return { fromMs: Math.min(fromMs, toMs), toMs };
}

/** Whether the tape has a tick of the fixture or had it on the slate, as far back as the caller sees. */
async function isKnown(
  tape: TapeReader,
  eventId: string,
  { principal, nowMs }: { readonly principal: Principal; readonly nowMs: number },
): Promise<boolean> {
  if ((await fixturesSeen(tape, { principal, nowMs })).has(eventId)) return true;
  return (await tape.listed(eventId, reachDay(principal, nowMs))) !== null;
}

/**
 * The fixtures with a tick that a caller's plan sees. Their number of ticks counts whole UTC days, as files
 * do, so it includes ticks of the first day from before the plan's reach.
 */
async function fixturesSeen(
  tape: TapeReader,
  { principal, nowMs }: Pick<Asked<unknown>, 'principal' | 'nowMs'>,
): Promise<Map<string, FixtureSummary>> {
  const fixtures = await tape.fixtures(sightOf(principal), reachDay(principal, nowMs));
  const fromMs = reachFromMs(principal, nowMs);
  const shownFromMs = shownReachFromMs(principal, nowMs);
  for (const [eventId, summary] of fixtures) {
    const { firstAtMs, lastAtMs } = summary;
    if (lastAtMs < fromMs) fixtures.delete(eventId);
    else if (firstAtMs < fromMs)
      fixtures.set(eventId, { ...summary, firstAtMs: Math.min(shownFromMs, lastAtMs) });
  }
  return fixtures;
}

/**
 * The earliest instant that a caller's plan sees, as answers show it: a whole minute, so that answers of the
 * same minute are the same and have one ETag.
 */
function shownReachFromMs(principal: Principal, nowMs: number): number {
  return Math.ceil(reachFromMs(principal, nowMs) / MINUTE_MS) * MINUTE_MS;
}

/** What identifies the part of the tape that a caller sees, and the class of the caller. */
function partSeen(principal: Principal, nowMs: number) {
  const part = `${sightOf(principal)} ${reachDay(principal, nowMs)}`;
  return { part, ofClass: classOf(sharerOf(principal) ?? { hasKey: false }) };
}

/** The first UTC day that a caller's plan sees; null without a limit. */
function reachDay(principal: Principal, nowMs: number): string | null {
  const fromMs = reachFromMs(principal, nowMs);
  return fromMs === Number.NEGATIVE_INFINITY ? null : dayOf(fromMs);
}

/**
 * The gaps of a range. Those that ended before the first day on which the caller sees a tick are left out,
 * because how long the tape keeps them depends on the ticks of all bookmakers.
 */
async function gapsIn(
  tape: TapeReader,
  range: TapeRange,
  { principal, nowMs }: Pick<Asked<unknown>, 'principal' | 'nowMs'>,
): Promise<Gap[]> {
  const sight = sightOf(principal);
  const known = await tape.range(sight);
  const endedMs = Math.max(range.fromMs, dayStartMs(dayOf(known?.fromMs ?? nowMs)));
  return tape.time
    .gaps(sight)
    .filter(({ fromMs, toMs }) => fromMs < range.toMs && (toMs === null || toMs > endedMs));
}
