// Describes the fixtures of ring records: from numbers and rows of the store's entity table to the ids and
// names of the API. Each description is made once and kept while nothing about the fixture changes.

import { SPORT_KEYS } from '../../domain/catalogue.ts';
import { encodeId } from '../../domain/ids.ts';
import { FIXTURES_MAX } from '../../limits.ts';
import { RECORD_WORDS, sportOf, TAPE_FLOAT, unpackEntities } from '../../store/tape-ring.ts';
import type { SegmentFixture } from './live-segment.ts';

export type FixtureDescription = SegmentFixture;

/** Names and numbers of entities, by row. */
export interface EntityRows {
  name(row: number): string;
  number(row: number): number;
}

interface Held {
  readonly description: FixtureDescription;
  readonly scheduledAtMs: number;
  readonly entities: number;
}

/** Fixtures that left the slate stay described until twice as many are known as the slate has room for. */
const DESCRIPTIONS_MAX = 2 * FIXTURES_MAX;

export class FixtureNames {
  readonly #rows: EntityRows;
  readonly #held = new Map<number, Held>();

  constructor(rows: EntityRows) {
    this.#rows = rows;
  }

  /** The fixture of a record. */
  describe(words: Int32Array, floats: Float64Array, place: number): FixtureDescription {
    const half = (place * RECORD_WORDS) / 2;
    const eventNumber = floats[half + TAPE_FLOAT.eventNumber]!;
    const scheduledAtMs = floats[half + TAPE_FLOAT.scheduledAtMs]!;
    const entities = floats[half + TAPE_FLOAT.entities]!;
    const held = this.#held.get(eventNumber);
    if (held !== undefined && held.entities === entities && Object.is(held.scheduledAtMs, scheduledAtMs)) {
      return held.description;
    }
    const sport = sportOf(words, place * RECORD_WORDS);
    const description = this.#describe({ eventNumber, scheduledAtMs, entities, sport });
    if (held === undefined && this.#held.size >= DESCRIPTIONS_MAX) {
      // If there are too many descriptions, the oldest is dropped, and made again when it is needed.
      for (const oldest of this.#held.keys()) {
        this.#held.delete(oldest);
        break;
      }
    }
    this.#held.set(eventNumber, { description, scheduledAtMs, entities });
    return description;
  }

  #describe(record: {
    readonly eventNumber: number;
    readonly scheduledAtMs: number;
    readonly entities: number;
    readonly sport: number;
  }): FixtureDescription {
    const { eventNumber, scheduledAtMs, sport } = record;
    const [league, home, away] = unpackEntities(record.entities);
    return {
      eventNumber,
      sport,
      fixture: {
        eventId: encodeId('event', eventNumber),
        sport: SPORT_KEYS[sport]!,
        league: this.#rows.name(league),
        home: this.#rows.name(home),
        away: this.#rows.name(away),
        kickoffMs: Number.isNaN(scheduledAtMs) ? null : scheduledAtMs,
      },
      ids: {
        leagueId: encodeId('league', this.#rows.number(league)),
        homeId: encodeId('team', this.#rows.number(home)),
        awayId: encodeId('team', this.#rows.number(away)),
      },
    };
  }
}
