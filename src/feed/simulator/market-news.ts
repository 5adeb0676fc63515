// When the market learns something about a match, and when each bookmaker notices it. News comes at random
// moments, one per interval of time; between two pieces of news a bookmaker keeps its opinion. The sharp
// bookmaker follows immediately, the others after seconds, sometimes after a minute or two. This delay makes
// value and arbitrage appear and disappear. Everything is a pure function of fixture, bookmaker and time, so
// a restart gives the same market.

import { hashUnit, mixHash } from '../../domain/random.ts';
import type { ScheduledFixture } from './schedule.ts';

/** How a bookmaker follows news. */
export interface NewsFollower {
  readonly index: number;
  /** The bookmaker's usual delay; 0 for the bookmaker that makes the market. */
  readonly lagMs: number;
  /** The share of news that the bookmaker overlooks for a while, and for how long at most. */
  readonly slowShare: number;
  readonly slowLagMs: number;
}

/** One piece of news. The kickoff is the first news of play. */
export interface News {
  readonly atMs: number;
  /** Seed of the opinions that bookmakers hold after this news. */
  readonly hash: number;
}

/** One piece of news comes in each interval of this length, before kickoff and in play. */
const BUCKET_MS = { before: 240_000, inPlay: 90_000 } as const;
/** No bookmaker takes longer than this to notice a piece of news and to review its first prices after it. */
export const LAG_MAX_MS = 240_000;
/** A piece of news comes within this first share of its interval, never in the rest. */
const NEWS_SPAN = 0.9;
const NEWS_SALT = 11;
const LAG_SALT = 12;
const SETTLE_SALT = 13;
/** How long a bookmaker's first price after a piece of news stays before it is reviewed. */
const HASTE_MS = { low: 10_000, high: 60_000 } as const;

/**
 * The latest news that a bookmaker has noticed.
 * @param warp speeds up the market, for load tests in which every message should bring a new price
 */
export function seenNews(
  fixture: ScheduledFixture,
  follower: NewsFollower,
  atMs: number,
  warp: number,
): News {
  for (let bucket = bucketAt(fixture, atMs, warp); ; bucket--) {
    const news = newsOf(fixture, bucket, warp);
    if (news.atMs + lagOf(news, follower) / warp <= atMs) return news;
  }
}

/** The next moment after `atMs` at which news comes. */
export function nextNewsMs(fixture: ScheduledFixture, atMs: number, warp: number): number {
  for (let bucket = bucketAt(fixture, atMs, warp); ; bucket++) {
    const { atMs: newsMs } = newsOf(fixture, bucket, warp);
    if (newsMs > atMs) return newsMs;
  }
}

/** When a bookmaker reacts to the news at `newsMs`: first in haste, a little later with care. */
export function reactionTimes(
  fixture: ScheduledFixture,
  follower: NewsFollower,
  newsMs: number,
  warp: number,
): number[] {
  const news = newsOf(fixture, bucketAt(fixture, newsMs, warp), warp);
  return [lagOf(news, follower), settledAfterMs(news, follower)].map((ms) => Math.ceil(newsMs + ms / warp));
}

/** Whether a bookmaker's prices are still its first, hasty ones after a piece of news. */
export function isHasty(news: News, follower: NewsFollower, atMs: number, warp: number): boolean {
  return atMs < news.atMs + settledAfterMs(news, follower) / warp;
}

/** The number of the interval that an instant lies in; intervals before kickoff have negative numbers. */
function bucketAt(fixture: ScheduledFixture, atMs: number, warp: number): number {
  const sinceMs = (atMs - fixture.kickoffMs) * warp;
  return Math.floor(sinceMs / (sinceMs < 0 ? BUCKET_MS.before : BUCKET_MS.inPlay));
}

function newsOf(fixture: ScheduledFixture, bucket: number, warp: number): News {
  const hash = mixHash(mixHash(fixture.hash, NEWS_SALT), bucket);
  const widthMs = bucket < 0 ? BUCKET_MS.before : BUCKET_MS.inPlay;
  // Kickoff itself is the first news of play.
  const part = bucket === 0 ? 0 : NEWS_SPAN * hashUnit(mixHash(hash, 1));
  return { atMs: Math.floor(fixture.kickoffMs + ((bucket + part) * widthMs) / warp), hash };
}

function settledAfterMs(news: News, follower: NewsFollower): number {
  if (follower.lagMs === 0) return 0;
  const unit = hashUnit(mixHash(mixHash(news.hash, SETTLE_SALT), follower.index));
  return lagOf(news, follower) + HASTE_MS.low + (HASTE_MS.high - HASTE_MS.low) * unit;
}

function lagOf(news: News, follower: NewsFollower): number {
  if (follower.lagMs === 0) return 0;
  const hash = mixHash(mixHash(news.hash, LAG_SALT), follower.index);
  const unit = hashUnit(mixHash(hash, 2));
  if (hashUnit(mixHash(hash, 1)) >= follower.slowShare) return follower.lagMs * (0.4 + 1.2 * unit);
  return follower.lagMs + (follower.slowLagMs - follower.lagMs) * unit;
}
