// Where the nodes of a cluster settle what their callers have spent: Redis, or a fake of it in tests.

/**
 * The requests of one caller on this node that Redis does not know of yet, and what the node believes that
 * Redis knows of the caller.
 */
export interface Owed {
  /** A key's number, or both halves of an address' subject. */
  readonly name: string;
  /** How much these requests delay the time at which the bucket is full again, in milliseconds. */
  readonly spentMs: number;
  /**
   * How many milliseconds the bucket would need to be full if these requests had not been made. Used if Redis
   * has lost its data.
   */
  readonly aheadMs: number;
  /** Null for callers without a daily quota. */
  readonly daily: OwedDaily | null;
}

export interface OwedDaily {
  readonly day: number;
  /** The requests on that day that Redis does not know of. */
  readonly spent: number;
  /** The requests on that day that the node believes Redis to know. */
  readonly known: number;
  /** A count of at most this many may be forgotten early, because strangers can cause any number of them. */
  readonly forgettable: number;
}

/** What Redis knows of a caller, over all nodes. */
export interface Standing {
  /** In how many milliseconds the bucket is full; more than its window if it has been overdrawn. */
  readonly aheadMs: number;
  readonly day: number;
  readonly count: number;
}

/** One call of `settle`. */
export interface LimitSettlement {
  /**
   * Numbers the calls of a node from 1, without gaps. If a call's number is not above the number of the last
   * applied call, Redis changes nothing. If a number is missing between the two, Redis has lost data.
   */
  readonly number: number;
  readonly owed: readonly Owed[];
  /** Whether Redis may have lost data. If so, the higher of its value and the node's value is used. */
  readonly isAfterOutage: boolean;
}

/** The store where nodes settle. Every call ends within a deadline, if need be with an error. */
export interface LimitStore {
  /** @returns one Standing for each element of `owed`, in the same order */
  settle(settlement: LimitSettlement): Promise<Standing[]>;
  /**
   * Records that this node is alive.
   * @returns how many nodes are alive, and whether this one was registered already
   */
  heartbeat(): Promise<{ readonly nodes: number; readonly isKnown: boolean }>;
}
