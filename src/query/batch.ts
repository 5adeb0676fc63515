// Odds of many fixtures in one answer. A failing id fails only its own entry.

import type { BatchOdds, BatchOddsEntry } from '../contract/batch.ts';
import { ServiceError } from '../errors.ts';
import type { OddsFilter } from './odds-filter.ts';
import { oddsBlock } from './odds-rows.ts';
import type { Slate } from './slate.ts';

/** One entry per id, in request order, duplicates too. @throws ServiceError `upstream_unavailable` while there is no slate */
export function batchOdds(
  slate: Slate,
  request: { readonly eventIds: readonly string[]; readonly filter: OddsFilter; readonly nowMs: number },
): BatchOdds {
  slate.requireReady(request.nowMs);
  const data = request.eventIds.map((eventId) => entryOf(slate, eventId, request));
  return { count: data.length, ok_count: data.filter((entry) => entry.odds !== null).length, data };
}

function entryOf(
  slate: Slate,
  eventId: string,
  { filter, nowMs }: { filter: OddsFilter; nowMs: number },
): BatchOddsEntry {
  try {
    const odds = oddsBlock(slate.reader, slate.fixtureById(eventId, nowMs), filter);
    return { event_id: eventId, odds, error: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, fix } = error;
    return { event_id: eventId, odds: null, error: { code, message, fix } };
  }
}
