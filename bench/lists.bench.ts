// The cost of a list, a lookup and /health as the slate grows. One price changes before each request. A
// request should cost only as much as what it returns, however large the slate is. All slates have the same
// number of fixtures in play.

import { bench, do_not_optimize, group } from 'mitata';
import { HOUR_MS } from '../src/clock.ts';
import { isSharpBookmaker } from '../src/domain/catalogue.ts';
import { assert } from '../src/errors.ts';
import { EntityQueries } from '../src/query/lists/entities.ts';
import { EventQueries } from '../src/query/lists/events.ts';
import { lookUpFixture } from '../src/query/lookup/fixture-lookup.ts';
import { LeagueFilter } from '../src/query/lookup/league-filter.ts';
import { NameDirectory } from '../src/query/lookup/name-directory.ts';
import { Slate } from '../src/query/slate/slate.ts';
import { createStore, DEFAULT_CAPACITY } from '../src/store/layout.ts';
import { bookmakerOfKey } from '../src/store/quote-key.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchKeys } from './store-slate.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 12);
const TODAY = { fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 2, 2) };
const WARM_UP_ROUNDS = 1_500;
const LIVE = 20;
const LISTED = 100;

export function define(size: 'smoke' | 'full'): void {
  const scenes = (size === 'smoke' ? [100] : [100, 1_000, 4_000]).map((count) => new Scene(count));
  const questions = Object.keys(scenes[0]!.questions);
  // Warm up first; otherwise the first slate pays for compilation, and the others profit from it.
  for (let round = 0; round < (size === 'smoke' ? 1 : WARM_UP_ROUNDS); round++) {
    for (const question of questions) for (const scene of scenes) scene.questions[question]!();
  }
  for (const question of questions) {
    group(`lists: ${question}`, () => {
      for (const scene of scenes) {
        const ask = scene.questions[question]!;
        bench(`${scene.fixtureCount} fixtures`, () => {
          scene.movePrice();
          do_not_optimize(ask());
        }).baseline(scene === scenes[0]);
      }
    });
  }
}

/** A slate, and the requests made to it. */
class Scene {
  readonly fixtureCount: number;
  readonly questions: Readonly<Record<string, () => unknown>>;
  readonly #writer: SlateWriter;
  readonly #key: number;
  #moves = 0;

  constructor(fixtureCount: number) {
    this.fixtureCount = fixtureCount;
    const buffer = createStore(1, { ...DEFAULT_CAPACITY, openingsPerFixture: 8 });
    this.#writer = new SlateWriter(buffer);
    const keys = benchKeys(8);
    this.#key = keys[0]!;
    for (let index = 0; index < fixtureCount; index++) this.#put(index, keys);
    this.#writer.facts.setConnected(true);
    this.#writer.facts.setAppliedAt(NOW_MS);
    this.#writer.facts.setCommonAppliedAt(NOW_MS);
    this.#writer.facts.setHeartbeatAt(NOW_MS);
    this.#writer.setSnapshotComplete();
    this.#writer.publish(NOW_MS);
    const slate = new Slate(new SlateReader(buffer), { liveMs: 60_000, prematchMs: 300_000 });
    const names = new NameDirectory(slate);
    const events = new EventQueries(slate, new LeagueFilter(names));
    const entities = new EntityQueries(names);
    const query = `${nameOf(2 * 50)} vs ${nameOf(2 * 50 + 1)}`;
    this.questions = {
      [`events?limit=${LISTED}`]: () => events.list({ limit: LISTED }, NOW_MS),
      'events/live': () => events.live(NOW_MS),
      'find_match, two teams': () => lookUpFixture({ slate, names }, { query }, NOW_MS),
      '/health': () => slate.health(NOW_MS),
      'events?status=finished': () => events.list({ limit: LISTED, status: 'finished' }, NOW_MS),
      'events?sport=football&date': () =>
        events.list({ limit: LISTED, sport: 'football', date: '2026-03-01' }, NOW_MS),
      'teams?limit=100': () => entities.teams({ limit: LISTED }, NOW_MS),
      'teams?q': () => entities.teams({ limit: LISTED, q: nameOf(100) }, NOW_MS),
      'leagues?limit=100': () => entities.leagues({ limit: LISTED }, NOW_MS),
      list_today_matches: () => events.selectAround({}, TODAY, NOW_MS, 50),
      list_leagues: () => events.leagues({}, NOW_MS),
      "scan_slate's hundred": () => events.urgent({}, NOW_MS, LISTED),
    };
    assert(events.list({ limit: LISTED }, NOW_MS).data.length === LISTED, 'a full page');
    assert(events.live(NOW_MS).length === LIVE, 'as many in play on every slate');
    assert(lookUpFixture({ slate, names }, { query }, NOW_MS).status === 'matched', 'the fixture is found');
    assert(events.urgent({}, NOW_MS, LISTED).count === fixtureCount, 'every fixture is counted');
    assert(entities.teams({ limit: LISTED }, NOW_MS).data.length === LISTED, 'a full page of teams');
    const common = keys.filter((key) => !isSharpBookmaker(bookmakerOfKey(key))).length;
    assert(slate.health(NOW_MS).odds === common * fixtureCount, 'every quote that all tiers see is counted');
  }

  movePrice(): void {
    const slot = (this.#moves * 37) % this.fixtureCount;
    this.#moves++;
    this.#writer.quotes.putQuote(slot, this.#key, 15_000 + (this.#moves % 1_000), 20_000, 0, 0, NOW_MS);
    this.#writer.publish(NOW_MS);
  }

  #put(index: number, keys: readonly number[]): void {
    const isLive = index < LIVE;
    const slot = this.#writer.putFixture({
      eventNumber: index + 1,
      sport: 0,
      league: { number: 1 + (index % 40), name: `League ${index % 40}` },
      home: { number: 1_000 + index * 2, name: nameOf(index * 2) },
      away: { number: 1_001 + index * 2, name: nameOf(index * 2 + 1) },
      scheduledAtMs: isLive ? NOW_MS - HOUR_MS : NOW_MS + HOUR_MS + index * 1_000,
      atMs: NOW_MS,
    });
    const state = { score: null, cards: null, clock: '2h 60', atMs: NOW_MS } as const;
    if (isLive) this.#writer.putState(slot, { ...state, status: 1 });
    for (const key of keys) this.#writer.quotes.putQuote(slot, key, 15_000, 20_000, 0, 0, NOW_MS - 1);
  }
}

const SYLLABLES = 'ba ko ri mu te lo sa ne vi du pa go xe fi zu hy'.split(' ');

/** A made-up word that is the name of no other team. */
function nameOf(team: number): string {
  const digits = [team & 15, (team >> 4) & 15, (team >> 8) & 15, (team >> 12) & 15];
  const word = digits.map((digit, at) => SYLLABLES[(digit + 5 * at) & 15]).join('');
  return word[0]!.toUpperCase() + word.slice(1);
}
