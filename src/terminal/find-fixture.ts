// From a person's words to one fixture. The server's resolver decides; what it is not sure of is asked back.

import type { Event } from '../contract/event.ts';
import type { MatchAlternative, MatchSummary } from '../contract/tool-parts.ts';
import { CommandFailure } from './failure.ts';
import type { Server } from './server.ts';
import { plainText } from './text.ts';

export interface FoundFixture {
  readonly eventId: string;
  readonly event: Event;
}

/** What tools that take words say of them. */
interface Lookup {
  readonly status: 'ok' | 'matched' | 'ambiguous' | 'not_found';
  readonly match: MatchSummary | null;
  readonly alternatives: readonly MatchAlternative[];
}

const EVENT_ID = /^evt_[0-9A-Za-z]+$/;

/** @param text an event id, or words as `find_match` takes them @throws CommandFailure with the candidates */
export async function findFixture(server: Server, text: string): Promise<FoundFixture> {
  const eventId = EVENT_ID.test(text) ? text : await resolved(server, text);
  return { eventId, event: await server.get<Event>(`/v1/events/${eventId}`) };
}

/** @throws CommandFailure unless the words mean one fixture for certain */
export function demandOne(lookup: Lookup, text: string): void {
  if (lookup.match !== null && (lookup.status === 'ok' || lookup.status === 'matched')) return;
  const candidates = lookup.alternatives.map(
    ({ event_id, label, confidence }) =>
      `\n  ${event_id}  ${plainText(label)}  ${Math.round(confidence * 100)}%`,
  );
  const many = lookup.status === 'ambiguous';
  throw new CommandFailure(
    'unclear',
    `${many ? 'Cannot choose' : 'Cannot find'} a fixture for "${plainText(text)}": ${many ? 'several fit' : 'none on the slate fits for certain'}`,
    candidates.length === 0
      ? 'Write both team names, or see `overround watch` for what is on'
      : `Write both team names, or one of these ids:${candidates.join('')}`,
  );
}

async function resolved(server: Server, text: string): Promise<string> {
  const lookup = await server.post<Lookup>('/v1/mcp/find_match', { query: text });
  demandOne(lookup, text);
  return lookup.match!.event_id;
}
