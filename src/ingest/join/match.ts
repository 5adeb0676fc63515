// One match as the slate shows it: its identity, the sources' fixtures that it consists of, and what was last
// put on the slate. All its outputs have the slate's order of home and away.

import type { IdentityParts } from '../../archive/joined-identities.ts';
import { STATUS_LIVE } from '../../domain/catalogue.ts';
import type {
  CloseMessage,
  EventMessage,
  LiquidityMessage,
  QuoteMessage,
  ResultMessage,
  StateMessage,
} from '../../feed/protocol.ts';
import type { SourceFixture } from './source-slate.ts';
import { turnClose, turnLiquidity, turnPair, turnQuote, turnResult, turnState } from './turn.ts';

export interface Member {
  readonly fixture: SourceFixture;
  /** Whether the fixture's home side is the slate's away side. */
  readonly isTurned: boolean;
}

/** The name that a match should get, and the fixture that it comes from. */
export interface MatchName {
  readonly identity: IdentityParts;
  readonly namer: SourceFixture;
  /** Whether that fixture has home and away swapped compared with the identity. */
  readonly isTurned: boolean;
}

/** The parts of a match that are on the slate. */
export interface Shown {
  event: EventMessage;
  state: StateMessage | null;
  result: ResultMessage | null;
  readonly quotes: Map<number, QuoteMessage>;
  /**
   * The time up to which each source has confirmed its quotes of this one match, by the index of the source
   * in FEED.
   */
  readonly confirmedAtMs: Map<number, number>;
}

type Pair = readonly [number, number];

export class Match {
  readonly identity: IdentityParts;
  /** In the order of FEED. */
  #members: readonly Member[];
  /**
   * What the slate shows; null when the match is not on the slate because there was no room or it has
   * expired.
   */
  shown: Shown | null = null;
  isExpired = false;
  /** Last score sent to each source that has none of its own. */
  readonly #sentScores = new Map<number, Pair>();

  constructor({ identity, namer, isTurned }: MatchName) {
    this.identity = identity;
    this.#members = [{ fixture: namer, isTurned }];
  }

  /** The match's key on the slate. The public id is made from it. */
  get key(): string {
    return this.identity.event;
  }

  get members(): readonly Member[] {
    return this.#members;
  }

  /** Replaces the members of the match. At least one of them was a member before. */
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
    const bookmakerMask = this.#members.reduce((mask, { fixture }) => mask | fixture.bookmakerMask, 0);
    return { type: 'event', seq: 0, atMs, ...this.#named(), scheduledAtMs, bookmakerMask };
  }

  /** Whether `shown`, apart from its stamp, still describes the match. */
  isDescribedBy(shown: EventMessage): boolean {
    const { atMs: _atMs, ...now } = this.event();
    const { atMs: _shownAtMs, ...before } = shown;
    return Bun.deepEquals(now, before);
  }

  /**
   * The state: score and status from the first source that has a score, the clock from the first that has
   * one, and the cards from the first that has them. Sources that have confirmed their quotes recently
   * (`isAlive`) come before all others.
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
      // Never earlier than what is shown. Otherwise, if another source provides the state from now on, the
      // slate would drop it as older.
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

  /** Scores to send to sources that provide no score themselves, each in the source's order of sides. */
  scoresToSend(): readonly { readonly source: number; readonly event: string; readonly score: Pair }[] {
    const score = this.shown?.state?.score ?? null;
    if (score === null) return [];
    return this.#members.flatMap(({ fixture, isTurned }) => {
      if (fixture.state?.score != null) return [];
      const { source } = fixture;
      const own = isTurned ? turnPair(score)! : score;
      if (Bun.deepEquals(this.#sentScores.get(source), own)) return [];
      this.#sentScores.set(source, own);
      return [{ source, event: fixture.message.event, score: own }];
    });
  }

  /** Forgets the score that was sent to a source which has started again. */
  forgetSent(source: number): void {
    this.#sentScores.delete(source);
  }

  quoteOf({ source }: SourceFixture, quote: QuoteMessage): QuoteMessage {
    const turned = this.#memberOf(source)?.isTurned === true ? turnQuote(quote) : quote;
    return turned.event === this.key ? turned : { ...turned, event: this.key };
  }

  liquidityOf({ source }: SourceFixture, liquidity: LiquidityMessage): LiquidityMessage {
    const turned = this.#memberOf(source)?.isTurned === true ? turnLiquidity(liquidity) : liquidity;
    return { ...turned, event: this.key };
  }

  closeOf({ source }: SourceFixture, close: CloseMessage): CloseMessage {
    const turned = this.#memberOf(source)?.isTurned === true ? turnClose(close) : close;
    return { ...turned, event: this.key };
  }

  /** Whether the match is live, so that the shorter freshness window applies. */
  isLive(nowMs: number): boolean {
    return (
      this.shown?.state?.status === STATUS_LIVE || nowMs >= (this.shown?.event.scheduledAtMs ?? Number.NaN)
    );
  }

  #memberOf(source: number): Member | undefined {
    return this.#members.find(({ fixture }) => fixture.source === source);
  }

  #named(): IdentityParts {
    const own = this.#members.find(({ fixture }) => fixture.message.event === this.key);
    // The fixture that the match is named after may have been renamed, so its present names are used.
    return own === undefined || own.isTurned
      ? this.identity
      : { ...identityOf(own.fixture), event: this.key };
  }
}

function identityOf({ message: { event, sport, league, home, away } }: SourceFixture): IdentityParts {
  return { event, sport, league, home, away };
}
