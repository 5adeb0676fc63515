// One text for all that a mirror holds, the same whichever language or way it was kept by: keys and rows sorted. Its twin
// is in test/clients/follower.py.

import { createHash } from 'node:crypto';

interface Held {
  readonly id: string;
  readonly event: unknown;
  readonly state: unknown;
  readonly quotes: Iterable<unknown>;
}

export function digestOf(fixtures: Iterable<Held>): string {
  const rows = Array.from(fixtures, ({ id, event, state, quotes }) =>
    JSON.stringify([id, canonical(event), canonical(state), Array.from(quotes, canonical).sort()]),
  );
  return createHash('sha256').update(rows.sort().join('\n')).digest('hex');
}

/** JSON with the keys of every object in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}
