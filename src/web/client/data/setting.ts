// The handler of a button that sets one value.

import type { Signal } from '@preact/signals';

/** A handler that sets the signal to the value. */
export function setting<Value>(signal: Signal<Value>, value: Value): () => void {
  return () => {
    signal.value = value;
  };
}
