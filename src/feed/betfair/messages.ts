// The shapes of Betfair's Exchange Stream API and market catalogue that we use, and their validation.
// Anything of another shape becomes null. A part of a message that is wrong (one price of a ladder) is left
// out and counted.

import { isObject } from '../../parse-json.ts';
import type { AnswerCount } from '../poll/source.ts';
import { isWireTime } from '../wire-time.ts';

/** One price of a ladder, and the amount that may be backed at it. Size 0 removes the price. */
export interface PriceSize {
  readonly price: number;
  readonly size: number;
}
/** One level of a ladder of best prices; level 0 is the best. */
export interface LevelPrice extends PriceSize {
  readonly level: number;
}
export interface RunnerChange {
  readonly id: number;
  /** Zero if the message leaves it out. */
  readonly handicap: number;
  readonly available: readonly PriceSize[];
  readonly best: readonly LevelPrice[];
  readonly bestDisplayed: readonly LevelPrice[];
}
export interface RunnerDefinition {
  readonly id: number;
  readonly handicap: number;
  readonly sortPriority: number;
  /** Sent only in historical files. */
  readonly name: string | null;
  readonly isActive: boolean;
}
export interface MarketDefinition {
  readonly status: 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'CLOSED';
  readonly isInPlay: boolean;
  readonly marketType: string;
  readonly eventId: string;
  readonly eventTypeId: string;
  /** The scheduled start, Unix ms; NaN when the message has no readable one. */
  readonly marketAtMs: number;
  /** Sent only in historical files. */
  readonly eventName: string | null;
  readonly runners: readonly RunnerDefinition[];
}
export interface MarketChange {
  readonly id: string;
  /** Whether this change replaces everything known about the market. */
  readonly isImage: boolean;
  readonly definition: MarketDefinition | null;
  /** What was matched on the market so far; null when the message does not say. */
  readonly matched: number | null;
  readonly runners: readonly RunnerChange[];
}
export interface ChangeMessage {
  readonly op: 'mcm';
  readonly changeType: 'SUB_IMAGE' | 'RESUB_DELTA' | 'HEARTBEAT' | 'UPDATE';
  readonly segment: 'SEG_START' | 'SEG' | 'SEG_END' | null;
  readonly initialClk: string | null;
  readonly clk: string | null;
  /** Unix ms: when Betfair published it. */
  readonly publishedAtMs: number;
  /** Whether Betfair reports that the data may be stale (status 503). */
  readonly isStale: boolean;
  readonly markets: readonly MarketChange[];
  /** Why parts were left out, one word for each part. */
  readonly refused: readonly PartRefusal[];
}
/**
 * Why a part was left out: a market or runner lacks its id, a market definition is invalid, or a price or
 * size is impossible.
 */
export type PartRefusal = Extract<AnswerCount, 'bad_row' | 'bad_fixture' | 'bad_price'>;

export interface StatusMessage {
  readonly op: 'status';
  readonly id: number | null;
  readonly isSuccess: boolean;
  readonly errorCode: string | null;
}
export type StreamMessage = ChangeMessage | StatusMessage | { readonly op: 'connection' };

export interface CatalogueMarket {
  readonly marketId: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly competition: { readonly id: string; readonly name: string } | null;
  readonly runners: readonly { readonly id: number; readonly name: string }[];
}

const PRICE_MIN = 1.01;
const PRICE_MAX = 1_000;
const CHANGE_TYPES = ['SUB_IMAGE', 'RESUB_DELTA', 'HEARTBEAT'] as const;
const SEGMENTS = ['SEG_START', 'SEG', 'SEG_END'] as const;
const STATUSES = ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'] as const;

/** One decoded line of the stream, or null when its kind is unknown. */
export function streamMessageOf(value: unknown): StreamMessage | null {
  if (!isObject(value)) return null;
  if (value.op === 'connection') return { op: 'connection' };
  if (value.op === 'status') {
    return {
      op: 'status',
      id: typeof value.id === 'number' ? value.id : null,
      isSuccess: value.statusCode === 'SUCCESS',
      // Only a word in capitals is kept, because an error's own text can contain the session token.
      errorCode:
        typeof value.errorCode === 'string' && /^[A-Z_]{1,60}$/.test(value.errorCode)
          ? value.errorCode
          : null,
    };
  }
  return value.op === 'mcm' ? changeMessageOf(value) : null;
}

/**
 * An answer of listMarketCatalogue, plain or in JSON-RPC's envelope; null for any other shape. Markets
 * without an event are left out.
 */
export function catalogueOf(value: unknown): CatalogueMarket[] | null {
  const list = isObject(value) && 'result' in value ? value.result : value;
  if (!Array.isArray(list)) return null;
  return list.flatMap((item: unknown) => {
    if (!isObject(item) || !isText(item.marketId) || !isObject(item.event)) return [];
    const { id, name } = item.event;
    if (!isText(id) || !isText(name)) return [];
    const competition = isObject(item.competition) ? item.competition : null;
    const hasCompetition = competition !== null && isText(competition.id) && isText(competition.name);
    return [
      {
        marketId: item.marketId,
        eventId: id,
        eventName: name,
        competition: hasCompetition ? { id: String(competition.id), name: String(competition.name) } : null,
        runners: listOf(item.runners).flatMap((runner) =>
          isObject(runner) && typeof runner.selectionId === 'number' && isText(runner.runnerName)
            ? [{ id: runner.selectionId, name: runner.runnerName }]
            : [],
        ),
      },
    ];
  });
}

function changeMessageOf(value: Readonly<Record<string, unknown>>): ChangeMessage | null {
  const isStale = value.status === 503;
  const publishedAtMs = typeof value.pt === 'number' ? value.pt : Number.NaN;
  if (!isStale && !isWireTime(publishedAtMs)) return null;
  const refusals = new Refusals();
  const markets = listOf(value.mc).flatMap((item) =>
    refusals.unlessNull('bad_row', marketChangeOf(item, refusals)),
  );
  return {
    op: 'mcm',
    changeType: wordOf(CHANGE_TYPES, value.ct) ?? 'UPDATE',
    segment: wordOf(SEGMENTS, value.segmentType),
    initialClk: isText(value.initialClk) ? value.initialClk : null,
    clk: isText(value.clk) ? value.clk : null,
    publishedAtMs,
    isStale,
    markets,
    refused: refusals.reasons,
  };
}

function marketChangeOf(value: unknown, refusals: Refusals): MarketChange | null {
  if (!isObject(value) || !isText(value.id)) return null;
  const definition = value.marketDefinition === undefined ? null : definitionOf(value.marketDefinition);
  if (value.marketDefinition !== undefined && definition === null) refusals.reasons.push('bad_fixture');
  const runners = listOf(value.rc).flatMap((runner) =>
    refusals.unlessNull('bad_row', runnerChangeOf(runner, refusals)),
  );
  const matched = typeof value.tv === 'number' && value.tv >= 0 ? value.tv : null;
  return { id: value.id, isImage: value.img === true, definition, matched, runners };
}

function definitionOf(value: unknown): MarketDefinition | null {
  if (!isObject(value)) return null;
  const { marketType, eventId, eventTypeId, inPlay } = value;
  const status = wordOf(STATUSES, value.status);
  if (status === null || !isText(marketType) || !isText(eventId) || !isText(eventTypeId)) return null;
  return {
    status,
    isInPlay: inPlay === true,
    marketType,
    eventId,
    eventTypeId,
    marketAtMs: typeof value.marketTime === 'string' ? Date.parse(value.marketTime) : Number.NaN,
    eventName: isText(value.eventName) ? value.eventName : null,
    runners: listOf(value.runners).flatMap((runner) => {
      if (!isObject(runner) || typeof runner.id !== 'number') return [];
      return [
        {
          id: runner.id,
          handicap: typeof runner.hc === 'number' ? runner.hc : 0,
          sortPriority: typeof runner.sortPriority === 'number' ? runner.sortPriority : Number.NaN,
          name: isText(runner.name) ? runner.name : null,
          isActive: runner.status === 'ACTIVE',
        },
      ];
    }),
  };
}

function runnerChangeOf(value: unknown, refusals: Refusals): RunnerChange | null {
  if (!isObject(value) || typeof value.id !== 'number') return null;
  if (value.hc !== undefined && !Number.isFinite(value.hc)) return null;
  const levels = (list: unknown) =>
    listOf(list).flatMap((row) => {
      const [level, price, size] = listOf(row);
      const rung = rungOf(price, size);
      return refusals.unlessNull(
        'bad_price',
        rung === null || !Number.isInteger(level) ? null : { ...rung, level: level as number },
      );
    });
  return {
    id: value.id,
    handicap: typeof value.hc === 'number' ? value.hc : 0,
    available: listOf(value.atb).flatMap((row) => {
      const [price, size] = listOf(row);
      return refusals.unlessNull('bad_price', rungOf(price, size));
    }),
    best: levels(value.batb),
    bestDisplayed: levels(value.bdatb),
  };
}

/** A price that Betfair's ladder can have, or price 0 with size 0, which empties a level. Null otherwise. */
function rungOf(price: unknown, size: unknown): PriceSize | null {
  if (typeof price !== 'number' || typeof size !== 'number' || !(size >= 0) || !Number.isFinite(size))
    return null;
  const isOnLadder = price >= PRICE_MIN && price <= PRICE_MAX;
  return isOnLadder || (size === 0 && price === 0) ? { price, size } : null;
}

/** Collects why parts of one message were left out. */
class Refusals {
  readonly reasons: PartRefusal[] = [];

  unlessNull<T>(reason: PartRefusal, part: T | null): T[] {
    if (part !== null) return [part];
    this.reasons.push(reason);
    return [];
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 200;
}
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
function wordOf<Word extends string>(words: readonly Word[], value: unknown): Word | null {
  return words.find((word) => word === value) ?? null;
}
