// Loads the opening prices of the fixtures that are drawn, and of those after them until a request is full.

import type { BatchOpenings } from '../../../contract/odds.ts';
import { BATCH_EVENT_IDS_MAX } from '../../../limits.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { hasUnits } from '../data/choices.ts';
import type { Fixture } from '../data/mirror.ts';
import { quoteFields } from '../data/view.ts';
import { openingKnown } from './movements.ts';
import { mirror } from './state.ts';

/** Least pause between requests while the visitor scrolls. */
const PAUSE_MS = 2_000;

const requested = new WeakSet<Fixture>();
let isLoading = false;
let requestCount = 0;
/** The latest call that arrived while a request was under way; earlier ones are dropped. */
let waiting: (() => void) | null = null;

/**
 * Loads openings that are not known yet, at one unit per request. A visitor without a key or an account gets
 * one request only: the first rows have openings, and the sparklines of rows further down start when the page
 * was opened.
 * @param fixtures the ones in sight, then those below them
 */
export async function loadOpenings(fixtures: readonly Fixture[], inSightCount: number): Promise<void> {
  if (requestCount > 0 && !hasUnits()) return;
  if (isLoading) {
    waiting = () => void loadOpenings(fixtures, inSightCount);
    return;
  }
  if (fixtures.slice(0, inSightCount).every((fixture) => requested.has(fixture))) return;
  const wanted = fixtures.filter((fixture) => !requested.has(fixture)).slice(0, BATCH_EVENT_IDS_MAX);
  for (const fixture of wanted) requested.add(fixture);
  isLoading = true;
  requestCount += 1;
  try {
    const body = { event_ids: wanted.map(({ id }) => id), ...quoteFields() };
    const { data } = await callJson<BatchOpenings>('/v1/openings/batch', { method: 'POST', body });
    for (const opening of data) {
      mirror.open(opening);
      const fixture = mirror.get(opening.event_id);
      if (fixture !== undefined) openingKnown(fixture, opening);
    }
  } catch (error) {
    // The board works without openings.
    if (!(error instanceof ApiFailure)) throw error;
  }
  setTimeout(() => {
    isLoading = false;
    const next = waiting;
    waiting = null;
    next?.();
  }, PAUSE_MS);
}
