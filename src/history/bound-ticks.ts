// Ticks for the series of a line where the tape itself ceases to know and imports count, or the other way
// round. A price that only an import has may have changed while the server recorded, when imports do not
// count. Where they begin to count, that price is then on the slate without having changed.

import { eventLoopTurn } from '../pause.ts';
import { shownAgain } from './imports/confirmations.ts';
import { isSamePrice } from './imports/prices.ts';
import { type ChangedLine, LinesInTime, rowsOfPart } from './lines-in-time.ts';
import type { OwnTime, TapeAndSource } from './own-time.ts';
import { PartsInTime } from './parts-at.ts';
import type { Sight } from './past/past-fixture.ts';
import { requireWanted } from './past/read-turns.ts';
import { compareTickLines, lineKeyOf, NO_PRICES, type Tick } from './tick.ts';

/** An instant from which imports count, or no longer count. */
export interface OwnBound {
  readonly atMs: number;
  /** Whether the tape itself knows what was published from then on. */
  readonly isOwn: boolean;
}

/** How many bounds are looked at before other questions get their turn. */
const BOUNDS_PER_TURN = 1_000;

interface Asked {
  readonly eventId: string;
  readonly sight: Sight;
  /** What the tape itself knows, for callers with this sight. */
  readonly ownTime: OwnTime;
  /** In the order of time. */
  readonly bounds: readonly OwnBound[];
  /** Aborted once nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds a tick for each line that `at=` shows differently from a bound on, although it did not change then.
 * There may be thousands of bounds, so only lines that changed since the last bound are looked at.
 * @param ticks of a fixture, in the order of publishing
 */
export async function withBoundTicks(
  parts: TapeAndSource,
  ticks: readonly Tick[],
  { bounds, eventId, sight, ownTime, signal }: Asked,
): Promise<Tick[]> {
  const lines = new LinesInTime(await PartsInTime.read(parts, sight, ownTime), {
    rowsIn: async (part) => await rowsOfPart(part, parts.files, { eventId, sight }),
  });
  const all: Tick[] = [];
  const said = new Map<string, Tick>();
  const say = (tick: Tick): void => {
    const key = lineKeyOf(tick);
    all.push(tick);
    said.set(key, tick);
    lines.mark(key);
  };
  let next = 0;
  for (const [index, bound] of bounds.entries()) {
    if (index % BOUNDS_PER_TURN === BOUNDS_PER_TURN - 1) {
      await eventLoopTurn();
      requireWanted(signal);
    }
    for (; next < ticks.length && ticks[next]!.receivedAtMs < bound.atMs; next++) say(ticks[next]!);
    const changed = await lines.changedAt(bound.atMs);
    if (changed.length > 0) for (const tick of ticksAtBound(changed, bound, said)) say(tick);
  }
  return [...all, ...ticks.slice(next)];
}

/** @param said the last tick of each line before the bound. A line may have had none */
function ticksAtBound(
  changed: readonly ChangedLine[],
  { atMs, isOwn }: OwnBound,
  said: ReadonlyMap<string, Tick>,
): Tick[] {
  const times = { atMs, receivedAtMs: atMs };
  const ticks = changed.flatMap(({ key, former, tick }): Tick[] => {
    const held = said.get(key) ?? former ?? { status: 'withdrawn', pricesE4: NO_PRICES };
    const isSame = held.status === tick.status && isSamePrice(held.pricesE4, tick.pricesE4);
    if (isSame || tick.receivedAtMs === atMs) return [];
    if (!isOwn) return [shownAgain(tick, times)];
    // Where imports no longer count, a line that only they have ends without a withdrawal.
    return tick.status === 'withdrawn' ? [] : [{ ...tick, ...times, standing: false }];
  });
  return ticks.sort(compareTickLines);
}
