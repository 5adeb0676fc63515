// Decides from sequence numbers alone whether a message may be applied, and records what the snapshot in
// progress has named. A gap, a lower number or a new epoch means that messages were lost. Then nothing is
// applied until a new snapshot begins, and a snapshot in progress is given up and removes nothing. A message
// refused for its content still uses its number.

import { IntMap } from '../memory/int-map.ts';
import type { SlateWriter } from '../store/writer/writer.ts';

/**
 * What to do with a message: `ignored` until a snapshot begins, `gap` for the message that reveals the loss.
 */
export type SequenceAnswer = 'apply' | 'duplicate' | 'gap' | 'ignored';

export class FeedSequence {
  #lastSeq: number | null = null;
  #epoch: string | null = null;
  #lost = true;
  /**
   * How many messages had a number that could not be read. The next readable number may be higher by as many.
   */
  #unnumbered = 0;
  #snapshotCount = 0;
  /** Quote keys by event that the snapshot in progress has named; null outside of snapshots. */
  #named: Map<number, IntMap> | null = null;

  /** Whether messages were lost and nothing applies until a snapshot begins. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Whether a snapshot has begun and not ended. */
  get inSnapshot(): boolean {
    return this.#named !== null;
  }

  /** How many snapshots have begun. */
  get snapshotCount(): number {
    return this.#snapshotCount;
  }

  /**
   * Notes the hello of a connection. With the same epoch as the last one and nothing lost, its numbers
   * continue, and so does a snapshot in progress. Otherwise a snapshot must come first, unless the hello
   * itself begins it, as in a recording.
   */
  hello(epoch: string | null, beginsSnapshot: boolean): void {
    const continues = epoch !== null && epoch === this.#epoch && !this.#lost && !beginsSnapshot;
    this.#epoch = epoch;
    this.#unnumbered = 0;
    if (continues) return;
    this.#lastSeq = null;
    if (beginsSnapshot) this.#begin();
    else this.lose();
  }

  /**
   * Notes that messages were lost, whatever the numbers are: a gap, or a connection whose hello was refused.
   */
  lose(): void {
    this.#lost = true;
    this.#named = null;
  }

  /** Begins a snapshot with this number. Earlier losses no longer matter. */
  snapshotBegin(seq: number): void {
    this.#lastSeq = seq;
    this.#unnumbered = 0;
    this.#begin();
  }

  /** Notes messages whose numbers could not be read. */
  unnumbered(count: number): void {
    this.#unnumbered += count;
  }

  /** Decides about a message with this number. */
  next(seq: number): SequenceAnswer {
    if (this.#lost) return 'ignored';
    const last = this.#lastSeq;
    if (seq === last) return 'duplicate';
    if (last !== null && (seq < last || seq > last + 1 + this.#unnumbered)) {
      this.lose();
      return 'gap';
    }
    this.#unnumbered = 0;
    this.#lastSeq = seq;
    return 'apply';
  }

  /**
   * Notes that an event message was applied. Outside a snapshot `nameEvent`, `nameQuote` and `forgetEvent` do
   * nothing.
   */
  nameEvent(eventNumber: number): void {
    if (this.#named?.has(eventNumber) === false) this.#named.set(eventNumber, new IntMap());
  }

  /** Notes that a quote message was applied. */
  nameQuote(eventNumber: number, key: number): void {
    this.#named?.get(eventNumber)?.set(key, 1);
  }

  /** Notes that an event left the slate, so its lines no longer count as named by the snapshot. */
  forgetEvent(eventNumber: number): void {
    this.#named?.delete(eventNumber);
  }

  /**
   * Ends the snapshot. In every event that the snapshot contained, removes the lines that it did not contain.
   * @returns the events on the slate that the snapshot did not contain, for the caller to remove
   */
  endSnapshot(writer: SlateWriter): number[] {
    const named = this.finishSnapshot();
    if (named === null) return [];
    const unnamed: number[] = [];
    for (const eventNumber of writer.eventNumbers()) {
      const keys = named.get(eventNumber);
      if (keys === undefined) {
        unnamed.push(eventNumber);
        continue;
      }
      const slot = writer.slotOf(eventNumber);
      for (const key of writer.quotes.quoteKeysOf(slot)) {
        if (!keys.has(key)) writer.quotes.dropQuote(slot, key);
      }
    }
    return unnamed;
  }

  /** Ends the snapshot in progress. @returns what it named, by event, or null when there was no snapshot */
  finishSnapshot(): ReadonlyMap<number, Pick<IntMap, 'has'>> | null {
    const named = this.#named;
    this.#named = null;
    return named;
  }

  #begin(): void {
    this.#lost = false;
    this.#snapshotCount++;
    this.#named = new Map();
  }
}
