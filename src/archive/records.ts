// What the archive keeps, as plain values.

/** One first-seen price. Prices in ten-thousandths by outcome order, 0 where the market has no third outcome. */
export interface ArchivedOpening {
  /** The packed key of store/quote-key.ts. */
  readonly key: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** Unix ms, NaN when unknown. */
  readonly openedAtMs: number;
  /** Whether the feed sent it, rather than that it was first seen here. */
  readonly upstream: boolean;
}

export interface ArchivedEntity {
  readonly number: number;
  readonly name: string;
}

export type ResultSource = 'final' | 'inferred';

/** One finished match. */
export interface ArchivedResult {
  readonly eventNumber: number;
  /** Index into SPORTS, null when unknown; everything else that may be null likewise. */
  readonly sport: number | null;
  readonly league: ArchivedEntity | null;
  readonly home: ArchivedEntity | null;
  readonly away: ArchivedEntity | null;
  /** Unix ms, NaN when unknown. */
  readonly scheduledAtMs: number;
  readonly score: readonly [number, number] | null;
  readonly redCards: readonly [number, number] | null;
  readonly finishedAtMs: number;
  /** `final` when the feed sent it, `inferred` when the last score stands in. */
  readonly source: ResultSource;
}
