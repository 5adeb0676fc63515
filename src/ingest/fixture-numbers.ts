// What the ingest worker knows about each event by the feed's own key: its number, slot and names. A quote
// finds its slot here without hashing its key again, and a result finds the names for the archive. It refuses
// a key whose number (a hash) belongs to another key.

import type { ArchivedResult } from '../archive/tables.ts';
import { entityNumber } from '../domain/ids.ts';
import type { RejectReason } from '../domain/reject-reasons.ts';
import type { EventMessage, NamedKey } from '../feed/protocol.ts';
import { ENTITIES_MAX, FIXTURES_MAX } from '../limits.ts';
import type { EntityName, FixtureIdentity } from '../store/records.ts';

export interface FixtureRecord extends FixtureIdentity {
  /** The last event message that described the fixture: the feed's own keys and names. */
  readonly message: EventMessage;
  slot: number;
  /**
   * Last score and red cards that the feed sent. They become the result of a match whose feed sends no
   * result.
   */
  score: readonly [number, number] | null;
  cards: readonly [number, number] | null;
  /** When the feed reported the match as finished, Unix ms; NaN before that. */
  finishedAtMs: number;
  /** The result that was recorded last, null before the first. */
  recordedResult: ArchivedResult | null;
}

/**
 * Maximum number of numbers in use: one for each league and team that the store can name, and one for each
 * fixture.
 */
const CLAIMS_MAX = ENTITIES_MAX + FIXTURES_MAX;

export class FixtureNumbers {
  readonly #recordByKey = new Map<string, FixtureRecord>();
  /**
   * The entity that each number in use stands for. Numbers of teams and leagues are never freed, like their
   * names in the store. A refused fixture adds no numbers.
   */
  readonly #ownerByNumber = new Map<number, string>();

  get(eventKey: string): FixtureRecord | undefined {
    return this.#recordByKey.get(eventKey);
  }

  records(): IterableIterator<FixtureRecord> {
    return this.#recordByKey.values();
  }

  /**
   * The record that an event message describes, new or changed but not yet kept (see `keep`).
   * @returns 'id_collision' when a number belongs to another key, 'bad_sport' when a known event changed its
   * sport, 'name_table_full' when there is no room for more names
   */
  describe(message: EventMessage): FixtureRecord | RejectReason {
    const { sport } = message;
    const known = this.#recordByKey.get(message.event);
    if (known !== undefined && known.sport !== sport) return 'bad_sport';
    const record: FixtureRecord = {
      message,
      eventNumber: known?.eventNumber ?? entityNumber('event', sport, message.event),
      sport,
      slot: known?.slot ?? -1,
      league: entityOf('league', sport, message.league),
      home: entityOf('team', sport, message.home),
      away: entityOf('team', sport, message.away),
      scheduledAtMs: message.scheduledAtMs,
      score: known?.score ?? null,
      cards: known?.cards ?? null,
      finishedAtMs: known?.finishedAtMs ?? Number.NaN,
      recordedResult: known?.recordedResult ?? null,
    };
    return this.#refusalOf(claimsOf(message, record)) ?? record;
  }

  /** Keeps a record that `describe` made of this message, once the store has accepted the fixture. */
  keep(message: EventMessage, record: FixtureRecord): void {
    for (const [number, owner] of claimsOf(message, record)) this.#ownerByNumber.set(number, owner);
    this.#recordByKey.set(message.event, record);
  }

  /**
   * The key of an event on the slate. The method searches all events, so do not call it for every message.
   */
  keyOf(eventNumber: number): string | undefined {
    for (const [eventKey, record] of this.#recordByKey)
      if (record.eventNumber === eventNumber) return eventKey;
    return undefined;
  }

  remove(eventKey: string): void {
    const record = this.#recordByKey.get(eventKey);
    if (record === undefined) return;
    this.#recordByKey.delete(eventKey);
    this.#ownerByNumber.delete(record.eventNumber);
  }

  /**
   * Why these claims cannot all be made, or null. When two keys hash to one number, the later entity is
   * refused.
   */
  #refusalOf(claims: readonly Claim[]): RejectReason | null {
    const fresh = new Map<number, string>();
    for (const [number, owner] of claims) {
      const holder = this.#ownerByNumber.get(number) ?? fresh.get(number);
      if (holder === undefined) fresh.set(number, owner);
      else if (holder !== owner) return 'id_collision';
    }
    return fresh.size > 0 && this.#ownerByNumber.size + fresh.size > CLAIMS_MAX ? 'name_table_full' : null;
  }
}

/** A number, and the entity that it stands for. */
type Claim = readonly [number: number, owner: string];

function claimsOf(
  { sport, event, league, home, away }: EventMessage,
  record: FixtureRecord,
): readonly Claim[] {
  return [
    [record.eventNumber, `event ${sport} ${event}`],
    [record.league.number, `league ${sport} ${league.key}`],
    [record.home.number, `team ${sport} ${home.key}`],
    [record.away.number, `team ${sport} ${away.key}`],
  ];
}

function entityOf(kind: 'league' | 'team', sport: number, named: NamedKey): EntityName {
  return { number: entityNumber(kind, sport, named.key), name: named.name };
}
