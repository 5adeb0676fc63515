// What is known about iSports' matches and prices between two answers: matches by id, and for each the slots
// in which its bookmakers quote. A bookmaker's main line is one slot, each further line another. When the
// line in a slot changes, the old line is removed unless another slot still shows it.

import type { SportKey } from '../../domain/catalogue.ts';
import type { PolledQuote } from '../poll/drafts.ts';
import { type PolledFixture, quoteKeyOf, type ReadonlyPicture } from '../poll/picture.ts';
import { FINISHED_KEPT_MS } from '../poll/source.ts';
import { type MatchInfo, type MatchPhase, phaseOf } from './match-info.ts';
import type { OddsRow } from './rows.ts';

/**
 * Maximum number of matches known at the same time, with or without prices. Further ones are left out until
 * others have gone.
 */
const MATCHES_MAX = 20_000;

interface Slot {
  /** The odds request that fills the slot, without `/changes`. */
  readonly layer: string;
  readonly row: OddsRow;
  readonly atMs: number;
}

export class Board {
  readonly #infos = new Map<string, MatchInfo>();
  readonly #slots = new Map<string, Map<string, Slot>>();

  clear(): void {
    this.#infos.clear();
    this.#slots.clear();
  }

  info(event: string): MatchInfo | undefined {
    return this.#infos.get(event);
  }

  /** Adds a match, or replaces what is known about it. */
  put(event: string, info: MatchInfo): void {
    if (this.#infos.has(event) || this.#infos.size < MATCHES_MAX) this.#infos.set(event, info);
  }

  drop(event: string): void {
    this.#infos.delete(event);
    this.#slots.delete(event);
  }

  /** Matches that finished more than `FINISHED_KEPT_MS` ago. */
  outdated(nowMs: number): string[] {
    return [...this.#infos]
      .filter(([, { finishedAtMs }]) => finishedAtMs !== null && nowMs - finishedAtMs > FINISHED_KEPT_MS)
      .map(([event]) => event);
  }

  /**
   * Replaces every slot of a layer, that is, of one of the odds requests.
   * @returns the matches that may have changed
   */
  replace(
    layer: string,
    rows: readonly { readonly event: string; readonly row: OddsRow }[],
    nowMs: number,
  ): Set<string> {
    const touched = new Set<string>();
    const held = new Map<string, Slot>();
    for (const [event, slots] of this.#slots) {
      for (const [key, slot] of slots) {
        if (slot.layer !== layer) continue;
        slots.delete(key);
        held.set(`${event} ${key}`, slot);
        touched.add(event);
      }
    }
    for (const { event, row } of rows) {
      const key = slotKey(layer, row);
      this.#set(event, key, newer(held.get(`${event} ${key}`), { layer, row, nowMs }));
      touched.add(event);
    }
    return touched;
  }

  /** Replaces the slots of these rows in a layer. @returns the matches of the rows */
  change(
    layer: string,
    rows: readonly { readonly event: string; readonly row: OddsRow }[],
    nowMs: number,
  ): Set<string> {
    for (const { event, row } of rows) {
      const key = slotKey(layer, row);
      this.#set(event, key, newer(this.#slots.get(event)?.get(key), { layer, row, nowMs }));
    }
    return new Set(rows.map(({ event }) => event));
  }

  /**
   * The update of a match. Null if there is nothing to send: the match is unknown, or it has not been sent
   * yet and is cancelled or has no quotes.
   */
  updateOf(event: string, picture: ReadonlyPicture): PolledFixture | null {
    const info = this.#infos.get(event);
    if (info === undefined) return null;
    const phase = phaseOf(info);
    if (phase === 'gone') return picture.has(event) ? { event, gone: true } : null;
    const quotes = phase === 'finished' ? NO_QUOTES : this.#quotes(event, info, phase);
    if (quotes.size === 0 && !picture.has(event)) return null;
    const { fixture, state, result } = info;
    return { event, fixture, state, quotes, ...(result === null ? {} : { result }) };
  }

  #set(event: string, key: string, slot: Slot): void {
    this.#slots.getOrInsertComputed(event, () => new Map()).set(key, slot);
  }

  #quotes(event: string, info: MatchInfo, phase: MatchPhase): ReadonlyMap<string, PolledQuote> {
    const newest = new Map<string, { readonly quote: PolledQuote; readonly atMs: number }>();
    for (const { row, atMs } of this.#slots.get(event)?.values() ?? []) {
      if (!isQuoted(row, info.fixture.sport, phase)) continue;
      const quote: PolledQuote = {
        bookmaker: row.bookmaker,
        market: row.market,
        period: row.period,
        line: row.line,
        prices: row.prices,
        status: row.isSuspended ? 'suspended' : 'open',
        atMs,
        opening: row.opening,
        openingLine: row.openingLine,
      };
      const key = quoteKeyOf(quote);
      const other = newest.get(key);
      if (other === undefined || atMs > other.atMs) newest.set(key, { quote, atMs });
    }
    return new Map([...newest].map(([key, { quote }]) => [key, quote]));
  }
}

const NO_QUOTES: ReadonlyMap<string, PolledQuote> = new Map();

function slotKey(layer: string, { bookmaker, market, period, index }: OddsRow): string {
  return `${layer}|${bookmaker}|${market}|${period}|${index}`;
}

/**
 * The next content of a slot: the row, or what the slot holds if that is newer. A row without a time gets the
 * time at which its content first arrived.
 */
function newer(
  held: Slot | undefined,
  { layer, row, nowMs }: { readonly layer: string; readonly row: OddsRow; readonly nowMs: number },
): Slot {
  const isTimed = !Number.isNaN(row.atMs);
  if (held !== undefined && isTimed && row.atMs < held.atMs) return held;
  // Rows of changes carry no opening. While the line is the same, the opening of the full answer stays.
  const isSameLine = held !== undefined && held.row.line === row.line;
  const opening =
    row.opening === null && isSameLine
      ? { opening: held.row.opening, openingLine: held.row.openingLine }
      : { opening: row.opening, openingLine: row.openingLine };
  const isSame =
    held !== undefined && Bun.deepEquals({ ...held.row, atMs: 0 }, { ...row, ...opening, atMs: 0 });
  return { layer, row: { ...row, ...opening }, atMs: isTimed ? row.atMs : isSame ? held.atMs : nowMs };
}

/** Whether a row's price is valid now. The upstream also sends rows that are no longer valid. */
function isQuoted(row: OddsRow, sport: SportKey, phase: MatchPhase): boolean {
  if (phase === 'before') return row.isInPlay !== true;
  if (row.period === 'half_time' && (sport === 'basketball' || phase === 'second')) return false;
  if (sport === 'basketball') return row.market !== '1x2'; // iSports never updates the moneyline in play
  return row.isInPlay !== false;
}
