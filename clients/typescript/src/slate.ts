// A fixture of the mirror, and the content of the mirror as a HeldSlate.

import { OverroundError } from './errors.ts';
import { HeldSlate, type SlateChanges } from './held-slate.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
export type Event = Schemas['Event'];
export type MatchState = Schemas['MatchState'];
export type OddsQuote = Schemas['OddsQuote'];
export type FixtureChange = Schemas['FixtureChange'];
export type OddsChanges = Schemas['OddsChanges'];

export interface Fixture {
  readonly id: string;
  readonly event: Event;
  readonly state: MatchState;
  /** The key is that of `quoteKey`. */
  readonly quotes: ReadonlyMap<string, OddsQuote>;
}

interface HeldFixture extends Fixture {
  event: Event;
  state: MatchState;
  quotes: Map<string, OddsQuote>;
}

/** A key that identifies a quote within its fixture. */
export function quoteKey({ bookmaker, market_type, period, line }: QuoteName): string {
  return `${bookmaker} ${market_type} ${period} ${line}`;
}
export type QuoteName = Pick<OddsQuote, 'bookmaker' | 'market_type' | 'period' | 'line'>;

/** The content of the mirror. */
export class Slate extends HeldSlate<HeldFixture, FixtureChange> {
  readonly #fixturesMax: number;

  constructor(fixturesMax: number) {
    super();
    this.#fixturesMax = fixturesMax;
  }

  /** @throws OverroundError when the slate then has more fixtures than it may */
  override apply(changes: SlateChanges<FixtureChange>): boolean {
    const isApplied = super.apply(changes);
    const count = Math.max(this.size, this.draft?.length ?? 0);
    if (count > this.#fixturesMax) throw tooManyFixtures(this.#fixturesMax);
    return isApplied;
  }

  /** Drops the received parts of a snapshot that will not be completed. */
  dropDraft(): void {
    this.draft = null;
  }

  protected put(former: HeldFixture | undefined, change: FixtureChange, isWhole: boolean): HeldFixture {
    const { event_id: id, event, state, odds } = change;
    const fixture = former ?? { id, event: event!, state: state!, quotes: new Map() };
    fixture.event = event ?? fixture.event;
    fixture.state = state ?? fixture.state;
    if (isWhole) fixture.quotes = new Map();
    for (const quote of odds) fixture.quotes.set(quoteKey(quote), quote);
    return fixture;
  }
}

function tooManyFixtures(max: number): OverroundError {
  return new OverroundError(`Cannot hold more than ${max} fixtures`, {
    code: 'too_large',
    fix: 'Narrow the filters of the mirror, or raise its fixturesMax',
  });
}
