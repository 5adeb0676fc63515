// The state of the board: the mirror, the follower that keeps it up to date, and which fixtures match the
// search.

import { computed, effect, signal, untracked } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import { HOUR_MS } from '../../../clock.ts';
import type { ResolvedEvent } from '../../../contract/resolve.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { apiKey } from '../data/choices.ts';
import { Follower } from '../data/follow.ts';
import { type Fixture, Mirror } from '../data/mirror.ts';
import { toggle } from '../data/setting.ts';
import { SignalBook } from '../data/signal-book.ts';
import { apiQuery, parameter } from '../data/view.ts';
import { Staleness } from '../parts/staleness.ts';
import { slowNowMs } from '../parts/ticking.ts';

export const mirror = new Mirror();
export const signalBook = new SignalBook();
export const follower = new Follower(mirror, signalBook);
export const staleness = new Staleness(mirror, follower);

/** Fixtures that the visitor expanded: more lines or, on a phone, all bookmakers. */
export const expanded = signal<ReadonlySet<string>>(new Set());

export function toggleExpanded(id: string): void {
  toggle(expanded, id);
}

/** Whether the window is as narrow as a phone. */
const phone = matchMedia('(max-width: 931px)');
export const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});

/** Leagues seen since the page was opened, so that the filter still lists them after one was chosen. */
const leagueNames = new Map<string, string>();
export const leagues = computed(() => {
  void mirror.listVersion.value;
  for (const { event } of mirror.fixtures()) leagueNames.set(event.league.id, event.league.name);
  return [...leagueNames].sort(([, one], [, other]) => one.localeCompare(other));
});

/** The ids that the resolver found, with the text it was asked about; null before its first answer. */
const found = signal<{ readonly query: string; readonly ids: ReadonlySet<string> } | null>(null);

/**
 * Calls the resolver, which knows abbreviations and other spellings. Its matches are added to the plain text
 * matches.
 */
export async function resolveSearch(): Promise<void> {
  const query = parameter('query').trim();
  if (query === '' || found.value?.query === query) return;
  try {
    const answer = await callJson<Static<typeof ResolvedEvent>>('/v1/resolve/event', {
      method: 'POST',
      body: { query },
    });
    // For an unknown text the resolver still returns its nearest candidates; they are not matches.
    const candidates = answer.status === 'not_found' ? [] : [answer.best_match, ...answer.alternatives];
    const ids = candidates.flatMap((one) => (one === null ? [] : [one.event_id]));
    found.value = { query, ids: new Set(ids) };
  } catch (error) {
    // The plain search still works; the resolver is called again for the next text.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

/** The form in which texts are compared: lower case, without accents. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Whether a fixture matches the search, on every tab. An empty search matches all. */
export const isFound = computed<(fixture: Fixture) => boolean>(() => {
  const query = parameter('query').trim();
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== '' && word !== 'vs' && word !== '-');
  const ids = found.value?.query === query ? found.value.ids : null;
  return ({ id, event }) => {
    if (ids?.has(id)) return true;
    const text = folded(`${event.home_team.name} ${event.away_team.name} ${event.league.name}`);
    return words.every((word) => text.includes(word));
  };
});

/** Whether a fixture starts within the hours that the visitor chose. Without a choice, all do. */
export function startsSoon({ event: { scheduled_at: at } }: Fixture): boolean {
  const hours = Number(parameter('starts'));
  if (!(hours > 0)) return true;
  return at !== null && Date.parse(at) - slowNowMs.value <= hours * HOUR_MS;
}

/** Follows the view in the address, and starts over when the view or the key changes. */
export function startFollowing(): void {
  // The first load gets the whole view from the stream, which leaves one more unit for the openings. Later
  // views start with a request to /v1/odds, because the server may still count the previous stream as open.
  let first: 'odds' | 'stream' = 'stream';
  effect(() => {
    void apiKey.value;
    const query = apiQuery.value;
    void parameter('reference');
    const at = parameter('at');
    if (at !== '') untracked(() => void follower.show(query, at));
    else untracked(() => follower.follow(query, { first }));
    first = 'odds';
  });
}
