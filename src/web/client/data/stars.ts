// Fixtures and leagues that the visitor starred, by id. They come first on the board. The address has them,
// so that a shared or saved view shows the same ones, and this browser keeps the visitor's own.

import { computed } from '@preact/signals';
import { recall, remember } from './choices.ts';
import { parameter, setParameter } from './view.ts';

/** Maximum number of stars: as many as fit into a saved view. For a new one, the oldest is dropped. */
const STARS_MAX = 40;

const idsOf = (text: string | null): string[] => (text ?? '').split(',').filter(Boolean);

export const stars = computed<ReadonlySet<string>>(() => new Set(idsOf(parameter('stars'))));

export function toggleStar(id: string): void {
  const isGiven = !stars.value.has(id);
  const toggled = (text: string | null): string =>
    [...idsOf(text).filter((one) => one !== id), ...(isGiven ? [id] : [])].slice(-STARS_MAX).join();
  // The stars of a view that somebody shared do not become the visitor's own.
  remember('stars', toggled(recall('stars')) || null);
  setParameter('stars', toggled(parameter('stars')));
}
