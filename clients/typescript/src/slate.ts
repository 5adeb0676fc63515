// The content of a mirror: the fixtures of one view and their quotes, at one cursor. It applies whole answers
// and changes, and does not depend on how they arrive.

import { OverroundError } from './errors.ts';
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
  /** By `quoteKey`. */
  readonly quotes: ReadonlyMap<string, OddsQuote>;
}

interface HeldFixture extends Fixture {
  event: Event;
  state: MatchState;
  quotes: Map<string, OddsQuote>;
}

/** Identifies a quote within its fixture. */
export function quoteKey({ bookmaker, market_type, period, line }: QuoteName): string {
  return `${bookmaker} ${market_type} ${period} ${line}`;
}
export type QuoteName = Pick<OddsQuote, 'bookmaker' | 'market_type' | 'period' | 'line'>;

/**
 * A received change does not fit the content, so an earlier change was missed. The mirror then loads the
 * whole view.
 */
export class MirrorGap extends Error {}

export class Slate {
  #fixtures = new Map<string, HeldFixture>();
  /** A snapshot whose parts have not all arrived. */
  #draft: Map<string, HeldFixture> | null = null;
  readonly #fixturesMax: number;

  constructor(fixturesMax: number) {
    this.#fixturesMax = fixturesMax;
  }

  get size(): number {
    return this.#fixtures.size;
  }

  get(id: string): Fixture | undefined {
    return this.#fixtures.get(id);
  }

  fixtures(): Iterable<Fixture> {
    return this.#fixtures.values();
  }

  /**
   * Applies an answer of /v1/odds or a delta completely, or not at all if it does not fit.
   * @throws MirrorGap when it changes a fixture that is not held
   */
  apply({ full, fixtures, removed }: Pick<OddsChanges, 'full' | 'fixtures' | 'removed'>): void {
    const held = full ? new Map<string, HeldFixture>() : this.#fixtures;
    for (const change of fixtures) assertFits(held, change);
    for (const id of removed) held.delete(id);
    for (const change of fixtures) this.#put(held, change);
    this.#fixtures = held;
    this.#draft = null;
  }

  /** Adds one part of a snapshot. The content stays unchanged until the last part. @throws MirrorGap */
  applyPart({ part, last, fixtures }: Pick<Schemas['StreamSnapshot'], 'part' | 'last' | 'fixtures'>): void {
    if (part === 1) this.#draft = new Map();
    const draft = this.#draft;
    if (draft === null) throw new MirrorGap(`part ${part} of a snapshot that did not begin`);
    for (const change of fixtures) {
      assertFits(draft, change);
      this.#put(draft, change);
    }
    if (!last) return;
    this.#fixtures = draft;
    this.#draft = null;
  }

  /** Drops the parts of a snapshot that was cut off. */
  dropDraft(): void {
    this.#draft = null;
  }

  #put(held: Map<string, HeldFixture>, { event_id: id, event, state, replace, odds }: FixtureChange): void {
    const former = held.get(id);
    const fixture: HeldFixture = former ?? { id, event: event!, state: state!, quotes: new Map() };
    if (former === undefined) {
      if (held.size === this.#fixturesMax) throw tooManyFixtures(this.#fixturesMax);
      held.set(id, fixture);
    }
    fixture.event = event ?? fixture.event;
    fixture.state = state ?? fixture.state;
    if (replace) fixture.quotes = new Map();
    for (const quote of odds) fixture.quotes.set(quoteKey(quote), quote);
  }
}

function assertFits(held: ReadonlyMap<string, HeldFixture>, { event_id, event, state }: FixtureChange): void {
  if ((event === null || state === null) && !held.has(event_id)) {
    throw new MirrorGap(`a change of ${event_id}, which is not held`);
  }
}

function tooManyFixtures(max: number): OverroundError {
  return new OverroundError(`Cannot hold more than ${max} fixtures`, {
    code: 'too_large',
    fix: 'Narrow the filters of the mirror, or raise its fixturesMax',
  });
}
