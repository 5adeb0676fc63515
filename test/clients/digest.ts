// One text for everything that a mirror holds, with keys and rows sorted, so that it is the same for every
// language and transport. Its counterpart is in test/clients/follower.py.

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

/** JSON with the keys of every object in sorted order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}
