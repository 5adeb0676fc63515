// Everything that readers can see of a small store, column by column, including versions. A store and its
// follower must agree in every column.

import { attachStore, WIDE } from '../../src/store/layout.ts';
import { LINE_GROUPS } from '../../src/store/quote-key.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { PAGE_SCALARS } from '../../src/store/slate-change.ts';
import { SMALL } from './small-store.ts';

/** The events that tests put into the store. */
const EVENTS = [1, 2, 3, 4, 5, 6];

/** Everything that readers can see. A version below `least` is shown as `least`. */
export function dumpColumns(buffer: SharedArrayBuffer, least: number): unknown {
  const views = attachStore(buffer);
  const reader = new SlateReader(buffer);
  const version = (value: number) => Math.max(value, least);
  const fixtures = new Map<number, unknown>();
  for (let slot = 0; slot < reader.slotCount(); slot++) {
    const page = reader.pageOf(slot);
    if (page < 0) continue;
    const first = page * SMALL.quotesPerFixture;
    const rows = Array.from({ length: views.quoteCount[page]! }, (_, index) => first + index);
    const firstOpening = slot * SMALL.openingsPerFixture;
    const openings = Array.from({ length: reader.openingCount(slot) }, (_, index) => firstOpening + index);
    const groups = views.groupWithdrawnVersion.slice(page * LINE_GROUPS, (page + 1) * LINE_GROUPS);
    fixtures.set(views.eventNumber[page]!, {
      scalars: PAGE_SCALARS.map(([name, kind]) => [
        name,
        kind === 'version' ? version(views[name][page]!) : views[name][page],
      ]),
      names: [views.leagueEntity, views.homeEntity, views.awayEntity].map((column) =>
        reader.name(column[page]!),
      ),
      clock: reader.clock(page),
      quotes: rows.map((row) => [
        views.quoteKey[row],
        views.priceE4A[row],
        views.priceE4B[row],
        views.priceE4C[row],
        views.quoteStatus[row],
        views.quoteAtMs[row],
        version(views.quoteVersion[row]!),
      ]),
      groups: [...groups].map((value) => Math.max(value, least)),
      openings: openings.map((row) => [
        views.openingKey[row],
        views.openedAtMs[row],
        views.openingUpstream[row],
      ]),
    });
  }
  const { connected, snapshotComplete, appliedAtMs, commonAppliedAtMs, heartbeatAtMs } = reader.feed();
  const departures = reader.instant(least)?.departures?.map((departure) => ({
    ...departure,
    arrivedVersion: version(departure.arrivedVersion),
    settledVersion: version(departure.settledVersion),
    leagueEntity: reader.name(departure.leagueEntity),
  }));
  return {
    version: reader.slateVersion(),
    epochMs: Number(views.wide[WIDE.epochMs]),
    feed: { connected, snapshotComplete, appliedAtMs, commonAppliedAtMs, heartbeatAtMs },
    fixtures: [...fixtures].sort(([left], [right]) => left - right),
    departures,
    liquidity: EVENTS.map((event) => reader.liquidityOf(event)),
  };
}
