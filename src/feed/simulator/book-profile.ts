// The simulated bookmakers: margin, rounding, how far their opinion deviates, how late they follow, what they
// offer. Also what one of them believes about a match at an instant: a pure function of the fixture, the
// bookmaker and the time.

import { HOUR_MS } from '../../clock.ts';
import { BOOKMAKERS, isSharpBookmaker } from '../../domain/catalogue.ts';
import { hashUnit, mixHash } from '../../domain/random.ts';
import type { BookmakerClass } from '../../domain/roster.ts';
import { isHasty, type News, type NewsFollower, seenNews } from './market-news.ts';
import type { ScheduledFixture } from './schedule.ts';

export interface BookProfile extends NewsFollower {
  /** Index into BOOKMAKERS. */
  readonly index: number;
  readonly key: string;
  /**
   * Its margin (sum of inverse prices minus 1) on a full-time handicap of a top league at kickoff, before
   * rounding; see margin.ts.
   */
  readonly margin: number;
  /** The reciprocal of its price step: 100 means steps of 0.01. */
  readonly priceScale: number;
  /** How far its own opinion strays from the market's, as log scoring rate of football; see OPINION_SCALE. */
  readonly opinion: number;
  /**
   * How many lines it offers on each side of the main line: handicap and totals at full time, then at half
   * time.
   */
  readonly neighbours: readonly [number, number, number, number];
}

type Row = Omit<BookProfile, 'index' | 'key'>;
// Margins are near those of the recordings described in docs/guide/feeds.md#the-simulated-market.
const ROWS: Readonly<Record<string, Row>> = {
  crown: row({ margin: 0.031, opinion: 0.008, lagMs: 8_000, slow: [0.12, 90_000], neighbours: [1, 1, 1, 1] }),
  sbobet: row({ margin: 0.024, opinion: 0.006, lagMs: 5_000, slow: [0.1, 60_000], neighbours: [1, 1, 0, 0] }),
  macau: row({ margin: 0.042, opinion: 0.01, lagMs: 20_000, slow: [0.2, 180_000], neighbours: [1, 0, 0, 0] }),
  m8bet: row({
    margin: 0.033,
    opinion: 0.008,
    lagMs: 10_000,
    slow: [0.15, 120_000],
    neighbours: [1, 1, 0, 0],
  }),
  pinnacle: {
    margin: 0.021,
    priceScale: 1000,
    opinion: 0.003,
    lagMs: 0,
    slowShare: 0,
    slowLagMs: 0,
    neighbours: [1, 1, 1, 1],
  },
  nova88: row({
    margin: 0.034,
    opinion: 0.009,
    lagMs: 12_000,
    slow: [0.15, 120_000],
    neighbours: [1, 1, 0, 0],
  }),
  hkjc: row({ margin: 0.045, opinion: 0.011, lagMs: 25_000, slow: [0.2, 180_000], neighbours: [0, 1, 0, 0] }),
};

export const BOOK_PROFILES: readonly BookProfile[] = BOOKMAKERS.map((book, index) => ({
  index,
  key: book.key,
  ...(ROWS[book.key] ?? ownRow(book.class, index)),
}));

/**
 * The profile of a bookmaker on the operator's roster. It is taken from a bookmaker of the default roster. A
 * retail bookmaker has twice the margin and only its main line.
 */
function ownRow(bookmakerClass: BookmakerClass, index: number): Row {
  if (bookmakerClass === 'sharp') return ROWS.pinnacle!;
  const asians = Object.values(ROWS).filter((candidate) => candidate !== ROWS.pinnacle);
  const like = asians[index % asians.length]!;
  return bookmakerClass === 'asian' ? like : { ...like, margin: 2 * like.margin, neighbours: [0, 0, 0, 0] };
}

function row(
  asian: Pick<Row, 'margin' | 'opinion' | 'lagMs' | 'neighbours'> & { slow: [number, number] },
): Row {
  const { slow, ...rest } = asian;
  return { ...rest, priceScale: 100, slowShare: slow[0], slowLagMs: slow[1] };
}

/**
 * Factor on the log rates of opinions, by sport. Opinions are written for football. In basketball, about a
 * tenth of the log rate moves a line as far as in football.
 */
const OPINION_SCALE = [1, 0.11] as const;
/**
 * How far the market moves, as log scoring rate: the slow drift from opening to kickoff, and the change by
 * one piece of news before kickoff and in play. `LEAN` is for the balance between the sides, `TOTAL` for the
 * number of goals.
 */
const LEAN = { number: 3, drift: 0.1, news: 0.016, newsInPlay: 0.022 } as const;
const TOTAL = { number: 4, drift: 0.07, news: 0.014, newsInPlay: 0.02 } as const;
type Axis = typeof LEAN | typeof TOTAL;
/** The opinion that all bookmakers except sharp ones share. It makes value without arbitrage. */
const SHARED_OPINION = 0.018;
/** How far a hasty 1x2 price may be off, as a share of the chance. */
const HASTE = 0.19;
const SHARED_PERIOD_MS = 30 * 60_000;

/** A bookmaker's belief: factors on the expected scoring of each side. */
export interface Belief {
  home: number;
  away: number;
}

/**
 * What a bookmaker believes about a match at an instant.
 * @param at `warp` speeds up the market, for load tests in which every message should bring a new price
 */
export function believe(
  fixture: ScheduledFixture,
  book: BookProfile,
  at: { ms: number; warp: number },
): Belief {
  const scale = OPINION_SCALE[fixture.league.sport] as number;
  const news = seenNews(fixture, book, at.ms, at.warp);
  const lean = opinionOn(LEAN, fixture, book, news);
  const total = opinionOn(TOTAL, fixture, book, news);
  return { home: Math.exp(scale * (total + lean)), away: Math.exp(scale * (total - lean)) };
}

/**
 * A bookmaker's belief on one axis. It is the sum of the market's drift, the news that the bookmaker has
 * seen, an opinion that all bookmakers except sharp ones share, and its own opinion.
 */
function opinionOn(axis: Axis, fixture: ScheduledFixture, book: BookProfile, news: News): number {
  const hash = mixHash(fixture.hash, axis.number);
  const newsHash = mixHash(news.hash, axis.number);
  const inPlay = news.atMs >= fixture.kickoffMs;
  const drift = axis.drift * driftNoise(hash, news.atMs, fixture.kickoffMs);
  const reading = (inPlay ? axis.newsInPlay : axis.news) * even(mixHash(newsHash, 1));
  const shared = isSharpBookmaker(book.index)
    ? 0
    : (SHARED_OPINION *
        (even(mixHash(hash, 2)) + smoothNoise(mixHash(hash, 2), news.atMs, SHARED_PERIOD_MS))) /
      2;
  // Half of its own opinion lasts for the whole match, half until the next news.
  const own = even(mixHash(hash, 16 + book.index)) + even(mixHash(newsHash, 16 + book.index));
  return drift + reading + shared + 0.5 * book.opinion * own;
}

/** What a hasty bookmaker underrates in the prices of a 1x2: the draw or the outsider, by a factor. */
export interface Haste {
  readonly onDraw: boolean;
  /** Factor on the fair chance; 1 for a bookmaker that is not hasty. */
  readonly factor: number;
}

const SETTLED: Haste = { onDraw: false, factor: 1 };

/**
 * How much a bookmaker underrates an outcome at an instant, because it has reacted to news in haste. All
 * bookmakers underrate the same outcome, each by its own amount. This makes value and hardly ever arbitrage.
 */
export function hasteOf(
  fixture: ScheduledFixture,
  book: BookProfile,
  at: { ms: number; warp: number },
): Haste {
  const news = seenNews(fixture, book, at.ms, at.warp);
  if (!isHasty(news, book, at.ms, at.warp)) return SETTLED;
  const factor = 1 - HASTE * hashUnit(mixHash(mixHash(news.hash, 33), book.index));
  return { onDraw: even(mixHash(news.hash, 32)) < 0, factor };
}

/** A number of [-1, 1). */
function even(hash: number): number {
  return 2 * hashUnit(hash) - 1;
}

/** How long a bookmaker stays suspended after an incident: 8 to 45 s. */
export function reopenDelayMs(fixture: ScheduledFixture, incidentMs: number, book: BookProfile): number {
  const unit = hashUnit(mixHash(mixHash(mixHash(fixture.hash, 5), incidentMs), book.index));
  return 8_000 + Math.floor(37_000 * unit);
}

/**
 * Smooth noise as a pure function of (hash, time), so that prices are the same after a restart: evenly
 * distributed random values every `periodMs`, with smoothstep between them.
 * @returns a number of [-1, 1]
 */
function smoothNoise(hash: number, atMs: number, periodMs: number): number {
  // Each series of knots has its own phase, otherwise every line of the slate would turn at the same instant.
  const position = atMs / periodMs + hashUnit(hash);
  const knot = Math.floor(position);
  const part = position - knot;
  const eased = part * part * (3 - 2 * part);
  const from = hashUnit(mixHash(hash, knot));
  const to = hashUnit(mixHash(hash, knot + 1));
  return 2 * (from + (to - from) * eased) - 1;
}

/**
 * How far the market is from its closing opinion, as a share of its amplitude: far when the market opens,
 * zero at kickoff, when the market knows the match's true rates.
 */
function driftNoise(hash: number, atMs: number, kickoffMs: number): number {
  const hours = (kickoffMs - atMs) / HOUR_MS;
  if (hours <= 0) return 0;
  const width = Math.sqrt(Math.min(hours, 24) / 12);
  const slow = smoothNoise(mixHash(hash, 1), atMs, 3 * HOUR_MS);
  const fast = smoothNoise(mixHash(hash, 2), atMs, 0.5 * HOUR_MS);
  return width * (0.75 * slow + 0.25 * fast);
}
