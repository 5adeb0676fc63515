// How a node stands among those that share a slate.

export const REPLICATION_STATES = [
  /** It shares its slate with no other node. */
  'alone',
  /** Its feed runs, and another node leads. */
  'waiting',
  /** The slate of its feed is the one that all nodes serve. */
  'leading',
  /** It follows a leader. */
  'following',
  /** It is to follow, but no node leads. */
  'leaderless',
  /** It cannot reach the others. */
  'cut_off',
] as const;
export type ReplicationState = (typeof REPLICATION_STATES)[number];
