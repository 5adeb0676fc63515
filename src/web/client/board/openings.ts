// Where the prices in sight began: asked for the fixtures that are drawn, and for those after them until a request is full.

import type { BatchOpenings } from '../../../contract/odds.ts';
import { BATCH_EVENT_IDS_MAX } from '../../../limits.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { hasUnits } from '../data/choices.ts';
import type { Fixture } from '../data/mirror.ts';
import { quoteFields } from '../data/view.ts';
import { mirror } from './state.ts';

/** Scrolling asks no oftener. */
const PAUSE_MS = 2_000;

const asked = new WeakSet<Fixture>();
let isAsking = false;
let askedCount = 0;
/** What was wanted while a request was on its way, the last of it. */
let waiting: (() => void) | null = null;

/**
 * Asks for openings that are not known yet, one unit a request. Who has no key and no account is spared further ones: the
 * first rows have theirs, and the sparklines below begin when the page was opened.
 * @param fixtures those in sight, then those below them
 */
export async function askOpenings(fixtures: readonly Fixture[], inSightCount: number): Promise<void> {
  if (askedCount > 0 && !hasUnits()) return;
  if (isAsking) {
    waiting = () => void askOpenings(fixtures, inSightCount);
    return;
  }
  if (fixtures.slice(0, inSightCount).every((fixture) => asked.has(fixture))) return;
  const wanted = fixtures.filter((fixture) => !asked.has(fixture)).slice(0, BATCH_EVENT_IDS_MAX);
  for (const fixture of wanted) asked.add(fixture);
  isAsking = true;
  askedCount += 1;
  try {
    const body = { event_ids: wanted.map(({ id }) => id), ...quoteFields() };
    const { data } = await callJson<BatchOpenings>('/v1/openings/batch', { method: 'POST', body });
    for (const opening of data) mirror.open(opening);
  } catch (error) {
    // The board goes on without them.
    if (!(error instanceof ApiFailure)) throw error;
  }
  setTimeout(() => {
    isAsking = false;
    const next = waiting;
    waiting = null;
    next?.();
  }, PAUSE_MS);
}
