// What the board has in hand: the mirror, who keeps it up to date, and which fixtures are shown in which order.

import { computed, effect, signal, untracked } from '@preact/signals';
import type { Static } from '@sinclair/typebox';
import type { ResolvedEvent } from '../../../contract/resolve.ts';
import { ApiFailure, callJson } from '../data/api.ts';
import { apiKey } from '../data/choices.ts';
import { Follower } from '../data/follow.ts';
import { type Fixture, Mirror } from '../data/mirror.ts';
import { SignalBook } from '../data/signal-book.ts';
import { apiQuery, parameter, takeTicket } from '../data/view.ts';
import { Staleness } from '../parts/staleness.ts';

export const mirror = new Mirror();
export const signalBook = new SignalBook();
export const follower = new Follower(mirror, { signals: signalBook, ticket: takeTicket() });
export const staleness = new Staleness(mirror, follower);

/** Fixtures whose further lines, or on a phone whose bookmakers, are shown. */
export const expanded = signal<ReadonlySet<string>>(new Set());

export function toggleExpanded(id: string): void {
  const next = new Set(expanded.value);
  if (!next.delete(id)) next.add(id);
  expanded.value = next;
}

/** Whether the screen is a phone's. */
const phone = matchMedia('(max-width: 699px)');
export const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});

/** Leagues seen since the page was opened, so that a filter can be changed for another. */
const leagueNames = new Map<string, string>();
export const leagues = computed(() => {
  void mirror.listVersion.value;
  for (const { event } of mirror.fixtures()) leagueNames.set(event.league.id, event.league.name);
  return [...leagueNames].sort(([, one], [, other]) => one.localeCompare(other));
});

/** Ids that the resolver finds for the searched text, with the text; null before it answered. */
const found = signal<{ readonly query: string; readonly ids: ReadonlySet<string> } | null>(null);

/** Asks the resolver: it knows abbreviations and other spellings. Its answer adds to what the text matches anyway. */
export async function resolveSearch(): Promise<void> {
  const query = parameter('query').trim();
  if (query === '' || found.value?.query === query) return;
  try {
    const answer = await callJson<Static<typeof ResolvedEvent>>('/v1/resolve/event', {
      method: 'POST',
      body: { query },
    });
    // Of a text that it does not know it still says what is least unlike it.
    const candidates = answer.status === 'not_found' ? [] : [answer.best_match, ...answer.alternatives];
    const ids = candidates.flatMap((one) => (one === null ? [] : [one.event_id]));
    found.value = { query, ids: new Set(ids) };
  } catch (error) {
    // The plain search goes on working; the resolver is asked again with the next text.
    if (!(error instanceof ApiFailure)) throw error;
  }
}

/** A text as it is compared: small letters, no accents. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function matches({ id, event }: Fixture, words: readonly string[], ids: ReadonlySet<string> | null): boolean {
  if (ids?.has(id)) return true;
  const text = folded(`${event.home_team.name} ${event.away_team.name} ${event.league.name}`);
  return words.every((word) => text.includes(word));
}

const STATUS_RANK: Readonly<Record<string, number>> = { live: 0, scheduled: 1, finished: 2 };

export type BoardItem =
  | {
      readonly kind: 'league';
      readonly key: string;
      readonly name: string;
      readonly status: string;
      readonly count: number;
    }
  | { readonly kind: 'fixture'; readonly key: string; readonly fixture: Fixture };

/** Rows of the board: live ones first, then by league (the one that plays first first) and kickoff. */
export const items = computed<readonly BoardItem[]>(() => {
  void mirror.listVersion.value;
  const query = parameter('query').trim();
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== '' && word !== 'vs' && word !== '-');
  const ids = found.value?.query === query ? found.value.ids : null;
  const fixtures = [...mirror.fixtures()].filter((fixture) => matches(fixture, words, ids));
  const groups = [
    ...Map.groupBy(fixtures, ({ event, state }) => `${STATUS_RANK[state.status]} ${event.league.id}`),
  ]
    .map(([key, members]) => ({ key, members: members.sort(byKickoff) }))
    .sort(
      (one, other) =>
        one.key.charCodeAt(0) - other.key.charCodeAt(0) ||
        byKickoff(one.members[0]!, other.members[0]!) ||
        one.key.localeCompare(other.key),
    );
  return groups.flatMap(({ key, members }) => [
    {
      kind: 'league' as const,
      key,
      name: members[0]!.event.league.name,
      status: members[0]!.state.status,
      count: members.length,
    },
    ...members.map((fixture) => ({ kind: 'fixture' as const, key: fixture.id, fixture })),
  ]);
});

export const fixtureCount = computed(() => items.value.filter(({ kind }) => kind === 'fixture').length);

function byKickoff(one: Fixture, other: Fixture): number {
  const times = (one.event.scheduled_at ?? '9').localeCompare(other.event.scheduled_at ?? '9');
  return times || one.event.home_team.name.localeCompare(other.event.home_team.name);
}

/** Follows the view of the address, and begins anew when the view or the key changes. */
export function startFollowing(): void {
  // A page that is loaded has the whole view from the stream, so that a unit is left for openings. A stream of the view
  // before still counts when the next one is opened at once, so later views begin with an answer of /v1/odds.
  let first: 'odds' | 'stream' = 'stream';
  effect(() => {
    void apiKey.value;
    const query = apiQuery.value;
    untracked(() => follower.follow(query, { first }));
    first = 'odds';
  });
}
