// The answers that requests for odds would have got at an instant of the past, as bytes.

import { createHash } from 'node:crypto';
import { isoTextOrNull } from '../../clock.ts';
import {
  BOOKMAKER_KEYS,
  EVENT_STATUSES,
  indexIn,
  isSharpBookmaker,
  SPORT_KEYS,
} from '../../domain/catalogue.ts';
import { decodeId } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import { freeBytes } from '../../memory/free-bytes.ts';
import { eventLoopTurn } from '../../pause.ts';
import { dayRange, requireTimezone } from '../../query/lists/day.ts';
import type { Asked, HistoryCalls, PastAnswer, PastSlateWords } from '../../query/lists/history-calls.ts';
import { OddsDelta } from '../../query/odds/odds-delta.ts';
import { type BatchEntry, OddsEncoder } from '../../query/odds/odds-encoder.ts';
import { type OddsFilter, oddsFilter } from '../../query/odds/odds-filter.ts';
import type { OddsView } from '../../query/odds/odds-view.ts';
import { freeCopy, SlateCopier } from '../../query/slate/slate-copy.ts';
import { leagueIdOnTape } from './league-on-tape.ts';
import type { PastFixture } from './past-fixture.ts';
import { pastInstant, sightOf } from './past-instant.ts';
import { type PastInstant, PastPageMemory, pastPages } from './past-page.ts';
import type { PastSlate } from './past-slate.ts';
import type { ReadTurns } from './read-turns.ts';
import type { TapeReader } from './tape-reader.ts';

/**
 * Fixtures on one private slate at a time. They are few, so that a large slate of the past takes little
 * memory, and so that other answers wait for only a few milliseconds.
 */
const FIXTURES_AT_A_TIME = 16;
const ENCODER = new TextEncoder();
const COMMA = 0x2c;

/** Answers about odds at an instant. */
export type PastOdds = Pick<HistoryCalls, 'requireInstant' | 'odds' | 'batch' | 'slate'>;

export interface PastParts {
  readonly tape: TapeReader;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export function pastOdds({ tape, sleep, turns }: PastParts & { readonly turns: ReadTurns }): PastOdds {
  const instantOf = (at: string, asked: Asked<unknown>) => pastInstant(tape, at, { ...asked, sleep });
  const known = (atMs: number, asked: Asked<unknown>) => knownInstant(tape, atMs, asked);
  // A known instant stays as it is, so its answer is final. Only an import may still add to an imported day.
  const isFinal = ({ isInGap }: PastInstant): boolean => !tape.isFailing && !isInGap;
  const fixtureOf = (eventId: string, atMs: number, { principal }: Asked<unknown>) =>
    tape.fixtureAt(eventId, atMs, sightOf(principal));
  return {
    requireInstant: (asked) => instantOf(asked.at, asked).then(() => null),
    odds: async (asked) => {
      const filter = oddsFilter(asked.words, asked.principal);
      decodeId('event', asked.eventId);
      const atMs = await instantOf(asked.at, asked);
      return await turns.run(asked, async () => {
        const found = await fixtureOf(asked.eventId, atMs, asked);
        if (found === null) throw notThen();
        const instant = await known(atMs, asked);
        const pages = pastPages([found], instant);
        const fixture = pages.fixture(asked.eventId);
        if (fixture === null) throw notThen();
        const bytes = new OddsEncoder(pages.reader).encode(fixture, filter).slice();
        return answerOf(bytes, isFinal(instant));
      });
    },
    batch: async (asked) => {
      const filter = oddsFilter(asked.words, asked.principal);
      const atMs = await instantOf(asked.at, asked);
      return await turns.run(asked, async () => {
        const found = new Map<string, PastFixture | ServiceError>();
        for (const eventId of asked.eventIds) {
          if (found.has(eventId)) continue;
          found.set(eventId, await orError(eventId, () => fixtureOf(eventId, atMs, asked)));
        }
        const instant = await known(atMs, asked);
        const bytes = batchBytes(asked.eventIds, found, { filter, instant });
        return answerOf(bytes, isFinal(instant));
      });
    },
    slate: async (asked) => {
      const odds = oddsFilter(asked.words, asked.principal);
      const timezone = requireTimezone(asked.words.timezone);
      const atMs = await instantOf(asked.at, asked);
      return await turns.run(asked, async () => {
        const slate = await tape.slateAt(atMs, sightOf(asked.principal));
        const { sport, league } = asked.words;
        const leagueId = league === undefined ? null : await leagueIdOnTape(league, sport, slate.fixtures());
        const view = {
          ...viewOf(asked.words, timezone),
          leagueId,
          odds,
          showsSharp: odds.showsSharp,
          id: '',
        };
        const instant = await known(atMs, asked);
        const { bytes, fixtures } = await slateBytes(slate, view, instant);
        return { ...answerOf(bytes, isFinal(instant)), fixtures };
      });
    },
  };
}

/**
 * Call it after the rows of the instant were read, because that reading may show that a file is unreadable.
 */
async function knownInstant(
  tape: TapeReader,
  atMs: number,
  { principal }: Asked<unknown>,
): Promise<PastInstant> {
  return { atMs, isInGap: !(await tape.time.isKnownAt(atMs, sightOf(principal))) };
}

/** The filters of a view that follow from the words of the request alone, without the names on a slate. */
function viewOf({ sport, status, date }: PastSlateWords, timezone: string) {
  return {
    sport: sport === undefined ? null : indexIn(SPORT_KEYS, sport),
    status: status === undefined ? null : indexIn(EVENT_STATUSES, status),
    range: date === undefined ? null : dayRange(date, timezone),
  };
}

/** An answer's body with its entity tag. */
export function answerOf(bytes: Uint8Array<ArrayBuffer>, isFinal: boolean): PastAnswer {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { bytes, etag: `"${tag}"`, isFinal };
}

/** A plain value as JSON with its entity tag. */
export function jsonAnswer(value: unknown, isFinal: boolean): PastAnswer {
  return answerOf(ENCODER.encode(JSON.stringify(value)), isFinal);
}

function notThen(): ServiceError {
  return new ServiceError('not_found', 'Cannot find event: it was not on the slate at that instant', {
    fix: 'List the fixtures of the price history with GET /v1/history/events',
  });
}

async function orError(
  eventId: string,
  find: () => Promise<PastFixture | null>,
): Promise<PastFixture | ServiceError> {
  try {
    decodeId('event', eventId);
    return (await find()) ?? notThen();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error;
    throw error;
  }
}

function batchBytes(
  eventIds: readonly string[],
  found: ReadonlyMap<string, PastFixture | ServiceError>,
  { filter, instant }: { readonly filter: OddsFilter; readonly instant: PastInstant },
): Uint8Array<ArrayBuffer> {
  const fixtures = [...found.values()].filter((one): one is PastFixture => !(one instanceof ServiceError));
  const pages = pastPages(fixtures, instant);
  const entries = eventIds.map((eventId): BatchEntry => {
    const one = found.get(eventId)!;
    if (one instanceof ServiceError) {
      const { code, message, fix } = one;
      return { eventId, fixture: null, error: { code, message, fix } };
    }
    return { eventId, fixture: pages.fixture(eventId), error: null };
  });
  return new OddsEncoder(pages.reader).batch(entries, filter).slice();
}

/** The whole view at an instant, in the form of an answer of /v1/odds. */
async function slateBytes(
  slate: PastSlate,
  view: OddsView,
  instant: PastInstant,
): Promise<Pick<Required<PastAnswer>, 'bytes' | 'fixtures'>> {
  const sorted = Array.from(slate.eventIds, (eventId) => ({
    eventId,
    number: decodeId('event', eventId),
  })).sort((left, right) => left.number - right.number);
  const memory = new PastPageMemory();
  let encoder: OddsEncoder | null = null;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let asOfMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (let first = 0; first < sorted.length; first += FIXTURES_AT_A_TIME) {
    await eventLoopTurn();
    const fixtures = sorted
      .slice(first, first + FIXTURES_AT_A_TIME)
      .flatMap(({ eventId }) => slate.fixture(eventId) ?? []);
    asOfMs = Math.max(asOfMs, latestPriceMs(fixtures, view.showsSharp));
    const { reader } = pastPages(fixtures, instant, memory);
    const copier = new SlateCopier(reader);
    const copy = await copier.copySince(-1);
    // An encoder of one reader may encode the copies of all other readers too, because it reads only the
    // copy. So one encoder, with its prepared texts, serves all of them.
    encoder ??= new OddsEncoder(reader);
    const delta = new OddsDelta({
      ...{ view, copy, since: -1, cursor: '', asOf: null, isStale: instant.isInGap },
      encoder,
      leagueIdOf: (row) => copier.leagueIdOf(row),
    });
    for (let next: number | null = 0; next !== null; ) {
      const piece = delta.fixturesPiece(next);
      if (piece.bytes.length > 0) pieces.push(piece.bytes);
      next = piece.next;
    }
    count += delta.fixtureCount;
    freeCopy(copy);
  }
  const asOf = isoTextOrNull(Number.isFinite(asOfMs) ? asOfMs : Number.NaN);
  const head = JSON.stringify({ cursor: null, full: true, as_of: asOf, stale: instant.isInGap });
  const { bytes, parts } = joined(`${head.slice(0, -1)},"fixtures":[`, pieces, '],"removed":[]}');
  return { bytes, fixtures: { count, parts } };
}

/**
 * The bytes of a list, with a text before and after it. Each piece is freed once it is copied, because pieces
 * are large.
 */
function joined(before: string, pieces: readonly Uint8Array<ArrayBuffer>[], after: string) {
  const texts = [before, after].map((text) => ENCODER.encode(text));
  const commas = Math.max(0, pieces.length - 1);
  const bytes = new Uint8Array([...texts, ...pieces].reduce((sum, { length }) => sum + length, commas));
  bytes.set(texts[0]!);
  let offset = texts[0]!.length;
  const parts: (readonly [number, number])[] = [];
  for (const piece of pieces) {
    if (parts.length > 0) bytes[offset++] = COMMA;
    bytes.set(piece, offset);
    parts.push([offset, offset + piece.length]);
    offset += piece.length;
    freeBytes(piece);
  }
  bytes.set(texts[1]!, offset);
  return { bytes, parts };
}

/** The latest source time of a price of these fixtures, Unix ms; -Infinity when there is none. */
function latestPriceMs(fixtures: readonly PastFixture[], showsSharp: boolean): number {
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const { standing } of fixtures) {
    for (const { bookmaker, atMs } of standing) {
      if (showsSharp || !isSharpBookmaker(BOOKMAKER_KEYS.indexOf(bookmaker))) {
        latestMs = Math.max(latestMs, atMs);
      }
    }
  }
  return latestMs;
}
