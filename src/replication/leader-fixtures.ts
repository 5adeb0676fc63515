// What a standby knows of the leader's fixtures: their ids and teams. With several feeds, a fixture's public
// id depends on which feed named it first, and two nodes may receive the feeds in a different order. The
// standby therefore adopts the leader's ids, so that no id changes when the standby takes over.

import type { Log } from '../log.ts';
import { RedisAway } from '../storage/redis.ts';
import type { FixtureChange, SlateChange } from '../store/slate-change.ts';
import type { FollowerTarget, SlateFollower } from './follower.ts';

/** Numbers of an event and of its teams. */
export interface PlayedEvent {
  readonly event: number;
  readonly home: number;
  readonly away: number;
}

type Teams = readonly [home: number, away: number];

/** The leader's slate without its prices, filled by a follower. */
export class LeaderFixtures implements FollowerTarget {
  /** Ignores the state: the node reports it elsewhere. */
  readonly facts = { setReplication: (): void => {} };
  readonly #teams = new Map<number, Teams>();
  #revision = 0;

  /** Whether nothing is known: there is no leader, or this node leads. */
  get isEmpty(): boolean {
    return this.#teams.size === 0;
  }

  /** A number that changes whenever fixtures arrive or leave. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether the leader has this match under this event number. */
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

  #put(fixtures: readonly FixtureChange[]): void {
    for (const [event, , , names] of fixtures) {
      if (names === null) continue;
      const [, [home], [away]] = names;
      this.#teams.set(event, [home, away]);
      this.#revision++;
    }
  }
}

/** How long reading the former leader's last entries may take. */
const LAST_ENTRIES_MS = 1_000;

export interface StandbyOptions {
  readonly fixtures: LeaderFixtures;
  /** Opens a follower that fills `fixtures`. */
  readonly openFollower: () => SlateFollower;
  /** Gives this node's matches the ids that the leader has given them. */
  readonly takeNames: () => Promise<void>;
  readonly log: Log;
}

/** Follows the leader's fixtures while this node is on standby. */
export class Standby {
  readonly #options: StandbyOptions;
  #follower: SlateFollower | null = null;

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  /** Starts following, unless it already does. */
  watch(): void {
    if (this.#follower !== null) return;
    this.#follower = this.#options.openFollower();
    this.#follower.start();
  }

  /**
   * Reads the former leader's last entries and adopts its ids. Call it once this node has the lease, so that
   * the former leader writes nothing more. If the entries cannot be read, for example because of another
   * release, this node leads with the ids it has.
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
    fixtures.clear(); // from now on this node assigns the ids
  }

  async close(): Promise<void> {
    const follower = this.#follower;
    this.#follower = null;
    await follower?.close();
  }
}
