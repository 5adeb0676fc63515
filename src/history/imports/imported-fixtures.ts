// What all imports together, earlier ones and this one, know about fixtures: their ids, names and kickoffs,
// when they were listed and in play, and up to which day there are statements about their leagues.

import { dayOf, type FixtureIds, nextDay } from '../tick.ts';
import type { ImportedDay } from './imported-days.ts';
import type { ImportedFixtureFacts, ImportedTape } from './imported-tape.ts';

export class ImportedFixtures {
  readonly #tape: ImportedTape;
  readonly #before: ReadonlyMap<string, ImportedDay>;
  readonly #ids = new Map<string, FixtureIds>();
  /**
   * When any import last listed a fixture, by event id. The names and kickoff that it stated then are the
   * fixture's.
   */
  readonly listed = new Map<string, number>();
  /** When any import first saw a fixture in play, by event id. */
  readonly liveFromMs = new Map<string, number>();
  /** The last day on which an import has a statement about a league, by league id. */
  readonly #lastDay = new Map<string, string>();

  /** @param before the days of earlier imports */
  constructor(tape: ImportedTape, before: ReadonlyMap<string, ImportedDay>) {
    this.#tape = tape;
    this.#before = before;
    for (const [day, own] of before) {
      for (const [eventId, ids] of own.ids) {
        this.#ids.set(eventId, ids);
        this.#lastDay.set(ids.leagueId, day);
      }
      for (const [eventId, atMs] of own.listed) this.#noteListed(eventId, atMs);
      for (const [eventId, atMs] of own.liveFrom) this.#noteLive(eventId, atMs);
      for (const scope of own.answers.flatMap((times) => [...times.keys()])) {
        this.#lastDay.set(this.#ids.get(scope)?.leagueId ?? scope, day);
      }
    }
    for (const [eventId, ids] of tape.ids) {
      const former = this.#ids.get(eventId);
      const isOlder = (this.listed.get(eventId) ?? 0) > tape.facts.get(eventId)!.seenMs;
      this.#ids.set(eventId, isOlder ? { ...ids, ...former } : { ...former, ...ids });
    }
    for (const [eventId, { seenMs, liveFromMs }] of tape.facts) {
      this.#noteListed(eventId, seenMs);
      if (liveFromMs !== null) this.#noteLive(eventId, liveFromMs);
    }
    const note = (leagueId: string, day: string): void => {
      if (day > (this.#lastDay.get(leagueId) ?? '')) this.#lastDay.set(leagueId, day);
    };
    for (const [id, { answersMs }] of tape.scopes) {
      for (const atMs of answersMs) note(this.#ids.get(id)?.leagueId ?? id, dayOf(atMs));
    }
    for (const { eventId, receivedAtMs } of tape.ticks) {
      const leagueId = this.#ids.get(eventId)?.leagueId;
      if (leagueId !== undefined) note(leagueId, dayOf(receivedAtMs));
    }
  }

  idsOf(eventId: string): FixtureIds | undefined {
    return this.#ids.get(eventId);
  }

  /** Whether the lines that a fixture had before a day still count on that day. */
  isCarried(eventId: string, day: string): boolean {
    return day <= (this.#lastDay.get(this.#ids.get(eventId)?.leagueId ?? '') ?? '');
  }

  /** Whether this import has answers about a fixture or its league. */
  isAbout(eventId: string): boolean {
    const { scopes } = this.#tape;
    return scopes.has(eventId) || scopes.has(this.#ids.get(eventId)?.leagueId ?? '');
  }

  /** Whether a day has fixtures of this import. */
  hasFixtures({ ids }: ImportedDay): boolean {
    return [...ids.keys()].some((eventId) => this.#tape.facts.has(eventId));
  }

  /**
   * The first day that may change. It is earlier than the first day of the import if the last answers about
   * one of its leagues are of an earlier day, because the lines of those answers stay on the slate until the
   * new answers.
   */
  firstChanged(firstDay: string): string {
    const ids = [...this.#tape.facts.keys(), ...this.#tape.scopes.keys()];
    const leagues = new Set(ids.map((id) => this.#ids.get(id)?.leagueId ?? id));
    const lastDays = new Map<string, string>();
    for (const [day, own] of this.#before) {
      if (day >= firstDay) break;
      for (const { leagueId } of own.ids.values()) if (leagues.has(leagueId)) lastDays.set(leagueId, day);
    }
    return [firstDay, ...[...lastDays.values()].map(nextDay)].toSorted()[0]!;
  }

  /**
   * The facts of each fixture, by event id. Facts of an earlier import count if it saw the fixture later. Of
   * the times at which imports first saw it in play, the earliest counts.
   */
  async facts(): Promise<ReadonlyMap<string, ImportedFixtureFacts>> {
    const facts = new Map<string, ImportedFixtureFacts>();
    for (const [eventId, own] of this.#tape.facts) {
      facts.set(eventId, { ...own, liveFromMs: this.liveFromMs.get(eventId) ?? null });
    }
    for (const own of this.#before.values()) {
      if (!this.hasFixtures(own)) continue;
      for (const fixture of own.notes.fixtures) {
        const { eventId, kickoffMs } = fixture;
        const held = facts.get(eventId);
        const seenMs = own.listed.get(eventId) ?? Number.NEGATIVE_INFINITY;
        if (held !== undefined && seenMs > held.seenMs)
          facts.set(eventId, { ...held, fixture, kickoffMs, seenMs });
      }
      for (const tick of await own.rows()) {
        const { eventId, sport, league, home, away, kickoffMs, receivedAtMs, status, standing } = tick;
        const held = facts.get(eventId);
        // An answer may have changed the kickoff but no price. Then no row has the answer's time, but the
        // file notes it.
        const isStated = !standing && status !== 'withdrawn';
        const seenMs = own.listed.get(eventId) ?? (isStated ? receivedAtMs : Number.NEGATIVE_INFINITY);
        if (held === undefined || seenMs <= held.seenMs) continue;
        const fixture = { eventId, sport, league, home, away, kickoffMs };
        facts.set(eventId, { ...held, fixture, kickoffMs, seenMs });
      }
    }
    return facts;
  }

  #noteListed(eventId: string, atMs: number): void {
    this.listed.set(eventId, Math.max(atMs, this.listed.get(eventId) ?? atMs));
  }

  #noteLive(eventId: string, atMs: number): void {
    this.liveFromMs.set(eventId, Math.min(atMs, this.liveFromMs.get(eventId) ?? atMs));
  }
}
