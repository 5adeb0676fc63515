// Opens streams, whether over server-sent events or a WebSocket: reads the view and the tick length from the
// parameters, and takes one of the places for streams that the caller may have open.

import type { Static } from '@sinclair/typebox';
import { subjectOfAddress } from '../access/client-address.ts';
import { type FairShares, holderOf } from '../access/quotas/fair-shares.ts';
import { type FairTurns, turnCallerOf } from '../access/quotas/fair-turns.ts';
import { copyRoom } from '../access/quotas/memory-budget.ts';
import type { StrangerPace } from '../access/quotas/stranger-pace.ts';
import type { StreamPlaces } from '../access/quotas/stream-places.ts';
import { subjectOfText } from '../access/quotas/subject-table.ts';
import { type StreamQuery, tickStepOf } from '../contract/stream/stream.ts';
import { classOf, KEYLESS_STREAMS, type Principal, rulesOf } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import type { LeagueIds, LeagueLookup } from '../query/lookup/league-filter.ts';
import { oddsView } from '../query/odds/odds-view.ts';
import type { Slate } from '../query/slate/slate.ts';
import { ClassCounts } from './class-counts.ts';
import { Backlog } from './connections/backlog.ts';
import {
  FREE_MESSAGES_WAITING_MAX,
  KEYLESS_MESSAGES_WAITING_MAX,
  PAID_MESSAGES_WAITING_MAX,
} from './limits.ts';
import type { LiveSignals } from './signals/live-signals.ts';
import type { SignalChannels } from './signals/signal-channels.ts';
import { signalCallerOf } from './signals/signal-shares.ts';
import type { StreamHub, StreamRequest } from './stream-hub.ts';

/**
 * Retry-After, in seconds, of a stream that is refused because the caller has too many or no place is free.
 */
const RETRY_S = 5;

/**
 * For callers without a key, a stream with signals counts as this many whole slates, because the prices of
 * the whole slate are also compared for it.
 */
const SIGNALS_COUNT = 3;

/** Why no place is free, see `ClassCounts.add`. */
const FULL_TEXTS = {
  class_full: 'too many are open without a key, or with keys of this plan',
  caller_full: 'too many are open from this account or network',
} as const;

const MESSAGES_WAITING_MAX = {
  keyless: KEYLESS_MESSAGES_WAITING_MAX,
  free: FREE_MESSAGES_WAITING_MAX,
  paid: PAID_MESSAGES_WAITING_MAX,
} as const;

/** The options of a stream: everything that the hub needs except the connection. */
export type StreamOptions = Omit<StreamRequest, 'sink' | 'isAllowed'>;

export interface StreamCaller {
  readonly principal: Principal;
  readonly clientAddress: string;
  readonly nowMs: number;
}

interface LimitedCaller extends StreamCaller {
  /** The result of `leaguesOf`. */
  readonly leagues: LeagueIds;
}

export interface StreamParts {
  readonly slate: Slate;
  readonly leagues: LeagueLookup;
  readonly hub: StreamHub;
  readonly signals: SignalChannels;
  readonly liveSignals: LiveSignals;
  readonly places: StreamPlaces;
  readonly budget: Pick<FairShares, 'reserve' | 'release'>;
  /** The turns in which streams are opened, messages are acted on, and parts of snapshots are made. */
  readonly turns: FairTurns;
  /** The pace of whole slates for callers without a key. */
  readonly slatePace: Pick<StrangerPace, 'slate'>;
}

export class StreamOpener {
  readonly hub: StreamHub;
  readonly #parts: Omit<StreamParts, 'hub'>;
  /** Numbers of messages that wait for their turn, by plan. */
  readonly #messagesWaiting = { keyless: 0, free: 0, paid: 0 };
  readonly #openStreams = new ClassCounts();

  constructor({ hub, ...parts }: StreamParts) {
    this.hub = hub;
    this.#parts = parts;
  }

  /** The ids of the league that the parameters name. */
  leaguesOf(query: Static<typeof StreamQuery>, nowMs: number): LeagueIds | Promise<LeagueIds> {
    return this.#parts.leagues(query, nowMs);
  }

  /**
   * Makes the options of a stream from its parameters. Open the stream in the same turn of the event loop,
   * because the options reserve nothing.
   * @throws ServiceError `invalid_request`, `forbidden`, `upstream_unavailable`
   */
  optionsOf(query: Static<typeof StreamQuery>, caller: LimitedCaller): StreamOptions {
    const { principal, clientAddress, nowMs, leagues } = caller;
    const { slate, signals, liveSignals, budget, turns } = this.#parts;
    const view = oddsView({ slate, leagues }, query, { principal, nowMs });
    const tickMs = tickStepOf(Math.max(query.tick_ms ?? 0, rulesOf(principal).tickMs));
    const followed = liveSignals.view(query, view, principal);
    const extensions =
      followed === null
        ? []
        : [signals.extension(followed, tickMs, signalCallerOf(principal, clientAddress))];
    const holder = holderOf(principal, clientAddress);
    const turnCaller = turnCallerOf(principal, clientAddress);
    return {
      ...{ view, since: query.since ?? null, tickMs, extensions },
      room: copyRoom(budget, holder),
      inTurn: (job) => turns.tryTo(turnCaller, job),
    };
  }

  /**
   * Resolves at the caller's turn to open a stream, and never in the same turn of the event loop. Bun accepts
   * connections as long as some are waiting, so clients that reconnect as soon as they are answered would
   * otherwise stop the thread from doing anything else.
   * @throws ServiceError 503 when too many wait
   */
  turn({ principal, clientAddress }: Pick<StreamCaller, 'principal' | 'clientAddress'>): Promise<void> {
    return this.#parts.turns.turn(turnCallerOf(principal, clientAddress));
  }

  /**
   * Acts on a message of a connection at the caller's turn, and never in the same turn of the event loop. Bun
   * passes on all messages of many connections in one turn, and a poll would wait for all of them. Messages
   * wait in the same queue as requests, so they may fill only a part of it, and those of the free plan a
   * small part.
   * @throws ServiceError 503 when too many wait
   */
  inTurn(
    { principal, clientAddress }: Pick<StreamCaller, 'principal' | 'clientAddress'>,
    job: () => void,
  ): void {
    const { turns } = this.#parts;
    const caller = turnCallerOf(principal, clientAddress);
    const plan = classOf(caller);
    if (this.#messagesWaiting[plan] >= MESSAGES_WAITING_MAX[plan]) throw tooManyMessagesWait();
    turns.do(caller, () => {
      this.#messagesWaiting[plan] -= 1;
      job();
    });
    this.#messagesWaiting[plan] += 1;
  }

  /**
   * Resolves when the caller may open its next stream. A caller without a key may have to wait, because a
   * stream begins with the whole slate. Null when the stream may be opened immediately, as always with a key.
   * @param left aborted when the caller no longer wants the stream; the wait is then rejected
   * @throws ServiceError 503 when too many wait
   */
  pace(
    { principal }: Pick<StreamCaller, 'principal'>,
    { signals }: Pick<Static<typeof StreamQuery>, 'signals'>,
    left: AbortSignal,
  ): Promise<void> | null {
    if (principal.keyId !== null) return null;
    return this.#parts.slatePace.slate(left, signals === undefined ? 1 : SIGNALS_COUNT);
  }

  /** Counts a connection's unread bytes against the caller's share of the memory budget. */
  backlog({ principal, clientAddress }: Pick<StreamCaller, 'principal' | 'clientAddress'>): Backlog {
    return new Backlog(this.#parts.budget, holderOf(principal, clientAddress));
  }

  /**
   * Takes a place for one more stream of a caller.
   * @returns the function that frees it
   * @throws ServiceError 429 when the caller has the maximum open, 503 when all places are taken, those of
   * callers of its class, or those of its account or network
   */
  takePlace({ principal, clientAddress }: StreamCaller): () => void {
    const { keyId } = principal;
    const subject = keyId === null ? subjectOfAddress(clientAddress) : subjectOfText(keyId);
    const max = keyId === null ? KEYLESS_STREAMS : rulesOf(principal).streams;
    const place = this.#parts.places.take(subject, max);
    if (typeof place === 'number') {
      const added = this.#openStreams.add(principal, clientAddress);
      if (typeof added === 'function') {
        return () => {
          added();
          this.#parts.places.leave(place);
        };
      }
      this.#parts.places.leave(place);
      throw noPlace(FULL_TEXTS[added]);
    }
    if (place === 'table_full') throw noPlace('too many are open');
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

function tooManyMessagesWait(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot read the message: too many are waiting', {
    fix: 'Wait for answers before you send more messages',
    retryAfterSeconds: 1,
  });
}

function noPlace(why: string): ServiceError {
  return new ServiceError('upstream_unavailable', `Cannot open a stream: ${why}`, {
    retryAfterSeconds: RETRY_S,
  });
}
