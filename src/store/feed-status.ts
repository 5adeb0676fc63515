// How the feed of the slate is doing, as the writer has noted it in the store's header.

import { REPLICATION_STATES, type ReplicationState } from '../domain/replication-state.ts';
import { CONTROL, type StoreViews, WIDE } from './layout.ts';

export interface FeedStatus {
  readonly connected: boolean;
  readonly snapshotComplete: boolean;
  /**
   * Whether the slate is the one restored at the start. It is served as stale until the feed's own slate is
   * complete.
   */
  readonly isRestored: boolean;
  /**
   * Wall-clock time when the last message was applied, 0 before the first. Messages after a lost one are
   * received, but not applied.
   */
  readonly appliedAtMs: number;
  /** When the last message was applied that was not a quote of the sharp bookmaker; 0 before the first. */
  readonly commonAppliedAtMs: number;
  /** Source time of the latest heartbeat of any source, 0 before the first. */
  readonly heartbeatAtMs: number;
  readonly queueDepth: number;
  /** This node's role among the nodes that share the slate. */
  readonly replication: ReplicationState;
}

export function readFeedStatus({ control, wide }: StoreViews): FeedStatus {
  return {
    connected: Atomics.load(control, CONTROL.feedConnected) === 1,
    snapshotComplete: Atomics.load(control, CONTROL.snapshotComplete) === 1,
    isRestored: Atomics.load(control, CONTROL.restored) === 1,
    appliedAtMs: Number(Atomics.load(wide, WIDE.feedAppliedAtMs)),
    commonAppliedAtMs: Number(Atomics.load(wide, WIDE.commonAppliedAtMs)),
    heartbeatAtMs: Number(Atomics.load(wide, WIDE.heartbeatAtMs)),
    queueDepth: Atomics.load(control, CONTROL.queueDepth),
    replication: REPLICATION_STATES[Atomics.load(control, CONTROL.replication)]!,
  };
}
