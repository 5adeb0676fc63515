// One slate from several sources. Fixtures that are the same match are put on it once; each bookmaker's
// quotes come from its own source, and the state from the first source in FEED that has it. It sends
// everything to the applier as one source would, so a recording of it is an ordinary recording.
//
// At the start nothing is put on the slate before every source has sent a snapshot or JOIN_WAIT_MS have
// passed. So public ids follow from the order of FEED and not from which source answers first. Afterwards a
// match keeps its first name (match-identities.ts) for as long as any source has one of its fixtures, and
// JoinedIdentities keeps it over a restart.

import type { RejectReason } from '../../domain/reject-reasons.ts';
import type { LiquidityMessage, QuoteMessage } from '../../feed/protocol.ts';
import type { Applier } from '../apply.ts';
import { FixtureJoin } from './fixture-join.ts';
import type { JoinRules } from './join-rules.ts';
import { Match, type Member, type Shown } from './match.ts';
import { heirsOf, MatchIdentities, type MatchIdentitiesOptions } from './match-identities.ts';
import { MatchPublisher, type MatchPublisherOptions } from './match-publisher.ts';
import { type SourceFixture, type SourceListener, SourceSlate } from './source-slate.ts';

export interface MergedSlateOptions extends Omit<MatchPublisherOptions, 'sources'>, MatchIdentitiesOptions {
  readonly rules: JoinRules;
  readonly quoteOlder: () => void;
  /** Called when the slate is complete for the first time. */
  readonly completed: () => void;
}

/** How long the start waits for a source that has sent no snapshot. */
const JOIN_WAIT_MS = 15_000;

export class MergedSlate implements SourceListener {
  readonly join: FixtureJoin;
  readonly #options: MergedSlateOptions;
  readonly #applier: Applier;
  readonly #sources: SourceSlate[] = [];
  readonly #publisher: MatchPublisher;
  readonly #identities: MatchIdentities;
  readonly #matches = new Map<number, Match>();
  /** Matches by their key on the slate. */
  readonly #byKey = new Map<string, Match>();
  #isHeld = true;
  #startedAtMs = Number.NaN;
  #nextId = 0;
  /**
   * The revision of the leader's fixtures when all names were last compared with it; null when names were
   * assigned since.
   */
  #comparedRevision: number | null = null;

  constructor(options: MergedSlateOptions) {
    this.#options = options;
    this.#applier = options.applier;
    this.#publisher = new MatchPublisher({ ...options, sources: this.#sources });
    this.#identities = new MatchIdentities(options);
    this.join = new FixtureJoin(options.names, options.rules);
  }

  /** Adds a source, in the order of FEED. @param bookmakerMask the bookmakers of this source */
  add(bookmakerMask: number): SourceSlate {
    const index = this.#sources.length;
    const source = new SourceSlate({
      index,
      name: this.#options.names[index]!,
      bookmakerMask,
      listener: this,
    });
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

  /** The match on the slate that a fixture belongs to; undefined while the start waits for a source. */
  matchOf(fixture: SourceFixture): Match | undefined {
    return this.#matches.get(fixture.id);
  }

  /** The parts of a match that are on the slate, by the match's key on the slate. */
  shownOf(key: string): Shown | null {
    return this.#byKey.get(key)?.shown ?? null;
  }

  nextId(): number {
    return this.#nextId++;
  }

  quoteOlder(): void {
    this.#options.quoteOlder();
  }

  /**
   * Ends a start that has waited long enough, and updates quotes that are no longer confirmed. Call it every
   * second.
   */
  tick(nowMs: number): void {
    if (Number.isNaN(this.#startedAtMs)) this.#startedAtMs = nowMs;
    const isLate = nowMs - this.#startedAtMs >= JOIN_WAIT_MS;
    if (this.#isHeld && isLate && this.#sources.some(({ isComplete }) => isComplete)) this.#release();
    if (this.#isHeld) return;
    if (this.#comparedRevision !== this.#options.leaderFixtures.revision) this.takeLeaderNames();
    for (const source of this.#sources)
      if (this.#options.freshness.isDue(source, nowMs)) this.#resync(source);
  }

  /** Gives matches the leader's name where that differs. */
  takeLeaderNames(): void {
    const { leaderFixtures } = this.#options;
    this.#comparedRevision = leaderFixtures.revision;
    if (this.#isHeld || leaderFixtures.isEmpty) return;
    const renamed = this.#identities.leaderNames([...this.#byKey.values()]);
    // If the leader uses the name of a match for another match and has no name for this match, this match
    // gets the next free name here.
    const displaced = [...renamed.values()]
      .flatMap(({ identity }) => this.#byKey.get(identity.event) ?? [])
      .filter((match) => !renamed.has(match));
    // Two matches may exchange names, so all are removed from the slate before the first is put back.
    for (const match of [...renamed.keys(), ...displaced]) this.#drop(match);
    for (const [match, name] of renamed) this.#continue(match, new Match(name));
    for (const match of displaced) this.#continue(match, this.#newMatch(match.members));
  }

  /** Continues a match under another name. */
  #continue({ members, isExpired }: Match, next: Match): void {
    next.take(members);
    next.isExpired = isExpired;
    this.#byKey.set(next.key, next);
    for (const { fixture } of next.members) this.#matches.set(fixture.id, next);
    this.#identities.keep(next);
    this.#publisher.report(this.#publisher.sync(next, false), 'event');
  }

  /**
   * Call it when the applier has removed fixtures by time alone. They come back when a source describes them
   * again.
   */
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
    if (match !== undefined && touched.length === 0) return this.#publisher.sync(match, true);
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
    if (match === undefined) return null; // the fixture is held back
    if (match.shown === null) return 'unknown_event';
    return this.#publisher.quoted(match, match.shown, { fixture, quote });
  }

  closed(fixture: SourceFixture, close: Parameters<SourceListener['closed']>[1]): void {
    const match = this.#matches.get(fixture.id);
    if (match === undefined || match.shown === null) return;
    this.#publisher.closed(match, match.shown, { fixture, close });
  }

  stated(fixture: SourceFixture): void {
    const match = this.#matches.get(fixture.id);
    if (match === undefined || match.shown === null) return;
    this.#publisher.state(match, match.shown, fixture.source);
  }

  resulted(fixture: SourceFixture): void {
    const match = this.#matches.get(fixture.id);
    if (match === undefined || match.shown === null) return;
    this.#publisher.result(match, match.shown);
  }

  measured(fixture: SourceFixture, liquidity: LiquidityMessage): void {
    const match = this.#matches.get(fixture.id);
    if (match === undefined || match.shown === null) return;
    this.#publisher.report(this.#publisher.publish(match.liquidityOf(fixture, liquidity)), 'liquidity');
  }

  confirmed(source: SourceSlate): void {
    if (this.#isHeld) return;
    this.#publishHeartbeat(source);
    if (this.#options.freshness.isBack(source)) this.#resync(source);
  }

  confirmedAlone(fixture: SourceFixture): void {
    const match = this.#matches.get(fixture.id);
    if (match === undefined || match.shown === null) return;
    this.#publisher.confirmed(match, match.shown, fixture);
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
      match.forgetSent(fixture.source);
    }
    this.#regroup([...touched], { gone, isDescribed: true });
    this.#publishHeartbeat(source);
  }

  /** A source confirms only the quotes of its own bookmakers. */
  #publishHeartbeat({ confirmedAtMs, bookmakerMask }: SourceSlate): void {
    if (confirmedAtMs === Number.NEGATIVE_INFINITY) return;
    this.#publisher.publish({ type: 'heartbeat', seq: 0, atMs: confirmedAtMs, event: null, bookmakerMask });
  }

  /** Ends the wait at the start: puts everything known on the slate, in the order of FEED. */
  #release(): void {
    this.#isHeld = false;
    const fixtures = this.#sources.flatMap((source) => [...source.fixtures()]);
    this.#regroup(fixtures, { gone: [], isDescribed: false });
    for (const source of this.#sources) this.#publishHeartbeat(source);
    this.#options.completed();
  }

  /**
   * Groups fixtures into matches again. A match keeps its identity (heirsOf).
   * @param gone fixtures that are no longer in any match
   * @param isDescribed see MatchPublisher.sync
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
      this.#publisher.report(this.#publisher.sync(match, isDescribed), 'event');
    }
  }

  #newMatch(members: readonly Member[]): Match {
    return new Match(this.#identities.nameOf(members, (key) => this.#byKey.has(key)));
  }

  #drop(match: Match): void {
    this.#byKey.delete(match.key);
    if (match.shown === null) return;
    this.#publisher.publish({ type: 'remove', seq: 0, atMs: match.shown.event.atMs, event: match.key });
    match.shown = null;
  }

  /** Updates the slate for the matches of a source, because their quotes may be stale now, or fresh again. */
  #resync(source: SourceSlate): void {
    for (const fixture of source.fixtures()) {
      const match = this.#matches.get(fixture.id);
      if (match !== undefined && match.shown !== null)
        this.#publisher.report(this.#publisher.sync(match, false), 'quote');
    }
  }
}
