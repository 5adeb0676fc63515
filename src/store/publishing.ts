// The word `publishing` of the store: odd while a batch is being published, so that a reader who wants all fixtures of one
// instant knows to try again. Writer's side; a writer that takes a store over may find it odd, left so by one that died.

import { CONTROL, type StoreViews } from './layout.ts';

/** Readers see parts of the batch from now on. Called again before the end it changes nothing. */
export function startPublishing(views: StoreViews): void {
  if (!isPublishing(views)) Atomics.add(views.control, CONTROL.publishing, 1);
}

/** Readers see all of the batch. */
export function endPublishing(views: StoreViews): void {
  Atomics.add(views.control, CONTROL.publishing, 1);
}

/** Whether a batch has started to be published and has not ended. */
export function isPublishing({ control }: StoreViews): boolean {
  return (Atomics.load(control, CONTROL.publishing) & 1) === 1;
}
