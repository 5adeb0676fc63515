// What it takes to open a stream, whatever carries it: the view and the pace that its parameters ask for, and a place among
// those that the caller may have open.

import type { Static } from '@sinclair/typebox';
import { subjectOfAddress } from '../access/client-address.ts';
import type { StreamPlaces } from '../access/stream-places.ts';
import { subjectOfText } from '../access/subject-table.ts';
import type { StreamQuery } from '../contract/stream.ts';
import { KEYLESS_STREAMS, type Principal, rulesOf } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import type { LeagueIds, LeagueLookup } from '../query/league-filter.ts';
import type { LiveSignals } from '../query/live-signals.ts';
import { oddsView } from '../query/odds-view.ts';
import type { Slate } from '../query/slate.ts';
import type { SignalChannels } from '../stream/signal-channels.ts';
import type { StreamHub, StreamRequest } from '../stream/stream-hub.ts';

/** How long who has too many streams, or finds no room, should wait. */
const RETRY_S = 5;

/** What a stream is of and how it goes: all that the hub needs besides who takes it. */
export type StreamWish = Omit<StreamRequest, 'sink' | 'isAllowed'>;

export interface StreamCaller {
  readonly principal: Principal;
  readonly clientAddress: string;
  readonly nowMs: number;
}

interface WishCaller extends Omit<StreamCaller, 'clientAddress'> {
  /** What `leaguesOf` found. */
  readonly leagues: LeagueIds;
}

export interface StreamParts {
  readonly slate: Slate;
  readonly leagues: LeagueLookup;
  readonly hub: StreamHub;
  readonly signals: SignalChannels;
  readonly liveSignals: LiveSignals;
  readonly places: StreamPlaces;
}

export class StreamOpener {
  readonly hub: StreamHub;
  readonly #parts: Omit<StreamParts, 'hub'>;

  constructor({ hub, ...parts }: StreamParts) {
    this.hub = hub;
    this.#parts = parts;
  }

  /** What the league of a stream's parameters means. */
  leaguesOf(query: Static<typeof StreamQuery>, nowMs: number): LeagueIds | Promise<LeagueIds> {
    return this.#parts.leagues(query, nowMs);
  }

  /**
   * Reads the parameters of a stream, which is to be opened at once. @throws ServiceError `invalid_request`, `forbidden`,
   * `upstream_unavailable`
   */
  wishOf(query: Static<typeof StreamQuery>, { principal, nowMs, leagues }: WishCaller): StreamWish {
    const { slate, signals, liveSignals } = this.#parts;
    const view = oddsView({ slate, leagues }, query, { principal, nowMs });
    const tickMs = Math.max(query.tick_ms ?? 0, rulesOf(principal).tickMs);
    const followed = liveSignals.view(query, view, principal);
    const companions = followed === null ? [] : [signals.companion(followed, tickMs)];
    return { view, since: query.since ?? null, tickMs, companions };
  }

  /**
   * Takes a place for one more stream of a caller; what it returns gives it back.
   * @throws ServiceError 429 when the caller has as many open as it may, 503 when all places are taken
   */
  takePlace({ principal, clientAddress }: StreamCaller): () => void {
    const { keyId } = principal;
    const subject = keyId === null ? subjectOfAddress(clientAddress) : subjectOfText(keyId);
    const max = keyId === null ? KEYLESS_STREAMS : rulesOf(principal).streams;
    const place = this.#parts.places.take(subject, max);
    if (typeof place === 'number') return () => this.#parts.places.leave(place);
    if (place === 'table_full') {
      throw new ServiceError('upstream_unavailable', 'Cannot open a stream: too many are open', {
        retryAfterSeconds: RETRY_S,
      });
    }
    throw new ServiceError('rate_limit_exceeded', `Cannot open a stream: ${max} may be open at a time`, {
      fix:
        keyId === null
          ? 'Use a key, or close a stream first'
          : 'Close a stream first, or use a key of a higher tier',
      retryAfterSeconds: RETRY_S,
      headers: { 'x-ratelimit-scope': 'streams' },
    });
  }
}
