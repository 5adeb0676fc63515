// Measures how far a source's clock is from ours, by its hello and its heartbeats, which carry its present
// time. A constant offset is subtracted from its stamps. So a clock some seconds ahead does not cause every
// quote to be refused, and one behind does not make fresh prices stale.

/** A smaller offset is ignored, because it may be network delay. */
const OFF_MS_MIN = 1_500;
/** A larger offset has another cause than an inaccurate clock, so the stamps are left unchanged. */
const OFF_MS_MAX = 5 * 60_000;
/** A clock that jumps ahead is believed after this many consecutive heartbeats that agree. */
const HEARTBEATS_AGREEING = 3;
const AGREE_WITHIN_MS = 1_000;
/**
 * An offset ends when no stamp was that far ahead for this long, because the source's clock has then been
 * corrected.
 */
const PUT_RIGHT_AFTER_MS = 60_000;

export class SourceClock {
  #aheadMs = 0;
  /** How many ms the latest heartbeats were ahead, as long as each is further ahead than `#aheadMs`. */
  #further: number[] = [];
  #latestMs = Number.NEGATIVE_INFINITY;
  #sinceMs = Number.NEGATIVE_INFINITY;

  /**
   * How far the source's clock is ahead of ours; negative when it is behind. 0 when it is right, or when the
   * offset is too large to be believed.
   */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /**
   * Notes the present time that a new connection sent, at some instant between the attempt to connect and the
   * arrival. A busy machine may take seconds between the two; the clock must not count as behind then.
   */
  hello(
    atMs: number,
    { triedMs, arrivedMs }: { readonly triedMs: number; readonly arrivedMs: number },
  ): void {
    const sentMs = Math.max(Math.min(triedMs, arrivedMs), Math.min(atMs, arrivedMs));
    this.#set(atMs - sentMs, arrivedMs);
  }

  /** Notes the stamp of a message, before it is corrected. */
  message(atMs: number, arrivedMs: number, isHeartbeat: boolean): void {
    const aheadMs = atMs - arrivedMs;
    // A hello may have been delayed on its way. So a single correct stamp is enough to show that the clock is
    // right.
    if (this.#aheadMs < 0 && aheadMs > this.#aheadMs + OFF_MS_MIN) this.#set(Math.min(0, aheadMs), arrivedMs);
    this.#latestMs = Math.max(this.#latestMs, aheadMs);
    if (!isHeartbeat) return;
    if (aheadMs > this.#aheadMs + OFF_MS_MIN) {
      this.#further = [...this.#further, aheadMs].slice(-HEARTBEATS_AGREEING);
      const isSure = this.#further.length === HEARTBEATS_AGREEING;
      const spreadMs = Math.max(...this.#further) - Math.min(...this.#further);
      if (isSure && spreadMs <= AGREE_WITHIN_MS) this.#set(Math.max(...this.#further), arrivedMs);
      return;
    }
    this.#further = [];
    if (arrivedMs - this.#sinceMs < PUT_RIGHT_AFTER_MS) return;
    if (this.#latestMs < this.#aheadMs - OFF_MS_MIN) this.#set(Math.max(0, this.#latestMs), arrivedMs);
    this.#latestMs = Number.NEGATIVE_INFINITY;
    this.#sinceMs = arrivedMs;
  }

  #set(aheadMs: number, arrivedMs: number): void {
    const isOff = Math.abs(aheadMs) >= OFF_MS_MIN && Math.abs(aheadMs) <= OFF_MS_MAX;
    this.#aheadMs = isOff ? aheadMs : 0;
    this.#further = [];
    this.#latestMs = Number.NEGATIVE_INFINITY;
    this.#sinceMs = arrivedMs;
  }
}
