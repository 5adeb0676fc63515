// Turns answers of The Odds API's historical endpoint into ticks. Each answer lists every fixture of one
// sport at an instant, so a line that is missing from the next answer was withdrawn by then.

import { indexIn, SPORT_KEYS, type SportKey } from '../../domain/catalogue.ts';
import { entityId } from '../../domain/ids.ts';
import type { BookmakerMap } from '../../feed/poll/bookmaker-map.ts';
import { fixtureOf, type OddsApiFixture, sportKeyOf } from '../../feed/the-odds-api/fixture.ts';
import { isBookmaker, isMarket, isOddsEvent, type OddsEvent } from '../../feed/the-odds-api/messages.ts';
import { wireTimeMs } from '../../feed/wire-time.ts';
import { lineKeyOf } from '../tick.ts';
import { bookmakerMarketOf, type ImportedTape } from './imported-tape.ts';
import { quoteOf } from './odds-market.ts';
import { ImportRecorder } from './tape-recorder.ts';

/** One answer: what was listed at an instant. */
export interface OddsAnswer {
  readonly timestampMs: number;
  /** The time of the source's next answer to the same request; NaN when unknown. */
  readonly nextMs: number;
  /** The time of the source's answer before this one; NaN when unknown. */
  readonly previousMs: number;
  readonly events: readonly unknown[];
  /** The only fixture that the answer is about; null when it is about all of its sport. */
  readonly onlyEvent: string | null;
}

const FIELDS = ['timestamp', 'previous_timestamp', 'next_timestamp', 'data'] as const;

/**
 * An answer of `/v4/historical/sports/{sport}/odds` or `/v4/historical/sports/{sport}/events/{id}/odds`.
 * @returns null for the answer before the archive's first snapshot, which lists nothing
 * @throws RangeError when it is not such an answer
 */
export function oddsAnswerOf(value: unknown): OddsAnswer | null {
  const answer = value as Partial<Record<(typeof FIELDS)[number], unknown>> | null;
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || !('data' in answer)) {
    throw new RangeError(
      'it is not an answer of the historical endpoint, which has the fields timestamp and data',
    );
  }
  if (answer.timestamp === null) return null;
  const timestampMs = wireTimeMs(answer.timestamp);
  if (Number.isNaN(timestampMs)) throw new RangeError('its timestamp is not an ISO-8601 time');
  const times = {
    timestampMs,
    nextMs: wireTimeMs(answer.next_timestamp),
    previousMs: wireTimeMs(answer.previous_timestamp),
  };
  if (Array.isArray(answer.data)) {
    return { ...times, events: answer.data as readonly unknown[], onlyEvent: null };
  }
  const event = answer.data;
  if (!isOddsEvent(event)) throw new RangeError('its data is neither a list of events nor an event');
  return { ...times, events: [event], onlyEvent: event.id };
}

/** Reads answers in the order of their time. Make a new one for each import. */
export class OddsApiImport {
  readonly #recorder = new ImportRecorder();
  readonly #bookmakers: BookmakerMap;
  /** The fixtures that the source's last answer listed, by the source's sport key. */
  readonly #listed = new Map<string, ReadonlySet<string>>();
  /**
   * The fixtures of answers about a single fixture since the last answer about all fixtures, by the source's
   * sport key.
   */
  readonly #alone = new Map<string, Set<string>>();
  /** The answers about each league, by its id, and about single fixtures, by event id. */
  readonly #scopes = new Map<string, Scope>();
  /** When each sport's last answer said that the next one follows, by the source's sport key. */
  readonly #nextMs = new Map<string, number>();
  readonly #sports: ReadonlySet<string>;

  /** @param sports sports that the answers to be added list; more may follow */
  constructor(bookmakers: BookmakerMap, sports: ReadonlySet<string> = new Set()) {
    this.#bookmakers = bookmakers;
    this.#sports = sports;
  }

  /**
   * Adds the answers of one instant, which is later than the instant of the call before. Several answers
   * come from separate requests, for example one for each region or market; together they list everything.
   * @param answers an answer's `sport` says which sport it is about if it lists nothing
   */
  add(timestampMs: number, answers: readonly (OddsAnswer & { readonly sport?: string | null })[]): void {
    const kept = new Map<string, Set<string>>();
    const sports = new Map<string, Set<string>>();
    const alone = new Map<string, Set<string>>();
    /** When the answers of this instant say that the next ones follow, by sport. */
    const nextMsOf = new Map<string, number>();
    for (const { events, nextMs, previousMs, onlyEvent, sport = null } of answers) {
      const about = events.length === 0 ? (sport ?? this.#onlySportAt(timestampMs)) : sportOf(events);
      if (about === null) {
        if (events.length === 0) this.#recorder.leaveOut('empty_answer');
      } else if (onlyEvent === null) {
        nextMsOf.set(about, nextMs);
        named(sports, about);
      }
      for (const event of events) {
        const fixture = isOddsEvent(event) ? fixtureOf(event) : null;
        if (!isOddsEvent(event) || fixture === null) {
          this.#recorder.leaveOut(badFixture(event));
          continue;
        }
        const scope = scopeIdOf(event.sport_key, fixture.sport, onlyEvent);
        named(onlyEvent === null ? sports : alone, event.sport_key).add(event.id);
        const lines = named(kept, event.id);
        this.#event(event, { fixture, receivedAtMs: timestampMs, previousMs, scope, lines });
      }
    }
    // Stored only now, so that the order of the answers of one instant makes no difference.
    for (const [sport, nextMs] of nextMsOf) this.#nextMs.set(sport, nextMs);
    for (const [event, lines] of kept) this.#recorder.withdrawOthers(event, lines, timestampMs);
    for (const [sport, fixtures] of sports) {
      const key = sportKeyOf(sport);
      if (key !== null) this.#scope(scopeIdOf(sport, key)).answersMs.add(timestampMs);
      for (const event of [...(this.#listed.get(sport) ?? []), ...(this.#alone.get(sport) ?? [])]) {
        if (!kept.has(event)) this.#recorder.withdrawOthers(event, NO_LINES, timestampMs);
      }
      this.#alone.delete(sport);
      this.#listed.set(sport, fixtures);
    }
    for (const [sport, fixtures] of alone) {
      for (const fixture of fixtures) named(this.#alone, sport).add(fixture);
    }
  }

  finish(): ImportedTape {
    return this.#recorder.finish(this.#scopes);
  }

  /** The sport of an answer that lists nothing; null when no sport is known yet, or several are possible. */
  #onlySportAt(timestampMs: number): string | null {
    const known = [...new Set([...this.#sports, ...this.#listed.keys()])];
    const stated = known.filter((sport) => this.#nextMs.get(sport) === timestampMs);
    const possible = known.filter((sport) => !((this.#nextMs.get(sport) ?? Number.NaN) > timestampMs));
    const sports = stated.length > 0 ? stated : possible;
    return sports.length === 1 ? sports[0]! : null;
  }

  #scope(id: string): Scope {
    return this.#scopes.getOrInsertComputed(id, newScope);
  }

  #event(event: OddsEvent, { fixture, receivedAtMs, previousMs, scope, lines }: EventContext): void {
    const { sport, league, home, away, scheduledAtMs: kickoffMs } = fixture;
    this.#recorder.fixture(
      {
        ...{ key: event.id, sport: indexIn(SPORT_KEYS, sport) },
        ...{ league, home, away, kickoffMs },
      },
      receivedAtMs,
    );
    const before = this.#listed.get(event.sport_key);
    this.#recorder.list(event.id, receivedAtMs, before?.has(event.id) === true);
    const known = this.#scope(scope);
    known.answersMs.add(receivedAtMs);
    if (!Number.isNaN(previousMs)) known.previousMs.set(receivedAtMs, previousMs);
    for (const bookmaker of event.bookmakers) {
      if (!isBookmaker(bookmaker)) {
        this.#recorder.leaveOut('bad_row');
        continue;
      }
      const key = this.#bookmakers.get(bookmaker.key);
      if (key === undefined) {
        this.#recorder.leaveOut(`unmapped_bookmaker ${bookmaker.key.slice(0, 40)}`, bookmaker.markets.length);
        continue;
      }
      for (const market of bookmaker.markets) {
        const context = {
          fixture,
          bookmaker: key,
          lastUpdate: isMarket(market) ? (market.last_update ?? bookmaker.last_update) : undefined,
        };
        const quote = isMarket(market) ? quoteOf(market, context) : 'bad_row';
        if (typeof quote === 'string') {
          this.#recorder.leaveOut(quote);
          continue;
        }
        const lineKey = lineKeyOf(quote);
        if (lines.has(lineKey)) {
          this.#recorder.leaveOut('duplicate_market');
          continue;
        }
        lines.add(lineKey);
        known.pairs.add(bookmakerMarketOf(quote));
        this.#recorder.put(event.id, quote, receivedAtMs);
      }
    }
  }
}

/** An `ImportScope` that still grows while answers are read. */
interface Scope {
  readonly answersMs: Set<number>;
  readonly previousMs: Map<number, number>;
  readonly pairs: Set<string>;
}

function newScope(): Scope {
  return { answersMs: new Set(), previousMs: new Map(), pairs: new Set() };
}

/** The source's key of the sport of the first readable event; null without such an event. */
export function sportOf(events: readonly unknown[]): string | null {
  return events.find(isOddsEvent)?.sport_key ?? null;
}

/** Why an event is left out. */
function badFixture(event: unknown): string {
  const isOther = isOddsEvent(event) && sportKeyOf(event.sport_key) === null;
  return isOther ? `other_sport ${event.sport_key.slice(0, 40)}` : 'bad_fixture';
}

interface EventContext {
  readonly fixture: OddsApiFixture;
  readonly receivedAtMs: number;
  readonly previousMs: number;
  /** The id of the league or fixture that the answer lists completely. */
  readonly scope: string;
  /**
   * The lines that were already read at this instant. If a line is read twice, its first price counts. The
   * lines of this event are added.
   */
  readonly lines: Set<string>;
}

/** @param sourceKey the source's key of the sport, which is its key of the league too */
function scopeIdOf(sourceKey: string, sport: SportKey, onlyEvent: string | null = null): string {
  const index = indexIn(SPORT_KEYS, sport);
  return onlyEvent === null ? entityId('league', index, sourceKey) : entityId('event', index, onlyEvent);
}

/** The set of a key; an empty set is added if the key has none. */
function named<Key>(sets: Map<Key, Set<string>>, key: Key): Set<string> {
  return sets.getOrInsertComputed(key, () => new Set<string>());
}

const NO_LINES: ReadonlySet<string> = new Set();
