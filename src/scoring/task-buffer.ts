// The task buffer: memory shared by the pool and one worker, for one task at a time. It has one writer at any
// moment: the pool until it stores POSTED, then the worker until it stores DONE, then the pool again. When a
// worker is replaced, its buffer is not used again, so late writes of the old worker cannot reach another
// task.
//
//   header   memory/shared-buffer.ts; its one size is `capacity`, the most fixtures of one task
//   Int32    posted | done | fixture count | market mask | period mask | sees sharp | bookmaker mask |
//            wants hits | scored count | reference | kinds
//   Float64  min edge | max edge | min margin | max margin | most age or -1 | now | live window |
//            pre-match window | bounds of kinds x 7
//   Float64  last heartbeat    x BOOKMAKERS_MAX
//   Int32    slot          x capacity
//   Float64  event number  x capacity
//   Float64  score row     x capacity (score-rows.ts)
//   Float64  value hit     x HIT_LINES_MAX x OUTCOMES_MAX, those of one fixture after those of another
//   Float64  arb hit       x HIT_LINES_MAX
//   Int32    count of kind rows x capacity
//   Float64  kind row      x KIND_ROWS (kinds/kind-rows.ts), those of one fixture after those of another
//
// When all hits are wanted and those of a fixture no longer fit, the worker stops there: the scored count is
// then below the fixture count, and the pool creates another task for the rest.

import { OUTCOMES_MAX } from '../domain/catalogue.ts';
import type { SignalMoment } from '../domain/signal-gate.ts';
import { assert } from '../errors.ts';
import { BOOKMAKERS_MAX, QUOTES_PER_FIXTURE_MAX } from '../limits.ts';
import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../memory/shared-buffer.ts';
import type { SlateReader } from '../store/reader.ts';
import type { ScoreCriteria } from './criteria.ts';
import {
  ARB_STRIDE,
  COUNT_ARB,
  COUNT_AWAITED_MASK,
  COUNT_VALUE,
  type ScoreBuffers,
  VALUE_STRIDE,
} from './hit-rows.ts';
import { scorePage } from './kernel.ts';
import { type KindCriteria, NO_KINDS } from './kinds/kind-criteria.ts';
import {
  COUNT_AWAITED_BY_KINDS,
  COUNT_ROWS,
  KIND_ROWS_MAX,
  KIND_STRIDE,
  type KindRows,
  kindHitAt,
} from './kinds/kind-rows.ts';
import { type KindBuffers, scoreKindsOfPage } from './kinds/score-kinds.ts';
import {
  type FixtureScore,
  SCORE_STRIDE,
  scoreAt,
  VERSION_GONE,
  withHits,
  writeScore,
} from './score-rows.ts';

const WORD_POSTED = 0; // Atomics: number of the task in the buffer
const WORD_DONE = 1; // Atomics: number of the last finished task
const WORD_COUNT = 2;
const WORD_MARKET_MASK = 3;
const WORD_PERIOD_MASK = 4;
const WORD_SEES_SHARP = 5;
const WORD_BOOKMAKER_MASK = 6;
const WORD_WANTS_HITS = 7;
const WORD_SCORED = 8;
const WORD_REFERENCE = 9;
/** Bits: middle, move, steam, and whether moves are of fair probabilities. */
const WORD_KINDS = 10;
const WORDS = 11;
const KIND_BOUNDS = 8; // where the bounds of kinds begin
const BOUNDS = KIND_BOUNDS + 7;
const NO_MAX_AGE = -1;
/** Number of lines whose hits fit into one task: enough for any one fixture, or for many typical ones. */
const HIT_LINES_MAX = 2 * QUOTES_PER_FIXTURE_MAX;

/** Rows of middles, moves and steam of one task: enough for any two fixtures. */
const KIND_ROWS = 2 * KIND_ROWS_MAX;

/**
 * What the pool sends to a new worker, once. The worker answers `ready`, then the number of every task it has
 * finished.
 */
export interface WorkerInit {
  readonly storeBuffer: SharedArrayBuffer;
  readonly taskBuffer: SharedArrayBuffer;
}
export const WORKER_READY = 'ready';

export interface TaskBuffer {
  readonly capacity: number;
  readonly words: Int32Array;
  readonly bounds: Float64Array;
  readonly confirmedAtMs: Float64Array;
  readonly slots: Int32Array;
  readonly eventNumbers: Float64Array;
  readonly scores: Float64Array;
  readonly value: Float64Array;
  readonly arb: Float64Array;
  /** For each fixture, the number of rows of `kinds` that belong to it. */
  readonly kindCounts: Int32Array;
  readonly kinds: Float64Array;
}

/** Fixtures to score. The same index in both arrays means the same fixture. */
export interface ScoreTask {
  readonly criteria: ScoreCriteria;
  readonly moment: SignalMoment;
  readonly slots: readonly number[];
  readonly eventNumbers: readonly number[];
  /** Whether the answer must contain every hit, and not only the scores. */
  readonly wantsHits: boolean;
}

const LAYOUT: SharedLayout<'capacity', TaskBuffer> = {
  name: 'task',
  magic: 0x4f_56_54_53, // "OVTS"
  version: 5,
  sizeNames: ['capacity'],
  columns: (cursor, { capacity }) => ({
    capacity,
    words: cursor.int32(WORDS),
    bounds: cursor.float64(BOUNDS),
    confirmedAtMs: cursor.float64(BOOKMAKERS_MAX),
    slots: cursor.int32(capacity),
    eventNumbers: cursor.float64(capacity),
    scores: cursor.float64(capacity * SCORE_STRIDE),
    value: cursor.float64(HIT_LINES_MAX * OUTCOMES_MAX * VALUE_STRIDE),
    arb: cursor.float64(HIT_LINES_MAX * ARB_STRIDE),
    kindCounts: cursor.int32(capacity),
    kinds: cursor.float64(KIND_ROWS * KIND_STRIDE),
  }),
};

/** @param capacity the most fixtures that a task may have */
export function createTaskBuffer(capacity: number): SharedArrayBuffer {
  return createSharedBuffer(LAYOUT, { capacity });
}

/** Creates the views of a task buffer that this or another thread made. */
export function attachTaskBuffer(buffer: SharedArrayBuffer): TaskBuffer {
  return attachSharedBuffer(LAYOUT, buffer);
}

/** For the pool: writes a task into the buffer. @returns its number, to be sent to the worker */
export function postTask(taskBuffer: TaskBuffer, task: ScoreTask): number {
  const { words, bounds } = taskBuffer;
  const { criteria, moment, slots, eventNumbers } = task;
  const posted = Atomics.load(words, WORD_POSTED);
  assert(Atomics.load(words, WORD_DONE) === posted, 'a task buffer holds one task at a time');
  assert(
    slots.length <= taskBuffer.capacity && slots.length === eventNumbers.length,
    'a task fits its buffer',
  );
  words[WORD_COUNT] = slots.length;
  words[WORD_MARKET_MASK] = criteria.marketMask;
  words[WORD_PERIOD_MASK] = criteria.periodMask;
  words[WORD_SEES_SHARP] = criteria.seesSharp ? 1 : 0;
  words[WORD_BOOKMAKER_MASK] = criteria.bookmakerMask;
  words[WORD_WANTS_HITS] = task.wantsHits ? 1 : 0;
  words[WORD_REFERENCE] = criteria.reference;
  const { liveMs, prematchMs } = moment.windows;
  bounds.set([criteria.minEdge, criteria.maxEdge, criteria.minMargin, criteria.maxMargin]);
  bounds.set([criteria.maxAgeMs ?? NO_MAX_AGE, moment.nowMs, liveMs, prematchMs], 4);
  writeKinds(taskBuffer, criteria.kinds ?? NO_KINDS);
  taskBuffer.confirmedAtMs.set(moment.confirmedAtMs);
  taskBuffer.slots.set(slots);
  taskBuffer.eventNumbers.set(eventNumbers);
  Atomics.store(words, WORD_POSTED, posted + 1);
  return posted + 1;
}

/** For the pool: whether the worker has stored this task's scores. */
export function isDone(taskBuffer: TaskBuffer, taskNumber: number): boolean {
  return Atomics.load(taskBuffer.words, WORD_DONE) === taskNumber;
}

/**
 * For the pool: the scores of the finished task, in its order; null for a fixture that was gone. If hits were
 * wanted, the result may cover only the first fixtures (WORD_SCORED).
 */
export function takeScores(taskBuffer: TaskBuffer): (FixtureScore | null)[] {
  assert(
    isDone(taskBuffer, Atomics.load(taskBuffer.words, WORD_POSTED)),
    'scores are taken of a task that is done',
  );
  const scores: (FixtureScore | null)[] = [];
  const count = taskBuffer.words[WORD_SCORED]!;
  const wantsHits = taskBuffer.words[WORD_WANTS_HITS] === 1;
  const next = { value: 0, arb: 0 };
  const hasKinds = taskBuffer.words[WORD_KINDS] !== 0;
  let kindRow = 0;
  for (let index = 0; index < count; index++) {
    const score = scoreAt(taskBuffer.scores, index * SCORE_STRIDE);
    const kindCount = taskBuffer.kindCounts[index]!;
    const kindHits = Array.from({ length: wantsHits ? kindCount : 0 }, (_, row) =>
      kindHitAt(taskBuffer.kinds, (kindRow + row) * KIND_STRIDE),
    );
    kindRow += kindCount;
    const found = wantsHits && score !== null ? withHits(score, taskBuffer, next) : score;
    scores.push(found !== null && hasKinds ? { ...found, ...{ kindHits } } : found);
    if (score === null) continue;
    next.value += score.valueCount;
    next.arb += score.arbCount;
  }
  return scores;
}

/** For the worker: scores the task in the buffer and marks it as done. */
export function scoreTask(
  reader: SlateReader,
  taskBuffer: TaskBuffer,
  out: ScoreBuffers,
  kindsOut: KindBuffers,
): void {
  const { columns } = reader;
  const taskNumber = Atomics.load(taskBuffer.words, WORD_POSTED);
  const count = taskBuffer.words[WORD_COUNT]!;
  const criteria = criteriaOf(taskBuffer);
  const moment = momentOf(taskBuffer);
  const wantsHits = taskBuffer.words[WORD_WANTS_HITS] === 1;
  const room = new HitRoom(taskBuffer);
  const kinds = wantsHits ? kindsOf(taskBuffer) : null;
  let scored = 0;
  let eventNumber = 0;
  let validUntilMs = 0;
  function scoreSlot(page: number): number {
    // The slot may have passed to another event since the pool looked it up. The fixture then counts as gone.
    if (columns.eventNumber[page] !== eventNumber) return VERSION_GONE;
    validUntilMs = scorePage(reader, page, criteria, moment, out);
    if (kinds !== null) {
      const place = { slot: taskBuffer.slots[scored]!, page };
      const untilMs = scoreKindsOfPage(reader, place, { ...criteria, kinds }, moment, kindsOut);
      validUntilMs = Math.min(validUntilMs, untilMs);
      out.counts[COUNT_AWAITED_MASK]! |= kindsOut.counts[COUNT_AWAITED_BY_KINDS]!;
    }
    return columns.version[page]!;
  }
  for (; scored < count; scored++) {
    eventNumber = taskBuffer.eventNumbers[scored]!;
    const version = reader.read(taskBuffer.slots[scored]!, scoreSlot) ?? VERSION_GONE;
    const isKinds = kinds !== null && version !== VERSION_GONE;
    taskBuffer.kindCounts[scored] = 0;
    if (wantsHits && version !== VERSION_GONE && !room.put(out, isKinds ? kindsOut : null)) break;
    if (isKinds) taskBuffer.kindCounts[scored] = kindsOut.counts[COUNT_ROWS]!;
    writeScore(taskBuffer.scores, scored * SCORE_STRIDE, { eventNumber, version, validUntilMs }, out);
  }
  assert(scored > 0 || count === 0, 'a task has room for the hits of any one fixture');
  taskBuffer.words[WORD_SCORED] = scored;
  Atomics.store(taskBuffer.words, WORD_DONE, taskNumber);
}

/** For the worker: where to write the hits of the next fixture. */
class HitRoom {
  readonly #taskBuffer: TaskBuffer;
  #value = 0;
  #arb = 0;
  #kinds = 0;

  constructor(taskBuffer: TaskBuffer) {
    this.#taskBuffer = taskBuffer;
  }

  /** Copies the hits of one fixture. @returns false when they no longer fit */
  put({ counts, value, arb }: ScoreBuffers, found: KindRows | null): boolean {
    const valueWords = counts[COUNT_VALUE]! * VALUE_STRIDE;
    const arbWords = counts[COUNT_ARB]! * ARB_STRIDE;
    const kindWords = found === null ? 0 : found.counts[COUNT_ROWS]! * KIND_STRIDE;
    const into = this.#taskBuffer;
    if (this.#kinds + kindWords > into.kinds.length) return false;
    if (this.#value + valueWords > into.value.length || this.#arb + arbWords > into.arb.length) return false;
    into.value.set(value.subarray(0, valueWords), this.#value);
    into.arb.set(arb.subarray(0, arbWords), this.#arb);
    this.#value += valueWords;
    this.#arb += arbWords;
    if (found !== null) into.kinds.set(found.rows.subarray(0, kindWords), this.#kinds);
    this.#kinds += kindWords;
    return true;
  }
}

function criteriaOf(taskBuffer: TaskBuffer): ScoreCriteria {
  const { words, bounds } = taskBuffer;
  return {
    marketMask: words[WORD_MARKET_MASK]!,
    periodMask: words[WORD_PERIOD_MASK]!,
    seesSharp: words[WORD_SEES_SHARP] === 1,
    bookmakerMask: words[WORD_BOOKMAKER_MASK]!,
    reference: words[WORD_REFERENCE]!,
    minEdge: bounds[0]!,
    maxEdge: bounds[1]!,
    minMargin: bounds[2]!,
    maxMargin: bounds[3]!,
    maxAgeMs: bounds[4] === NO_MAX_AGE ? null : bounds[4]!,
  };
}

function momentOf({ bounds, confirmedAtMs }: TaskBuffer): SignalMoment {
  return { nowMs: bounds[5]!, confirmedAtMs, windows: { liveMs: bounds[6]!, prematchMs: bounds[7]! } };
}

function writeKinds({ words, bounds }: TaskBuffer, { middle, move, steam }: KindCriteria): void {
  const isFair = move?.isFair === true;
  words[WORD_KINDS] =
    (middle === null ? 0 : 1) | (move === null ? 0 : 2) | (steam === null ? 0 : 4) | (isFair ? 8 : 0);
  bounds.set(
    [
      ...[middle?.minExpected ?? 0, middle?.maxExpected ?? 0, move?.change ?? 0, move?.withinS ?? 0],
      ...[steam?.change ?? 0, steam?.withinS ?? 0, steam?.owners ?? 0],
    ],
    KIND_BOUNDS,
  );
}

/** The requested kinds; null for none. */
function kindsOf({ words, bounds }: TaskBuffer): KindCriteria | null {
  const kinds = words[WORD_KINDS]!;
  if (kinds === 0) return null;
  const [minExpected = 0, maxExpected = 0, moved = 0, movedWithinS = 0, change = 0, withinS = 0, owners = 0] =
    bounds.subarray(KIND_BOUNDS);
  return {
    middle: (kinds & 1) === 0 ? null : { minExpected, maxExpected },
    move: (kinds & 2) === 0 ? null : { change: moved, withinS: movedWithinS, isFair: (kinds & 8) !== 0 },
    steam: (kinds & 4) === 0 ? null : { change, withinS, owners },
  };
}
