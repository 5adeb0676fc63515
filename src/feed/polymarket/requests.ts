// Requests to Polymarket: Gamma's leagues and events, page after page, and the CLOB's order books.

import { DAY_MS } from '../../clock.ts';
import { allPages } from '../contracts/answers.ts';
import { PollFailure } from '../poll/failure.ts';
import { askJson } from '../poll/http-client.ts';
import { isEventsPage } from './messages.ts';

interface PolymarketRequestOptions {
  /** Base addresses without a path: of Gamma and of the CLOB. */
  readonly baseUrl: string;
  readonly clobUrl: string;
  readonly nowMs: () => number;
}

const PAGE_EVENTS = 50;
const STARTED_BEFORE_MS = DAY_MS / 2;
/**
 * Only matches that start within this time are requested, because markets of later ones are nearly empty, and
 * each match takes 200 KB of an answer.
 */
const STARTING_WITHIN_MS = 3 * DAY_MS;

export class PolymarketRequests {
  readonly #options: PolymarketRequestOptions;

  constructor(options: PolymarketRequestOptions) {
    this.#options = options;
  }

  /** All leagues that the site has. */
  sports(signal: AbortSignal): Promise<unknown> {
    return this.#get('/sports', {}, signal);
  }

  /** A league's events, all pages. A page may be shorter than requested without being the last. */
  events(series: string, signal: AbortSignal): Promise<readonly unknown[]> {
    const nowMs = this.#options.nowMs();
    const wanted = {
      series_id: series,
      closed: 'false',
      start_time_min: new Date(nowMs - STARTED_BEFORE_MS).toISOString(),
      start_time_max: new Date(nowMs + STARTING_WITHIN_MS).toISOString(),
      limit: String(PAGE_EVENTS),
    };
    return allPages(async (cursor) => {
      // The parameter must be `after_cursor`, because the API ignores `cursor` and then sends the first page
      // again.
      const after: Record<string, string> = cursor === '' ? {} : { after_cursor: cursor };
      const body = await this.#get('/events/keyset', { ...wanted, ...after }, signal);
      if (!isEventsPage(body)) throw new PollFailure('source_changed', { field: 'events' });
      return { events: body.events, next: body.next_cursor ?? null };
    });
  }

  /** The order books of at most 500 tokens. */
  async books(tokens: readonly string[], signal: AbortSignal): Promise<unknown> {
    if (tokens.length === 0) return [];
    const body = JSON.stringify(tokens.map((token_id) => ({ token_id })));
    const headers = { 'content-type': 'application/json' };
    return (await askJson({ url: `${this.#options.clobUrl}/books`, headers, signal, body }, () => null)).body;
  }

  async #get(path: string, query: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    const url = `${this.#options.baseUrl}${path}?${new URLSearchParams(query)}`;
    return (await askJson({ url, headers: {}, signal }, () => null)).body;
  }
}
