// Spreads work over turns of the event loop, first come, first served.

export class Turns {
  readonly #perTurn: number;
  #count = 0;
  /** What waits for a turn, oldest first. */
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Null when the caller may go on in this turn; otherwise resolves in a later turn. */
  next(isUrgent = false): Promise<void> | null {
    this.#count += 1;
    this.#schedule();
    if (isUrgent || this.#count <= this.#perTurn) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const released = this.#waiting.splice(0, this.#perTurn);
    this.#count = released.length + this.#waiting.length;
    if (this.#count > 0) this.#schedule();
    for (const release of released) release();
  }
}
