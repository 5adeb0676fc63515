// Turns the signals of one view into entries of the record. A signal is described once, when it opens; when
// it closes, the entry has only its id. The live record and the backtest both run it.

import { toIsoText } from '../clock.ts';
import type { StreamSignal } from '../contract/stream/stream-signals.ts';
import { decodeId } from '../domain/ids.ts';
import { wordOfReference } from '../domain/reference.ts';
import { assert } from '../errors.ts';
import type { Slate } from '../query/slate/slate.ts';
import type { SignalFollower } from '../stream/signals/signal-follower.ts';
import type { RecordedSignal } from './recorded-signal.ts';

export type RecordChange =
  | { readonly change: 'opened'; readonly eventNumber: number; readonly signal: RecordedSignal }
  | { readonly change: 'closed'; readonly id: string; readonly closedAt: string };

/** What the recorder needs of a follower. */
export type RecordFollower = Pick<SignalFollower, 'view' | 'hasBegun' | 'step' | 'current'>;

export class SignalRecorder {
  readonly #slate: Slate;
  readonly #follower: RecordFollower;
  /** Ids of open signals in the record, by their ids on streams. */
  readonly #open = new Map<string, string>();

  constructor(slate: Slate, follower: RecordFollower) {
    this.#slate = slate;
    this.#follower = follower;
  }

  /**
   * Brings the record up to date. A signal that the first step finds counts as opened by it, because nothing
   * before that step was seen.
   * @throws ServiceError `upstream_unavailable` when nothing could be scored; the next step can succeed
   */
  async step(nowMs: number): Promise<RecordChange[]> {
    const isFirst = !this.#follower.hasBegun;
    const changes = await this.#follower.step(nowMs, false);
    return (isFirst ? this.#follower.current(nowMs) : changes).flatMap((signal) => {
      if (signal.change === 'opened') return this.#opened(signal, nowMs) ?? [];
      return signal.change === 'closed' ? (this.#closed(signal, nowMs) ?? []) : [];
    });
  }

  /** Null, and the signal is left out, if its fixture has left the slate since it was scored. */
  #opened(shown: StreamSignal, nowMs: number): RecordChange | null {
    const { criteria } = this.#follower.view;
    const eventNumber = decodeId('event', shown.event_id);
    const fixture = this.#slate.fixture(eventNumber, nowMs);
    if (fixture === null) return null;
    const { kind, value_bet: bet, opportunity } = shown;
    assert(kind === 'value' || kind === 'arbitrage', 'the record follows value and arbitrage');
    const { market_type, period, line } = (bet ?? opportunity)!;
    const { view } = fixture;
    const reference = bet === null ? null : wordOfReference(criteria.reference);
    const openedAt = toIsoText(nowMs);
    const id = `${reference === null ? shown.id : `${shown.id}:${reference}`}@${openedAt}`;
    this.#open.set(shown.id, id);
    return {
      change: 'opened',
      eventNumber,
      signal: {
        id,
        kind,
        event_id: shown.event_id,
        league: view.league.name,
        sport: view.sportIndex,
        ...{ market_type, period, line },
        outcome: bet?.outcome ?? null,
        bookmaker: bet?.bookmaker ?? null,
        price: bet?.decimal ?? null,
        fair_price: bet?.fair_price ?? null,
        reference,
        edge_pct: bet?.edge_pct ?? opportunity!.margin_pct,
        ev_pct: bet?.ev_pct ?? null,
        in_play: fixture.isLive,
        from_score: view.score ?? { home: 0, away: 0 },
        opened_at: openedAt,
        closed_at: null,
      },
    };
  }

  /** Null if the signal was left out when it opened. */
  #closed({ id: streamId }: StreamSignal, nowMs: number): RecordChange | null {
    const id = this.#open.get(streamId);
    if (id === undefined) return null;
    this.#open.delete(streamId);
    return { change: 'closed', id, closedAt: toIsoText(nowMs) };
  }
}
