// Requests to Kalshi's trade API v2: page after page, with a pause between any two.

import { pause } from '../../pause.ts';
import { PollFailure } from '../poll/failure.ts';
import { askJson } from '../poll/http-client.ts';
import { type KalshiLeague, KINDS, type Kind, seriesOf } from './leagues.ts';
import { isEventsPage } from './messages.ts';
import type { LeagueEvents } from './parse-events.ts';

export interface KalshiRequestOptions {
  /** With the version in its path, without a trailing slash. */
  readonly baseUrl: string;
  readonly nowMs: () => number;
  /** Least time between two requests, milliseconds. */
  readonly gapMs?: number;
}

/** Four requests a second were seen to be safe without a key; loops without a pause were refused. */
const GAP_MS = 250;
/** Longer than any queue of requests: a clock that was set back must not stop them. */
const WAIT_MS_MAX = 60_000;
const PAGE_EVENTS = 200;
/** A series with more pages than this is not what it was. */
const PAGES_MAX = 20;

export class KalshiRequests {
  readonly #options: KalshiRequestOptions;
  /** When the next request may be sent, by our clock. */
  #freeAtMs = 0;

  constructor(options: KalshiRequestOptions) {
    this.#options = options;
  }

  /** Every series of a league, all pages. A league without spreads or totals has no such series. */
  async league(league: KalshiLeague, signal: AbortSignal): Promise<LeagueEvents> {
    const events: Record<Kind, readonly unknown[]> = { GAME: [], SPREAD: [], TOTAL: [] };
    for (const kind of KINDS) {
      try {
        events[kind] = await this.#askSeries(seriesOf(league, kind), signal);
      } catch (error) {
        const isMissing =
          error instanceof PollFailure && error.reason === 'unknown_product' && kind !== 'GAME';
        if (!isMissing) throw error;
      }
    }
    return events;
  }

  async #askSeries(series: string, signal: AbortSignal): Promise<readonly unknown[]> {
    const events: unknown[] = [];
    const cursors = new Set<string>();
    let cursor = '';
    for (let page = 0; page < PAGES_MAX; page++) {
      const wanted = {
        series_ticker: series,
        status: 'open',
        with_nested_markets: 'true',
        limit: String(PAGE_EVENTS),
      };
      const body = await this.#get('/events', { ...wanted, ...(cursor === '' ? {} : { cursor }) }, signal);
      if (!isEventsPage(body)) throw new PollFailure('source_changed', { field: 'events' });
      events.push(...body.events);
      cursor = body.cursor ?? '';
      if (cursor === '') return events;
      // The same page for ever: taken as it is, it would be asked for without an end.
      if (cursors.has(cursor)) throw new PollFailure('wrong_shape');
      cursors.add(cursor);
    }
    throw new PollFailure('too_large');
  }

  /** The order books of at most a hundred contracts; null where that takes a key. */
  async books(tickers: readonly string[], signal: AbortSignal): Promise<unknown> {
    if (tickers.length === 0) return { orderbooks: [] };
    try {
      return await this.#get('/markets/orderbooks', { tickers: tickers.join(',') }, signal);
    } catch (error) {
      const isRefused =
        error instanceof PollFailure && ['bad_key', 'forbidden', 'unknown_product'].includes(error.reason);
      if (!isRefused) throw error;
      return null;
    }
  }

  async #get(path: string, query: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    const { baseUrl, nowMs, gapMs = GAP_MS } = this.#options;
    const waitMs = Math.min(WAIT_MS_MAX, Math.max(0, this.#freeAtMs - nowMs()));
    this.#freeAtMs = nowMs() + waitMs + gapMs;
    if (waitMs > 0) await pause(waitMs, signal);
    const url = `${baseUrl}${path}?${new URLSearchParams(query)}`;
    return (await askJson({ url, headers: {}, signal }, () => null)).body;
  }
}
