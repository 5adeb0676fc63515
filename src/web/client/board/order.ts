// Which fixtures the board shows, and in which order: by league, kickoff, edge or movement, with starred ones
// first.

import { computed } from '@preact/signals';
import { bestEdge, movement } from '../data/lines/fixture-figures.ts';
import type { Fixture } from '../data/mirror.ts';
import { stars } from '../data/stars.ts';
import { parameter } from '../data/view.ts';
import { slowNowMs } from '../parts/ticking.ts';
import { chosenBooks } from './columns.ts';
import { shownMarket } from './layout.ts';
import { isFound, mirror, startsSoon } from './state.ts';

export type BoardItem =
  | {
      readonly kind: 'league';
      readonly key: string;
      readonly id: string;
      readonly name: string;
      readonly status: string;
    }
  | { readonly kind: 'fixture'; readonly key: string; readonly fixture: Fixture };

const STATUS_RANK: Readonly<Record<string, number>> = { live: 0, scheduled: 1, finished: 2 };

function isStarred({ id, event }: Fixture): boolean {
  return stars.value.has(id) || stars.value.has(event.league.id);
}

const shownFixtures = computed<readonly Fixture[]>(() => {
  void mirror.listVersion.value;
  const hidesFinished = parameter('finished') === 'hide';
  const onlyStarred = parameter('starred') === 'only';
  return [...mirror.fixtures()].filter(
    (fixture) =>
      isFound.value(fixture) &&
      startsSoon(fixture) &&
      !(hidesFinished && fixture.state.status === 'finished') &&
      (!onlyStarred || isStarred(fixture)),
  );
});

/** The rows of the board. */
export const items = computed<readonly BoardItem[]>(() => {
  const fixtures = shownFixtures.value;
  const sort = parameter('sort');
  if (sort === 'edge' || sort === 'movement') return flat(fixtures, figureOf(fixtures, sort));
  if (sort === 'kickoff') return flat(fixtures, ({ state }) => -STATUS_RANK[state.status]!);
  return byLeague(fixtures);
});

export const fixtureCount = computed(() => shownFixtures.value.length);

/**
 * Prices change all the time, but rows that jump cannot be read. So a new price alone does not change the
 * order by edge or movement. This order is made again every ten seconds, and when other fixtures or settings
 * are shown.
 */
function figureOf(fixtures: readonly Fixture[], sort: 'edge' | 'movement'): (fixture: Fixture) => number {
  void slowNowMs.value;
  const options = { market: shownMarket(), books: chosenBooks.value };
  const figures = new Map(
    fixtures.map((fixture) => [
      fixture,
      sort === 'edge' ? bestEdge(fixture, options) : movement(fixture, options),
    ]),
  );
  return (fixture) => figures.get(fixture) ?? Number.NEGATIVE_INFINITY;
}

/** Starred fixtures first, then the largest figure, then the earliest kickoff. */
function flat(fixtures: readonly Fixture[], figure: (fixture: Fixture) => number): readonly BoardItem[] {
  return fixtures
    .toSorted(
      (one, other) =>
        Number(isStarred(other)) - Number(isStarred(one)) ||
        descending(figure(one), figure(other)) ||
        byKickoff(one, other),
    )
    .map((fixture) => ({ kind: 'fixture', key: fixture.id, fixture }));
}

function descending(one: number, other: number): number {
  return one === other ? 0 : other - one;
}

/** Live fixtures first, then by league and kickoff. The league with the earliest kickoff comes first. */
function byLeague(fixtures: readonly Fixture[]): readonly BoardItem[] {
  const keyOf = (fixture: Fixture): string =>
    `${isStarred(fixture) ? 0 : 1}${STATUS_RANK[fixture.state.status]} ${fixture.event.league.id}`;
  const groups = [...Map.groupBy(fixtures, keyOf)]
    .map(([key, members]) => ({ key, members: members.sort(byKickoff) }))
    .sort(
      (one, other) =>
        Number(one.key.slice(0, 2)) - Number(other.key.slice(0, 2)) ||
        byKickoff(one.members[0]!, other.members[0]!) ||
        one.key.localeCompare(other.key),
    );
  return groups.flatMap(({ key, members }) => {
    const { event, state } = members[0]!;
    return [
      { kind: 'league' as const, key, id: event.league.id, name: event.league.name, status: state.status },
      ...members.map((fixture) => ({ kind: 'fixture' as const, key: fixture.id, fixture })),
    ];
  });
}

function byKickoff(one: Fixture, other: Fixture): number {
  const times = (one.event.scheduled_at ?? '9').localeCompare(other.event.scheduled_at ?? '9');
  return times || one.event.home_team.name.localeCompare(other.event.home_team.name);
}
