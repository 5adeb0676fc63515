// What a snapshot has named so far. At its end everything it did not name is gone: whole fixtures, and lines of
// fixtures it did name. A snapshot that breaks off removes nothing.

import type { SlateWriter } from '../store/writer.ts';

export class SnapshotScope {
  #keysByEvent: Map<number, Set<number>> | null = null;

  get isOpen(): boolean {
    return this.#keysByEvent !== null;
  }

  begin(): void {
    this.#keysByEvent = new Map();
  }

  abandon(): void {
    this.#keysByEvent = null;
  }

  event(eventNumber: number): void {
    const scope = this.#keysByEvent;
    if (scope !== null && !scope.has(eventNumber)) scope.set(eventNumber, new Set());
  }

  quote(eventNumber: number, key: number): void {
    this.#keysByEvent?.get(eventNumber)?.add(key);
  }

  remove(eventNumber: number): void {
    this.#keysByEvent?.delete(eventNumber);
  }

  /** Ends the snapshot. @returns the events it did not name, still on the slate; their removal is the caller's */
  end(writer: SlateWriter): number[] {
    const scope = this.#keysByEvent;
    this.#keysByEvent = null;
    if (scope === null) return [];
    const unnamed: number[] = [];
    for (const eventNumber of writer.eventNumbers()) {
      const keys = scope.get(eventNumber);
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
}
