// The fixtures that left in an epoch, for the snapshot: in fields of so many each, of which only the last one grows. As many
// are kept as the store keeps; older ones are forgotten here as there.

import { DEPARTURES_MAX } from '../limits.ts';
import type { DepartureChange } from '../store/slate-change.ts';
import { departuresField, encodeField, type Told } from './redis-slate.ts';

const PER_CHUNK = 256;
const CHUNKS_MAX = DEPARTURES_MAX / PER_CHUNK;

export class DepartureChunks {
  /** Those of the last chunk. */
  #last: Told<DepartureChange>[] = [];
  #lastChunk = 0;
  /** Chunks to be written, by number. */
  readonly #due = new Map<number, readonly Told<DepartureChange>[]>();

  /** Whether any were forgotten. */
  get isIncomplete(): boolean {
    return this.#lastChunk >= CHUNKS_MAX;
  }

  clear(): void {
    this.#last = [];
    this.#lastChunk = 0;
    this.#due.clear();
  }

  add(departure: Told<DepartureChange>): void {
    if (this.#last.length === PER_CHUNK) {
      this.#last = [];
      this.#lastChunk++;
    }
    this.#last.push(departure);
    this.#due.set(this.#lastChunk, this.#last);
  }

  /** Fields to delete, and fields and values in turn, since the last time. */
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
