// The word `publishing` of the store is odd while a batch is being published. A reader that wants all
// fixtures at one instant then tries again. Writer's side. If the previous writer died in the middle of a
// publish, a new writer finds the word odd and makes it even.

import { CONTROL, type StoreViews } from '../layout.ts';

/** Call it before readers see parts of the batch. Further calls before the end change nothing. */
export function startPublishing(views: StoreViews): void {
  if (!isPublishing(views)) Atomics.add(views.control, CONTROL.publishing, 1);
}

/** Call it once readers can see the whole batch. */
export function endPublishing(views: StoreViews): void {
  Atomics.add(views.control, CONTROL.publishing, 1);
}

export function isPublishing({ control }: StoreViews): boolean {
  return (Atomics.load(control, CONTROL.publishing) & 1) === 1;
}
