// Turns the answers that an importer reads, one after another, into ticks. It remembers what each bookmaker's
// line showed last, so that only changes become ticks. A fixture's kickoff is known only at the end, because
// the last one stated counts.

import { SPORT_KEYS } from '../../domain/catalogue.ts';
import { entityId } from '../../domain/ids.ts';
import {
  compareTickLines,
  dayOf,
  type FixtureIds,
  lineKeyOf,
  NO_PRICES,
  type PastResult,
  type PricesE4,
  type Tick,
  type TickFixture,
  type TickLine,
  type TickStatus,
} from '../tick.ts';
import type { ImportedFixtureFacts, ImportedTape, ImportScope, ListedSpan } from './imported-tape.ts';
import { isSamePrice } from './prices.ts';
import { areTurned, turnedKeyOf, turnedLine, turnedPrices } from './sides.ts';

/** More ticks than this in one run are refused, so that an import has bounded memory. */
const IMPORTED_TICKS_MAX = 4_000_000;
/**
 * The most different reasons that are counted. They contain names from the files, so there may be any number.
 */
const REASONS_MAX = 200;

/** A fixture as its source names it: the keys are the source's own, from which the ids are made. */
export interface ImportedFixture {
  readonly key: string;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly league: { readonly key: string; readonly name: string };
  readonly home: { readonly key: string; readonly name: string };
  readonly away: { readonly key: string; readonly name: string };
  readonly kickoffMs: number | null;
  readonly result?: PastResult | undefined;
}

/** A quote as an importer reads it. Times are Unix ms. */
export interface ImportedQuote extends TickLine {
  readonly status: Exclude<TickStatus, 'withdrawn'>;
  readonly pricesE4: PricesE4;
  readonly atMs: number;
}

interface Standing {
  readonly line: TickLine;
  readonly status: TickStatus;
  readonly pricesE4: PricesE4;
}

type Change = Pick<Tick, 'status' | 'pricesE4' | 'atMs' | 'receivedAtMs'> & { readonly line: TickLine };

interface Recorded {
  /** The latest statement of the source about the fixture, whenever it was read. */
  fixture: ImportedFixture;
  /** Whether `fixture` has home and away swapped compared with `changes` and `standing`. */
  isTurned: boolean;
  /**
   * Whether the statement that is being read has home and away swapped compared with `changes` and
   * `standing`. It may be an earlier statement than `fixture`.
   */
  isReadTurned: boolean;
  readonly eventId: string;
  readonly changes: Change[];
  /** What each line showed last. Withdrawn lines are not in it. */
  readonly standing: Map<string, Standing>;
  liveFromMs: number | null;
  seenMs: number;
  readonly listed: Map<string, ListedSpan[]>;
}

export class ImportRecorder {
  readonly #fixtures = new Map<string, Recorded>();
  readonly #leftOut = new Map<string, number>();
  #count = 0;

  /**
   * Counts something that was left out.
   * @param reason a word, then what it is about. Beyond REASONS_MAX reasons only the word is kept
   */
  leaveOut(reason: string, count = 1): void {
    const isKept = this.#leftOut.has(reason) || this.#leftOut.size < REASONS_MAX;
    const key = isKept ? reason : reason.split(' ', 1)[0]!;
    this.#leftOut.set(key, (this.#leftOut.get(key) ?? 0) + count);
  }

  /**
   * Adds a fixture, or replaces its names and kickoff. The files of one fixture may be read in any order, so
   * a statement that is older than the known one replaces nothing.
   * @param seenMs when the source named it, Unix ms
   */
  fixture(fixture: ImportedFixture, seenMs: number): void {
    const held = this.#fixtures.get(fixture.key);
    if (held !== undefined) {
      const [before, now] = [held.fixture, fixture].map(({ home, away }) => ({
        ...{ home: home.name, away: away.name },
      }));
      held.isReadTurned = areTurned(before!, now!) !== held.isTurned;
      if (seenMs < held.seenMs) return;
      held.fixture = fixture;
      held.isTurned = held.isReadTurned;
      held.seenMs = seenMs;
      return;
    }
    const eventId = entityId('event', fixture.sport, fixture.key);
    this.#fixtures.set(fixture.key, {
      ...{ fixture, isTurned: false, isReadTurned: false },
      eventId,
      changes: [],
      standing: new Map(),
      liveFromMs: null,
      seenMs,
      listed: new Map(),
    });
  }

  /**
   * Notes that an answer lists the fixture, with or without lines.
   * @param isContinued whether the answer before it listed the fixture too
   */
  list(key: string, atMs: number, isContinued: boolean): void {
    const listed = this.#fixtures.get(key)?.listed;
    const spans = listed?.get(dayOf(atMs)) ?? [];
    const last = isContinued ? spans.pop() : undefined;
    spans.push([last?.[0] ?? atMs, atMs]);
    listed?.set(dayOf(atMs), spans);
  }

  /**
   * Notes that the fixture was seen in play. From the first such time on its ticks are `in_play`, whatever
   * its kickoff. The files of one fixture may be read in any order, so a later call may have an earlier time.
   */
  live(key: string, atMs: number): void {
    const held = this.#fixtures.get(key);
    if (held !== undefined) held.liveFromMs = Math.min(atMs, held.liveFromMs ?? atMs);
  }

  /**
   * Records the price of a line, as received at `receivedAtMs`. A price that has not changed adds nothing.
   */
  put(key: string, quote: ImportedQuote, receivedAtMs: number): void {
    const held = this.#fixtures.get(key);
    if (held === undefined) return;
    const { bookmaker, marketType, period, line } = held.isReadTurned ? turnedLine(quote) : quote;
    const { status, atMs } = quote;
    const pricesE4 = held.isReadTurned ? turnedPrices(quote.pricesE4) : quote.pricesE4;
    const lineKey = lineKeyOf({ bookmaker, marketType, period, line });
    const before = held.standing.get(lineKey);
    if (before !== undefined && before.status === status && isSamePrice(before.pricesE4, pricesE4)) return;
    const tickLine = before?.line ?? { bookmaker, marketType, period, line };
    held.standing.set(lineKey, { line: tickLine, status, pricesE4 });
    this.#record(held, {
      line: tickLine,
      status,
      pricesE4,
      atMs: Math.min(atMs, receivedAtMs),
      receivedAtMs,
    });
  }

  /** Withdraws one line. */
  withdraw(key: string, line: TickLine, receivedAtMs: number): void {
    const held = this.#fixtures.get(key);
    if (held === undefined) return;
    this.#withdraw(held, held.isReadTurned ? turnedKeyOf(line) : lineKeyOf(line), receivedAtMs);
  }

  /** Withdraws every line of a fixture whose key (`lineKeyOf`) is not in `kept`. */
  withdrawOthers(key: string, kept: ReadonlySet<string>, receivedAtMs: number): void {
    const held = this.#fixtures.get(key);
    if (held === undefined) return;
    for (const [lineKey, { line }] of [...held.standing]) {
      const isKept = kept.has(held.isReadTurned ? turnedKeyOf(line) : lineKey);
      if (!isKept) this.#withdraw(held, lineKey, receivedAtMs);
    }
  }

  /**
   * Everything recorded. Every tick of a fixture gets the fixture's last kickoff, and its ticks are in play
   * from when it was seen in play, otherwise from that kickoff.
   */
  finish(scopes: ReadonlyMap<string, ImportScope> = new Map()): ImportedTape {
    const ticks: Tick[] = [];
    const ids = new Map<string, FixtureIds>();
    const facts = new Map<string, ImportedFixtureFacts>();
    for (const recorded of this.#fixtures.values()) {
      const { fixture, eventId, liveFromMs, seenMs, listed } = recorded;
      const known = { kickoffMs: fixture.kickoffMs, liveFromMs, seenMs };
      facts.set(eventId, { ...known, fixture: tickFixtureOf(recorded), listed });
      ids.set(eventId, idsOf(fixture));
      for (const change of recorded.changes) ticks.push(tickOf(recorded, change));
    }
    ticks.sort((a, b) => a.receivedAtMs - b.receivedAtMs || compareTickLines(a, b));
    const fixtures = [...this.#fixtures.values()].filter(({ changes }) => changes.length > 0).length;
    return { ticks, ids, fixtures, facts, scopes, leftOut: this.#leftOut };
  }

  #withdraw(held: Recorded, lineKey: string, receivedAtMs: number): void {
    const standing = held.standing.get(lineKey);
    if (standing === undefined) return;
    held.standing.delete(lineKey);
    const { line } = standing;
    this.#record(held, {
      line,
      status: 'withdrawn',
      pricesE4: NO_PRICES,
      atMs: receivedAtMs,
      receivedAtMs,
    });
  }

  #record(held: Recorded, change: Change): void {
    this.#count++;
    if (this.#count > IMPORTED_TICKS_MAX) {
      throw new RangeError(
        `more than ${IMPORTED_TICKS_MAX} changes in one run: import fewer files at a time, oldest first`,
      );
    }
    held.changes.push(change);
  }
}

function idsOf({ sport, league, home, away, result }: ImportedFixture): FixtureIds {
  return {
    leagueId: entityId('league', sport, league.key),
    homeId: entityId('team', sport, home.key),
    awayId: entityId('team', sport, away.key),
    ...(result === undefined ? {} : { result }),
  };
}

function tickFixtureOf({ fixture, eventId }: Recorded): TickFixture {
  const { sport, league, home, away, kickoffMs } = fixture;
  return {
    ...{ eventId, sport: SPORT_KEYS[sport]!, league: league.name, home: home.name, away: away.name },
    kickoffMs,
  };
}

function tickOf(recorded: Recorded, { line, pricesE4, ...change }: Change): Tick {
  const { isTurned } = recorded;
  const inPlayFromMs = recorded.liveFromMs ?? recorded.fixture.kickoffMs;
  return {
    ...tickFixtureOf(recorded),
    ...(isTurned ? turnedLine(line) : line),
    ...change,
    pricesE4: isTurned ? turnedPrices(pricesE4) : pricesE4,
    inPlay: inPlayFromMs !== null && change.receivedAtMs >= inPlayFromMs,
    scoreHome: null,
    scoreAway: null,
    standing: false,
  };
}
