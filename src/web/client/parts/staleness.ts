// Which fixtures have prices that were not confirmed within the freshness window of their status. The rule is
// the same as for the `stale` field of a fixture in the API. Live matches become stale much sooner than
// scheduled ones.

import { computed, type ReadonlySignal } from '@preact/signals';
import { serverNowMs } from '../data/api.ts';
import type { Follower } from '../data/follow.ts';
import type { Fixture, Mirror } from '../data/mirror.ts';
import { pageSettings } from '../data/page-settings.ts';
import { slowNowMs } from './ticking.ts';

/** The page learns `as_of` from heartbeats, so its value may be this much older than the server's. */
const HEARTBEAT_MS = 5_000;
/** The states in which the page shows what the server sent last. In all others the connection is lost. */
const CONNECTED_STATES = ['loading', 'live', 'polling', 'past'];

export class Staleness {
  /** Whether the connection is lost, so that no shown price is known to be confirmed. */
  readonly ofAll: ReadonlySignal<boolean>;
  readonly #ofLive: ReadonlySignal<boolean>;
  readonly #ofOthers: ReadonlySignal<boolean>;
  readonly #mirror: Mirror;
  readonly #follower: Follower;

  constructor(mirror: Mirror, follower: Follower) {
    this.#mirror = mirror;
    this.#follower = follower;
    this.ofAll = computed(() => !CONNECTED_STATES.includes(follower.connection.value.state));
    // For live matches, use the slate's own `stale`: it is computed with their window.
    this.#ofLive = computed(() => this.ofAll.value || mirror.isStale.value);
    this.#ofOthers = computed(() => {
      if (this.ofAll.value) return true;
      void slowNowMs.value;
      const asOf = mirror.asOf.value;
      return asOf !== null && serverNowMs() - Date.parse(asOf) > pageSettings.prematchWindowMs + HEARTBEAT_MS;
    });
  }

  of(fixture: Fixture): boolean {
    // An instant of the past is stale when it lies in a gap of the history.
    if (this.#follower.connection.value.state === 'past') return this.#mirror.isStale.value;
    const isLive = fixture.state.status === 'live';
    if (this.#mirror.confirmations.value !== null) return this.ofAll.value || this.#isLost(fixture, isLive);
    return isLive ? this.#ofLive.value : this.#ofOthers.value;
  }

  /**
   * Whether no source has confirmed the fixture within its window. With several sources, the server suspends
   * the prices of a source that is lost, so a fixture with an open price was confirmed in time.
   */
  #isLost(fixture: Fixture, isLive: boolean): boolean {
    for (const { status } of fixture.quotes.values()) if (status === 'open') return false;
    void slowNowMs.value;
    const atMs = this.#mirror.confirmedAtMs(fixture);
    const windowMs = isLive ? pageSettings.liveWindowMs : pageSettings.prematchWindowMs;
    return atMs !== null && serverNowMs() - atMs > windowMs + HEARTBEAT_MS;
  }
}
