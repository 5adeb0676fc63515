// Watches the resources to which an MCP client over stdio may subscribe: the signals of the slate, and the
// odds of each fixture. While there are subscribers, it checks once a second for changes.

import type { Clock } from '../clock.ts';
import { encodeId, idKindOf } from '../domain/ids.ts';
import type { Principal } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import type { ResourceChanges } from '../mcp/resource-updates.ts';
import { oddsView } from '../query/odds/odds-view.ts';
import type { Tooling } from './threads/tooling.ts';

const CHECK_EVERY_MS = 1_000;
const SIGNALS = 'signals';
const ODDS = 'odds/';

interface ResourceWatchOptions {
  readonly tooling: Pick<Tooling, 'queries' | 'liveSignals' | 'reader'>;
  readonly principal: Principal;
  readonly clock: Clock;
  /** Called if a check failed for a reason that is not the caller's fault. */
  readonly onError: (error: unknown) => void;
}

export function watchResources(options: ResourceWatchOptions): ResourceChanges {
  return {
    isFollowed: (address) =>
      address === SIGNALS || (address.startsWith(ODDS) && idKindOf(address.slice(ODDS.length)) === 'event'),
    follow: (onChange) => follow(options, onChange),
  };
}

function follow(
  { tooling, principal, clock, onError }: ResourceWatchOptions,
  onChange: (addresses: readonly string[]) => void,
): () => void {
  const { queries, liveSignals, reader } = tooling;
  const odds = oddsView(queries, {}, { principal, nowMs: clock.wallMs() });
  const follower = liveSignals.follow(
    liveSignals.view({ signals: ['value', 'arbitrage'] }, odds, principal)!,
  );
  let { count } = reader.changes(0);
  let isChecking = false;

  function movedFixtures(): string[] {
    const changes = reader.changes(count);
    count = changes.count;
    const slots =
      changes.slots === null
        ? Array.from({ length: reader.slotCount() }, (_, slot) => slot)
        : [...new Set(changes.slots)];
    return slots.flatMap((slot) => {
      const eventNumber = reader.read(slot, (page) => reader.columns.eventNumber[page]!);
      return eventNumber === undefined ? [] : [ODDS + encodeId('event', eventNumber)];
    });
  }

  async function check(): Promise<void> {
    if (isChecking) return; // the pool is busy; the next check sees what changed meanwhile
    isChecking = true;
    try {
      const moved = movedFixtures();
      if (moved.length > 0) onChange(moved);
      const signals = await follower.step(clock.wallMs(), false);
      if (signals.length > 0) onChange([SIGNALS]);
    } catch (error) {
      if (!(error instanceof ServiceError)) onError(error);
    } finally {
      isChecking = false;
    }
  }

  const timer = setInterval(check, CHECK_EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    follower.stop();
  };
}
