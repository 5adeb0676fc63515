// How a node stands among those that share a slate.

export const REPLICATION_STATES = [
  /** It shares none. */
  'alone',
  /** Its feed runs, and another node leads. */
  'waiting',
  /** What its feed says is the slate of all. */
  'leading',
  /** It follows a leader. */
  'following',
  /** It would follow, and nobody leads. */
  'leaderless',
  /** It cannot reach the others. */
  'cut_off',
] as const;
export type ReplicationState = (typeof REPLICATION_STATES)[number];
