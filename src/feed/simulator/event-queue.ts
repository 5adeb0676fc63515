// Future tasks, soonest first: a binary heap that keeps the order of insertion among equal times, so that a
// run never depends on how it is divided into calls.

/** One task and its time. */
export interface Task {
  readonly atMs: number;
  run(atMs: number): void;
}

interface Entry {
  readonly task: Task;
  readonly order: number;
}

export class EventQueue {
  readonly #heap: Entry[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** Time of the next task, Infinity when the queue is empty. */
  get nextMs(): number {
    return this.#heap[0]?.task.atMs ?? Number.POSITIVE_INFINITY;
  }

  push(task: Task): void {
    const heap = this.#heap;
    const entry = { task, order: this.#order++ };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  /** Removes and returns the next task, undefined when the queue is empty. */
  pop(): Task | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (heap.length > 0) this.#sink(last);
    return first.task;
  }

  /** Puts an entry at the top and moves it down to its place. */
  #sink(entry: Entry): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child++;
      if (!isBefore(heap[child] as Entry, entry)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = entry;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.task.atMs < b.task.atMs || (a.task.atMs === b.task.atMs && a.order < b.order);
}
