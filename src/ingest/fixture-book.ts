// What the ingest worker knows about each event by the feed's own key: its number, slot and names, so that quotes find
// their slot without hashing and results carry names. Also guards against two keys that hash alike.

import { entityNumber } from '../domain/ids.ts';
import type { RejectReason } from '../domain/reject-reasons.ts';
import type { EventMessage, NamedKey } from '../feed/protocol.ts';
import { ENTITIES_MAX, FIXTURES_MAX } from '../limits.ts';

export interface NamedEntity {
  readonly number: number;
  readonly name: string;
}

export interface FixtureRecord {
  readonly eventNumber: number;
  /** Index into SPORTS. */
  readonly sport: number;
  slot: number;
  league: NamedEntity;
  home: NamedEntity;
  away: NamedEntity;
  scheduledAtMs: number;
  /** Last score and red cards the feed sent: the result of a match whose feed sends none. */
  score: readonly [number, number] | null;
  cards: readonly [number, number] | null;
  resultRecorded: boolean;
  /** Quote keys known to have an opening. */
  readonly openingKeys: Set<number>;
}

/** Every league and team the store can name, and every fixture. */
const CLAIMS_MAX = ENTITIES_MAX + FIXTURES_MAX;

export class FixtureBook {
  readonly #recordByKey = new Map<string, FixtureRecord>();
  readonly #keyByNumber = new Map<number, string>();

  get(eventKey: string): FixtureRecord | undefined {
    return this.#recordByKey.get(eventKey);
  }

  records(): IterableIterator<[string, FixtureRecord]> {
    return this.#recordByKey.entries();
  }

  /**
   * The record an event message describes, new or changed but not yet kept (see `keep`).
   * @returns 'id_collision' when a number belongs to another key, 'bad_sport' when a known event changed its sport,
   *   'name_table_full' when no more names can be told apart
   */
  describe(message: EventMessage): FixtureRecord | RejectReason {
    const known = this.#recordByKey.get(message.event);
    if (known === undefined && this.#keyByNumber.size + 4 > CLAIMS_MAX) return 'name_table_full';
    if (known !== undefined && known.sport !== message.sport) return 'bad_sport';
    const eventNumber = known?.eventNumber ?? this.#claim('event', message.sport, message.event);
    const league = this.#entity('league', message.sport, message.league);
    const home = this.#entity('team', message.sport, message.home);
    const away = this.#entity('team', message.sport, message.away);
    if (eventNumber === null || league === null || home === null || away === null) return 'id_collision';
    return {
      eventNumber,
      sport: message.sport,
      slot: known?.slot ?? -1,
      league,
      home,
      away,
      scheduledAtMs: message.scheduledAtMs,
      score: known?.score ?? null,
      cards: known?.cards ?? null,
      resultRecorded: known?.resultRecorded ?? false,
      openingKeys: known?.openingKeys ?? new Set(),
    };
  }

  keep(eventKey: string, record: FixtureRecord): void {
    this.#recordByKey.set(eventKey, record);
  }

  /** The key of an event on the slate. Walks all: for removals only. */
  keyOf(eventNumber: number): string | undefined {
    for (const [eventKey, record] of this.#recordByKey)
      if (record.eventNumber === eventNumber) return eventKey;
    return undefined;
  }

  remove(eventKey: string): void {
    const record = this.#recordByKey.get(eventKey);
    if (record === undefined) return;
    this.#recordByKey.delete(eventKey);
    this.#keyByNumber.delete(record.eventNumber);
  }

  #entity(kind: 'league' | 'team', sport: number, named: NamedKey): NamedEntity | null {
    const number = this.#claim(kind, sport, named.key);
    return number === null ? null : { number, name: named.name };
  }

  /** The number of an entity, or null when another entity has it: the later one is refused, never merged. */
  #claim(kind: 'event' | 'league' | 'team', sport: number, key: string): number | null {
    const number = entityNumber(kind, sport, key);
    const owner = `${kind} ${sport} ${key}`;
    const holder = this.#keyByNumber.get(number);
    if (holder === undefined) this.#keyByNumber.set(number, owner);
    return holder === undefined || holder === owner ? number : null;
  }
}
