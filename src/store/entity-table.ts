// Names of leagues and teams: append-only rows, with their text in one UTF-8 arena. A new name for a known
// team or league gets a new row, so a reader that holds an old row still reads the old name. A name that the
// entity had before gets its old row back. So a feed that switches between two spellings of a team uses two
// rows, not one per message.

import { CONTROL, type StoreViews } from './layout.ts';
import type { EntityName } from './records.ts';

const FULL = -1;

/** The writer's side: from number and name to a row. */
export class EntityTable {
  readonly #views: StoreViews;
  readonly #rowByName = new Map<string, number>();
  readonly #encoder = new TextEncoder();
  #arenaUsed = 0;

  constructor(views: StoreViews) {
    this.#views = views;
    const names = new EntityNames(views);
    const count = Atomics.load(views.control, CONTROL.entityCount);
    for (let row = 0; row < count; row++) {
      this.#rowByName.set(identity(views.entityNumber[row]!, names.name(row)), row);
      this.#arenaUsed = views.entityNameOffset[row]! + views.entityNameByteCount[row]!;
    }
  }

  /** Whether each of these entities has a row or would get one. No two of them may be equal. */
  hasRoom(entities: readonly EntityName[]): boolean {
    let rows = Atomics.load(this.#views.control, CONTROL.entityCount);
    let bytes = this.#arenaUsed;
    for (const { number, name } of entities) {
      if (this.#rowByName.has(identity(number, name))) continue;
      rows++;
      bytes += Buffer.byteLength(name);
    }
    return rows <= this.#views.capacity.entities && bytes <= this.#views.arena.length;
  }

  /** Row of this entity with this name, or -1 when the table or the arena is full. */
  put(number: number, name: string): number {
    const key = identity(number, name);
    const known = this.#rowByName.get(key);
    if (known !== undefined) return known;
    const views = this.#views;
    const row = Atomics.load(views.control, CONTROL.entityCount);
    const bytes = this.#encoder.encode(name);
    if (row === views.capacity.entities || this.#arenaUsed + bytes.length > views.arena.length) return FULL;
    views.arena.set(bytes, this.#arenaUsed);
    views.entityNumber[row] = number;
    views.entityNameOffset[row] = this.#arenaUsed;
    views.entityNameByteCount[row] = bytes.length;
    this.#arenaUsed += bytes.length;
    Atomics.store(views.control, CONTROL.entityCount, row + 1);
    this.#rowByName.set(key, row);
    return row;
  }
}

/** The readers' side: from rows to names, each decoded once per thread. */
export class EntityNames {
  readonly #views: StoreViews;
  readonly #names: string[] = [];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(views: StoreViews) {
    this.#views = views;
  }

  name(row: number): string {
    const known = this.#names[row];
    if (known !== undefined) return known;
    // A page that is being overwritten may name a row that does not exist yet. That read is repeated, so this
    // answer does not matter, but it must not be cached.
    if (row >= Atomics.load(this.#views.control, CONTROL.entityCount)) return '';
    const start = this.#views.entityNameOffset[row]!;
    // A copy, because TextDecoder refuses shared memory.
    const bytes = this.#views.arena.slice(start, start + this.#views.entityNameByteCount[row]!);
    const name = this.#decoder.decode(new Uint8Array(bytes));
    this.#names[row] = name;
    return name;
  }
}

function identity(number: number, name: string): string {
  return `${number} ${name}`;
}
