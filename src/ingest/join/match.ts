// One match as the slate shows it: its identity, the sources' fixtures that it is made of, and what was said of it last.
// Everything that leaves here is in the slate's order of home and away.

import type { FixtureIdentity } from '../../archive/joined-identities.ts';
import { STATUS_LIVE } from '../../domain/catalogue.ts';
import type {
  CloseMessage,
  EventMessage,
  QuoteMessage,
  ResultMessage,
  StateMessage,
} from '../../feed/protocol.ts';
import type { SourceFixture } from './source-slate.ts';
import { turnClose, turnPair, turnQuote, turnResult, turnState } from './turn.ts';

export interface Member {
  readonly fixture: SourceFixture;
  /** Its home side is the slate's away side. */
  readonly isTurned: boolean;
}

/** What a match is to be called, and one of its fixtures. */
export interface MatchName {
  readonly identity: FixtureIdentity;
  readonly namer: SourceFixture;
  /** That fixture has home and away the other way round than the identity. */
  readonly isTurned: boolean;
}

/** What is on the slate. */
export interface Shown {
  event: EventMessage;
  state: StateMessage | null;
  result: ResultMessage | null;
  readonly quotes: Map<number, QuoteMessage>;
}

type Pair = readonly [number, number];

export class Match {
  readonly identity: FixtureIdentity;
  /** In the order of FEED. */
  #members: readonly Member[];
  /** Null: not on the slate, because there is no room, or because it has expired there. */
  shown: Shown | null = null;
  isExpired = false;
  /** Last score told to a source that has none, by source. */
  readonly #told = new Map<number, Pair>();

  constructor({ identity, namer, isTurned }: MatchName) {
    this.identity = identity;
    this.#members = [{ fixture: namer, isTurned }];
  }

  /** Its key on the slate, which its public id follows from. */
  get key(): string {
    return this.identity.event;
  }

  get members(): readonly Member[] {
    return this.#members;
  }

  /** It is made of these from now on; one of them at least it was made of before. */
  take(members: readonly Member[]): void {
    const known = members.find(({ fixture }) => this.#memberOf(fixture.source)?.fixture === fixture);
    const isOther = known !== undefined && known.isTurned !== this.#memberOf(known.fixture.source)!.isTurned;
    this.#members = members.map(({ fixture, isTurned }) => ({ fixture, isTurned: isTurned !== isOther }));
  }

  /** The description: identity from the slate, kickoff from the first source that knows it. */
  event(): EventMessage {
    const kickoffs = this.#members.map(({ fixture }) => fixture.message.scheduledAtMs);
    const atMs = Math.max(...this.#members.map(({ fixture }) => fixture.message.atMs));
    const scheduledAtMs = kickoffs.find((ms) => !Number.isNaN(ms)) ?? Number.NaN;
    return { type: 'event', seq: 0, atMs, ...this.#named(), scheduledAtMs };
  }

  /** Whether that description is on the slate already, its stamp aside. */
  isDescribedBy(shown: EventMessage): boolean {
    const { atMs: _atMs, ...now } = this.event();
    const { atMs: _shownAtMs, ...before } = shown;
    return Bun.deepEquals(now, before);
  }

  /**
   * The state: score and status from the first source that has a score, clock and cards from the first that has those.
   * Sources that are alive go before those that are not.
   */
  state(
    isAlive: (source: number) => boolean,
  ): { readonly message: StateMessage; readonly giver: number } | null {
    const states = this.#members
      .flatMap(({ fixture, isTurned }) => {
        const { state, source } = fixture;
        return state === null ? [] : [{ source, state: isTurned ? turnState(state) : state }];
      })
      .sort((left, right) => Number(isAlive(right.source)) - Number(isAlive(left.source)));
    const first = states.find(({ state }) => state.score !== null) ?? states[0];
    if (first === undefined) return null;
    const clock = states.find(({ state }) => state.clock !== null)?.state ?? null;
    const cards = states.find(({ state }) => state.cards !== null)?.state ?? null;
    const givers = [first.state, clock, cards].flatMap((state) => state?.atMs ?? []);
    const message: StateMessage = {
      type: 'state',
      seq: 0,
      // Never before what is shown: the slate would drop it as older when another source gives the state from now on.
      atMs: Math.max(...givers, this.shown?.state?.atMs ?? Number.NEGATIVE_INFINITY),
      event: this.key,
      status: first.state.status,
      clock: clock?.clock ?? null,
      score: first.state.score,
      cards: cards?.cards ?? null,
    };
    return { message, giver: first.source };
  }

  isStateShown(state: StateMessage): boolean {
    const shown = this.shown?.state ?? null;
    if (shown === null) return false;
    const { atMs: _atMs, ...now } = state;
    const { atMs: _shownAtMs, ...before } = shown;
    return Bun.deepEquals(now, before);
  }

  /** The result of the first source that has one. */
  result(): ResultMessage | null {
    for (const { fixture, isTurned } of this.#members) {
      const { result } = fixture;
      if (result !== null) return { ...(isTurned ? turnResult(result) : result), seq: 0, event: this.key };
    }
    return null;
  }

  /** Scores that sources have not been told, of those who do not say one themselves; in each source's order of sides. */
  scoresToTell(): readonly { readonly source: number; readonly event: string; readonly score: Pair }[] {
    const score = this.shown?.state?.score ?? null;
    if (score === null) return [];
    return this.#members.flatMap(({ fixture, isTurned }) => {
      if (fixture.state?.score != null) return [];
      const { source } = fixture;
      const own = isTurned ? turnPair(score)! : score;
      if (Bun.deepEquals(this.#told.get(source), own)) return [];
      this.#told.set(source, own);
      return [{ source, event: fixture.message.event, score: own }];
    });
  }

  /** A source has begun anew and knows no score. */
  forgetTold(source: number): void {
    this.#told.delete(source);
  }

  quoteOf({ source }: SourceFixture, quote: QuoteMessage): QuoteMessage {
    const turned = this.#memberOf(source)?.isTurned === true ? turnQuote(quote) : quote;
    return turned.event === this.key ? turned : { ...turned, event: this.key };
  }

  closeOf({ source }: SourceFixture, close: CloseMessage): CloseMessage {
    const turned = this.#memberOf(source)?.isTurned === true ? turnClose(close) : close;
    return { ...turned, event: this.key };
  }

  /** Whether it is under way: the shorter freshness window counts. */
  isLive(nowMs: number): boolean {
    return (
      this.shown?.state?.status === STATUS_LIVE || nowMs >= (this.shown?.event.scheduledAtMs ?? Number.NaN)
    );
  }

  #memberOf(source: number): Member | undefined {
    return this.#members.find(({ fixture }) => fixture.source === source);
  }

  #named(): FixtureIdentity {
    const own = this.#members.find(({ fixture }) => fixture.message.event === this.key);
    // The fixture that it is named after may have been renamed.
    return own === undefined || own.isTurned
      ? this.identity
      : { ...identityOf(own.fixture), event: this.key };
  }
}

function identityOf({ message: { event, sport, league, home, away } }: SourceFixture): FixtureIdentity {
  return { event, sport, league, home, away };
}
