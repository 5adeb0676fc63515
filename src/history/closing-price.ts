// The closing price of a line: the last open price published strictly before the kickoff, unless its
// bookmaker had withdrawn or suspended it for longer than ten minutes by then. If a gap of the tape began
// more than ten minutes before the kickoff and ended after it, lines that changed in the gap have none.

import { STATUS_LIVE } from '../domain/catalogue.ts';
import type { TapeMark } from './mark.ts';
import { periodBegin } from './past/whole-periods.ts';
import { compareTickLines, type Gap, lineKeyOf, type TapeRange, type Tick } from './tick.ts';

/**
 * How long before the kickoff a line may have been suspended or withdrawn and still have a closing price. A
 * kickoff that was only stated is settled this much later, because sources restate kickoffs once a match is
 * under way.
 */
export const CLOSE_SETTLING_MS = 10 * 60_000;

interface LastOpen<Price> {
  readonly price: Price;
  /** When the line ceased to be open, Unix ms; null while it is open. */
  readonly goneSinceMs: number | null;
}

/** The last open price of each line. Call `open` and `gone` in the order of publishing, up to the kickoff. */
export class LastOpenPrices<Line, Price> {
  readonly #lines = new Map<Line, LastOpen<Price>>();

  open(line: Line, price: Price): void {
    this.#lines.set(line, { price, goneSinceMs: null });
  }

  /** Notes that the line was suspended or withdrawn. A line that was never open is ignored. */
  gone(line: Line, nowMs: number): void {
    const held = this.#lines.get(line);
    if (held?.goneSinceMs === null) this.#lines.set(line, { ...held, goneSinceMs: nowMs });
  }

  /** The closing prices if the match kicks off at `kickoffMs`, and whether each line is still open. */
  closeAt(kickoffMs: number): { readonly price: Price; readonly isOpen: boolean }[] {
    return [...this.#lines.values()]
      .filter(({ goneSinceMs }) => goneSinceMs === null || kickoffMs - goneSinceMs <= CLOSE_SETTLING_MS)
      .map(({ price, goneSinceMs }) => ({ price, isOpen: goneSinceMs === null }));
  }

  clear(): void {
    this.#lines.clear();
  }
}

/** A closing price found on the tape. */
export interface ClosingTick {
  readonly tick: Tick;
  /** Whether the line was still open at the kickoff. */
  readonly isOpen: boolean;
}

/**
 * The tick of each line's closing price, in the order in which the API lists odds.
 * @param ticks of one fixture, in the order of publishing, including those after the kickoff
 * @param unseen the time around the kickoff that lies in gaps
 */
export function closingTicks(
  ticks: readonly Tick[],
  kickoffMs: number,
  unseen: TapeRange | null,
): ClosingTick[] {
  const prices = new LastOpenPrices<string, Tick>();
  for (const tick of withKnownClose(ticks, kickoffMs, unseen)) {
    if (tick.receivedAtMs >= kickoffMs) continue;
    if (tick.status === 'open') prices.open(lineKeyOf(tick), tick);
    else prices.gone(lineKeyOf(tick), tick.receivedAtMs);
  }
  return prices
    .closeAt(kickoffMs)
    .map(({ price, isOpen }) => ({ tick: price, isOpen }))
    .sort((first, second) => compareTickLines(first.tick, second.tick));
}

/**
 * The gap in which both an instant and the moment before it lie, extended by the gaps that touch it. Null if
 * the tape was recorded at one of these two moments.
 */
export function unseenAround(gaps: readonly Gap[], instantMs: number): TapeRange | null {
  let unseen: TapeRange = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };
  for (const { fromMs, toMs } of gaps.toSorted((first, second) => first.fromMs - second.fromMs)) {
    if (fromMs >= instantMs && fromMs > unseen.toMs) break;
    const endMs = Math.max(toMs ?? Number.POSITIVE_INFINITY, unseen.toMs);
    unseen = { fromMs: fromMs <= unseen.toMs ? unseen.fromMs : fromMs, toMs: endMs };
  }
  return unseen.toMs >= instantMs ? unseen : null;
}

/**
 * Whether the closing prices are known only after the gap over the kickoff has ended.
 * @param unseen the time around the kickoff that lies in gaps
 */
export function awaitsEndOfGap(kickoffMs: number, unseen: TapeRange | null): boolean {
  return unseen?.toMs === Number.POSITIVE_INFINITY && kickoffMs - unseen.fromMs > CLOSE_SETTLING_MS;
}

/**
 * The ticks of the lines whose prices at the kickoff are known. If a gap lies over the kickoff, the first
 * ticks after the gap show which lines changed during it, and the ticks of these lines are left out. If the
 * gap has not ended, any line may have changed, so no price is known.
 */
function withKnownClose(
  ticks: readonly Tick[],
  kickoffMs: number,
  unseen: TapeRange | null,
): readonly Tick[] {
  if (awaitsEndOfGap(kickoffMs, unseen)) return [];
  if (unseen === null || kickoffMs - unseen.fromMs <= CLOSE_SETTLING_MS) return ticks;
  const isUnseen = ({ receivedAtMs }: Tick): boolean =>
    receivedAtMs >= kickoffMs && receivedAtMs <= unseen.toMs;
  const changed = new Set(ticks.filter(isUnseen).map(lineKeyOf));
  return ticks.filter((tick) => !changed.has(lineKeyOf(tick)));
}

/** What the tape has about the kickoff of a fixture besides its ticks. */
export interface KickoffMarks {
  /** Each change of the fixture's status, in the order of publishing; empty on a tape of imports. */
  readonly states: readonly TapeMark[];
  /** The kickoff stated last, Unix ms; null when it is unknown. */
  readonly statedMs: number | null;
  readonly gaps: readonly Gap[];
}

/**
 * The kickoff of a fixture: the instant at which the match was first seen live, otherwise the kickoff stated
 * last.
 */
export function kickoffOf(ticks: readonly Tick[], { states, statedMs, gaps }: KickoffMarks): number | null {
  if (states.length === 0) return kickoffOfTicks(ticks) ?? statedMs;
  return firstLiveOf(states, gaps) ?? statedMs;
}

/**
 * When a match began that the tape shows live at `liveMs`, and not live until `unseenFromMs`. It is taken to
 * have begun at its stated kickoff, or as close to it as these two times allow.
 * @param unseenFromMs -Infinity if the match was never seen before; NaN if the tape saw it become live. Only
 * its whole period counts, because a price of the sharp bookmaker may begin a gap
 * @param statedMs NaN if it is unknown
 */
export function startBetween(unseenFromMs: number, liveMs: number, statedMs: number): number {
  if (Number.isNaN(unseenFromMs) || Number.isNaN(statedMs)) return liveMs;
  return Math.min(liveMs, Math.max(periodBegin(unseenFromMs), statedMs));
}

/** When a match began; null if its marks do not show it live. */
export function firstLiveOf(states: readonly TapeMark[], gaps: readonly Gap[]): number | null {
  const first = states.findIndex(({ status }) => status === STATUS_LIVE);
  if (first < 0) return null;
  const { atMs, fixture } = states[first]!;
  const gapFromMs = unseenAround(gaps, atMs)?.fromMs ?? Number.NaN;
  const unseenFromMs = first > 0 ? gapFromMs : Number.NEGATIVE_INFINITY;
  return startBetween(unseenFromMs, atMs, fixture.kickoffMs ?? Number.NaN);
}

/**
 * The kickoff of a fixture, from its ticks: the earlier of the first tick in play and the kickoff stated
 * last. Null when the ticks have neither.
 */
function kickoffOfTicks(ticks: readonly Tick[]): number | null {
  let firstInPlayMs: number | null = null;
  let lastStatedMs: number | null = null;
  for (const { inPlay, receivedAtMs, kickoffMs } of ticks) {
    if (inPlay && firstInPlayMs === null) firstInPlayMs = receivedAtMs;
    if (kickoffMs !== null) lastStatedMs = kickoffMs;
  }
  // The first tick in play may come late, and a match may begin before its stated kickoff. So the earlier one
  // counts.
  if (firstInPlayMs === null) return lastStatedMs;
  return lastStatedMs === null ? firstInPlayMs : Math.min(firstInPlayMs, lastStatedMs);
}
