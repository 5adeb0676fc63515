// Freezes closing prices in the archive as the tape sees matches begin. The history thread writes them over a
// connection of its own: there are few, and nobody waits for them.

import type { ClosingPrice, MatchClosing } from '../../archive/closing-prices.ts';
import { type Clock, HOUR_MS } from '../../clock.ts';
import { BOOKMAKER_KEYS, MARKET_TYPES, outcomesOf, PERIODS, SPORT_KEYS } from '../../domain/catalogue.ts';
import { encodeId } from '../../domain/ids.ts';
import { ClosingKeeper, type SettledKickoff } from '../../history/closing-keeper.ts';
import {
  awaitsEndOfGap,
  CLOSE_SETTLING_MS,
  closingTicks,
  unseenAround,
} from '../../history/closing-price.ts';
import type { HistoryFolder } from '../../history/files/folder.ts';
import type { FrozenClosing } from '../../history/past/closing-answers.ts';
import { type RowsAsked, rowsSince, UnreadableFileError } from '../../history/rows-around.ts';
import type { TapeSource } from '../../history/tape-source.ts';
import type { Tick } from '../../history/tick.ts';
import { BoundedLog, type Log } from '../../log.ts';
import { packQuoteKey } from '../../store/quote-key.ts';
import { SlateReader } from '../../store/reader.ts';
import type { HistoryDatabase } from '../record/history-database.ts';

const SETTLE_EVERY_MS = 500;
/** How long to wait after a failure of the database or the folder, in milliseconds. */
const FAILURE_PAUSE_MS = 5_000;
const PURGE_EVERY_MS = HOUR_MS;

export interface Closings {
  /** Learns kickoffs from the tape. */
  readonly keeper: ClosingKeeper;
  /** Settles the matches that are due. It is cheap, so it may be called often. */
  settle(tape: ClosingTape): Promise<void>;
  /** The closing prices that are frozen, or null. @throws StorageError */
  frozen(eventNumber: number): Promise<FrozenClosing | null>;
}

/** The tape that closing prices are read from. */
export interface ClosingTape extends TapeSource {
  /** Moves a file away that cannot be read, so that the other files can be read without an error. */
  setAside(path: string, error: unknown): Promise<void>;
}

export interface ClosingsParts {
  readonly database: HistoryDatabase;
  readonly storeBuffer: SharedArrayBuffer;
  readonly clock: Clock;
  readonly log: Log;
}

export function openClosings(parts: ClosingsParts, folder: HistoryFolder): Closings {
  const { clock, database } = parts;
  const log = new BoundedLog(parts.log, clock);
  const reader = new SlateReader(parts.storeBuffer);
  let tape: ClosingTape | null = null;
  /** When the next settling and the next purge are due, on the monotonic clock. */
  let dueAtMs = Number.NEGATIVE_INFINITY;
  let purgeAtMs = Number.NEGATIVE_INFINITY;
  const freeze = async (settled: SettledKickoff): Promise<boolean> => {
    if (tape === null) return false;
    const { eventNumber, kickoffMs, keepsFrozen } = settled;
    const eventId = encodeId('event', eventNumber);
    const fromMs = kickoffMs - CLOSE_SETTLING_MS;
    const unseen = unseenAround(tape.gaps(), kickoffMs);
    if (awaitsEndOfGap(kickoffMs, unseen)) return false;
    const rows = await rowsOf(tape, folder, { eventId, fromMs, toMs: kickoffMs });
    const ticks = closingTicks(rows, kickoffMs, unseen);
    const [first] = ticks;
    if (first === undefined) return true;
    const sport = SPORT_KEYS.indexOf(first.tick.sport);
    const seenUntilMs = unseen?.fromMs ?? kickoffMs;
    const prices = ticks.map(({ tick, isOpen }): ClosingPrice => {
      const confirmedAtMs = isOpen ? confirmedBy(reader, tick.bookmaker, seenUntilMs) : 0;
      return closingPrice(tick, { sport, confirmedAtMs: Math.max(confirmedAtMs, tick.receivedAtMs) });
    });
    const closing = { eventNumber, sport, kickoffMs, prices };
    await database.prices.freeze(closing, clock.wallMs(), { keepsFrozen });
    return true;
  };
  const keeper = new ClosingKeeper({
    freeze,
    forget: (eventNumber) => database.prices.forget(eventNumber),
    onError: (error) => log.warn('closing_prices_not_kept', { error: String(error) }),
  });
  return {
    keeper,
    settle: async (source) => {
      tape = source;
      const monotonicMs = clock.monotonicMs();
      if (monotonicMs < dueAtMs) return;
      dueAtMs = monotonicMs + SETTLE_EVERY_MS;
      const nowMs = clock.wallMs();
      // While the folder refuses writes, the tape lacks the latest prices and kickoffs. So a match is due by
      // the time that the tape has reached.
      const reachedMs = Math.min(nowMs, await source.catchUp());
      // Read the time again, because the failure itself may have taken long.
      if (!(await keeper.settle(reachedMs))) dueAtMs = clock.monotonicMs() + FAILURE_PAUSE_MS;
      if (monotonicMs < purgeAtMs || !database.isOpen) return;
      purgeAtMs = monotonicMs + PURGE_EVERY_MS;
      await database.prices
        .purge(nowMs)
        .catch((error: unknown) => log.warn('closing_prices_not_kept', { error: String(error) }));
    },
    frozen: async (eventNumber) => {
      const closing = await database.prices.of(eventNumber);
      return closing === null ? null : toFrozen(closing);
    },
  };
}

/** @throws when a file cannot be read; it is set aside, so that the next attempt succeeds without it */
async function rowsOf(tape: ClosingTape, folder: HistoryFolder, asked: RowsAsked): Promise<Tick[]> {
  try {
    return await rowsSince(tape, folder, asked);
  } catch (error) {
    if (error instanceof UnreadableFileError) await tape.setAside(error.path, error.cause);
    throw error;
  }
}

/** Converts to quote keys of the present roster. Bookmakers that are no longer on the roster are left out. */
function toFrozen({ kickoffMs, sport, prices }: MatchClosing): FrozenClosing {
  return {
    kickoffMs,
    sport,
    prices: prices.flatMap(({ bookmaker, market, period, lineQuarters, ...price }) => {
      const index = BOOKMAKER_KEYS.indexOf(bookmaker);
      return index < 0 ? [] : [{ ...price, key: packQuoteKey(market, period, lineQuarters, index) }];
    }),
  };
}

function closingPrice(
  tick: Tick,
  { sport, confirmedAtMs }: { readonly sport: number; readonly confirmedAtMs: number },
): ClosingPrice {
  const market = MARKET_TYPES.indexOf(tick.marketType);
  return {
    bookmaker: tick.bookmaker,
    market,
    period: PERIODS.indexOf(tick.period),
    lineQuarters: Math.round((tick.line ?? 0) * 4),
    pricesE4: outcomesOf(sport, market).map((outcome) => tick.pricesE4[outcome] ?? 0),
    closedAtMs: tick.atMs,
    confirmedAtMs,
  };
}

/**
 * When the source of a bookmaker last confirmed its prices, but no later than the instant until which the
 * tape saw them; 0 if the source never confirmed them.
 */
function confirmedBy(reader: SlateReader, bookmaker: string, seenUntilMs: number): number {
  const confirmedAtMs = reader.confirmations()[BOOKMAKER_KEYS.indexOf(bookmaker)] ?? 0;
  return Math.min(confirmedAtMs, seenUntilMs);
}
