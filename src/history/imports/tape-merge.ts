// Merges an import with what earlier imports have put on the tape. Files may be imported in pieces, in any
// order and more than once; the tape is the same as after one run over all of them. An answer lists all lines
// of its scope (a league or a fixture), so after an answer of one import the tape shows what that import
// says, until another import has an answer. Days are merged in order. Ticks of the running service are read
// but not written. Pure.

import { DAY_MS } from '../../clock.ts';
import { compareTickLines, type FixtureIds, NO_PRICES, rowKeyOf, type Tick } from '../tick.ts';
import { shownAgain } from './confirmations.ts';
import type { AnswerTimes, PreviousTimes } from './import-notes.ts';
import { bookmakerMarketOf, type ImportedFixtureFacts, type ImportScope } from './imported-tape.ts';
import { isSamePrice } from './prices.ts';
import { withSides } from './sides.ts';

/** The content of the tape for one day. */
export interface DayOnTape {
  /** Rows of files that the service wrote as it ran. */
  readonly live: readonly Tick[];
  /** Rows of the file of earlier imports. */
  readonly imported: readonly Tick[];
  /** When the answers behind these rows were received. */
  readonly answers: readonly AnswerTimes[];
  /** Prices that answers showed but that need no row; see confirmations.ts. */
  readonly confirmed: readonly Tick[];
  /** For each answer whose preceding answer is in no import: the time of the preceding answer. */
  readonly previous: PreviousTimes;
}

/** What becomes the day's file of imports. */
export interface MergedDay {
  readonly rows: readonly Tick[];
  /** Prices that answers showed but that need no row; see confirmations.ts. */
  readonly confirmed: readonly Tick[];
}

export interface MergeParts {
  /** The scopes of this import, by league id or event id. */
  readonly scopes: ReadonlyMap<string, ImportScope>;
  /**
   * The facts that count for all imported ticks of a fixture, by event id: its names and sides, its kickoff,
   * and when it was first in play.
   */
  readonly facts: ReadonlyMap<string, ImportedFixtureFacts>;
  readonly idsOf: (eventId: string) => FixtureIds | undefined;
}

interface DaySpan {
  readonly fromMs: number;
  /** Whether the lines that a fixture had before the day still count on this day. */
  readonly isCarried: (eventId: string) => boolean;
}

interface Standing {
  readonly tick: Tick;
  /**
   * Whether the line comes from an import. The first rows of a day repeat what is on the slate. A file of
   * imports repeats only these lines, because the service's own files repeat the others.
   */
  readonly isImported: boolean;
}

const SOURCES = ['former', 'fresh'] as const;
/** Earlier imports, or this one. */
type Source = (typeof SOURCES)[number];
/**
 * Which imports have an answer at an instant. With `both`, each import decides about the bookmakers and
 * markets that it lists.
 */
type Answering = Source | 'both';
type Instant = Readonly<Record<Source | 'live', Tick[]>>;

export class TapeMerge {
  readonly #parts: MergeParts;
  readonly #standing = new Map<string, Standing>();
  /** For each source separately, the lines that are on the slate according to it. */
  readonly #own: Readonly<Record<Source, Map<string, Tick>>> = { former: new Map(), fresh: new Map() };
  /** The import whose lines the tape shows, by scope. */
  readonly #shown = new Map<string, Answering>();
  #confirmed: Tick[] = [];

  constructor(parts: MergeParts) {
    this.#parts = parts;
  }

  /** Starts with the lines on the slate when the first day began. */
  begin(rows: readonly Tick[]): void {
    for (const tick of rows.map((row) => this.#sided(row))) {
      this.#standing.set(rowKeyOf(tick), { tick, isImported: true });
    }
  }

  /** Merges one day. @param ticks what this import says about the day */
  day(onTape: DayOnTape, ticks: readonly Tick[], { fromMs, isCarried }: DaySpan): MergedDay {
    const sided = (rows: readonly Tick[]): Tick[] => rows.map((row) => this.#sided(row));
    const [live, imported, confirmed] = [onTape.live, onTape.imported, onTape.confirmed].map(sided);
    const known = { ...onTape, live: live!, imported: imported!, confirmed: confirmed! };
    this.#confirmed = [];
    for (const [key, { tick }] of this.#standing) if (!isCarried(tick.eventId)) this.#standing.delete(key);
    for (const tick of known.live) {
      const isFromBefore = tick.standing && tick.receivedAtMs < fromMs;
      if (isFromBefore) this.#standing.set(rowKeyOf(tick), { tick, isImported: false });
    }
    this.#own.former.clear();
    for (const tick of known.imported) if (tick.standing) this.#own.former.set(rowKeyOf(tick), tick);
    const rows = [...this.#standing.values()]
      .filter(({ isImported }) => isImported)
      .map(({ tick }): Tick => this.restated({ ...tick, standing: true }));
    const instants = this.#instants(known, sided(ticks), fromMs);
    for (const [atMs, instant] of [...instants].sort(([left], [right]) => left - right)) {
      rows.push(...this.#take(atMs, instant, known));
    }
    rows.sort(compareRows);
    return { rows, confirmed: this.#confirmed };
  }

  /**
   * The tick with the names, the sides and the kickoff that now count for its fixture, and with the `inPlay`
   * that follows from that kickoff.
   */
  restated(row: Tick): Tick {
    const tick = this.#sided(row);
    const facts = this.#parts.facts.get(tick.eventId);
    if (facts === undefined) return tick;
    const { kickoffMs, liveFromMs, fixture } = facts;
    const { league, home, away } = fixture;
    const inPlayFromMs = liveFromMs ?? kickoffMs;
    const names = { league, home, away };
    return {
      ...tick,
      ...names,
      kickoffMs,
      inPlay: inPlayFromMs !== null && tick.receivedAtMs >= inPlayFromMs,
    };
  }

  #sided(tick: Tick): Tick {
    const facts = this.#parts.facts.get(tick.eventId);
    return facts === undefined ? tick : withSides(tick, facts.fixture);
  }

  /** Everything that happened on a day, by the time of publishing: ticks, and answers even without a tick. */
  #instants(known: DayOnTape, ticks: readonly Tick[], fromMs: number): Map<number, Instant> {
    const instants = new Map<number, Instant>();
    const at = (atMs: number): Instant =>
      instants.getOrInsertComputed(atMs, () => ({ live: [], former: [], fresh: [] }));
    for (const tick of known.live) if (!tick.standing) at(tick.receivedAtMs).live.push(tick);
    for (const tick of known.imported) if (!tick.standing) at(tick.receivedAtMs).former.push(tick);
    for (const tick of known.confirmed) at(tick.receivedAtMs).former.push(tick);
    for (const tick of ticks) at(tick.receivedAtMs).fresh.push(tick);
    const fresh = [...this.#parts.scopes.values()].map(({ answersMs }) => answersMs);
    for (const answersMs of [...fresh, ...known.answers.flatMap((times) => [...times.values()])]) {
      for (const atMs of answersMs) if (atMs >= fromMs && atMs < fromMs + DAY_MS) at(atMs);
    }
    return instants;
  }

  /** @returns the ticks of imports at an instant */
  #take(atMs: number, instant: Instant, { answers, previous }: DayOnTape): Tick[] {
    for (const source of SOURCES) {
      for (const tick of instant[source]) {
        if (tick.status === 'withdrawn') this.#own[source].delete(rowKeyOf(tick));
        else this.#own[source].set(rowKeyOf(tick), tick);
      }
    }
    const answering = this.#answeringAt(atMs, answers);
    const chosen = new Map<string, Tick>();
    for (const source of SOURCES) {
      for (const tick of instant[source]) {
        if ((this.#sourceOf(tick, answering) ?? source) === source) chosen.set(rowKeyOf(tick), tick);
      }
    }
    for (const tick of this.#switched(atMs, answering)) chosen.set(rowKeyOf(tick), tick);
    const given = new Set([...instant.former, ...instant.fresh]);
    const taken: Tick[] = [];
    for (const each of chosen.values()) {
      const tick = this.restated(each);
      if (this.#put(tick, true)) taken.push(tick);
      else if (given.has(each) && this.#lacksPrevious(tick, previous)) this.#confirmed.push(tick);
    }
    for (const tick of instant.live) this.#put(tick, false);
    return taken;
  }

  /** @returns whether the line changed */
  #put(tick: Tick, isImported: boolean): boolean {
    const key = rowKeyOf(tick);
    const before = this.#standing.get(key)?.tick;
    if (tick.status === 'withdrawn') return this.#standing.delete(key);
    if (before?.status === tick.status && isSamePrice(before.pricesE4, tick.pricesE4)) return false;
    this.#standing.set(key, { tick, isImported });
    return true;
  }

  /** Whether a price that is not a change may become one, because no import has the answer before it. */
  #lacksPrevious(tick: Tick, previous: PreviousTimes): boolean {
    if (tick.status === 'withdrawn' || this.#standing.get(rowKeyOf(tick))?.isImported !== true) return false;
    return [tick.eventId, this.#leagueOf(tick)].some(
      (id) => previous.get(id)?.has(tick.receivedAtMs) === true,
    );
  }

  /** For each scope, the imports that have an answer at an instant. */
  #answeringAt(atMs: number, former: readonly AnswerTimes[]): Map<string, Answering> {
    const answering = new Map<string, Answering>();
    for (const [id, answersMs] of former.flatMap((times) => [...times])) {
      if (answersMs.has(atMs)) answering.set(id, 'former');
    }
    for (const [id, { answersMs }] of this.#parts.scopes) {
      if (answersMs.has(atMs)) answering.set(id, answering.has(id) ? 'both' : 'fresh');
    }
    return answering;
  }

  /** The changes at an instant at which the tape begins to show another import's lines of a scope. */
  #switched(atMs: number, answering: ReadonlyMap<string, Answering>): Tick[] {
    const switched = this.#show(answering);
    if (switched.size === 0) return [];
    const moved = (tick: Tick): Tick => shownAgain(tick, { atMs, receivedAtMs: atMs });
    const changed: Tick[] = [];
    for (const [key, { tick }] of this.#standing) {
      const source = this.#sourceOf(tick, switched);
      if (source === null || this.#own[source].has(key)) continue;
      changed.push({ ...moved(tick), status: 'withdrawn', pricesE4: NO_PRICES });
    }
    for (const source of SOURCES) {
      for (const tick of this.#own[source].values()) {
        if (this.#sourceOf(tick, switched) !== source) continue;
        // If an answer did not change a price, the price's source time is known only for the first answer of
        // an import. A tick without a known source time gets the time of the answer.
        changed.push(tick.receivedAtMs === atMs ? tick : moved(tick));
      }
    }
    return changed;
  }

  /**
   * Notes which imports the tape shows from now on.
   * @returns the leagues and fixtures that are now shown by another import than before
   */
  #show(answering: ReadonlyMap<string, Answering>): Map<string, Answering> {
    const switched = new Map<string, Answering>();
    const put = (id: string, each: Answering, before: Answering): void => {
      if (before !== each) switched.set(id, each);
      this.#shown.set(id, each);
    };
    const [ofFixtures, ofLeagues] = partition([...answering], ([id]) => this.#parts.idsOf(id) !== undefined);
    for (const [leagueId, each] of ofLeagues) {
      // An answer about the league replaces earlier answers about single fixtures of the league.
      for (const [id, before] of this.#shown) {
        if (this.#parts.idsOf(id)?.leagueId !== leagueId) continue;
        this.#shown.delete(id);
        if (before !== each) switched.set(id, each);
      }
      put(leagueId, each, this.#shown.get(leagueId) ?? 'former');
    }
    for (const [id, each] of ofFixtures) {
      const leagueId = this.#parts.idsOf(id)!.leagueId;
      put(id, each, this.#shown.get(id) ?? this.#shown.get(leagueId) ?? 'former');
    }
    return switched;
  }

  /**
   * The import whose answer says whether a line is on the tape. An answer about the fixture counts before one
   * about its league; null when no import has either.
   */
  #sourceOf(tick: Tick, answering: ReadonlyMap<string, Answering>): Source | null {
    const ids = [tick.eventId, this.#leagueOf(tick)];
    for (const [index, id] of ids.entries()) {
      const each = answering.get(id);
      // If this import has no answer about the fixture alone, its answers about the league count.
      const scope = ids.slice(index).map((one) => this.#parts.scopes.get(one));
      if (each === 'both')
        return scope.find(Boolean)!.pairs.has(bookmakerMarketOf(tick)) ? 'fresh' : 'former';
      if (each !== undefined) return each;
    }
    return null;
  }

  #leagueOf({ eventId }: Tick): string {
    return this.#parts.idsOf(eventId)?.leagueId ?? '';
  }
}

/** The items for which `holds` is true, and the others. */
function partition<Item>(items: readonly Item[], holds: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}

/** The order of rows in a file. */
export function compareRows(left: Tick, right: Tick): number {
  return compareTickLines(left, right) || rankOf(left) - rankOf(right);
}

/** Standing rows come first. */
function rankOf({ standing, receivedAtMs }: Tick): number {
  return standing ? Number.NEGATIVE_INFINITY : receivedAtMs;
}
