// Finds one fixture from a user's words. The server's resolver decides; if it is unsure, the user gets the
// candidates.

import type { Event } from '../contract/event.ts';
import type { MatchAlternative, MatchSummary } from '../contract/tool-parts.ts';
import { PROGRAM_COMMAND } from '../program-files.ts';
import { CommandFailure } from './failure.ts';
import type { Server } from './server.ts';
import { plainText } from './text.ts';

export interface FoundFixture {
  readonly eventId: string;
  readonly event: Event;
}

/** What the answer of a tool that accepts words says about the match. */
interface Lookup {
  readonly status: 'ok' | 'matched' | 'ambiguous' | 'not_found';
  readonly match: MatchSummary | null;
  readonly alternatives: readonly MatchAlternative[];
}

const EVENT_ID = /^evt_[0-9A-Za-z]+$/;

/** @param text an event id, or words for `find_match` @throws CommandFailure with the candidates */
export async function findFixture(server: Server, text: string): Promise<FoundFixture> {
  const eventId = EVENT_ID.test(text) ? text : await resolved(server, text);
  return { eventId, event: await server.get<Event>(`/v1/events/${eventId}`) };
}

/** @throws CommandFailure unless the words match exactly one fixture with certainty */
export function requireOne(lookup: Lookup, text: string): void {
  if (lookup.match !== null && (lookup.status === 'ok' || lookup.status === 'matched')) return;
  const candidates = lookup.alternatives.map(
    ({ event_id, label, confidence }) =>
      `\n  ${event_id}  ${plainText(label)}  ${Math.round(confidence * 100)}%`,
  );
  const letters = /(?!\p{Script=Latin})\p{L}/u.test(text) ? ' in Latin letters' : '';
  // A single candidate only resembles the words, so the text does not call it a match.
  const many = lookup.status === 'ambiguous' && lookup.alternatives.length > 1;
  throw new CommandFailure(
    'unclear',
    `${many ? 'Cannot choose' : 'Cannot find'} a fixture for "${plainText(text)}": ${many ? 'several match' : 'none on the slate is a certain match'}`,
    candidates.length === 0
      ? `Write both team names${letters}; \`${PROGRAM_COMMAND} today\` and \`${PROGRAM_COMMAND} events\` list fixtures`
      : `Write both team names${letters}, or one of these ids:${candidates.join('')}`,
  );
}

async function resolved(server: Server, text: string): Promise<string> {
  const lookup = await server.post<Lookup>('/v1/mcp/find_match', { query: text });
  requireOne(lookup, text);
  return lookup.match!.event_id;
}
