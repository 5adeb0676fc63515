// One slate of what several sources say: fixtures that are one match are put on it once, each bookmaker's quotes come
// from its own source, state from the first in FEED that gives it. Says everything to the applier as one source would, so
// that a recording of it is a recording like any other.
//
// At the start nothing is put on the slate before every source has brought a snapshot or JOIN_WAIT_MS are over: so public
// ids follow from the order of FEED and not from who answers first. Afterwards a match keeps the name that it came with
// (match-identities.ts) for as long as any source has one of its fixtures, and JoinedIdentities keeps it over a restart.

import type { RejectReason } from '../../domain/reject-reasons.ts';
import type { QuoteMessage } from '../../feed/protocol.ts';
import type { Applier } from '../apply.ts';
import { FixtureJoin } from './fixture-join.ts';
import type { JoinRules } from './join-rules.ts';
import { Match, type Member, type Shown } from './match.ts';
import { heirsOf, MatchIdentities, type MatchIdentitiesOptions } from './match-identities.ts';
import { MatchTeller, type MatchTellerOptions } from './match-teller.ts';
import { type SourceFixture, type SourceListener, SourceSlate } from './source-slate.ts';

export interface MergedSlateOptions extends Omit<MatchTellerOptions, 'sources'>, MatchIdentitiesOptions {
  readonly rules: JoinRules;
  readonly quoteOlder: () => void;
  /** The slate is there for the first time. */
  readonly completed: () => void;
}

/** How long the start waits for a source that has brought no snapshot. */
const JOIN_WAIT_MS = 15_000;

export class MergedSlate implements SourceListener {
  readonly join: FixtureJoin;
  readonly #options: MergedSlateOptions;
  readonly #applier: Applier;
  readonly #sources: SourceSlate[] = [];
  readonly #teller: MatchTeller;
  readonly #identities: MatchIdentities;
  readonly #matches = new Map<number, Match>();
  /** By the key that it has on the slate. */
  readonly #byKey = new Map<string, Match>();
  #isHeld = true;
  #startedAtMs = Number.NaN;
  #nextId = 0;
  #heartbeatAtMs = Number.NEGATIVE_INFINITY;
  /** The leader's fixtures as they were when all names were last compared with them; null when names were given since. */
  #comparedRevision: number | null = null;

  constructor(options: MergedSlateOptions) {
    this.#options = options;
    this.#applier = options.applier;
    this.#teller = new MatchTeller({ ...options, sources: this.#sources });
    this.#identities = new MatchIdentities(options);
    this.join = new FixtureJoin(options.names, options.rules);
  }

  /** One more source, in the order of FEED. @param owns whether a bookmaker, by index, is this source's */
  add(owns: (bookmaker: number) => boolean): SourceSlate {
    const index = this.#sources.length;
    const source = new SourceSlate({ index, name: this.#options.names[index]!, owns, listener: this });
    this.#sources.push(source);
    return source;
  }

  get sources(): readonly SourceSlate[] {
    return this.#sources;
  }

  /** Whether the start still waits for a source. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The match on the slate that a fixture belongs to; none before the start is over. */
  matchOf(fixture: SourceFixture): Match | undefined {
    return this.#matches.get(fixture.id);
  }

  /** What is on the slate of a match, by its key there. */
  shownOf(key: string): Shown | null {
    return this.#byKey.get(key)?.shown ?? null;
  }

  nextId(): number {
    return this.#nextId++;
  }

  quoteOlder(): void {
    this.#options.quoteOlder();
  }

  /** What time alone does: a start that has waited long enough, quotes that nobody confirms any more. Call it every second. */
  tick(nowMs: number): void {
    if (Number.isNaN(this.#startedAtMs)) this.#startedAtMs = nowMs;
    const isLate = nowMs - this.#startedAtMs >= JOIN_WAIT_MS;
    if (this.#isHeld && isLate && this.#sources.some(({ isComplete }) => isComplete)) this.#release();
    if (this.#isHeld) return;
    if (this.#comparedRevision !== this.#options.leaderFixtures.revision) this.takeLeaderNames();
    for (const source of this.#sources)
      if (this.#options.freshness.isDue(source, nowMs)) this.#resync(source);
  }

  /** Matches that the leader has under another name get that one. */
  takeLeaderNames(): void {
    const { leaderFixtures } = this.#options;
    this.#comparedRevision = leaderFixtures.revision;
    if (this.#isHeld || leaderFixtures.isEmpty) return;
    const renamed = this.#identities.leaderNames([...this.#byKey.values()]);
    // A match whose name the leader gives to another one, and that the leader does not have, gets the next free name.
    const displaced = [...renamed.values()]
      .flatMap(({ identity }) => this.#byKey.get(identity.event) ?? [])
      .filter((match) => !renamed.has(match));
    // Two matches may exchange names, so all are taken off the slate before the first is put on it again.
    for (const match of [...renamed.keys(), ...displaced]) this.#drop(match);
    for (const [match, name] of renamed) this.#continue(match, new Match(name));
    for (const match of displaced) this.#continue(match, this.#newMatch(match.members));
  }

  /** A match goes on under another name. */
  #continue({ members, isExpired }: Match, next: Match): void {
    next.take(members);
    next.isExpired = isExpired;
    this.#byKey.set(next.key, next);
    for (const { fixture } of next.members) this.#matches.set(fixture.id, next);
    this.#identities.keep(next);
    this.#teller.report(this.#teller.sync(next, false), 'event');
  }

  /** The applier has taken fixtures off by time alone: they come back when a source describes them again. */
  forgetExpired(): void {
    for (const match of this.#byKey.values()) {
      if (match.shown !== null && this.#applier.fixtures.get(match.key) === undefined) {
        match.shown = null;
        match.isExpired = true;
      }
    }
  }

  described(fixture: SourceFixture): RejectReason | null {
    const touched = this.join.put([fixture]);
    if (this.#isHeld) return null;
    const match = this.#matches.get(fixture.id);
    if (match !== undefined) match.isExpired = false;
    if (match !== undefined && touched.length === 0) return this.#teller.sync(match, true);
    this.#regroup(touched, { gone: [], isDescribed: true });
    return null; // refusals were reported one by one
  }

  removed(fixture: SourceFixture): void {
    const touched = this.join.delete(fixture);
    if (this.#isHeld) return;
    this.#regroup(touched, { gone: [fixture], isDescribed: false });
  }

  quoted(fixture: SourceFixture, quote: QuoteMessage): RejectReason | null {
    const match = this.#matches.get(fixture.id);
    if (match === undefined) return null; // held back
    if (match.shown === null) return 'unknown_event';
    return this.#teller.quoted(match, match.shown, { fixture, quote });
  }

  closed(fixture: SourceFixture, close: Parameters<SourceListener['closed']>[1]): void {
    const match = this.#matches.get(fixture.id);
    if (match === undefined || match.shown === null) return;
    this.#teller.closed(match, match.shown, { fixture, close });
  }

  stated(fixture: SourceFixture): void {
    const match = this.#matches.get(fixture.id);
    if (match === undefined || match.shown === null) return;
    this.#teller.state(match, match.shown, fixture.source);
  }

  resulted(fixture: SourceFixture): void {
    const match = this.#matches.get(fixture.id);
    if (match === undefined || match.shown === null) return;
    this.#teller.result(match, match.shown);
  }

  confirmed(source: SourceSlate): void {
    if (this.#isHeld) return;
    if (source.confirmedAtMs > this.#heartbeatAtMs) {
      this.#heartbeatAtMs = source.confirmedAtMs;
      this.#teller.say({ type: 'heartbeat', seq: 0, atMs: source.confirmedAtMs });
    }
    if (this.#options.freshness.isBack(source)) this.#resync(source);
  }

  replaced(source: SourceSlate, gone: readonly SourceFixture[]): void {
    const touched = new Set<SourceFixture>();
    for (const fixture of gone) for (const other of this.join.delete(fixture)) touched.add(other);
    const fixtures = [...source.fixtures()];
    for (const fixture of [...fixtures, ...this.join.put(fixtures)]) touched.add(fixture);
    if (this.#isHeld) {
      if (this.#sources.every(({ isComplete }) => isComplete)) this.#release();
      return;
    }
    for (const fixture of gone) touched.delete(fixture);
    for (const fixture of source.fixtures()) {
      const match = this.#matches.get(fixture.id);
      if (match === undefined) continue;
      match.isExpired = false;
      match.forgetTold(fixture.source);
    }
    this.#regroup([...touched], { gone, isDescribed: true });
  }

  /** The start is over: everything that is known goes on the slate, in the order of FEED. */
  #release(): void {
    this.#isHeld = false;
    const fixtures = this.#sources.flatMap((source) => [...source.fixtures()]);
    this.#regroup(fixtures, { gone: [], isDescribed: false });
    const confirmedMs = this.#sources.map(({ confirmedAtMs }) => confirmedAtMs);
    const heartbeatAtMs = Math.max(...confirmedMs);
    if (heartbeatAtMs > Number.NEGATIVE_INFINITY) {
      this.#heartbeatAtMs = heartbeatAtMs;
      this.#teller.say({ type: 'heartbeat', seq: 0, atMs: heartbeatAtMs });
    }
    this.#options.completed();
  }

  /**
   * Puts fixtures into matches anew. A match keeps its identity (heirsOf).
   * @param gone fixtures that are in no match any more
   * @param isDescribed see MatchTeller.sync
   */
  #regroup(
    touched: readonly SourceFixture[],
    { gone, isDescribed }: { readonly gone: readonly SourceFixture[]; readonly isDescribed: boolean },
  ): void {
    const former = new Map<number, Match>();
    for (const fixture of [...gone, ...touched]) {
      const match = this.#matches.get(fixture.id);
      if (match !== undefined) former.set(fixture.id, match);
      this.#matches.delete(fixture.id);
    }
    const isDone = new Set<number>();
    const groups: (readonly Member[])[] = [];
    for (const fixture of touched.toSorted(
      (left, right) => left.source - right.source || left.id - right.id,
    )) {
      if (isDone.has(fixture.id)) continue;
      const members = this.join.joined(fixture);
      for (const member of members) isDone.add(member.fixture.id);
      groups.push(members);
    }
    this.#comparedRevision = null;
    const heirs = heirsOf(groups, former);
    const going = new Set(heirs.values());
    for (const match of new Set(former.values())) if (!going.has(match)) this.#drop(match);
    const matches = groups.map((members) => {
      const match = heirs.get(members) ?? this.#newMatch(members);
      match.take(members);
      this.#byKey.set(match.key, match);
      for (const { fixture } of members) this.#matches.set(fixture.id, match);
      return match;
    });
    for (const match of matches) {
      this.#identities.keep(match);
      this.#teller.report(this.#teller.sync(match, isDescribed), 'event');
    }
  }

  #newMatch(members: readonly Member[]): Match {
    return new Match(this.#identities.nameOf(members, (key) => this.#byKey.has(key)));
  }

  #drop(match: Match): void {
    this.#byKey.delete(match.key);
    if (match.shown === null) return;
    this.#teller.say({ type: 'remove', seq: 0, atMs: match.shown.event.atMs, event: match.key });
    match.shown = null;
  }

  /** Brings the slate up to what the sources of a source's matches say: their quotes may be stale now, or fresh again. */
  #resync(source: SourceSlate): void {
    for (const fixture of source.fixtures()) {
      const match = this.#matches.get(fixture.id);
      if (match !== undefined && match.shown !== null)
        this.#teller.report(this.#teller.sync(match, false), 'quote');
    }
  }
}
