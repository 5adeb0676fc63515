// Every fixture at an instant of the past. The rows of a fixture become objects only when the fixture is
// read, because the row objects of a whole slate together would take tens of megabytes.

import type { LastRows } from '../files/rows-of-file.ts';
import type { TapeMark } from '../mark.ts';
import type { LiveRows } from '../tape-source.ts';
import type { FixtureIds, Tick } from '../tick.ts';
import { isSeen, type PastFixture, pastFixtureOf, type Sight } from './past-fixture.ts';

export interface PastSlateParts {
  /** Up to which instant the live part answers. */
  readonly liveUntilMs: number;
  readonly sight: Sight;
  /** From each file, the last row of each line that was published by the instant. */
  readonly files: readonly LastRows[];
  /** The ids that files have, by event id. */
  readonly ids: ReadonlyMap<string, FixtureIds>;
  /** The live part as it was when the slate was read; null when it does not answer for the instant. */
  readonly live: LiveRows | null;
  /** What the feed had last reported of each fixture (its status and score) at the instant, by event id. */
  readonly marks: ReadonlyMap<string, TapeMark>;
}

export class PastSlate {
  /** The fixtures that may have been on the slate. */
  readonly eventIds: ReadonlySet<string>;
  readonly #parts: PastSlateParts;

  constructor(parts: PastSlateParts) {
    this.#parts = parts;
    this.eventIds = new Set([
      ...parts.files.flatMap((file) => [...file.eventIds()]),
      ...(parts.live?.eventIds() ?? []),
      ...parts.marks.keys(),
    ]);
  }

  /** A fixture; null when it was not on the slate. */
  fixture(eventId: string): PastFixture | null {
    const { liveUntilMs, sight, files, ids, live, marks } = this.#parts;
    const rows: Tick[] = [];
    for (const file of files) rows.push(...file.of(eventId));
    if (live !== null) rows.push(...live.lastRowsAt(eventId, liveUntilMs));
    return pastFixtureOf(
      rows.filter((tick) => isSeen(tick, sight)),
      { ids: ids.get(eventId) ?? live?.idsOf(eventId), mark: marks.get(eventId) ?? null },
    );
  }

  /** Every fixture that was on the slate. */
  *fixtures(): Generator<PastFixture> {
    for (const eventId of this.eventIds) {
      const fixture = this.fixture(eventId);
      if (fixture !== null) yield fixture;
    }
  }
}
