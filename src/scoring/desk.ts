// The desk: shared memory between the pool and one worker, for one task at a time. It has one writer at any moment: the
// pool until it stores POSTED, the worker until it stores DONE, then the pool again. A worker that is replaced keeps its
// desk to itself, so nothing it may still write can reach another task.
//
//   Int32    magic | capacity | posted | done | fixture count | market mask | period mask | sees sharp
//   Float64  min edge | max edge | min margin | max margin
//   Int32    slot          x capacity
//   Float64  event number  x capacity
//   Float64  score row     x capacity (fixture-score.ts)

import { assert } from '../errors.ts';
import type { SlateReader } from '../store/reader.ts';
import type { ScoreCriteria } from './criteria.ts';
import { type FixtureScore, SCORE_STRIDE, scoreAt, VERSION_GONE, writeScore } from './fixture-score.ts';
import type { ScoreBuffers } from './hits.ts';
import { scoreQuotes } from './kernel.ts';

const MAGIC = 0x4f_56_53_44; // "OVSD"

const WORD_MAGIC = 0;
const WORD_CAPACITY = 1;
const WORD_POSTED = 2; // Atomics: number of the task on the desk
const WORD_DONE = 3; // Atomics: number of the last task finished
const WORD_COUNT = 4;
const WORD_MARKET_MASK = 5;
const WORD_PERIOD_MASK = 6;
const WORD_SEES_SHARP = 7;
const WORDS = 8;
const BOUNDS = 4;

/** What the pool sends a new worker, once. It answers `ready`, then the number of every task it has done. */
export interface WorkerInit {
  readonly storeBuffer: SharedArrayBuffer;
  readonly deskBuffer: SharedArrayBuffer;
}
export const WORKER_READY = 'ready';

export interface DeskViews {
  readonly capacity: number;
  readonly words: Int32Array;
  readonly bounds: Float64Array;
  readonly slots: Int32Array;
  readonly eventNumbers: Float64Array;
  readonly scores: Float64Array;
}

/** Fixtures to score, index by index the same fixture. */
export interface DeskTask {
  readonly criteria: ScoreCriteria;
  readonly slots: readonly number[];
  readonly eventNumbers: readonly number[];
}

/** @param capacity most fixtures of one task */
export function createDesk(capacity: number): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(deskByteCount(capacity));
  const words = new Int32Array(buffer, 0, WORDS);
  words[WORD_CAPACITY] = capacity;
  Atomics.store(words, WORD_MAGIC, MAGIC);
  return buffer;
}

/** Views a desk made on this thread or another. */
export function attachDesk(buffer: SharedArrayBuffer): DeskViews {
  const words = new Int32Array(buffer, 0, WORDS);
  assert(Atomics.load(words, WORD_MAGIC) === MAGIC, 'a desk buffer starts with the desk magic');
  const capacity = words[WORD_CAPACITY]!;
  assert(buffer.byteLength === deskByteCount(capacity), 'a desk buffer has the size its header says');
  const boundsStart = WORDS * 4;
  const slotsStart = boundsStart + BOUNDS * 8;
  const eventsStart = slotsStart + alignedByteCount(capacity);
  return {
    capacity,
    words,
    bounds: new Float64Array(buffer, boundsStart, BOUNDS),
    slots: new Int32Array(buffer, slotsStart, capacity),
    eventNumbers: new Float64Array(buffer, eventsStart, capacity),
    scores: new Float64Array(buffer, eventsStart + capacity * 8, capacity * SCORE_STRIDE),
  };
}

/** Pool's side: puts a task on the desk. @returns its number, to be sent to the worker */
export function postTask(desk: DeskViews, task: DeskTask): number {
  const { words, bounds } = desk;
  const { criteria, slots, eventNumbers } = task;
  const posted = Atomics.load(words, WORD_POSTED);
  assert(Atomics.load(words, WORD_DONE) === posted, 'a desk holds one task at a time');
  assert(slots.length <= desk.capacity && slots.length === eventNumbers.length, 'a task fits its desk');
  words[WORD_COUNT] = slots.length;
  words[WORD_MARKET_MASK] = criteria.marketMask;
  words[WORD_PERIOD_MASK] = criteria.periodMask;
  words[WORD_SEES_SHARP] = criteria.seesSharp ? 1 : 0;
  bounds.set([criteria.minEdge, criteria.maxEdge, criteria.minMargin, criteria.maxMargin]);
  desk.slots.set(slots);
  desk.eventNumbers.set(eventNumbers);
  Atomics.store(words, WORD_POSTED, posted + 1);
  return posted + 1;
}

/** Pool's side: whether the worker has stored this task's scores. */
export function isDone(desk: DeskViews, taskNumber: number): boolean {
  return Atomics.load(desk.words, WORD_DONE) === taskNumber;
}

/** Pool's side: the scores of the task that is done, in its order; null for a fixture that was gone. */
export function takeScores(desk: DeskViews): (FixtureScore | null)[] {
  assert(isDone(desk, Atomics.load(desk.words, WORD_POSTED)), 'scores are taken of a task that is done');
  const scores: (FixtureScore | null)[] = [];
  const count = desk.words[WORD_COUNT]!;
  for (let index = 0; index < count; index++) scores.push(scoreAt(desk.scores, index * SCORE_STRIDE));
  return scores;
}

/** Worker's side: scores the task on the desk and stores it as done. */
export function scoreDesk(reader: SlateReader, desk: DeskViews, out: ScoreBuffers): void {
  const { columns, quotesPerFixture } = reader;
  const taskNumber = Atomics.load(desk.words, WORD_POSTED);
  const count = desk.words[WORD_COUNT]!;
  const criteria = criteriaOf(desk);
  let eventNumber = 0;
  function scorePage(page: number): number {
    // The slot may have passed to another event since the pool looked it up.
    if (columns.eventNumber[page] !== eventNumber) return VERSION_GONE;
    const base = page * quotesPerFixture;
    scoreQuotes(columns, base, columns.quoteCount[page]!, columns.sport[page]!, criteria, out);
    return columns.version[page]!;
  }
  for (let index = 0; index < count; index++) {
    eventNumber = desk.eventNumbers[index]!;
    const version = reader.read(desk.slots[index]!, scorePage) ?? VERSION_GONE;
    writeScore(desk.scores, index * SCORE_STRIDE, eventNumber, version, out);
  }
  Atomics.store(desk.words, WORD_DONE, taskNumber);
}

function criteriaOf(desk: DeskViews): ScoreCriteria {
  const { words, bounds } = desk;
  return {
    marketMask: words[WORD_MARKET_MASK]!,
    periodMask: words[WORD_PERIOD_MASK]!,
    seesSharp: words[WORD_SEES_SHARP] === 1,
    minEdge: bounds[0]!,
    maxEdge: bounds[1]!,
    minMargin: bounds[2]!,
    maxMargin: bounds[3]!,
  };
}

function deskByteCount(capacity: number): number {
  return WORDS * 4 + BOUNDS * 8 + alignedByteCount(capacity) + capacity * 8 * (1 + SCORE_STRIDE);
}

/** Bytes of an Int32 column, padded so that what follows is aligned to 8. */
function alignedByteCount(count: number): number {
  return Math.ceil((count * 4) / 8) * 8;
}
