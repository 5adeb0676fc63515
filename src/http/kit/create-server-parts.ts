// What all requests of one server share, made anew for a server: an HTTP thread's, the query thread's, or a rehearsal.

import { FreePace } from '../../access/free-pace.ts';
import { Forms } from './forms.ts';
import { AnswerHeaders } from './headers.ts';
import { createBodyPlaces, createInFlight } from './in-flight.ts';
import { Negotiator } from './representation.ts';
import type { ServerParts } from './server-parts.ts';

/** What differs from server to server. */
export type ServerEnds = Pick<ServerParts, 'deps' | 'peerOf'> & Partial<ServerParts>;

/** By default nothing is kept open or upgraded, as where no connection ends, and as much is in flight as one server takes. */
export function createServerParts(ends: ServerEnds): ServerParts {
  return {
    inFlight: createInFlight({}),
    bodies: createBodyPlaces(),
    freePace: new FreePace(),
    headers: new AnswerHeaders(ends.deps.publicUrl.startsWith('https:')),
    negotiator: new Negotiator(),
    forms: new Forms(),
    keepOpen: () => () => undefined,
    upgrade: () => false,
    ...ends,
  };
}
