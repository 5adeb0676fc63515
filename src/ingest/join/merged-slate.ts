// One slate of what several sources say: fixtures that are one match are put on it once, each bookmaker's quotes come
// from its own source, state from the first in FEED that gives it. Says everything to the applier as one source would, so
// that a recording of it is a recording like any other.
//
// At the start nothing is put on the slate before every source has brought a snapshot or JOIN_WAIT_MS are over: so public
// ids follow from the order of FEED and not from who answers first. Afterwards a fixture keeps the identity that it came
// with for as long as any source has it, and JoinedIdentities keeps it over a restart.

import type { FixtureIdentity, JoinedIdentities } from '../../archive/joined-identities.ts';
import { entityNumber } from '../../domain/ids.ts';
import type { RejectReason } from '../../domain/reject-reasons.ts';
import type { QuoteMessage } from '../../feed/protocol.ts';
import type { LeaderFixtures } from '../../replication/leader-fixtures.ts';
import type { Applier } from '../apply.ts';
import { FixtureJoin } from './fixture-join.ts';
import type { JoinRules } from './join-rules.ts';
import { Match, type MatchName, type Member, type Shown } from './match.ts';
import { MatchTeller, type MatchTellerOptions } from './match-teller.ts';
import { type SourceFixture, type SourceListener, SourceSlate } from './source-slate.ts';

export interface MergedSlateOptions extends Omit<MatchTellerOptions, 'sources'> {
  readonly names: readonly string[];
  readonly rules: JoinRules;
  readonly identities: JoinedIdentities;
  /** On a node that waits for its turn, what the leader has; else it has nothing. */
  readonly leaderFixtures: LeaderFixtures;
  readonly quoteOlder: () => void;
  /** The slate is there for the first time. */
  readonly completed: () => void;
}

/** How long the start waits for a source that has brought no snapshot. */
export const JOIN_WAIT_MS = 15_000;

export class MergedSlate implements SourceListener {
  readonly join: FixtureJoin;
  readonly #options: MergedSlateOptions;
  readonly #applier: Applier;
  readonly #sources: SourceSlate[] = [];
  readonly #teller: MatchTeller;
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
    const renamed = new Map<Match, MatchName>();
    const matches = [...this.#byKey.values()];
    const right = new Set(matches.filter((match) => this.#isOfLeader(match.event())));
    // Of two that are one at the leader only one can have its name.
    const taken = new Set([...right].map(({ key }) => key));
    for (const match of matches) {
      if (right.has(match)) continue;
      const name = this.#leaderNameOf(match.members);
      if (name === null || taken.has(name.identity.event)) continue;
      taken.add(name.identity.event);
      renamed.set(match, name);
    }
    // One whose name is another's at the leader, and which the leader does not have, gets the next name that is free.
    const displaced = [...renamed.values()]
      .flatMap(({ identity }) => this.#byKey.get(identity.event) ?? [])
      .filter((match) => !renamed.has(match));
    // Two may change names, so all of them go before the first comes.
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
    this.#keepIdentity(next);
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
   * Puts fixtures into matches anew. A match keeps its identity; of two that become one the first in the order of FEED
   * stays, and of one that falls apart the fixture that it is named after keeps it.
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
      this.#keepIdentity(match);
      this.#teller.report(this.#teller.sync(match, isDescribed), 'event');
    }
  }

  #newMatch(members: readonly Member[]): Match {
    const leaderName = this.#leaderNameOf(members);
    if (leaderName !== null && !this.#byKey.has(leaderName.identity.event)) return new Match(leaderName);
    const kept = members
      .flatMap((member) => this.#keptNameOf(member) ?? [])
      .find(({ identity }) => !this.#byKey.has(identity.event));
    if (kept !== undefined) return new Match(kept);
    const [first] = members;
    const [own, apart] = this.#ownNamesOf(first!);
    // Two sources may use one key for different matches; the later one's is told apart by its name.
    return new Match(this.#byKey.has(own.identity.event) ? apart : own);
  }

  /** The name that the leader has for a match of these fixtures; null when it has none that this node knows. */
  #leaderNameOf(members: readonly Member[]): MatchName | null {
    if (this.#options.leaderFixtures.isEmpty) return null;
    const names = [
      ...members.flatMap((member) => this.#keptNameOf(member) ?? []),
      ...members.flatMap((member) => this.#ownNamesOf(member)),
    ];
    return names.find(({ identity }) => this.#isOfLeader(identity)) ?? null;
  }

  #isOfLeader({ event, sport, home, away }: FixtureIdentity): boolean {
    return this.#options.leaderFixtures.has({
      event: entityNumber('event', sport, event),
      home: entityNumber('team', sport, home.key),
      away: entityNumber('team', sport, away.key),
    });
  }

  /** The name that a fixture's match had before a restart, or has at the leader. */
  #keptNameOf({ fixture }: Member): MatchName | null {
    const kept = this.#options.identities.get(this.#fixtureKey(fixture));
    if (kept === null || kept.teams !== teamsOf(fixture)) return null;
    return { identity: kept.identity, namer: fixture, isTurned: kept.isTurned };
  }

  /** The names that follow from a fixture itself: by its key alone, and by its source and key. */
  #ownNamesOf({ fixture }: Member): readonly [MatchName, MatchName] {
    const { event, sport, league, home, away } = fixture.message;
    const identity = { event, sport, league, home, away };
    const apart = `${this.#options.names[fixture.source]}/${event}`;
    return [
      { identity, namer: fixture, isTurned: false },
      { identity: { ...identity, event: apart }, namer: fixture, isTurned: false },
    ];
  }

  #keepIdentity(match: Match): void {
    for (const { fixture, isTurned } of match.members) {
      const key = this.#fixtureKey(fixture);
      if (fixture.message.event === match.key) this.#options.identities.delete(key);
      else this.#options.identities.set(key, { teams: teamsOf(fixture), identity: match.identity, isTurned });
    }
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

  #fixtureKey({ source, message }: SourceFixture): string {
    return `${this.#options.names[source]}|${message.event}`;
  }
}

/** Which former match each group goes on as. */
function heirsOf(
  groups: readonly (readonly Member[])[],
  former: ReadonlyMap<number, Match>,
): ReadonlyMap<readonly Member[], Match> {
  const heirs = new Map<readonly Member[], Match>();
  const claims = groups.flatMap((members) =>
    members.flatMap(({ fixture }, place) => {
      const match = former.get(fixture.id);
      return match === undefined
        ? []
        : [{ members, match, place, isNamesake: fixture.message.event === match.key }];
    }),
  );
  // The fixture that a match is named after goes first; of a group's claims its first member's.
  claims.sort(
    (left, right) => Number(right.isNamesake) - Number(left.isNamesake) || left.place - right.place,
  );
  const taken = new Set<Match>();
  for (const { members, match } of claims) {
    if (heirs.has(members) || taken.has(match)) continue;
    heirs.set(members, match);
    taken.add(match);
  }
  return heirs;
}

function teamsOf({ message }: SourceFixture): string {
  return `${message.home.name}|${message.away.name}`;
}
