// The part of the tape that is in no file yet: one segment, or several while older ones become files.

import { decodeId } from '../../domain/ids.ts';
import type { TapeMark } from '../mark.ts';
import type { FixtureSummary } from '../past/fixture-summaries.ts';
import type { Sight } from '../past/past-fixture.ts';
import type { LiveRows } from '../tape-source.ts';
import type { FixtureIds, TapeRange, Tick, TickRows } from '../tick.ts';
import type { LiveSegment } from './live-segment.ts';

export interface LivePart {
  readonly segment: LiveSegment;
  /** When the part begins, Unix ms. For instants from then on, the parts before it are not needed. */
  readonly beginMs: number;
}

/** Read access to the live parts. */
export class LiveParts implements LiveRows {
  /** In the order in which they were written. */
  readonly #parts: () => readonly LivePart[];

  constructor(parts: () => readonly LivePart[]) {
    this.#parts = parts;
  }

  at(atMs: number): LiveParts {
    const begun = this.#parts().filter(({ beginMs }) => beginMs <= atMs);
    // After the clock was set back, the part written last may not be the one that begins last. The latter is
    // chosen. The reader chooses among files in the same way, so an answer stays the same once the part is a
    // file.
    const part = begun.toSorted((first, second) => first.beginMs - second.beginMs).at(-1);
    return new LiveParts(() => (part === undefined ? [] : [part]));
  }

  /** When the part that was written first begins, Unix ms; Infinity without a part. */
  get beginMs(): number {
    return this.#parts()[0]?.beginMs ?? Number.POSITIVE_INFINITY;
  }

  has(beginMs: number): boolean {
    return this.#parts().some((part) => Math.trunc(part.beginMs) === beginMs);
  }

  get tickCount(): number {
    return this.#parts().reduce((sum, { segment }) => sum + segment.tickCount, 0);
  }

  /** The summaries of each part. */
  summaries(sight: Sight): Iterable<FixtureSummary> {
    return this.#parts().flatMap(({ segment }) => [...segment.summaries(sight)]);
  }

  eventIds(): Iterable<string> {
    return new Set(
      this.#parts().flatMap(({ segment }) => segment.fixtures.map(({ fixture }) => fixture.eventId)),
    );
  }

  /** The rows of one fixture: its lines when the first part began, then the ticks of all parts. */
  rowsOf(eventId: string): readonly Tick[] {
    const eventNumber = decodeId('event', eventId);
    return this.#parts().flatMap(({ segment }, index) =>
      segment
        .rowsOf(eventNumber)
        .map((at) => segment.tick(at))
        .filter(({ standing }) => index === 0 || !standing),
    );
  }

  changesIn(range: TapeRange): readonly TickRows[] {
    return this.#parts().map(({ segment }) => segment.changesIn(range));
  }

  lastRowsAt(eventId: string, atMs: number): readonly Tick[] {
    const eventNumber = decodeId('event', eventId);
    return this.at(atMs)
      .#parts()
      .flatMap(({ segment }) => segment.lastRowsAt(eventNumber, atMs).map((at) => segment.tick(at)));
  }

  marksOf(eventId: string): readonly TapeMark[] {
    const eventNumber = decodeId('event', eventId);
    return this.#parts().flatMap(({ segment }) =>
      segment.marksOf(eventNumber).map(({ fixtureIndex, ...mark }) => {
        const { fixture, ids } = segment.fixtures[fixtureIndex]!;
        return { fixture, ids, ...mark };
      }),
    );
  }

  idsOf(eventId: string): FixtureIds | undefined {
    const eventNumber = decodeId('event', eventId);
    for (const { segment } of this.#parts().toReversed()) {
      const ids = segment.idsOf(eventNumber);
      if (ids !== undefined) return ids;
    }
    return undefined;
  }
}
