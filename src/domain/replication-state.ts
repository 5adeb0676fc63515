// The role of a node among the nodes that share a slate.

export const REPLICATION_STATES = [
  /** It shares its slate with no other node. */
  'alone',
  /** Standby: its feed runs, but another node is the leader. */
  'waiting',
  /** Leader: all nodes serve the slate of this node's feed. */
  'leading',
  /** It follows a leader. */
  'following',
  /** It should follow, but there is no leader. */
  'leaderless',
  /** It cannot reach Redis, so it has lost contact with the other nodes. */
  'cut_off',
] as const;
export type ReplicationState = (typeof REPLICATION_STATES)[number];
