// Whether a message may be applied, from sequence numbers alone. A gap, a fall or a new epoch means that messages were
// lost: nothing is applied until a new snapshot begins. A message refused for its content still takes its number.

export type Verdict = 'apply' | 'duplicate' | 'gap' | 'ignored';

export class SequenceGuard {
  #lastSeq: number | null = null;
  #epoch: string | null = null;
  #lost = true;
  /** Messages whose number could not be read: the next number may be that much higher. */
  #unnumbered = 0;

  /** Whether messages were lost and nothing applies until a snapshot begins. */
  get isLost(): boolean {
    return this.#lost;
  }

  /**
   * A connection said hello. With the epoch of the last one and nothing lost the numbers go on; otherwise a snapshot
   * must come, unless the hello itself begins it (a recording).
   */
  hello(epoch: string | null, beginsSnapshot: boolean): void {
    const goesOn = epoch !== null && epoch === this.#epoch && !this.#lost && !beginsSnapshot;
    this.#epoch = epoch;
    this.#unnumbered = 0;
    if (goesOn) return;
    this.#lost = !beginsSnapshot;
    this.#lastSeq = null;
  }

  /** Messages were lost, whatever the numbers say: a connection whose hello was refused. */
  lose(): void {
    this.#lost = true;
  }

  /** A snapshot begins with this number: what was lost before no longer matters. */
  snapshotBegin(seq: number): void {
    this.#lastSeq = seq;
    this.#lost = false;
    this.#unnumbered = 0;
  }

  /** Messages came whose numbers could not be read. */
  unnumbered(count: number): void {
    this.#unnumbered += count;
  }

  /** A message with this number came. */
  next(seq: number): Verdict {
    if (this.#lost) return 'ignored';
    const last = this.#lastSeq;
    if (seq === last) return 'duplicate';
    if (last !== null && (seq < last || seq > last + 1 + this.#unnumbered)) {
      this.#lost = true;
      return 'gap';
    }
    this.#unnumbered = 0;
    this.#lastSeq = seq;
    return 'apply';
  }
}
