// The fixtures that left the slate in an epoch, for the snapshot. They are stored in chunks, one hash field
// each, and only the last chunk grows. The snapshot keeps as many departures as the store does; older ones
// are dropped.

import { DEPARTURES_MAX } from '../limits.ts';
import type { DepartureChange } from '../store/slate-change.ts';
import { departuresField, encodeField, type Versioned } from './redis-slate.ts';

const PER_CHUNK = 256;
const CHUNKS_MAX = DEPARTURES_MAX / PER_CHUNK;

export class DepartureChunks {
  /** Departures of the last chunk. */
  #last: Versioned<DepartureChange>[] = [];
  #lastChunk = 0;
  /** Chunks that still have to be written, by number. */
  readonly #due = new Map<number, readonly Versioned<DepartureChange>[]>();

  /** Whether any departure was dropped. */
  get isIncomplete(): boolean {
    return this.#lastChunk >= CHUNKS_MAX;
  }

  clear(): void {
    this.#last = [];
    this.#lastChunk = 0;
    this.#due.clear();
  }

  add(departure: Versioned<DepartureChange>): void {
    if (this.#last.length === PER_CHUNK) {
      this.#last = [];
      this.#lastChunk++;
    }
    this.#last.push(departure);
    this.#due.set(this.#lastChunk, this.#last);
  }

  /** Fields to delete, and alternating fields and values to set, since the last call. */
  take(): { readonly deleted: string[]; readonly set: string[] } {
    const chunks = [...this.#due];
    this.#due.clear();
    return {
      deleted: chunks
        .filter(([chunk]) => chunk >= CHUNKS_MAX)
        .map(([chunk]) => departuresField(chunk - CHUNKS_MAX)),
      set: chunks.flatMap(([chunk, departures]) => [departuresField(chunk), encodeField(departures)]),
    };
  }
}
