// The calls about the past that routes and tools make. The tape is read on a thread of its own, so that no
// poll waits for it; other threads send these calls to it as messages.

import type { AlertPreview } from '../../contract/alerts/alert-preview.ts';
import type { AlertWhen, AlertWhere } from '../../contract/alerts/alert-rules.ts';
import type { Event } from '../../contract/event.ts';
import type { HistoryEventsQuery, HistoryQuery } from '../../contract/history.ts';
import type { SignalRecordInput } from '../../contract/record/signal-record.ts';
import type { WordsOf } from '../../contract/schema.ts';
import type { Principal, TierKey } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';
import type { FixtureQuestion, Lookup } from '../lookup/fixture-lookup.ts';
import type { OddsFilterWords } from '../odds/odds-filter.ts';
import type { EventFilter } from './events.ts';

/** A question with the time and the caller. The plan of the caller decides what the answer may contain. */
export type Asked<Question> = Question & {
  readonly principal: Principal;
  readonly nowMs: number;
  /**
   * Aborted once nobody waits for the answer. It is not sent to another thread. The thread that answers sets
   * a signal of its own.
   */
  readonly signal?: AbortSignal | undefined;
};

/** The body of an answer as JSON. Its entity tag is strong: equal tags mean equal bytes. */
export interface PastAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Whether the same request will always have this answer. */
  readonly isFinal: boolean;
  /** Where the list `fixtures` of a large answer can be cut. */
  readonly fixtures?: FixtureCuts | undefined;
}

/** The length of a list in JSON bytes, and where the list can be cut. */
export interface FixtureCuts {
  readonly count: number;
  /** Where each part of the list begins and ends, in bytes. The commas between parts belong to no part. */
  readonly parts: readonly (readonly [start: number, end: number])[];
}

/** A rule, what its account may see, and the span of the past that is replayed. */
export interface PastAlertsQuestion {
  readonly when: AlertWhen;
  readonly where: AlertWhere;
  /** The names of the ids in `where`. */
  readonly names: { readonly league?: string; readonly team?: string };
  readonly accountId: string;
  readonly plan: TierKey;
  readonly fromMs: number;
  readonly toMs: number;
}

/** `from` and `to` are the span that was replayed; null when the tape has no data of that time. */
export type PastAlerts = Pick<AlertPreview, 'from' | 'to' | 'latest'> & { readonly count: number };

export type PastSlateWords = OddsFilterWords & Omit<EventFilter, 'range'>;
export type TicksWords = OddsFilterWords & Omit<WordsOf<typeof HistoryQuery>, keyof OddsFilterWords>;
export type TapeEventsWords = WordsOf<typeof HistoryEventsQuery>;
/** Which signals of the record are counted, and how. */
export type RecordWords = WordsOf<typeof SignalRecordInput> & {
  readonly series?: boolean | undefined;
  /** Whether an answer in groups also has `total`: one row of all signals. Groups by reference have none. */
  readonly total?: boolean | undefined;
};

/** Fixtures of the tape that words may mean. Without a named day or an id, nothing is found. */
export type TapeLookup = Lookup<TapeCandidate>;

export interface TapeCandidate {
  readonly event: Event;
  /** 0 to 1, unrounded. */
  readonly confidence: number;
}

/**
 * Calls with plain values as arguments and results.
 * @throws ServiceError `invalid_request` for an instant that is not kept, `plan_limit` for one beyond the
 * caller's plan, `not_found`, `forbidden` for the sharp bookmaker, `upstream_unavailable`
 */
export interface HistoryCalls {
  /**
   * Refuses an instant about which nothing can be answered. It is cheap; call it before a large answer is
   * made.
   */
  requireInstant(question: Asked<{ at: string }>): Promise<null>;
  /** An OddsBlock at an instant. */
  odds(question: Asked<{ eventId: string; words: OddsFilterWords; at: string }>): Promise<PastAnswer>;
  /** A BatchOdds at an instant. */
  batch(
    question: Asked<{ eventIds: readonly string[]; words: OddsFilterWords; at: string }>,
  ): Promise<PastAnswer>;
  /** An OddsChanges with the whole view at an instant. */
  slate(question: Asked<{ words: PastSlateWords; at: string }>): Promise<PastAnswer>;
  /** An EventHistory. */
  ticks(question: Asked<{ eventId: string; words: TicksWords }>): Promise<PastAnswer>;
  /** An EventClosing. */
  closing(question: Asked<{ eventId: string; words: OddsFilterWords }>): Promise<PastAnswer>;
  /** A HistoryEventPage. */
  events(question: Asked<{ words: TapeEventsWords }>): Promise<PastAnswer>;
  /** A HistoryCoverage. */
  coverage(question: Asked<unknown>): Promise<PastAnswer>;
  /** An EventSettlement. */
  settlement(question: Asked<{ eventId: string }>): Promise<PastAnswer>;
  /** Refuses words that the record does not answer. It is cheap; call it before `record`. */
  requireRecord(question: Asked<{ words: RecordWords }>): Promise<null>;
  /** A SignalRecord. */
  record(question: Asked<{ words: RecordWords }>): Promise<PastAnswer>;
  /** What an alert rule would have reported; null without a history. */
  alerts(question: PastAlertsQuestion): Promise<PastAlerts | null>;
  /**
   * The fixture of the tape that words mean, when they or `date` name a day, or that an id names; null
   * without a history.
   */
  find(question: Asked<{ question: FixtureQuestion }>): Promise<TapeLookup | null>;
}

/** The calls of a service that keeps no history: each is refused, except `alerts` and `find`. */
export const NO_HISTORY: HistoryCalls = {
  requireInstant: refuse,
  odds: refuse,
  batch: refuse,
  slate: refuse,
  ticks: refuse,
  closing: refuse,
  events: refuse,
  coverage: refuse,
  settlement: refuse,
  requireRecord: refuse,
  record: refuse,
  alerts: async () => null,
  find: async () => null,
};

async function refuse(): Promise<never> {
  throw new ServiceError('not_found', 'Cannot answer about the past: this service keeps no history', {
    fix: 'The operator can switch it on with HISTORY_DAYS, the number of days to keep',
  });
}
