// The role of a node among the nodes that share a slate.

export const REPLICATION_STATES = [
  /** The node shares its slate with no other. */
  'alone',
  /** Standby: this node's feed runs, but another node is the leader. */
  'waiting',
  /** Leader: all nodes serve the slate of this node's feed. */
  'leading',
  /** Follows a leader. */
  'following',
  /** Should follow, but there is no leader. */
  'leaderless',
  /** This node cannot reach Redis, so it has lost contact with the other nodes. */
  'cut_off',
] as const;
export type ReplicationState = (typeof REPLICATION_STATES)[number];
