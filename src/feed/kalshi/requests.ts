// Requests to Kalshi's trade API v2: page after page, with a pause between any two. The fee of a series with
// events is requested twice a day.

import { HOUR_MS } from '../../clock.ts';
import { pause } from '../../pause.ts';
import { allPages } from '../contracts/answers.ts';
import { PollFailure } from '../poll/failure.ts';
import { askJson } from '../poll/http-client.ts';
import { type KalshiLeague, KINDS, type Kind, seriesOf } from './leagues.ts';
import { isEventsPage, isSeriesAnswer } from './messages.ts';
import type { LeagueEvents } from './parse-events.ts';

export interface KalshiRequestOptions {
  /** The base address, with the version in its path and without a trailing slash. */
  readonly baseUrl: string;
  readonly nowMs: () => number;
  /** Least time between two requests, milliseconds. */
  readonly gapMs?: number;
}

/** Four requests a second were seen to be safe without a key; loops without a pause were refused. */
const GAP_MS = 250;
/**
 * The longest wait before a request is sent. No queue of requests takes that long, so it matters only if the
 * clock was set back.
 */
const WAIT_MS_MAX = 60_000;
const FEE_KEPT_MS = 12 * HOUR_MS;
/** The pause before a fee that could not be read is requested again. */
const FEE_RETRY_MS = HOUR_MS;
const PAGE_EVENTS = 200;

/** What is requested of a league: its events, and the factors of its series on the fee. */
export interface LeagueAnswer {
  readonly events: LeagueEvents;
  readonly multipliers: Readonly<Partial<Record<Kind, number>>>;
}

export class KalshiRequests {
  readonly #options: KalshiRequestOptions;
  /** When the next request may be sent, by our clock. */
  #freeAtMs = 0;
  /** Whether any request for a series has succeeded. */
  #hasAnswered = false;
  /** The factor of each series on the fee, and until when it need not be requested again. */
  readonly #fees = new Map<string, { readonly multiplier: number; readonly untilMs: number }>();

  constructor(options: KalshiRequestOptions) {
    this.#options = options;
  }

  /**
   * Every series of a league, all pages. The series of matches comes first. If it is empty, no other series
   * is requested. A league without spreads or totals has no series of that kind.
   */
  async league(league: KalshiLeague, signal: AbortSignal): Promise<LeagueAnswer> {
    const events: Record<Kind, readonly unknown[]> = { GAME: [], SPREAD: [], TOTAL: [] };
    const multipliers: Partial<Record<Kind, number>> = {};
    for (const kind of KINDS) {
      try {
        const isWithoutMatches = kind !== 'GAME' && events.GAME.length === 0;
        if (isWithoutMatches) break; // without matches there are no lines
        const series = seriesOf(league, kind);
        events[kind] = await this.#askSeries(series, signal);
        this.#hasAnswered = true;
        if (events[kind].length > 0) multipliers[kind] = await this.#multiplierOf(series, signal);
      } catch (error) {
        // A series unknown to Kalshi has no matches now, provided that a request for another series
        // succeeded.
        const isMissing = isUnknown(error) && (kind !== 'GAME' || this.#hasAnswered);
        if (!isMissing) throw error;
      }
    }
    return { events, multipliers };
  }

  /**
   * The factor of a series on the fee. If it cannot be read, the last known factor is used, or 1 if none is
   * known, because prices matter more than the exact fee.
   */
  async #multiplierOf(series: string, signal: AbortSignal): Promise<number> {
    const nowMs = this.#options.nowMs();
    const held = this.#fees.get(series);
    if (held !== undefined && nowMs < held.untilMs) return held.multiplier;
    let multiplier = held?.multiplier ?? 1;
    let untilMs = nowMs + FEE_RETRY_MS;
    try {
      const body = await this.#get(`/series/${series}`, {}, signal);
      if (isSeriesAnswer(body)) {
        multiplier = body.series.fee_multiplier ?? 1;
        untilMs = nowMs + FEE_KEPT_MS;
      }
    } catch (error) {
      // A refusal for too many requests concerns every request, so it is passed on to the caller.
      if (!(error instanceof PollFailure) || error.reason === 'throttled') throw error;
    }
    this.#fees.set(series, { multiplier, untilMs });
    return multiplier;
  }

  #askSeries(series: string, signal: AbortSignal): Promise<readonly unknown[]> {
    const wanted = {
      series_ticker: series,
      status: 'open',
      with_nested_markets: 'true',
      limit: String(PAGE_EVENTS),
    };
    return allPages(async (cursor) => {
      const body = await this.#get('/events', { ...wanted, ...(cursor === '' ? {} : { cursor }) }, signal);
      if (!isEventsPage(body)) throw new PollFailure('source_changed', { field: 'events' });
      return { events: body.events, next: body.cursor ?? null };
    });
  }

  /** The order books of at most a hundred contracts; null if the endpoint requires a key. */
  async books(tickers: readonly string[], signal: AbortSignal): Promise<unknown> {
    if (tickers.length === 0) return { orderbooks: [] };
    try {
      // The parameter is repeated, because Kalshi reads a list with commas as one ticker, with an empty book.
      const query = tickers.map((ticker): [string, string] => ['tickers', ticker]);
      return await this.#get('/markets/orderbooks', query, signal);
    } catch (error) {
      const isRefused =
        error instanceof PollFailure && ['bad_key', 'forbidden', 'unknown_product'].includes(error.reason);
      if (!isRefused) throw error;
      return null;
    }
  }

  async #get(
    path: string,
    query: Record<string, string> | [string, string][],
    signal: AbortSignal,
  ): Promise<unknown> {
    const { baseUrl, nowMs, gapMs = GAP_MS } = this.#options;
    const waitMs = Math.min(WAIT_MS_MAX, Math.max(0, this.#freeAtMs - nowMs()));
    this.#freeAtMs = nowMs() + waitMs + gapMs;
    if (waitMs > 0) await pause(waitMs, signal);
    const url = `${baseUrl}${path}?${new URLSearchParams(query)}`;
    return (await askJson({ url, headers: {}, signal }, () => null)).body;
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof PollFailure && ['unknown_product', 'bad_request'].includes(error.reason);
}
