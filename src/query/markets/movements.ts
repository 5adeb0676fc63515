// How the fair prices of the slate have moved: since the openings, which the store keeps, and within the last
// hour, for which each thread takes its own samples. A few fixtures are sampled at a time, so that a large
// slate never delays a request for long. Samples exist only since the thread started.

import {
  BOOKMAKER_KEYS,
  type BookmakerKey,
  indexIn,
  isSharpBookmaker,
  MARKET_TYPES,
  type MarketType,
  type Outcome,
  outcomesOf,
} from '../../domain/catalogue.ts';
import { devigByMarket } from '../../domain/devig.ts';
import { quartersFromLine } from '../../domain/handicap.ts';
import { shownLine } from '../../domain/settlement.ts';
import type { Principal } from '../../domain/tiers.ts';
import { bookmakerOfKey, lineQuartersOfKey } from '../../store/quote-key.ts';
import { oddsFilter } from '../odds/odds-filter.ts';
import type { OpeningQueries } from '../odds/openings.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import type { Slate } from '../slate/slate.ts';
import { type MarketQueries, STORED_LINE_MAX } from './market-comparison.ts';

/** A market at one instant: its line and the fair probability of each outcome, in outcome order. */
interface MarketState {
  readonly atMs: number;
  /** Null for a 1x2. */
  readonly line: number | null;
  readonly probabilities: readonly number[];
}

export interface Movement {
  readonly fixture: FixtureNow;
  /** The bookmaker that the prices of `to` come from. */
  readonly bookmaker: BookmakerKey;
  readonly from: MarketState;
  readonly to: MarketState;
  /** The outcome whose probability changed most; if the line moved, the first outcome. */
  readonly outcome: Outcome;
  readonly outcomeIndex: number;
}

/** Shortest time between two samples of a fixture. */
const SAMPLE_EVERY_MS = 120_000;
/**
 * Number of samples of one market, two minutes apart: a little over MOVERS_MINUTES_MAX. A new one overwrites
 * the oldest.
 */
const SAMPLES_MAX = 32;
/** The longest time that "the last N minutes" may cover. */
export const MOVERS_MINUTES_MAX = 60;
/** Fixtures sampled in one step, which takes about a millisecond. */
const STEP_FIXTURES = 4;
/** Time between two steps. */
export const SAMPLE_STEP_MS = 100;

const WORD_SECONDS = 0;
/** The line in quarters and the bookmaker of the prices: `line << BOOKMAKER_BITS | bookmaker`. */
const WORD_LINE = 1;
const WORD_FIRST = 2;
const WORD_SECOND = 3;
const SAMPLE_WORDS = 4;
const BOOKMAKER_BITS = 5;
const BOOKMAKER_MASK = (1 << BOOKMAKER_BITS) - 1;
/** Probabilities are kept in millionths. */
const MILLION = 1_000_000;
/** The two views: without the sharp book, and with it. */
const VIEWS = 2;
const MARKET_WORDS = SAMPLES_MAX * SAMPLE_WORDS;

/**
 * Samples of one fixture: 3 markets x 2 views x 32 samples x 4 words, 3.1 kB; a slate of 4,096 takes at most
 * 13 MB.
 */
interface FixtureSamples {
  readonly words: Int32Array;
  /** Samples written so far, by market and view. */
  readonly counts: Int32Array;
  version: number;
  sampledAtMs: number;
}

export class MovementQueries {
  readonly #slate: Slate;
  readonly #markets: MarketQueries;
  readonly #openings: OpeningQueries;
  readonly #samples = new Map<number, FixtureSamples>();
  #round: number[] = [];
  #roundAtMs = Number.NEGATIVE_INFINITY;

  constructor(sources: {
    readonly slate: Slate;
    readonly markets: MarketQueries;
    readonly openings: OpeningQueries;
  }) {
    this.#slate = sources.slate;
    this.#markets = sources.markets;
    this.#openings = sources.openings;
  }

  /** Samples the next few fixtures. A new round over the slate begins at most every SAMPLE_EVERY_MS. */
  step(nowMs: number): void {
    if (this.#round.length === 0) {
      // The absolute difference, so that a clock that was set back does not stop the sampling.
      const isEarly = Math.abs(nowMs - this.#roundAtMs) < SAMPLE_EVERY_MS;
      if (isEarly || !this.#slate.feed().snapshotComplete) return;
      this.#roundAtMs = nowMs;
      const lists = this.#slate.lists();
      this.#round = lists.views().map(({ eventNumber }) => eventNumber);
      for (const eventNumber of this.#samples.keys()) {
        if (lists.view(eventNumber) === undefined) this.#samples.delete(eventNumber);
      }
    }
    for (const eventNumber of this.#round.splice(-STEP_FIXTURES)) {
      const fixture = this.#slate.fixture(eventNumber, nowMs);
      if (fixture !== null) this.#sample(fixture, nowMs);
    }
  }

  /**
   * How a book's main line and its fair prices moved since it opened: the first sharp book with an opening
   * and a price now, otherwise the first such book of the catalogue. Null without one.
   */
  sinceOpening(fixture: FixtureNow, marketType: MarketType, principal: Principal): Movement | null {
    const filter = oddsFilter({ markets: [marketType], period: 'full_time' }, principal);
    const openings = this.#openings.ofMarkets(fixture, filter);
    const isSharp = ({ opening }: (typeof openings)[number]) => isSharpBookmaker(bookmakerOfKey(opening.key));
    const market = indexIn(MARKET_TYPES, marketType);
    for (const { opening, current } of [...openings].sort(
      (left, right) => Number(isSharp(right)) - Number(isSharp(left)),
    )) {
      if (current === null) continue;
      const before = fairOf(marketType, opening.pricesE4);
      const now = fairOf(marketType, current.pricesE4);
      if (before === null || now === null) continue;
      const bookmaker = BOOKMAKER_KEYS[bookmakerOfKey(opening.key)]!;
      const from = {
        atMs: opening.openedAtMs,
        line: shownLine(market, lineQuartersOfKey(opening.key)),
        probabilities: before,
      };
      const line = shownLine(market, lineQuartersOfKey(current.key));
      return movementOf(fixture, marketType, {
        bookmaker,
        from,
        to: { atMs: fixture.asOfMs, line, probabilities: now },
      });
    }
    return null;
  }

  /**
   * How the sharpest visible book's fair prices on the consensus line moved since an instant, or since the
   * oldest sample kept. Prices of two books are never compared: on the same line, samples of other books are
   * skipped. Null when there is no such sample or no fair price now.
   */
  since(
    fixture: FixtureNow,
    marketType: MarketType,
    asked: { sinceMs: number; seesSharp: boolean },
  ): Movement | null {
    const { seesSharp } = asked;
    const fair = this.#markets.fair(fixture, { marketType, period: 'full_time', seesSharp });
    if (fair === null) return null;
    const { eventNumber } = fixture.view;
    const market = indexIn(MARKET_TYPES, marketType);
    const last = this.#stateAt(eventNumber, market, asked);
    // The consensus line follows from all books, so a move of the line counts whichever book was the sharpest
    // before.
    const isComparable = last === null || last.bookmaker === fair.fromBookmaker || last.line !== fair.line;
    const from = isComparable
      ? last
      : this.#stateAt(eventNumber, market, { ...asked, bookmaker: fair.fromBookmaker });
    if (from === null) return null;
    const probabilities = fair.outcomes.map((outcome) => fair.probabilities[outcome]!);
    return movementOf(fixture, marketType, {
      bookmaker: fair.fromBookmaker,
      from,
      to: { atMs: fixture.asOfMs, line: fair.line, probabilities },
    });
  }

  #sample(fixture: FixtureNow, nowMs: number): void {
    const { eventNumber, version, sportIndex } = fixture.view;
    const held = this.#samples.get(eventNumber);
    if (
      held !== undefined &&
      (held.version === version || Math.abs(nowMs - held.sampledAtMs) < SAMPLE_EVERY_MS)
    )
      return;
    const samples = held ?? emptySamples();
    this.#samples.set(eventNumber, samples);
    samples.version = version;
    samples.sampledAtMs = nowMs;
    for (const [market, marketType] of MARKET_TYPES.entries()) {
      for (let view = 0; view < VIEWS; view++) {
        const fair = this.#markets.fair(fixture, { marketType, period: 'full_time', seesSharp: view === 1 });
        if (fair === null) continue;
        const outcomes = outcomesOf(sportIndex, market);
        const index = market * VIEWS + view;
        const at = index * MARKET_WORDS + (samples.counts[index]! % SAMPLES_MAX) * SAMPLE_WORDS;
        samples.words[at + WORD_SECONDS] = Math.floor(nowMs / 1_000);
        const quarters = fair.line === null ? 0 : quartersFromLine(fair.line, STORED_LINE_MAX)!;
        const bookmaker = BOOKMAKER_KEYS.indexOf(fair.fromBookmaker);
        samples.words[at + WORD_LINE] = (quarters << BOOKMAKER_BITS) | bookmaker;
        samples.words[at + WORD_FIRST] = Math.round(fair.probabilities[outcomes[0]!]! * MILLION);
        samples.words[at + WORD_SECOND] = Math.round(fair.probabilities[outcomes[1]!]! * MILLION);
        samples.counts[index]!++;
      }
    }
  }

  /**
   * The last sample at or before an instant, otherwise the oldest one kept. If a bookmaker is given, only its
   * samples count.
   */
  #stateAt(
    eventNumber: number,
    market: number,
    {
      sinceMs,
      seesSharp,
      bookmaker = null,
    }: { readonly sinceMs: number; readonly seesSharp: boolean; readonly bookmaker?: BookmakerKey | null },
  ): (MarketState & { readonly bookmaker: BookmakerKey }) | null {
    const samples = this.#samples.get(eventNumber);
    const index = market * VIEWS + Number(seesSharp);
    const count = samples?.counts[index] ?? 0;
    if (samples === undefined || count === 0) return null;
    let at = -1;
    for (let sample = count - 1; sample >= Math.max(0, count - SAMPLES_MAX); sample--) {
      const place = index * MARKET_WORDS + (sample % SAMPLES_MAX) * SAMPLE_WORDS;
      const bookmakerOf = BOOKMAKER_KEYS[samples.words[place + WORD_LINE]! & BOOKMAKER_MASK]!;
      if (bookmaker !== null && bookmakerOf !== bookmaker) continue;
      at = place;
      if (samples.words[at + WORD_SECONDS]! * 1_000 <= sinceMs) break;
    }
    if (at < 0) return null;
    const first = samples.words[at + WORD_FIRST]! / MILLION;
    const second = samples.words[at + WORD_SECOND]! / MILLION;
    return {
      atMs: samples.words[at + WORD_SECONDS]! * 1_000,
      line: shownLine(market, samples.words[at + WORD_LINE]! >> BOOKMAKER_BITS),
      bookmaker: BOOKMAKER_KEYS[samples.words[at + WORD_LINE]! & BOOKMAKER_MASK]!,
      probabilities: [first, second, Math.max(0, 1 - first - second)],
    };
  }
}

function emptySamples(): FixtureSamples {
  const markets = MARKET_TYPES.length * VIEWS;
  return {
    words: new Int32Array(markets * MARKET_WORDS),
    counts: new Int32Array(markets),
    version: -1,
    sampledAtMs: Number.NEGATIVE_INFINITY,
  };
}

/** Fair probabilities of one book's prices; null when the prices give no result. */
function fairOf(marketType: MarketType, pricesE4: readonly number[]): readonly number[] | null {
  const decimals = pricesE4.filter((priceE4) => priceE4 > 0).map((priceE4) => priceE4 / 10_000);
  if (decimals.length < 2) return null;
  const devigged = devigByMarket(marketType, decimals);
  return devigged.ok ? devigged.probabilities : null;
}

function movementOf(
  fixture: FixtureNow,
  marketType: MarketType,
  { bookmaker, from, to }: Pick<Movement, 'bookmaker' | 'from' | 'to'>,
): Movement {
  const outcomes = outcomesOf(fixture.view.sportIndex, indexIn(MARKET_TYPES, marketType));
  let outcomeIndex = 0;
  for (let index = 1; index < outcomes.length && from.line === to.line; index++) {
    if (Math.abs(changeOf({ from, to }, index)) > Math.abs(changeOf({ from, to }, outcomeIndex)))
      outcomeIndex = index;
  }
  return { fixture, bookmaker, from, to, outcome: outcomes[outcomeIndex]!, outcomeIndex };
}

function changeOf({ from, to }: Pick<Movement, 'from' | 'to'>, outcome: number): number {
  return to.probabilities[outcome]! - from.probabilities[outcome]!;
}

/**
 * Change of the outcome's fair probability; null if the line moved, since the two are then different bets.
 */
export function probabilityChange(movement: Movement): number | null {
  return movement.from.line === movement.to.line ? changeOf(movement, movement.outcomeIndex) : null;
}

/** Change of the line, 0 for a 1x2. */
export function lineChange({ from, to }: Movement): number {
  return (to.line ?? 0) - (from.line ?? 0);
}

/** Largest first: by line, then by probability. */
export function bySize(left: Movement, right: Movement): number {
  return (
    Math.abs(lineChange(right)) - Math.abs(lineChange(left)) ||
    Math.abs(probabilityChange(right) ?? 0) - Math.abs(probabilityChange(left) ?? 0)
  );
}
