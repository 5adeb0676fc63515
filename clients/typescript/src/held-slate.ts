// The content of a mirror: the fixtures of one view, at one cursor. It applies whole answers and changes.
// Other code receives them, and decides what to store of a fixture. This client's mirror, the server's pages
// and its commands use it.

/** The fields of a fixture's change that decide whether it fits, and how it is applied. */
interface ChangeFacts {
  readonly event_id: string;
  readonly event: object | null;
  readonly state: object | null;
  readonly replace: boolean;
}

/** An answer of /v1/odds, a delta, or one part of a snapshot. */
export interface SlateChanges<Change> {
  readonly full: boolean;
  readonly fixtures: readonly Change[];
  readonly removed: readonly string[];
  /** Only in a snapshot: the number of the part, from 1. */
  readonly part?: number;
  /** Only in a snapshot: whether this is its last part. */
  readonly last?: boolean;
}

/**
 * A received change does not fit the content, so an earlier change was missed. The mirror then loads the
 * whole view.
 */
export class MirrorGap extends Error {}

export abstract class HeldSlate<Fixture, Change extends ChangeFacts> {
  #fixtures = new Map<string, Fixture>();
  /** The changes of a snapshot whose parts have not all arrived; null when no snapshot has begun. */
  protected draft: Change[] | null = null;

  /**
   * Makes a fixture from a change, or applies the change to it.
   * @param former undefined for a new fixture; its change then has the event and state
   * @param isWhole whether the change has all quotes of the fixture
   */
  protected abstract put(former: Fixture | undefined, change: Change, isWhole: boolean): Fixture;

  get size(): number {
    return this.#fixtures.size;
  }

  get(id: string): Fixture | undefined {
    return this.#fixtures.get(id);
  }

  fixtures(): Iterable<Fixture> {
    return this.#fixtures.values();
  }

  clear(): void {
    this.#fixtures.clear();
  }

  /**
   * Applies changes. The parts of a snapshot are applied together, with the last one. If something does not
   * fit, nothing is changed.
   * @returns false for a part of a snapshot that is not the last
   * @throws MirrorGap when a change is for a fixture that is neither new nor held, or the first part of a
   * snapshot is missing
   */
  apply({ full, fixtures, removed, part, last }: SlateChanges<Change>): boolean {
    let changes = fixtures;
    if (part) {
      if (part === 1) this.draft = [];
      if (!this.draft) throw new MirrorGap(`part ${part} came first`);
      this.draft.push(...fixtures);
      if (!last) return false;
      changes = this.draft;
    }
    const former = this.#fixtures;
    const held = full ? new Map<string, Fixture>() : former;
    for (const { event_id: id, event, state } of changes) {
      if (!(event && state) && !held.has(id)) throw new MirrorGap(`${id} is not held`);
    }
    for (const id of removed) held.delete(id);
    for (const change of changes) {
      const { event_id: id, replace } = change;
      held.set(id, this.put(former.get(id), change, full || replace));
    }
    this.#fixtures = held;
    this.draft = null;
    return true;
  }
}
