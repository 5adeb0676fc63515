// Creates what all requests of one server share. A server is an HTTP thread, the query thread, or a
// rehearsal.

import { createSharesMemory, FairShares } from '../../access/quotas/fair-shares.ts';
import { FairTurns } from '../../access/quotas/fair-turns.ts';
import { FreePace } from '../../access/quotas/free-pace.ts';
import { cacheRooms, memoryBudgetBytes, memoryShares } from '../../access/quotas/memory-budget.ts';
import { Forms } from './forms.ts';
import { AnswerHeaders } from './headers.ts';
import { createPagePlaces, createPlaces, IN_FLIGHT_MAX } from './in-flight.ts';
import { Negotiator } from './representation.ts';
import type { ServerParts } from './server-parts.ts';

/** The parts that differ between servers. */
export type ServerEnds = Pick<ServerParts, 'deps' | 'peerOf'> & Partial<ServerParts>;

/**
 * The defaults are those of a server without connections, such as the query thread or a rehearsal: no
 * connection is kept open or upgraded. Up to IN_FLIGHT_MAX requests may be in flight.
 */
export function createServerParts(ends: ServerEnds): ServerParts {
  const budget = ends.budget ?? ownBudget();
  return {
    inFlight: createPlaces(IN_FLIGHT_MAX),
    pagePlaces: createPagePlaces(),
    budget,
    freePace: new FreePace(),
    headers: new AnswerHeaders(ends.deps.publicUrl.startsWith('https:')),
    negotiator: new Negotiator(),
    forms: new Forms(cacheRooms(budget)),
    cutsBlobs: false,
    turns: new FairTurns({ monotonicMs: () => ends.deps.clock.monotonicMs() }),
    questions: null,
    keepOpen: () => () => undefined,
    upgrade: () => false,
    ...ends,
  };
}

/** The memory budget of a server that shares it with no other thread. */
export function ownBudget(): FairShares {
  return new FairShares(createSharesMemory(memoryShares(memoryBudgetBytes(null)), 1, 0), 0);
}
