// Ticks for the series of a line where the tape itself ceases to know and imports count, or the other way
// round. A price that only an import has may have changed while the server recorded, when imports do not
// count. Where they begin to count, that price is then on the slate without having changed.

import { shownAgain } from './imports/confirmations.ts';
import { isSamePrice } from './imports/prices.ts';
import type { OwnTime, TapeAndSource } from './own-time.ts';
import { partsAt, rowsIn } from './parts-at.ts';
import { lastOfLines, type Sight } from './past/past-fixture.ts';
import { lineKeyOf, NO_PRICES, type Tick } from './tick.ts';

/** An instant from which imports count, or no longer count. */
export interface OwnBound {
  readonly atMs: number;
  /** Whether the tape itself knows what was published from then on. */
  readonly isOwn: boolean;
}

interface Asked {
  readonly eventId: string;
  readonly sight: Sight;
  /** What the tape itself knows, for callers with this sight. */
  readonly ownTime: OwnTime;
}

/**
 * Adds a tick for each line that `at=` shows differently from a bound on, although it did not change then.
 * @param ticks of a fixture, in the order of publishing
 * @param bounds in the order of time
 */
export async function withBoundTicks(
  parts: TapeAndSource,
  ticks: readonly Tick[],
  { bounds, ...asked }: Asked & { readonly bounds: readonly OwnBound[] },
): Promise<Tick[]> {
  const all: Tick[] = [];
  const said = new Map<string, Tick>();
  let next = 0;
  for (const bound of bounds) {
    for (; next < ticks.length && ticks[next]!.receivedAtMs < bound.atMs; next++) {
      all.push(ticks[next]!);
      said.set(lineKeyOf(ticks[next]!), ticks[next]!);
    }
    for (const tick of await ticksAtBound(parts, bound, { ...asked, said })) {
      all.push(tick);
      said.set(lineKeyOf(tick), tick);
    }
  }
  return [...all, ...ticks.slice(next)];
}

/** @param asked with `said`: the last tick of each line before the bound. A line may have had none */
async function ticksAtBound(
  parts: TapeAndSource,
  { atMs, isOwn }: OwnBound,
  { eventId, sight, said, ownTime }: Asked & { readonly said: ReadonlyMap<string, Tick> },
): Promise<Tick[]> {
  const rowsAt = async (instantMs: number): Promise<readonly Tick[]> => {
    const partsThen = await partsAt(parts, instantMs, sight, ownTime);
    return lastOfLines(await rowsIn(partsThen, parts.files, { eventId, sight }));
  };
  const former = new Map((await rowsAt(atMs - 1)).map((tick) => [lineKeyOf(tick), tick]));
  const times = { atMs, receivedAtMs: atMs };
  return (await rowsAt(atMs)).flatMap((tick): Tick[] => {
    const key = lineKeyOf(tick);
    const held = said.get(key) ?? former.get(key) ?? { status: 'withdrawn', pricesE4: NO_PRICES };
    const isSame = held.status === tick.status && isSamePrice(held.pricesE4, tick.pricesE4);
    if (isSame || tick.receivedAtMs === atMs) return [];
    if (!isOwn) return [shownAgain(tick, times)];
    // Where imports no longer count, a line that only they have ends without a withdrawal.
    return tick.status === 'withdrawn' ? [] : [{ ...tick, ...times, standing: false }];
  });
}
