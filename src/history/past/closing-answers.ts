// Answers about closing prices: those frozen in the archive, otherwise those found on the tape, and how they
// settled.

import { toIsoText } from '../../clock.ts';
import type { EventClosing } from '../../contract/history.ts';
import type { EventSettlement } from '../../contract/record/settlement.ts';
import { indexIn, isSharpBookmaker, SPORT_KEYS } from '../../domain/catalogue.ts';
import { decodeId } from '../../domain/ids.ts';
import { settledOutcomes } from '../../domain/settled-line.ts';
import type { FinalScore } from '../../domain/settlement.ts';
import { ServiceError } from '../../errors.ts';
import type { Asked, HistoryCalls, PastAnswer } from '../../query/lists/history-calls.ts';
import { nameOfKey, pricesInFormat } from '../../query/odds/odds.ts';
import { type OddsFilter, oddsFilter, passes } from '../../query/odds/odds-filter.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketLineOfKey, marketOfKey } from '../../store/quote-key.ts';
import {
  CLOSE_SETTLING_MS,
  type ClosingTick,
  closingTicks,
  kickoffOf,
  unseenAround,
} from '../closing-price.ts';
import type { Tick } from '../tick.ts';
import { jsonAnswer, type PastParts } from './past-answers.ts';
import { notOnTape, requireReach, sightOf } from './past-instant.ts';
import { pricesInOrder, quoteKeyOfLine } from './past-page.ts';
import type { TapeReader } from './tape-reader.ts';

export interface HistoryParts extends PastParts {
  /** The closing prices frozen at a kickoff, from the archive; null when it has none of that fixture. */
  readonly frozen: (eventId: string) => Promise<FrozenClosing | null>;
  /** The scores of a finished match; null without a result. */
  readonly scores: (eventId: string) => Promise<MatchScores | null>;
}

export interface MatchScores {
  readonly score: FinalScore;
  /** Null when it is unknown. */
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

/** The closing prices of a fixture. @throws ServiceError */
export async function closingAnswer(
  parts: HistoryParts,
  { eventId, words, principal, nowMs }: Parameters<HistoryCalls['closing']>[0],
): Promise<PastAnswer> {
  const filter = oddsFilter(words, principal);
  const found = await closingSeen(parts, eventId, { principal, nowMs });
  return jsonAnswer(toClosing(eventId, found, filter), false);
}

/** How the closing lines of a match that is over were settled. @throws ServiceError */
export async function settlementAnswer(
  parts: HistoryParts,
  { eventId, principal, nowMs }: Parameters<HistoryCalls['settlement']>[0],
): Promise<PastAnswer> {
  const filter = oddsFilter({}, principal);
  const found = await closingSeen(parts, eventId, { principal, nowMs });
  const scores = await parts.scores(eventId);
  if (scores === null) {
    throw new ServiceError('not_found', 'Cannot settle event: it has no result', {
      fix: 'Ask again when the match is over; see GET /v1/events/{event_id}/state',
    });
  }
  return jsonAnswer(toSettlement(eventId, found, { filter, ...scores }), false);
}

/**
 * The closing prices of a match: the frozen ones if the caller sees any of them, otherwise those found on the
 * tape.
 * @throws ServiceError
 */
async function closingSeen(
  { tape, frozen }: HistoryParts,
  eventId: string,
  { principal, nowMs }: Asked<unknown>,
): Promise<FrozenClosing> {
  decodeId('event', eventId);
  await tape.catchUp(sightOf(principal));
  const held = await frozen(eventId);
  // If the caller sees none of the frozen prices, the answer is the same as if the archive did not have the
  // match.
  const isShown = held?.prices.some(
    ({ key }) => principal.seesSharp || !isSharpBookmaker(bookmakerOfKey(key)),
  );
  const found =
    held !== null && isShown === true ? held : await closingOnTape(tape, eventId, { principal, nowMs });
  if (found === null) throw notOnTape(principal);
  if (found.kickoffMs !== null) requireReach(found.kickoffMs, 'the kickoff', { principal, nowMs });
  return found;
}

/** Closing prices found on the tape; null when it does not have the fixture. */
async function closingOnTape(
  tape: TapeReader,
  eventId: string,
  { principal, nowMs }: Asked<unknown>,
): Promise<FrozenClosing | null> {
  const everything = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  const sight = sightOf(principal);
  const ticks = await tape.ticksOf(eventId, everything, { sight });
  // A fixture without a tick may still have been on the slate. Then its list of closing prices is empty.
  const listed = await tape.listed(eventId, null);
  const last = ticks.at(-1) ?? listed;
  if (last === null) return null;
  const sport = indexIn(SPORT_KEYS, last.sport);
  const states = await tape.statesOf(eventId, everything);
  const statedMs = (listed ?? last).kickoffMs;
  const gaps = tape.time.gaps(sight);
  const kickoffMs = kickoffOf(ticks, { states, statedMs, gaps });
  const isSettled =
    kickoffMs !== null &&
    nowMs >= kickoffMs + CLOSE_SETTLING_MS &&
    (states.some(({ atMs }) => atMs >= kickoffMs) ||
      isSeenThrough(ticks, kickoffMs) ||
      (await tape.time.isAnsweredFrom(eventId, kickoffMs)));
  let closing: ClosingTick[] = [];
  if (isSettled) {
    const range = { fromMs: kickoffMs - CLOSE_SETTLING_MS, toMs: kickoffMs };
    // If the tape itself knows the slate at the kickoff, earlier prices of an import do not count.
    const isOwn = (await tape.time.own(sight)).has(range.toMs - 1);
    const own = isOwn ? await tape.ticksOf(eventId, everything, { sight, isOwn }) : ticks;
    const rows = (await tape.certainRowsOf(eventId, range, sight)) ?? own;
    // A match of imports has no states. Gaps do not matter to it, because an import may have rows from the
    // time of a gap.
    const unseen = states.length > 0 ? unseenAround(gaps, kickoffMs) : null;
    closing = closingTicks(rows, kickoffMs, unseen);
  }
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
 * Whether ticks follow a fixture to its kickoff: something about it was published from then on, or none of
 * its lines was on the slate any more. If neither is true, an import ends before the kickoff and its last
 * prices are not closing prices. Imported answers that change nothing leave no tick; `isAnsweredFrom` finds
 * those.
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
