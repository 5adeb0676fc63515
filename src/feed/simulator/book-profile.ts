// The seven simulated books: margin, rounding, how far their opinion strays, how late they follow, what they offer.
// And what one of them believes about a match at an instant: a pure function of the fixture, the book and the time.

import { BOOKMAKERS, SHARP_BOOKMAKER_INDEX } from '../../domain/catalogue.ts';
import { hashUnit, mixHash } from '../../domain/random.ts';
import { driftNoise, smoothNoise } from './market-noise.ts';
import type { Fixture } from './schedule.ts';

export interface BookProfile {
  /** Index into BOOKMAKERS. */
  readonly index: number;
  readonly key: string;
  /** Sum of inverse prices less 1, before rounding. */
  readonly margin: number;
  /** Prices are multiples of its inverse. */
  readonly priceScale: number;
  /** Its own opinion and changing mood, as log scoring rate of football; see OPINION_SCALE. */
  readonly opinion: number;
  /** It sees the market this much late. */
  readonly lagMs: number;
  /** Neighbours on each side of the main line: handicap and totals at full time, then at half time. */
  readonly neighbours: readonly [number, number, number, number];
}

type Row = Omit<BookProfile, 'index' | 'key'>;
const ROWS: Record<(typeof BOOKMAKERS)[number]['key'], Row> = {
  crown: { margin: 0.042, priceScale: 100, opinion: 0.021, lagMs: 40_000, neighbours: [1, 1, 1, 1] },
  sbobet: { margin: 0.038, priceScale: 100, opinion: 0.019, lagMs: 30_000, neighbours: [1, 1, 0, 0] },
  macau: { margin: 0.052, priceScale: 100, opinion: 0.024, lagMs: 120_000, neighbours: [1, 0, 0, 0] },
  m8bet: { margin: 0.044, priceScale: 100, opinion: 0.021, lagMs: 60_000, neighbours: [1, 1, 0, 0] },
  pinnacle: { margin: 0.025, priceScale: 1000, opinion: 0.01, lagMs: 0, neighbours: [1, 1, 1, 1] },
  nova88: { margin: 0.046, priceScale: 100, opinion: 0.022, lagMs: 80_000, neighbours: [1, 1, 0, 0] },
  hkjc: { margin: 0.054, priceScale: 100, opinion: 0.025, lagMs: 150_000, neighbours: [0, 1, 0, 0] },
};

export const BOOK_PROFILES: readonly BookProfile[] = BOOKMAKERS.map((book, index) => ({
  index,
  key: book.key,
  ...ROWS[book.key],
}));

/** A basketball line moves as far for a tenth of the log rate: by sport, as opinions are written for football. */
const OPINION_SCALE = [1, 0.11] as const;
/** How far the market moves before kickoff: lean to one side, and the number of goals. */
const LEAN = { number: 3, drift: 0.1 } as const;
const TOTAL = { number: 4, drift: 0.07 } as const;
const MOOD_PERIOD_MS = 25 * 60_000;
/** What the Asian books think alike and the sharp one does not: it makes values common without making arbitrage so. */
const SHARED_OPINION = 0.0275;
/** In play, where less is left to disagree about, they stray further; by sport. */
const SHARED_IN_PLAY = [1.15, 1.4] as const;

/** What a book believes: factors on the expected scoring of each side. */
export interface Belief {
  home: number;
  away: number;
}

/** @param warp speeds up the books' moods, for load tests in which every message should bring a new price */
export function believe(fixture: Fixture, book: BookProfile, at: { ms: number; warp: number }): Belief {
  const scale = OPINION_SCALE[fixture.league.sport] as number;
  const lean = opinionOn(LEAN, fixture, book, at);
  const total = opinionOn(TOTAL, fixture, book, at);
  return { home: Math.exp(scale * (total + lean)), away: Math.exp(scale * (total - lean)) };
}

/** One axis of a book's belief: the market as the book sees it, what its class shares, what it thinks alone. */
function opinionOn(
  axis: { readonly number: number; readonly drift: number },
  fixture: Fixture,
  book: BookProfile,
  at: { ms: number; warp: number },
): number {
  const hash = mixHash(fixture.hash, axis.number);
  const moodMs = at.ms * at.warp;
  const drift = axis.drift * driftNoise(hash, at.ms - book.lagMs, fixture.kickoffMs);
  const shared = sharedOpinion(fixture, book, at.ms) * mood(mixHash(hash, 3), moodMs);
  return drift + shared + book.opinion * mood(mixHash(hash, 16 + book.index), moodMs);
}

function sharedOpinion(fixture: Fixture, book: BookProfile, atMs: number): number {
  if (book.index === SHARP_BOOKMAKER_INDEX) return 0;
  if (atMs < fixture.kickoffMs) return SHARED_OPINION;
  return SHARED_OPINION * (SHARED_IN_PLAY[fixture.league.sport] as number);
}

/** Half a standing opinion about this match, half a mood. */
function mood(hash: number, atMs: number): number {
  return 0.6 * (2 * hashUnit(mixHash(hash, 9)) - 1) + 0.6 * smoothNoise(hash, atMs, MOOD_PERIOD_MS);
}

/** How long a book stays suspended after an incident: 8 to 45 s. */
export function reopenDelayMs(fixture: Fixture, incidentMs: number, book: BookProfile): number {
  const unit = hashUnit(mixHash(mixHash(mixHash(fixture.hash, 5), incidentMs), book.index));
  return 8_000 + Math.floor(37_000 * unit);
}
