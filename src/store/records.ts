// The writer's inputs and results: fixtures, states and openings as plain values, and the outcome of a put.

/** Identifies a fixture. Numbers are the 52-bit ids of domain/ids.ts. */
export interface FixtureIdentity {
  readonly eventNumber: number;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly league: EntityName;
  readonly home: EntityName;
  readonly away: EntityName;
  /** Unix ms, NaN when unknown. */
  readonly scheduledAtMs: number;
}
/** A fixture as a message with source time `atMs` describes it. */
export interface FixtureUpdate extends FixtureIdentity {
  readonly atMs: number;
  /** The bookmakers of the sources that have the fixture; ANY_BOOKMAKER if omitted. */
  readonly confirmerMask?: number;
}
export interface EntityName {
  readonly number: number;
  readonly name: string;
}

export interface FixtureState {
  /** Index into EVENT_STATUSES. */
  readonly status: number;
  readonly clock: string | null;
  /** Null keeps the last known score. */
  readonly score: readonly [number, number] | null;
  readonly cards: readonly [number, number] | null;
  readonly atMs: number;
}

/** One first-seen price. Prices in ten-thousandths by outcome order. */
export interface OpeningRow {
  readonly key: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly openedAtMs: number;
  readonly upstream: boolean;
}

/** Outcomes of putting a quote, an opening or a fixture. */
export const PUT_APPLIED = 0;
export const PUT_OLDER = 1;
export const PUT_FULL = 2;
export const PUT_KNOWN = 3;

/** Results of `putFixture` that are not a slot. */
export const FIXTURE_TABLE_FULL = -1;
export const NAME_TABLE_FULL = -2;
