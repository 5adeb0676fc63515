// The queue of passwords to be hashed. A hash takes so much processor time that a few networks can request
// more than the machine can do. So known owners have a queue of their own, and within each queue callers take
// turns, however many hashes each has requested.

import { HASHES_WAITING_MAX, OWNERS_WAITING_MAX } from '../limits.ts';

/** The caller that a password is hashed for. */
export interface HashCaller {
  /** An owner's account; a stranger's network. */
  readonly name: string;
  /**
   * The caller has a session, a valid code, or a device or network that has logged in to the account before.
   */
  readonly isOwner: boolean;
}

export interface WaitingHash {
  readonly caller: HashCaller;
  readonly start: () => void;
  readonly refuse: () => void;
}

/** While owners wait, one of this many turns goes to a stranger. */
const STRANGER_TURN_EVERY = 4;

export class HashQueue {
  readonly #owners = new TurnQueue(OWNERS_WAITING_MAX);
  readonly #strangers = new TurnQueue(HASHES_WAITING_MAX);
  #ownerTurns = 0;

  /**
   * Adds a password to its queue. If the queue is full, it refuses this password or the newest one of a
   * caller that has more waiting.
   */
  add(waiting: WaitingHash): void {
    const queue = waiting.caller.isOwner ? this.#owners : this.#strangers;
    queue.add(waiting)?.refuse();
  }

  /** Whether one more password of this caller would be accepted now. */
  hasRoomFor({ name, isOwner }: HashCaller): boolean {
    return (isOwner ? this.#owners : this.#strangers).hasRoomFor(name);
  }

  /** Removes and returns the next password to hash; null when none waits. */
  next(): WaitingHash | null {
    const isStrangersTurn = this.#ownerTurns >= STRANGER_TURN_EVERY - 1;
    const [first, second] = isStrangersTurn
      ? [this.#strangers, this.#owners]
      : [this.#owners, this.#strangers];
    const next = first.next() ?? second.next();
    this.#ownerTurns = next?.caller.isOwner === true ? this.#ownerTurns + 1 : 0;
    return next;
  }
}

/** Each turn goes to the caller whose last turn was longest ago. */
class TurnQueue {
  readonly #max: number;
  readonly #callers = new Map<string, WaitingHash[]>();
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @returns the password refused because the queue is full: the new one, unless another caller has more
   * waiting
   */
  add(waiting: WaitingHash): WaitingHash | null {
    if (!this.hasRoomFor(waiting.caller.name)) return waiting;
    const own = this.#callers.get(waiting.caller.name) ?? [];
    let refused: WaitingHash | null = null;
    if (this.#count >= this.#max) {
      refused = this.#longest().pop()!;
      this.#count -= 1;
    }
    own.push(waiting);
    this.#callers.set(waiting.caller.name, own);
    this.#count += 1;
    return refused;
  }

  /**
   * A full queue still accepts a password if its caller then has fewer passwords waiting than another caller.
   */
  hasRoomFor(name: string): boolean {
    if (this.#count < this.#max) return true;
    const ownCount = this.#callers.get(name)?.length ?? 0;
    return this.#longest().length > ownCount + 1;
  }

  next(): WaitingHash | null {
    for (const [name, own] of this.#callers) {
      const next = own.shift()!;
      this.#callers.delete(name);
      if (own.length > 0) this.#callers.set(name, own);
      this.#count -= 1;
      return next;
    }
    return null;
  }

  #longest(): WaitingHash[] {
    let longest: WaitingHash[] = [];
    for (const own of this.#callers.values()) if (own.length > longest.length) longest = own;
    return longest;
  }
}
