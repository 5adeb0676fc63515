// All answers about the past, assembled in one place. The history thread runs them for the other threads.

import { toIsoText } from '../../clock.ts';
import type { EventClosing } from '../../contract/history.ts';
import type { EventSettlement } from '../../contract/record/settlement.ts';
import { indexIn, isSharpBookmaker, SPORT_KEYS } from '../../domain/catalogue.ts';
import { decodeId } from '../../domain/ids.ts';
import { settledOutcomes } from '../../domain/settled-line.ts';
import type { FinalScore } from '../../domain/settlement.ts';
import { ServiceError } from '../../errors.ts';
import { NameCache } from '../../names/text/parse-name.ts';
import type { Asked, HistoryCalls, PastAnswer, TicksWords } from '../../query/lists/history-calls.ts';
import { nameOfKey, pricesInFormat } from '../../query/odds/odds.ts';
import { type OddsFilter, oddsFilter, passes } from '../../query/odds/odds-filter.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketLineOfKey, marketOfKey } from '../../store/quote-key.ts';
import { CLOSE_SETTLING_MS, closingTicks, kickoffOf } from '../closing-price.ts';
import { dayOf, type Gap, type Tick } from '../tick.ts';
import { findOnTape } from './find-on-tape.ts';
import { jsonAnswer, type PastParts, pastOdds } from './past-answers.ts';
import { reachFromMs, readInstant, requireReach, settled, sightOf } from './past-instant.ts';
import { pricesInOrder, quoteKeyOfLine } from './past-page.ts';
import { ReadTurns } from './read-turns.ts';
import type { TapeRange } from './tape-coverage.ts';
import { coverageOf, eventsPage } from './tape-events.ts';
import type { TapeReader } from './tape-reader.ts';
import { rangeEndOf, seriesPage } from './tick-series.ts';

export interface HistoryParts extends PastParts {
  /** The closing prices frozen at a kickoff, from the archive; null when it has none of that fixture. */
  readonly frozen: (eventId: string) => Promise<FrozenClosing | null>;
  /** The scores of a finished match; null without a result. */
  readonly scores: (eventId: string) => Promise<MatchScores | null>;
}

export interface MatchScores {
  readonly score: FinalScore;
  /** Null when it was not seen. */
  readonly halfTimeScore: FinalScore | null;
}

/** Closing prices of a fixture. Times are Unix ms. */
export interface FrozenClosing {
  readonly kickoffMs: number | null;
  readonly sport: number;
  readonly prices: readonly {
    readonly key: number;
    /** In outcome order, in ten-thousandths. */
    readonly pricesE4: readonly number[];
    readonly closedAtMs: number;
    readonly confirmedAtMs: number;
  }[];
}

/** The calls that the tape answers: all but those about the record of signals. */
export type TapeCalls = Omit<HistoryCalls, 'record' | 'alerts'>;

export function historyAnswers(parts: HistoryParts): TapeCalls {
  const { tape } = parts;
  const turns = new ReadTurns();
  const names = new NameCache();
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
      await tape.catchUp();
      const fixtures = await tape.fixtures(sightOf(principal), reachDay(principal, nowMs));
      return findOnTape(fixtures, question, { nowMs, names });
    }),
    events: inTurn(async ({ words, principal, nowMs }) => {
      await tape.catchUp();
      const fixtures = await tape.fixtures(sightOf(principal), reachDay(principal, nowMs));
      return jsonAnswer(eventsPage(fixtures, words, { nowMs, names }), false);
    }),
    coverage: inTurn(async ({ principal, nowMs }) => {
      await tape.catchUp();
      const sight = sightOf(principal);
      const fromDay = reachDay(principal, nowMs);
      const days = (await tape.days(sight)).filter(({ day }) => fromDay === null || day >= fromDay);
      const range = days.length === 0 ? null : await tape.range(sight);
      const fromMs = Math.max(range?.fromMs ?? 0, reachFromMs(principal, nowMs));
      const seen = range === null ? null : { fromMs, toMs: Math.max(fromMs, range.toMs) };
      return jsonAnswer(coverageOf(days, seen, gapsIn(tape, { fromMs, toMs: nowMs })), false);
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
  if (isOver) await settled(tape, range.toMs - 1, sleep);
  return await turns.run({ principal, signal }, async () => {
    const settledAtMs = await tape.catchUp();
    const sight = sightOf(principal);
    const ticks = await tape.ticksOf(eventId, range, sight);
    if (ticks.length === 0 && !(await isKnown(tape, eventId, caller))) throw notOnTape();
    const states = await tape.statesOf(eventId, range);
    const pageTo = (toMs: number) => {
      const upTo = { ...range, toMs };
      const inRange = ticks.filter(({ receivedAtMs }) => receivedAtMs < toMs);
      return seriesPage(inRange, { eventId, filter, words, range: upTo, states, gaps: gapsIn(tape, upTo) });
    };
    const page = pageTo(range.toMs);
    // Without `from`, the answer begins at a limit that moves: how far back the plan sees, or the tape's
    // first tick.
    const isFinal = isOver && words.from !== undefined && !tape.isFailing;
    const isOpenEnded = words.to === undefined && words.cursor === undefined && page.next_cursor !== null;
    if (!isOpenEnded || settledAtMs >= range.toMs || settledAtMs <= 0) return jsonAnswer(page, isFinal);
    // A tick published before now may still be added before the next page is read, perhaps to a line on this
    // page.
    return jsonAnswer(pageTo(Math.max(settledAtMs, range.fromMs)), false);
  });
}

/** The range of a request for ticks. @throws ServiceError `invalid_request`, `plan_limit` */
async function rangeOf(
  tape: TapeReader,
  { eventId, words, filter }: { eventId: string; words: TicksWords; filter: OddsFilter },
  caller: { readonly principal: Asked<unknown>['principal']; readonly nowMs: number },
): Promise<TapeRange> {
  const { principal, nowMs } = caller;
  const endMs = rangeEndOf(eventId, filter, words);
  const toMs = endMs ?? (words.to === undefined ? nowMs : readInstant(words.to, 'to'));
  if (words.to !== undefined) requireReach(toMs, 'to', caller);
  if (words.from !== undefined) {
    const fromMs = readInstant(words.from, 'from');
    requireReach(fromMs, 'from', caller);
    if (fromMs > toMs) {
      throw new ServiceError('invalid_request', 'Cannot read from and to: from is later than to', {
        fix: 'Send from before to',
      });
    }
    return { fromMs, toMs };
  }
  const known = await tape.range(sightOf(principal));
  const fromMs = Math.max(known?.fromMs ?? toMs, reachFromMs(principal, nowMs));
  return { fromMs: Math.min(fromMs, toMs), toMs };
}

/** Whether the tape has a tick of the fixture or a time on the slate, as far back as the caller sees. */
async function isKnown(
  tape: TapeReader,
  eventId: string,
  { principal, nowMs }: { readonly principal: Asked<unknown>['principal']; readonly nowMs: number },
): Promise<boolean> {
  const fromDay = reachDay(principal, nowMs);
  if ((await tape.fixtures(sightOf(principal), fromDay)).has(eventId)) return true;
  return (await tape.listed(eventId, fromDay)) !== null;
}

async function closingAnswer(
  parts: HistoryParts,
  { eventId, words, principal, nowMs }: Parameters<HistoryCalls['closing']>[0],
): Promise<PastAnswer> {
  const filter = oddsFilter(words, principal);
  const found = await closingSeen(parts, eventId, { filter, principal, nowMs });
  return jsonAnswer(toClosing(eventId, found, filter), false);
}

async function settlementAnswer(
  parts: HistoryParts,
  { eventId, principal, nowMs }: Parameters<HistoryCalls['settlement']>[0],
): Promise<PastAnswer> {
  const filter = oddsFilter({}, principal);
  const found = await closingSeen(parts, eventId, { filter, principal, nowMs });
  const scores = await parts.scores(eventId);
  if (scores === null) {
    throw new ServiceError('not_found', 'Cannot settle event: it has no result', {
      fix: 'Ask again when the match is over; see GET /v1/events/{event_id}/state',
    });
  }
  return jsonAnswer(toSettlement(eventId, found, { filter, ...scores }), false);
}

/**
 * The closing prices of a match, limited to what the caller may see.
 * @throws ServiceError
 */
async function closingSeen(
  { tape, frozen }: HistoryParts,
  eventId: string,
  { filter, principal, nowMs }: { readonly filter: OddsFilter } & Asked<unknown>,
): Promise<FrozenClosing> {
  decodeId('event', eventId);
  await tape.catchUp();
  const held = await frozen(eventId);
  // If the caller may see no closing price of the match, the answer is as if the archive did not have the
  // match.
  const isShown = held?.prices.some(
    ({ key }) => principal.seesSharp || !isSharpBookmaker(bookmakerOfKey(key)),
  );
  const found =
    held !== null && isShown === true
      ? held
      : await closingOnTape(tape, eventId, { filter, principal, nowMs });
  if (found === null) throw notOnTape();
  if (found.kickoffMs !== null) requireReach(found.kickoffMs, 'the kickoff', { principal, nowMs });
  return found;
}

/** Closing prices found on the tape; null when it does not have the fixture. */
async function closingOnTape(
  tape: TapeReader,
  eventId: string,
  { principal, nowMs }: { filter: OddsFilter } & Omit<Asked<unknown>, never>,
): Promise<FrozenClosing | null> {
  const everything = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  const ticks = await tape.ticksOf(eventId, everything, sightOf(principal));
  // Without a tick the fixture may have been on the slate: its list of closing prices is empty.
  const last = ticks.at(-1) ?? (await tape.listed(eventId, null));
  if (last === null) return null;
  const sport = indexIn(SPORT_KEYS, last.sport);
  const kickoffMs = ticks.length === 0 ? last.kickoffMs : kickoffOf(ticks);
  const isSettled =
    kickoffMs !== null && nowMs >= kickoffMs + CLOSE_SETTLING_MS && isSeenThrough(ticks, kickoffMs);
  const closing = isSettled ? closingTicks(ticks, kickoffMs) : [];
  return {
    kickoffMs,
    sport,
    prices: closing.flatMap(({ tick }) => {
      const key = quoteKeyOfLine(tick);
      if (key === null) return [];
      const { atMs: closedAtMs, receivedAtMs: confirmedAtMs } = tick;
      return [{ key, pricesE4: pricesInOrder(tick, sport), closedAtMs, confirmedAtMs }];
    }),
  };
}

/**
 * Whether the tape followed a fixture to its kickoff: it has a change published at the kickoff or later, or
 * no line stood any more. If an import ends before that, the closing prices are unknown.
 */
function isSeenThrough(ticks: readonly Tick[], kickoffMs: number): boolean {
  if (ticks.some(({ receivedAtMs }) => receivedAtMs >= kickoffMs)) return true;
  const standing = new Map<number | null, boolean>();
  for (const tick of ticks) standing.set(quoteKeyOfLine(tick), tick.status !== 'withdrawn');
  return ![...standing.values()].includes(true);
}

function toClosing(
  eventId: string,
  { kickoffMs, sport, prices }: FrozenClosing,
  filter: OddsFilter,
): EventClosing {
  const { format } = filter;
  return {
    event_id: eventId,
    kickoff_at: kickoffMs === null ? null : toIsoText(kickoffMs),
    closing: prices
      .filter(({ key }) => passes(filter, key))
      .sort((left, right) => left.key - right.key)
      .map(({ key, pricesE4, closedAtMs, confirmedAtMs }) => ({
        ...nameOfKey(key),
        prices: pricesInFormat({ sport, key, pricesE4, format }),
        format,
        closed_at: toIsoText(closedAtMs),
        confirmed_at: toIsoText(confirmedAtMs),
      })),
  };
}

function toSettlement(
  eventId: string,
  { sport, prices }: FrozenClosing,
  { filter, score, halfTimeScore }: MatchScores & { readonly filter: OddsFilter },
): EventSettlement {
  const seen = prices.map(({ key }) => key).filter((key) => passes(filter, key));
  const lines = Map.groupBy(
    seen.sort((left, right) => left - right),
    marketLineOfKey,
  );
  return {
    event_id: eventId,
    score,
    half_time_score: halfTimeScore,
    settlement: [...lines.values()].flatMap((keys) => {
      const key = keys[0]!;
      const { market_type, period, line } = nameOfKey(key);
      const counted = period === 'half_time' ? halfTimeScore : score;
      if (counted === null) return [];
      const [market, lineQuarters] = [marketOfKey(key), lineQuartersOfKey(key)];
      const fromScore = { home: 0, away: 0 };
      const outcomes = settledOutcomes({ sport, market, lineQuarters, score: counted, fromScore });
      return [{ market_type, period, line, outcomes }];
    }),
  };
}

/** The first UTC day that a caller's plan sees; null without a limit. */
function reachDay(principal: Asked<unknown>['principal'], nowMs: number): string | null {
  const fromMs = reachFromMs(principal, nowMs);
  return fromMs === Number.NEGATIVE_INFINITY ? null : dayOf(fromMs);
}

function gapsIn(tape: TapeReader, range: TapeRange): Gap[] {
  return tape
    .gaps()
    .filter(({ fromMs, toMs }) => fromMs < range.toMs && (toMs === null || toMs > range.fromMs));
}

function notOnTape(): ServiceError {
  return new ServiceError('not_found', 'Cannot find event: the tape does not have it', {
    fix: 'List the fixtures of the tape with GET /v1/history/events',
  });
}
