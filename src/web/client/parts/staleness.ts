// Which fixtures' prices are not confirmed within the freshness window of their status, as the API's own `stale` of a
// fixture has it while its feed confirms all fixtures at once: matches in play are stale long before those to come.

import { computed, type ReadonlySignal } from '@preact/signals';
import { serverNowMs } from '../data/api.ts';
import type { Follower } from '../data/follow.ts';
import type { Fixture, Mirror } from '../data/mirror.ts';
import { pageSettings } from '../data/page-settings.ts';
import { slowNowMs } from './ticking.ts';

/** What is known here of `as_of` may be a heartbeat of the stream older than what the server knows. */
const HEARTBEAT_MS = 5_000;
/** While one of these holds, what is shown is what the server says. */
const CONNECTED_STATES = ['loading', 'live', 'polling'];

export class Staleness {
  /** The connection is gone, so nothing shown is known to be confirmed. */
  readonly ofAll: ReadonlySignal<boolean>;
  readonly #ofLive: ReadonlySignal<boolean>;
  readonly #ofOthers: ReadonlySignal<boolean>;

  constructor(mirror: Mirror, follower: Follower) {
    this.ofAll = computed(() => !CONNECTED_STATES.includes(follower.connection.value.state));
    // The slate's `stale` goes by the window of play.
    this.#ofLive = computed(() => this.ofAll.value || mirror.isStale.value);
    this.#ofOthers = computed(() => {
      if (this.ofAll.value) return true;
      void slowNowMs.value;
      const asOf = mirror.asOf.value;
      return asOf !== null && serverNowMs() - Date.parse(asOf) > pageSettings.prematchWindowMs + HEARTBEAT_MS;
    });
  }

  of({ state }: Fixture): boolean {
    return state.status === 'live' ? this.#ofLive.value : this.#ofOthers.value;
  }
}
