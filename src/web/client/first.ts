// Runs before the board's own scripts and sends the request for its prices, which then arrive while those
// scripts start. It repeats what the board requested for the same address last time (data/early-stream.ts).
// For an address that is new in this browser it does nothing. It imports nothing, because it must not wait.

import type { EarlyStream } from './data/early-stream.ts';

try {
  const { search, path } = JSON.parse(localStorage['overround.stream'] ?? '{}') as {
    readonly search?: string;
    readonly path?: string;
  };
  const key = localStorage.getItem('overround.key');
  const hasOther =
    'overround.leaving' in localStorage || (key === null && 'overround.ticket' in localStorage);
  if (path?.startsWith('/v1/stream?') && search === location.search && !hasOther) {
    const stop = new AbortController();
    const headers: HeadersInit = key === null ? {} : { authorization: `Bearer ${key}` };
    const answer = fetch(path, { headers, signal: stop.signal });
    // The board handles the failure; this only keeps it from counting as an unhandled rejection.
    answer.catch(() => undefined);
    (window as { overroundEarly?: EarlyStream }).overroundEarly = { path, key, answer, stop };
  }
} catch {
  // Storage is forbidden or damaged: the board sends the request itself.
}
