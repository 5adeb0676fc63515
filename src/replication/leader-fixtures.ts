// What a node that waits knows of the leader's fixtures: which there are and who plays. Of several feeds a fixture's public
// id depends on which of them named it first, and two nodes need not have heard them in the same order: the node that
// waits takes the leader's side, and when it leads nothing gets another id.

import type { Log } from '../log.ts';
import { RedisAway } from '../redis.ts';
import type { FixtureChange, SlateChange } from '../store/slate-change.ts';
import type { FollowerTarget, SlateFollower } from './follower.ts';

/** Numbers of an event and of its teams. */
export interface PlayedEvent {
  readonly event: number;
  readonly home: number;
  readonly away: number;
}

type Teams = readonly [home: number, away: number];

/** The leader's slate without its prices: what a follower of it fills. */
export class LeaderFixtures implements FollowerTarget {
  readonly #teams = new Map<number, Teams>();
  #revision = 0;

  /** Whether nothing is known: there is no leader, or this node is it. */
  get isEmpty(): boolean {
    return this.#teams.size === 0;
  }

  /** Another one whenever fixtures came or left. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether the leader has that match under that number. */
  has({ event, home, away }: PlayedEvent): boolean {
    const teams = this.#teams.get(event);
    return teams !== undefined && teams[0] === home && teams[1] === away;
  }

  clear(): void {
    this.#teams.clear();
    this.#revision++;
  }

  replace(_slate: SlateChange, fixtures: readonly { readonly fixture: FixtureChange }[]): number {
    this.clear();
    this.#put(fixtures.map(({ fixture }) => fixture));
    return 0;
  }

  apply({ removed, fixtures }: SlateChange): number {
    for (const event of removed) if (this.#teams.delete(event)) this.#revision++;
    this.#put(fixtures);
    return 0;
  }

  setReplication(): void {} // the node itself says how it stands

  #put(fixtures: readonly FixtureChange[]): void {
    for (const [event, , , names] of fixtures) {
      if (names === null) continue;
      const [, [home], [away]] = names;
      this.#teams.set(event, [home, away]);
      this.#revision++;
    }
  }
}

/** How long the last entries of the former leader may take to be read. */
const LAST_ENTRIES_MS = 1_000;

export interface StandbyOptions {
  readonly fixtures: LeaderFixtures;
  /** One that fills them. */
  readonly openFollower: () => SlateFollower;
  /** Gives the matches of this node the names that the leader has for them. */
  readonly takeNames: () => Promise<void>;
  readonly log: Log;
}

/** Follows the leader's fixtures for as long as this node waits. */
export class Standby {
  readonly #options: StandbyOptions;
  #follower: SlateFollower | null = null;

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  /** This node waits: may be called again and again. */
  watch(): void {
    if (this.#follower !== null) return;
    this.#follower = this.#options.openFollower();
    this.#follower.start();
  }

  /**
   * This node has just been given the lease: nothing more can come of the former leader. What it wrote last is read first;
   * where that cannot be read, as from another release, this node leads all the same with the names it has.
   */
  async takeOver(): Promise<void> {
    const { fixtures, takeNames, log } = this.#options;
    try {
      await this.#follower?.readToEnd(LAST_ENTRIES_MS);
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      log.warn('leader_fixtures_unread', { because: error.message });
    }
    await takeNames();
    await this.close();
    fixtures.clear(); // from now on this node gives the names
  }

  async close(): Promise<void> {
    const follower = this.#follower;
    this.#follower = null;
    await follower?.close();
  }
}
