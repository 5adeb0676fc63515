// What buttons do with Preact's signals: set a value, or add a member to a set and remove it again.

import type { Signal } from '@preact/signals';

/** A handler that sets the signal to the value. */
export function setting<Value>(signal: Signal<Value>, value: Value): () => void {
  return () => {
    signal.value = value;
  };
}

/** A handler that sets the signal to the value that it is called with. */
export function into<Value>(signal: Signal<Value>): (value: Value) => void {
  return (value) => {
    signal.value = value;
  };
}

/** Adds a member to the signal's set; removes it if it is there. */
export function toggle(members: Signal<ReadonlySet<string>>, member: string): void {
  const next = new Set(members.value);
  if (!next.delete(member)) next.add(member);
  members.value = next;
}
