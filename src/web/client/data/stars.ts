// Fixtures and leagues that the visitor starred, by id. They come first on the board and are kept in this
// browser. Full: the star that was given first is dropped.

import { signal } from '@preact/signals';
import { recall, remember } from './choices.ts';

const STARS_MAX = 300;

export const stars = signal<ReadonlySet<string>>(new Set((recall('stars') ?? '').split(',').filter(Boolean)));

export function toggleStar(id: string): void {
  const kept = [...stars.value].filter((one) => one !== id);
  if (!stars.value.has(id)) kept.push(id);
  stars.value = new Set(kept.slice(-STARS_MAX));
  remember('stars', kept.length === 0 ? null : [...stars.value].join());
}
