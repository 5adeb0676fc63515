// Whether a message may be applied, from sequence numbers alone, and what the snapshot under way has named. A gap, a lower
// number or a new epoch means that messages were lost: nothing is applied until a new snapshot begins, and a snapshot that
// was under way is given up and removes nothing. A message refused for its content still takes its number.

import type { SlateWriter } from '../store/writer.ts';

/** What to do with a message: `ignored` until a snapshot begins, `gap` for the message that shows the loss. */
export type SequenceAnswer = 'apply' | 'duplicate' | 'gap' | 'ignored';

export class FeedSequence {
  #lastSeq: number | null = null;
  #epoch: string | null = null;
  #lost = true;
  /** Messages whose number could not be read: the next number may be that much higher. */
  #unnumbered = 0;
  #snapshotCount = 0;
  /** Quote keys by event that the snapshot under way has named; null when none is. */
  #named: Map<number, Set<number>> | null = null;

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
   * A connection said hello. With the epoch of the last one and nothing lost, its numbers continue the last one's, and a
   * snapshot that was under way continues too. Otherwise a snapshot must come first, unless the hello itself begins it,
   * as in a recording.
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

  /** Messages were lost, whatever the numbers say: a gap, or a connection whose hello was refused. */
  lose(): void {
    this.#lost = true;
    this.#named = null;
  }

  /** A snapshot begins with this number: what was lost before no longer matters. */
  snapshotBegin(seq: number): void {
    this.#lastSeq = seq;
    this.#unnumbered = 0;
    this.#begin();
  }

  /** Messages came whose numbers could not be read. */
  unnumbered(count: number): void {
    this.#unnumbered += count;
  }

  /** A message with this number came. */
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

  /** An event message was applied. This and the next two do nothing outside a snapshot. */
  nameEvent(eventNumber: number): void {
    if (this.#named?.has(eventNumber) === false) this.#named.set(eventNumber, new Set());
  }

  /** A quote message was applied. */
  nameQuote(eventNumber: number, key: number): void {
    this.#named?.get(eventNumber)?.add(key);
  }

  /** An event left the slate: what was named of it no longer counts. */
  forgetEvent(eventNumber: number): void {
    this.#named?.delete(eventNumber);
  }

  /**
   * Ends the snapshot and removes every line that it did not name from the events that it did.
   * @returns the events on the slate that it did not name, for the caller to remove
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
      for (const key of writer.quoteKeysOf(slot)) {
        if (!keys.has(key)) writer.dropQuote(slot, key);
      }
    }
    return unnamed;
  }

  /** Ends the snapshot under way. @returns what it named, by event, or null when none was under way */
  finishSnapshot(): ReadonlyMap<number, ReadonlySet<number>> | null {
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
